"""`SubEnv`: one slot of the batch; its environment may be replaced."""

import copy
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import gymnasium as gym
from gymnasium.vector import AutoresetMode

from pptarena.envs.ppt_arena import base_env
from pptarena.envs.vector.deadlines import Deadlines
from pptarena.envs.vector.wake_event import WakeEvent
from pptarena.envs.vector.worker import Begun, PendingReset, Reply, State, Stepped, Worker
from pptarena.errors import MachineStartError, MachineTimeoutError

__all__ = ["SubEnv"]

_log = logging.getLogger(__name__)

GRACE_SEC = 1.0
"""Seconds that others wait for a failed machine; a restored one takes over in less."""
_CLOSE_SEC = 30.0


class SubEnv:
    """Starts steps and resets, computes how long to wait for them, and returns their replies.

    Args:
        number: Its index in the batch.
        make: Creates another environment after a loss.
        env: The initial environment.
        blank: The observation to return before the first one.
        mode: When sub-environments are reset after an episode.
        deadlines: Deadlines.
        wake_event: Set when the state changes.
    """

    def __init__(
        self,
        number: int,
        make: Callable[[], gym.Env[Any, Any]],
        env: gym.Env[Any, Any],
        blank: Any,
        mode: AutoresetMode,
        deadlines: Deadlines,
        wake_event: WakeEvent,
    ) -> None:
        self.number = number
        self.state = State.UNKNOWN
        self._make = make
        self._mode = mode
        self._deadlines = deadlines
        self._wake_event = wake_event
        self._blank = blank
        self._error = "the machine did not come up"
        self.worker = self._new_worker(env)
        self.attributes: dict[str, Any] = {}
        self.shown: Begun | None = None  # the last observation and info returned
        self._stepping: Future[Stepped] | None = None
        self._deadline = 0.0
        self._losses = 0  # consecutive losses

    def start_step(self, action: Any) -> None:
        """Start a step; if a reset is due, wait for the reset instead."""
        if self.state is State.RUNNING:
            reset_after = self._mode is not AutoresetMode.DISABLED
            self._deadline = time.monotonic() + self._deadlines.step_deadline_sec
            self._stepping = self.worker.step(action, then_reset=reset_after)
            return
        if self.worker.pending is None:
            self.worker.begin()
        self._lose_if_overdue()

    def start_reset(
        self, seed: int | None, options: dict[str, Any] | None, *, patient: bool
    ) -> None:
        """Start a reset, or join one that already runs in the background."""
        self._stepping = None
        self.worker.begin(seed, options, afresh=patient)

    def interrupted(self) -> None:
        """Discard the current operation; only a reset is allowed afterwards."""
        self._stepping = None
        self.state = State.UNKNOWN
        if self.worker.pending is not None:
            self.worker.pending.cancelled.set()

    def close(self, wait_sec: float) -> None:
        """Close the environment and wait until its thread has exited."""
        self.worker.stop(wait_sec)

    def render(self) -> Any:
        """Return the last frame; that of an ended episode until the next one is reported."""
        pending = self.worker.pending
        if pending is not None:
            return pending.frame
        return self.worker.env.render()

    def step_until(self) -> float | None:
        """Return the time until which the current step waits; None if it need not wait."""
        if self._stepping is not None and not self._stepping.done():
            return self._deadline
        return self._reset_until() if self._reset_belongs_to_step() else None

    def reset_until(self, *, patient: bool) -> float | None:
        """Return the time until which the current reset is waited for; None if it need not be."""
        pending = self.worker.pending
        if patient and pending is not None and not pending.settled:
            return self._last_moment(pending)
        return self._reset_until()

    @property
    def stepping(self) -> bool:
        """Whether a step of the environment was started."""
        return self._stepping is not None

    @property
    def arrived(self) -> bool:
        """Whether a reset has a result to report: a reply or a user error."""
        pending = self.worker.pending
        return pending is not None and pending.future.done() and not pending.given_up

    @property
    def gave_up(self) -> bool:
        """Whether its machine is not retried."""
        pending = self.worker.pending
        return pending is not None and pending.given_up

    def _reset_until(self) -> float | None:
        pending = self.worker.pending
        if pending is None or pending.settled:
            return None
        wait_sec = self._deadlines.reset_wait_sec
        if self.state is State.DOWN or self._machine_failed():
            wait_sec = min(wait_sec, GRACE_SEC)
        return pending.since + wait_sec

    def _reset_belongs_to_step(self) -> bool:
        if self._stepping is None:
            return self._mode is not AutoresetMode.DISABLED
        return self._mode is AutoresetMode.SAME_STEP

    def _machine_failed(self) -> bool:
        stepping = self._stepping
        if stepping is None or not stepping.done() or stepping.exception() is not None:
            return False
        return bool(stepping.result()[4].get("infra_error"))

    def _last_moment(self, pending: PendingReset) -> float:
        return pending.since + self._deadlines.reset_deadline_sec

    def conclude_step(self) -> Reply:
        """Return the reply of the step; errors of the sub-environment are raised."""
        stepping, self._stepping = self._stepping, None
        reply = self._own_step(stepping) if stepping is not None else self._due_reset()
        self.shown = (reply.observation, reply.info)
        return reply

    def conclude_reset(self) -> Reply:
        """Return the reply of the reset; errors of the sub-environment are raised.

        A machine failure is only reported in ``info["infra_error"]``.
        """
        begun = self._take()
        if begun is None:
            self._lose_if_overdue()
        reply = self._stale() if begun is None else Reply(*begun)
        self.state = State.DOWN if begun is None else State.RUNNING
        self.shown = (reply.observation, reply.info)
        return reply

    def _own_step(self, stepping: "Future[Stepped]") -> Reply:
        if not stepping.done():
            limit_sec = self._deadlines.step_deadline_sec
            self._lose(f"the step took longer than its deadline of {limit_sec:g} s")
            return self._broken()
        observation, reward, terminated, truncated, info = stepping.result()
        reply = Reply(observation, info, float(reward), terminated, truncated)
        if terminated or truncated:
            self.state = State.DOWN if info.get("infra_error") else State.OVER
            if self._mode is AutoresetMode.SAME_STEP:
                self._go_on(reply)
            elif self.state is State.DOWN:
                self.worker.begin()  # in the mode DISABLED, nothing else would
        return reply

    def _go_on(self, reply: Reply) -> None:
        """Add the start of the new episode to the reply that ended the old one."""
        reply.final = (reply.observation, reply.info)
        begun = self._take()
        if begun is not None:
            reply.observation, reply.info = begun
            self.state = State.RUNNING
            return
        self.shown = reply.final
        self._lose_if_overdue()
        stale = self._stale()
        reply.observation, reply.info = stale.observation, stale.info
        self.state = State.DOWN

    def _due_reset(self) -> Reply:
        """Reply when the sub-environment was awaiting reset; the action is ignored."""
        begun = None if self._mode is AutoresetMode.DISABLED else self._take()
        if begun is None:
            return self._broken()
        self.state = State.RUNNING
        if self._mode is AutoresetMode.NEXT_STEP:
            return Reply(*begun)
        stale = self._stale()  # SAME_STEP: report an episode that ended without steps
        return Reply(*begun, truncated=True, final=(stale.observation, stale.info))

    def _broken(self) -> Reply:
        self.state = State.DOWN
        reply = self._stale()
        reply.truncated = True
        if self._mode is AutoresetMode.SAME_STEP:
            reply.final = copy.deepcopy((reply.observation, reply.info))
        return reply

    def _take(self) -> Begun | None:
        pending = self.worker.pending
        if pending is None or not pending.future.done() or pending.given_up:
            return None
        self.worker.taken()
        self._losses = 0
        return pending.future.result()

    def _stale(self) -> Reply:
        """Return the last observation and info, with the reason why there is no new one."""
        observation, info = copy.deepcopy(self.shown or (self._blank, {}))
        timing = info.get("timing")
        if isinstance(timing, dict):
            info["timing"] = {k: 0.0 if isinstance(v, float) else "" for k, v in timing.items()}
        if "command" in info:
            info["command"] = {}  # nothing was executed
        errors = {"infra_error": self.error, "action_error": None, "overload": None}
        return Reply(observation, {**info, **errors})

    @property
    def error(self) -> str:
        """The error of its machine, as text."""
        pending = self.worker.pending
        error: BaseException | None = pending.error if pending is not None else None
        if pending is not None and pending.given_up:
            error = pending.future.exception()
        if error is not None:
            return f"{type(error).__name__}: {error}"
        return f"{MachineTimeoutError.__name__}: {self._error}"

    def _lose_if_overdue(self) -> None:
        pending = self.worker.pending
        if pending is None or pending.settled:
            return
        self._error = "the reset is not done yet; it goes on in the background"
        if time.monotonic() >= self._last_moment(pending):
            limit_sec = self._deadlines.reset_deadline_sec
            self._lose(f"the reset took longer than its deadline of {limit_sec:g} s")

    def _lose(self, error: str) -> None:
        """Replace an environment that hangs and reset the new one in the background.

        The new one continues the task draws of the old one. Its machine starts after the old one
        has stopped.
        """
        _log.warning("sub-environment %d is replaced: %s", self.number, error)
        self._error, old = error, self.worker
        self._losses += 1
        former = old.pending
        env = self._make()
        for name, value in self.attributes.items():
            env.set_wrapper_attr(name, value)
        rng_state = former.rng_state if former is not None else None
        base_env(env).rng_state = rng_state or base_env(old.env).rng_state
        self.worker = self._new_worker(env)
        self.worker.submit(lambda: old.stop(_CLOSE_SEC))
        if self._losses > self._deadlines.restarts:
            self.worker.give_up(
                MachineStartError(f"given up after {self._losses} machines in a row: {error}")
            )
        elif former is not None:
            self.worker.begin(former.seed, former.options)
        else:
            self.worker.begin()
        if self.worker.pending is not None:
            self.worker.pending.frame = former.frame if former is not None else old.still()

    def _new_worker(self, env: gym.Env[Any, Any]) -> Worker:
        name = f"pptarena-vector-{self.number}"
        return Worker(env, name, self._wake_event, self._deadlines.restarts)
