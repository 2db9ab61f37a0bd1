"""`Worker`: one sub-environment and the only thread that uses it."""

import enum
import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, SupportsFloat, TypeVar

import gymnasium as gym

from pptarena.envs.checkpoint import RngState
from pptarena.envs.ppt_arena import base_env
from pptarena.envs.vector.wake_event import WakeEvent
from pptarena.errors import MachineError, MachineLostError

__all__ = ["Begun", "PendingReset", "Reply", "State", "Stepped", "Worker"]

_log = logging.getLogger(__name__)

Begun = tuple[Any, dict[str, Any]]
Stepped = tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]
Result = TypeVar("Result")

_FIRST_PAUSE_SEC = 1.0
_LONGEST_PAUSE_SEC = 30.0
_STILL_FRAMES = ("rgb_array", "ansi")


class State(enum.Enum):
    """The operation that a sub-environment expects next."""

    UNKNOWN = "a reset by the user"
    RUNNING = "a step"
    OVER = "a reset, after an episode's end"
    DOWN = "a reset, after the machine failed"


@dataclass(slots=True)
class Reply:
    """One sub-environment's part of the reply of a step or a reset."""

    observation: Any
    info: dict[str, Any]
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    final: Begun | None = None


class PendingReset:
    """A reset that runs, or that has finished and is not reported yet.

    Attributes:
        future: The result of the reset.
        seed, options: Its arguments.
        since: Time of the request (`time.monotonic`).
        rng_state: State of the environment's draws before the reset; None before it started.
        frame: The last frame of the episode before, if frames are rendered without a window.
        error: The last machine failure; the reset is retried meanwhile.
        cancelled: Set when the reply is no longer needed.
    """

    def __init__(self, seed: int | None, options: dict[str, Any] | None) -> None:
        self.future: Future[Begun] = Future()
        self.seed = seed
        self.options = options
        self.since = time.monotonic()
        self.rng_state: RngState | None = None
        self.frame: Any = None
        self.error: MachineError | None = None
        self.cancelled = threading.Event()

    @property
    def settled(self) -> bool:
        """Whether it has finished or the machine failed."""
        return self.error is not None or self.future.done()

    @property
    def succeeded(self) -> bool:
        """Whether it finished with a reply."""
        return self.future.done() and self.future.exception() is None

    @property
    def given_up(self) -> bool:
        """Whether the machine failed too often to be retried."""
        return self.future.done() and isinstance(self.future.exception(), MachineError)

    def serves(
        self, seed: int | None, options: dict[str, Any] | None, *, afresh: bool = False
    ) -> bool:
        """Whether it can serve as another reset with these arguments."""
        if seed is not None or options or self.seed is not None or self.options:
            return False
        if self.succeeded:
            return not self.cancelled.is_set()
        tried_again = self.error is not None
        return not (self.future.done() or self.cancelled.is_set() or (afresh and tried_again))


