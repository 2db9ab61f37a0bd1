"""`Checkpoint`: the complete state of an environment at one moment of an episode."""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from pptarena.closeable import Closeable
from pptarena.envs.episode import EpisodeState
from pptarena.envs.machines.base import MachineCheckpoint
from pptarena.tasks import Task

__all__ = ["Checkpoint", "RngState"]


@dataclass(frozen=True, slots=True, eq=False)
class RngState:
    """The state that determines the next task draws of an environment.

    Attributes:
        generator: A copy of the environment's generator; never drawn from.
        seed: Seed of the generator; -1 or None if unknown.
    """

    generator: np.random.Generator
    seed: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint(Closeable):
    """Result of `PPTArenaEnv.checkpoint`; `restore` and `fork` accept it any number of times.

    It holds the state of a machine, which can be large: close it after use, or use it in a ``with``
    statement. Otherwise the state is freed when the checkpoint is garbage-collected, at the latest
    when the interpreter exits. A checkpoint outlives the environment that created it and cannot be
    pickled or sent to another process.

    Attributes:
        machine: The state of the machine.
        episode: The state of the episode: task, steps, score and so on.
        over: Whether the episode had ended.
        rng_state: The state of the generator that draws tasks.
        origin: Identifies the environments that share its observation ids.
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
        """The score at the time of the checkpoint, in [0, 1]."""
        return self.episode.grader.score

    @property
    def steps(self) -> int:
        """Number of steps taken at the time of the checkpoint."""
        return self.episode.steps

    @property
    def observation_id(self) -> int:
        """Id of the last observation at the time of the checkpoint."""
        return self.episode.observation_id

    @property
    def closed(self) -> bool:
        """Whether the state of the machine has been freed."""
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
