"""A machine and its current episode: start, checkpoint, restore and fork."""

import logging
from collections.abc import Callable
from typing import Self, TypeVar

from gymnasium.error import ClosedEnvironmentError, ResetNeeded

from pptarena.envs.checkpoint import Checkpoint, RngState
from pptarena.envs.episode import Episode
from pptarena.envs.grading import Grading
from pptarena.envs.machines.base import Machine
from pptarena.envs.pixels import PixelTree
from pptarena.errors import ConfigError, MachineError, MachineStartError
from pptarena.tasks import Task
from pptarena.vm_images.guest.protocol import Command

__all__ = ["Session"]

_log = logging.getLogger(__name__)

_Result = TypeVar("_Result")


class Session:
    """The state of an environment that a checkpoint saves, except for the generator.

    Observation ids are never reused: after `restore`, numbering continues above the largest id so
    far. Only an observation that equals the one of the checkpoint gets the same id again, so that
    actions based on it stay valid; this holds in this session and in sessions forked from it later.
    Ids in checkpoints of other sessions are unrelated.

    Args:
        machine: The machine; `close` closes it.
        screen_px: Width and height of its screen.
        start_attempts: Number of attempts to start it.
        pixel_tree: Detects elements in screenshots; None takes them from the tree alone.

    Attributes:
        machine: The machine.
        episode: The current episode; None before the first.
        over: Whether the episode has ended.
    """

    def __init__(
        self,
        machine: Machine,
        screen_px: tuple[int, int],
        start_attempts: int,
        pixel_tree: PixelTree | None = None,
    ) -> None:
        self.machine = machine
        self.episode: Episode | None = None
        self.over = True
        self._closed = False
        self._screen_px = screen_px
        self._start_attempts = start_attempts
        self._pixel_tree = pixel_tree
        self._last_id = 0
        self._origin = object()
        # By origin, the largest of its ids that is valid here.
        self._shared_ids: dict[object, int] = {}

    def begin(self, task: Task, grading: Grading) -> Episode:
        """Start an episode; it counts as over until the caller sets `over` to False.

        Raises:
            ClosedEnvironmentError: If the session is closed.
            DeckError: If the application cannot open the task's deck.
            MachineStartError: If the machine does not start.
        """
        self.require_open()
        self._end()
        episode = self._retry(
            lambda: Episode.begin(self.machine, task, grading, self._last_id, self._pixel_tree),
            f"start task {task.id}",
        )
        self.episode = episode
        return episode

    def require_episode(self, *, running: bool = False) -> Episode:
        """Return the episode.

        Args:
            running: Whether the episode must be running.

        Raises:
            ClosedEnvironmentError: If it must run and the session is closed.
            ResetNeeded: If there is none, or it must run and has ended.
        """
        if running:
            self.require_open()
        if self.episode is None or (running and self.over):
            raise ResetNeeded("no episode is running; call env.reset() first")
        return self.episode

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def require_open(self) -> None:
        """Raise an error if the session is closed.

        Raises:
            ClosedEnvironmentError: If the session is closed.
        """
        if self._closed:
            raise ClosedEnvironmentError("the environment is closed; make a new one")

    def checkpoint(self, rng_state: RngState) -> Checkpoint:
        """Save the state; see `PPTArenaEnv.checkpoint`."""
        self.require_open()
        self.machine.require_checkpoints()
        state = self.require_episode().state()
        machine_state = self.machine.checkpoint()
        return Checkpoint(machine_state, state, self.over, rng_state, self._origin, self._screen_px)

    def restore(self, checkpoint: Checkpoint) -> Episode:
        """Restore a saved state; see `PPTArenaEnv.restore`."""
        self.require_restorable(checkpoint)
        self._end()
        observed = self._retry(
            lambda: self.machine.restore(checkpoint.machine), "restore a checkpoint"
        )
        keep_id = checkpoint.observation_id <= self._shared_id(checkpoint.origin)
        self.episode = Episode.resume(
            self.machine,
            checkpoint.episode,
            observed,
            self._last_id,
            keep_id=keep_id,
            pixel_tree=self._pixel_tree,
        )
        self.over = checkpoint.over
        return self.episode

    def fork(self, checkpoint: Checkpoint) -> Self:
        """Return a session that continues from a saved state on its own machine.

        Raises:
            MachineError: If its machine does not start; its resources are freed.
        """
        machine = self.machine.fork(checkpoint.machine)
        try:
            session = type(self)(machine, self._screen_px, self._start_attempts, self._pixel_tree)
            session._last_id = self._newest_id()
            session._shared_ids = {**self._shared_ids, self._origin: session._last_id}
            keep_id = checkpoint.observation_id <= session._shared_id(checkpoint.origin)
            observed = machine.perform(Command("observe"))
            session.episode = Episode.resume(
                machine,
                checkpoint.episode,
                observed,
                session._last_id,
                keep_id=keep_id,
                pixel_tree=self._pixel_tree,
            )
            session.over = checkpoint.over
        except BaseException:
            machine.close()
            raise
        return session

    def require_restorable(self, checkpoint: Checkpoint) -> None:
        """Raise if a checkpoint cannot be restored or forked here.

        Raises:
            ClosedEnvironmentError: If the session is closed.
            ConfigError: If the machine does not support checkpoints, or the checkpoint is closed or
                of another machine type or screen size.
            MachineLostError: If the machine is closed.
        """
        self.require_open()
        if not isinstance(checkpoint, Checkpoint):
            raise ConfigError(
                f"expected a Checkpoint of `PPTArenaEnv`, got {type(checkpoint).__name__}"
            )
        self.machine.require_restorable(checkpoint.machine)
        if checkpoint.screen_px != self._screen_px:
            raise ConfigError(
                f"expected a checkpoint with a screen of {self._screen_px} pixels, "
                f"got one with {checkpoint.screen_px}"
            )

    def close(self) -> None:
        """Stop the machine. Later calls do nothing."""
        self.over = self._closed = True
        self.machine.close()

    def _end(self) -> None:
        self.over = True
        self._last_id = self._newest_id()

    def _newest_id(self) -> int:
        return self.episode.newest_id if self.episode else self._last_id

    def _shared_id(self, origin: object) -> int:
        return self._newest_id() if origin is self._origin else self._shared_ids.get(origin, 0)

    def _retry(self, start: Callable[[], _Result], purpose: str) -> _Result:
        last_error: MachineError | None = None
        for attempt in range(1, self._start_attempts + 1):
            try:
                return start()
            except MachineError as error:
                if self._closed:  # closed by another thread
                    raise
                _log.warning("attempt %d to %s failed: %s", attempt, purpose, error)
                last_error = error
        raise MachineStartError(
            f"the machine did not start in {self._start_attempts} attempts: {last_error}"
        ) from last_error