class Worker:
    """Runs jobs in sequence; apart from `stop`, only its thread uses the environment.

    Args:
        env: The sub-environment; `stop` closes it.
        name: Name of the thread.
        wake_event: Set after every job.
        restarts: Number of retries of a reset whose machine does not start.

    Attributes:
        env: The sub-environment.
        pending: The reset whose reply has not been taken; None for none.
    """

    def __init__(
        self, env: gym.Env[Any, Any], name: str, wake_event: WakeEvent, restarts: int
    ) -> None:
        self.env = env
        self.pending: PendingReset | None = None
        self._wake_event = wake_event
        self._restarts = restarts
        self._lock = threading.Lock()
        self._turn = 0  # incremented with every requested reset
        self._stopped = False
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], None]] | None]
        self._jobs = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], Result]) -> "Future[Result]":
        """Run a job after those already submitted."""
        future: Future[Result] = Future()
        self._put(future, job)
        return future

    def step(self, action: Any, *, then_reset: bool) -> "Future[Stepped]":
        """Step and, if requested, start a reset immediately at the episode's end."""
        turn = self._turn

        def job() -> Stepped:
            _, _, terminated, truncated, _ = result = self.env.step(action)
            if then_reset and (terminated or truncated):
                self._begin_after(turn)
            return result

        return self.submit(job)

    def begin(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        *,
        afresh: bool = False,
    ) -> PendingReset:
        """Reset, or join an equal reset that is in progress.

        A different one is undone: the environment draws as if it had never happened.

        Args:
            seed: Seed of the reset.
            options: Options of the reset.
            afresh: Whether to start another one also if the machine failed and is being retried.
        """
        with self._lock:
            former, self._turn = self.pending, self._turn + 1
            if former is not None and former.serves(seed, options, afresh=afresh):
                return former
            pending = PendingReset(seed, options)
            if former is None:
                pending.frame = self.still()
            else:
                former.cancelled.set()
                pending.frame, pending.rng_state = former.frame, former.rng_state
            return self._begin(pending)

    def give_up(self, error: MachineError) -> None:
        """Set `pending` to a failed reset that was never tried, until the next `begin`."""
        self.pending = PendingReset(None, None)
        self.pending.future.set_exception(error)

    def taken(self) -> None:
        """Record that the reply of `pending` was reported."""
        self.pending = None

    def still(self) -> Any:
        """Return the last frame if it needs no window; None if there is none.

        It also works while the environment is busy, since a frame shows the last observation.
        """
        if self.env.render_mode not in _STILL_FRAMES:
            return None
        try:
            return self.env.render()
        except gym.error.ResetNeeded:
            return None

    def stop(self, wait_sec: float) -> None:
        """Close the environment, even while it is busy, and stop the thread.

        It may be called repeatedly and from any thread. A running job fails or is discarded.
        """
        self._stopped = True
        if self.pending is not None:
            self.pending.cancelled.set()
        self._jobs.put(None)
        try:
            self.env.close()
        except Exception:  # noqa: BLE001 - one that fails to close must not keep the others open
            _log.exception("closing a sub-environment failed")
        if threading.current_thread() is not self._thread:
            self._thread.join(wait_sec)

    def _begin_after(self, turn: int) -> None:
        with self._lock:
            if self._turn == turn and not self._stopped:
                pending = PendingReset(None, None)
                pending.frame = self.still()
                self._begin(pending)

    def _begin(self, pending: PendingReset) -> PendingReset:
        self.pending = pending
        self._put(pending.future, lambda: self._reset(pending))
        return pending

    def _reset(self, pending: PendingReset) -> Begun:
        base = base_env(self.env)
        if pending.rng_state is not None:
            base.rng_state = pending.rng_state
        else:
            pending.rng_state = base.rng_state
        pause_sec = _FIRST_PAUSE_SEC
        for attempt in range(self._restarts + 1):
            if pending.cancelled.is_set():
                break
            try:
                return self.env.reset(seed=pending.seed, options=pending.options)
            except MachineError as error:
                pending.error = error
                self._wake_event.ring()
                if attempt == self._restarts or pending.cancelled.wait(pause_sec):
                    raise
            base.rng_state = pending.rng_state
            pause_sec = min(2 * pause_sec, _LONGEST_PAUSE_SEC)
        raise MachineLostError("the reset was not wanted any more")

    def _put(self, future: "Future[Result]", job: Callable[[], Result]) -> None:
        def run() -> None:
            try:
                result = job()
            except BaseException as error:  # noqa: BLE001 - handed to the caller
                future.set_exception(error)
            else:
                future.set_result(result)

        future.add_done_callback(self._wake_event.ring)
        self._jobs.put((future, run))

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job[1]()
            del job  # otherwise its result would be held until the next one
        while not self._jobs.empty():
            left = self._jobs.get()
            if left is not None:
                left[0].cancel()
