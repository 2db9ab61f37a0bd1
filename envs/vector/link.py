"""`Link`: the connection to the process of one sub-environment."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode

from pptarena.errors import MachineLostError

__all__ = ["Deadlines", "Link", "State"]

_log = logging.getLogger(__name__)

_GRACE_SEC = 1.0  # others wait this long for a lost machine; restoring one takes less
_LONGEST_PAUSE_SEC = 30.0
_LONGEST_POLL_SEC = 1e6  # a limit of the operating system
_CLOSE_SEC = 30.0


class Deadlines(NamedTuple):
    """Deadlines in seconds of a step or call, of a reset, and of a step that waits for a reset."""

    step_sec: float
    reset_sec: float
    reset_wait_sec: float


class State(Enum):
    """What a sub-environment expects next."""

    NEW = "a reset by the user"
    RUNNING = "a step"
    OVER = "a reset, after an episode's end"
    DOWN = "a reset, after the machine failed"


class Link:
    """Takes the place of a `Connection` in `AsyncVectorEnv.parent_pipes`.

    `recv` always returns a reply. If the process exited or exceeded its deadline, the reply is
    truncated and has an ``infra_error``, and `start` replaces the process. A reset that takes
    longer than `reset_wait_sec`, or if `patient` is set, than its deadline, continues while the
    others step. `failures` counts the resets and processes that failed in a row, and `cause` is the
    last of these failures.
    """

    def __init__(
        self,
        connection: tuple[Connection, BaseProcess],
        start: Callable[[dict[str, Any]], tuple[Connection, BaseProcess]],
        mode: AutoresetMode,
        deadlines: Deadlines,
        blank: Any,
    ) -> None:
        self.pipe, self.process = connection
        self.failures, self.problem, self.cause = 0, "", ""
        self.state, self.resetting, self.patient, self.closed = State.NEW, False, True, False
        self.error: Exception | None = None
        self._start, self._mode, self._deadlines = start, mode, deadlines
        self._attributes: dict[str, Any] = {}
        self._last: tuple[Any, dict[str, Any]] = (blank, {})
        self._command, self._sent_at, self._reset_at, self._reset_limit = "", 0.0, 0.0, 0.0
        self._is_reply_outstanding = False  # of a step or call
        self._pending_start: Any = None  # the reply of a reset that a call found
        self._retry_arguments: dict[str, Any] = {}  # arguments of the next automatic reset

    def send(self, message: tuple[str, Any]) -> None:
        """Send a command, unless a reset in progress answers it."""
        self._command, data = message
        self._sent_at = time.monotonic()
        if self._is_reply_outstanding:
            self._replace("MachineLostError: the user interrupted the last call")
            self.state = State.NEW
        if self._command == "_setattr":
            self._attributes.update([data])
        if self._command == "reset":
            if self.resetting and (data["seed"] is not None or data["options"]):
                self._replace("MachineLostError: the user requested another reset")
            seed = self._retry_arguments.get("seed") if data["seed"] is None else data["seed"]
            self._reset({**data, "seed": seed})
        elif self._command == "step" and self.state is not State.RUNNING:
            if self.state is not State.NEW and self._mode is not AutoresetMode.DISABLED:
                self._reset(self._retry_arguments)
        elif self._command != "reset-noop":
            self._send_to_process(self._command, data)
            self._is_reply_outstanding = True

    def recv(self) -> tuple[Any, bool]:
        """Return the reply to the last command, or ``(None, False)`` and set `error`."""
        try:
            return self._reply(), True
        except ClosedEnvironmentError:
            raise
        except Exception as error:  # noqa: BLE001 - raised by the vector environment
            self.error = error
            return None, False

    @property
    def due_at(self) -> float:
        """When `recv` returns at the latest, in `time.monotonic` seconds."""
        if self._command != "step" or self.state is State.RUNNING:
            return self._sent_at + self._deadlines.step_sec
        return self._start_limit() if self.resetting and self._pending_start is None else 0.0

    def stop(self, wait_sec: float = _CLOSE_SEC) -> None:
        """Terminate the process; it closes its environment, or is killed after `wait_sec`."""
        self.process.terminate()
        self.process.join(wait_sec)
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()

    def _reply(self) -> Any:
        if self._command == "reset-noop":
            return self._last[0], {}
        if self._command == "reset":
            return self._episode_start() or self._stale_reply()
        if self._command == "step":
            return self._step() if self.state is State.RUNNING else self._skipped_step()
        if self.resetting and self._pending_start is None:
            self._pending_start = self._receive(self._reset_limit, "the reset")
            self._is_reply_outstanding = True
            self._sent_at = time.monotonic()
        return self._receive(self._sent_at + self._deadlines.step_sec, "the call")

    def _step(self) -> Any:
        try:
            reply = self._receive(self._sent_at + self._deadlines.step_sec, "the step")
        except MachineLostError:
            return self._truncated()
        observation, reward, terminated, truncated, info = reply
        self._last = observation, info
        if terminated or truncated:
            self.state = State.DOWN if info.get("infra_error") else State.OVER
            if self._mode is AutoresetMode.SAME_STEP:
                self._expect_reset()
                start = self._episode_start() or self._stale_reply()
                observation, info = start[0], {**_final(observation, info), **start[1]}
        return observation, reward, terminated, truncated, info

    def _skipped_step(self) -> Any:
        """Return the reply to a step that is not executed, because a reset is due."""
        disabled = self._mode is AutoresetMode.DISABLED
        if self.state is State.NEW or (disabled and self.state is State.OVER):
            raise ResetNeeded(
                "a sub-environment must be reset first; call reset(), in the mode DISABLED with "
                'options={"reset_mask": ...} for those that ended'
            )
        stale = self._stale_reply()
        start = None if disabled else self._episode_start()
        if start is None:
            return self._truncated()
        if self._mode is AutoresetMode.NEXT_STEP:
            return start[0], 0.0, False, False, start[1]
        return start[0], 0.0, False, True, {**_final(*stale), **start[1]}

    def _truncated(self) -> Any:
        observation, info = self._stale_reply()
        if self._mode is AutoresetMode.SAME_STEP:
            info = {**_final(observation, info), **info}
        return observation, 0.0, False, True, info

    def _episode_start(self) -> tuple[Any, dict[str, Any]] | None:
        """Return the start of an episode, or None if it failed or is not ready yet."""
        limit = self._start_limit()
        self.state = State.DOWN
        is_overdue = time.monotonic() > self._reset_limit
        if not (self._pending_start or is_overdue or self._poll(limit)):
            self.problem = "MachineTimeoutError: the reset continues in the background"
            return None
        try:
            start = self._pending_start or self._receive(0.0, "the reset")
        except MachineLostError:
            return None
        except Exception:
            self.state = State.NEW
            raise
        finally:
            self.resetting, self._pending_start = False, None
        if start[0] is None:
            self.problem = self.cause = start[1]["infra_error"]
            self.failures += 1
            return None
        self.state, self.failures, self._retry_arguments, self._last = State.RUNNING, 0, {}, start
        return self._last

    def _start_limit(self) -> float:
        """Return until when a call waits for the reset in progress."""
        if self._command == "reset" and self.patient:
            return self._reset_limit
        wait_sec = self._deadlines.reset_wait_sec
        return self._reset_at + (
            min(wait_sec, _GRACE_SEC) if self.state is State.DOWN else wait_sec
        )

    def _stale_reply(self) -> tuple[Any, dict[str, Any]]:
        """Return the last observation and info, with the reason why there is no new one."""
        observation, info = self._last
        if "timing" in info:  # nothing was executed
            timing = {k: 0.0 if isinstance(v, float) else "" for k, v in info["timing"].items()}
            info = {**info, "timing": timing, "command": {}}
        errors = {"infra_error": self.problem, "action_error": None, "overload": None}
        return observation, {**info, **errors}

    def _reset(self, arguments: dict[str, Any]) -> None:
        if not self.resetting:
            pause_sec = min(2.0**self.failures / 4, _LONGEST_PAUSE_SEC) if self.failures > 1 else 0
            self._send_to_process("reset", (arguments, pause_sec))
            self._expect_reset(pause_sec)
            self._retry_arguments = arguments

    def _expect_reset(self, pause_sec: float = 0.0) -> None:
        self.resetting, self._reset_at = True, time.monotonic()
        self._reset_limit = self._reset_at + pause_sec + self._deadlines.reset_sec

    def _send_to_process(self, command: str, data: Any) -> None:
        with suppress(OSError):  # the process exited; found when the reply is read
            self.pipe.send((command, data))

    def _poll(self, limit: float) -> bool:
        with suppress(OSError):
            return self.pipe.poll(min(max(0.0, limit - time.monotonic()), _LONGEST_POLL_SEC))
        return True  # reading raises

    def _receive(self, limit: float, description: str) -> Any:
        """Return the next result or raise its exception; if there is none, replace the process.

        Raises:
            MachineLostError: If there is none until `limit`, or the process exited.
        """
        if not self._poll(limit):
            raise self._replace(f"MachineTimeoutError: {description} took longer than its deadline")
        self._is_reply_outstanding = True
        try:
            result, succeeded = self.pipe.recv()
        except (EOFError, OSError) as error:
            if self.closed:
                raise ClosedEnvironmentError("the vector environment was closed") from error
            raise self._replace("MachineLostError: the process exited") from error
        self._is_reply_outstanding = False
        if not succeeded:
            raise result
        return result

    def _replace(self, problem: str) -> MachineLostError:
        """Start another process, which has no episode."""
        _log.warning("a sub-environment is replaced: %s", problem)
        connection = self._start(self._attributes)
        self.stop(_GRACE_SEC)
        self.pipe, self.process = connection
        self.failures, self.state = self.failures + 1, State.DOWN
        self.problem = self.cause = problem
        self.resetting, self._is_reply_outstanding, self._pending_start = False, False, None
        return MachineLostError(problem)


def _final(observation: Any, info: dict[str, Any]) -> dict[str, Any]:
    return {"final_obs": observation, "final_info": info}
