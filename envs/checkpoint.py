"""`Checkpoint`: the whole state of an environment at one moment of an episode."""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from pptarena.closing import Closing
from pptarena.envs.episode import EpisodeState
from pptarena.envs.machines.base import MachineCheckpoint
from pptarena.tasks import Task

__all__ = ["Checkpoint", "RngState"]


@dataclass(frozen=True, slots=True, eq=False)
class RngState:
    """What the next draws of an environment depend on.

    Attributes:
        generator: Its generator; nobody draws from this one.
        seed: What it was seeded with, -1 or None if that is not known.
        drawn: The task that was drawn ahead for the next reset, None for none.
    """

    generator: np.random.Generator
    seed: int | None
    drawn: Task | None


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint(Closing):
    """What `PPTArenaEnv.checkpoint` returns and `restore` and `fork` take, as often as one likes.

    It holds the state of a machine, which can be large: close it, or use it in a ``with``
    statement, when it is done with. Otherwise that is freed when nothing refers to the checkpoint
    any more, and at the latest when the interpreter ends. It outlives the environment that made
    it and cannot leave its process.

    Attributes:
        machine: The state of the machine.
        episode: The state of the episode: task, steps, score and so on.
        over: Whether the episode had ended.
        rng_state: The state of the generator that draws tasks.
        origin: Whose numbers of observations it uses.
        screen_px: Width and height of the screen.
    """

    machine: MachineCheckpoint
    episode: EpisodeState
    over: bool
    rng_state: RngState
    origin: object
    screen_px: tuple[int, int]

    @property
    def task(self) -> Task:
        """The task of the episode."""
        return self.episode.task

    @property
    def score(self) -> float:
        """The score at that moment, in [0, 1]."""
        return self.episode.grader.score

    @property
    def steps(self) -> int:
        """Steps taken by then."""
        return self.episode.steps

    @property
    def observation_id(self) -> int:
        """Number of the observation that was the last one then."""
        return self.episode.observation_id

    @property
    def closed(self) -> bool:
        """Whether the state of the machine is gone."""
        return self.machine.closed

    def close(self) -> None:
        """Free the state of the machine. A second call does nothing."""
        self.machine.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a checkpoint holds a machine's state in this process and cannot be pickled or copied; "
            "environments in processes of their own (AsyncVectorEnv) cannot hand one over: "
            "use SyncVectorEnv or plain environments"
        )
