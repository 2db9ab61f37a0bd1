"""`DocCheckpoint`: the complete state of a document environment at one moment."""

from dataclasses import dataclass

from pptarena.closeable import Closeable
from pptarena.envs.checkpoint import RngState
from pptarena.envs.document.doc_episode import DocEpisodeState
from pptarena.tasks import Task

__all__ = ["DocCheckpoint"]


@dataclass(frozen=True, slots=True, eq=False)
class DocCheckpoint(Closeable):
    """Result of `PPTArenaDocEnv.checkpoint`; `restore` and `fork` accept it any number of times.

    Attributes:
        episode: The state of the episode: task, document, steps, score.
        over: Whether the episode had ended.
        rng_state: The state of the generator that draws tasks.
        baseline: Version of the program that saved the document.
    """

    episode: DocEpisodeState
    over: bool
    rng_state: RngState
    baseline: str

    @property
    def task(self) -> Task:
        """The task of the episode."""
        return self.episode.task

    @property
    def score(self) -> float:
        """The score at the time of the checkpoint, in [0, 1]."""
        return self.episode.grader.score

    @property
    def steps(self) -> int:
        """Number of steps taken at the time of the checkpoint."""
        return self.episode.steps

    def close(self) -> None:
        """Do nothing: a checkpoint holds only memory."""
