"""A malicious guest: invalid replies sent to the real environment over the protocol."""

import contextlib
import json
import resource
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.security.evil_guest import HEIGHT_PX, WIDTH_PX, Attack, EvilGuest
from tests.security.guest_lies import (
    byte_lies,
    error_lies,
    field_lies,
    large_lies,
    other_lies,
)

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import wait
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.grading import Grading
from pptarena.errors import MachineError
from pptarena.tasks import get_task

__all__ = ["Trial", "every_lie"]

_MUTATIONS = 2000
_DEADLINE_SEC = 5.0
_LATE_SEC = 2.0
_MEMORY_BYTES = 400 * 2**20


class Trial:
    """An environment connected to a malicious guest.

    Args:
        folder: Folder for the baselines.
    """

    def __init__(self, folder: Path) -> None:
        self.guest = EvilGuest()
        self.env = PPTArenaEnv(
            task=replace(get_task("meridian-retitle-products"), max_steps=1000),
            machine="remote",
            width_px=WIDTH_PX,
            height_px=HEIGHT_PX,
            judge=None,
            remote_address=self.guest.address,
            remote_token_file=str(self.guest.token_file),
            step_timeout_sec=_DEADLINE_SEC,
            start_timeout_sec=_DEADLINE_SEC,
        )
        self.env._grading = Grading.of(self.env.config, BaselineStore(folder))
        self._is_running = False
        self._reset_count = 0

    def close(self) -> None:
        """Close the environment and the guest."""
        self.env.close()
        self.guest.close()

    def try_lie(self, attack: Attack) -> str:
        """Return what went wrong; "" if the environment handled the attack."""
        if attack.method == "perform":
            return self._in_step(attack)
        return self._in_reset(attack)

    def _in_step(self, attack: Attack) -> str:
        if not self._is_running:
            self.env.reset(seed=0)
        self._is_running = False
        before, started = _peak_bytes(), time.monotonic()
        with self.guest.lying(attack):
            try:
                observation, reward, _, truncated, info = self.env.step(wait(1))
            except Exception as error:  # noqa: BLE001 - unexpected exceptions are the finding
                return f"raises {type(error).__name__}: {str(error)[:80]}"
        problem = _cost(started, before, 1) or self._unfit(observation, info)
        if problem:
            return problem
        if attack.is_lie and not info["infra_error"]:
            return "is believed"
        if truncated and reward:
            return f"is paid {reward}"
        self._is_running = not self.env._session.over
        return ""

    def _in_reset(self, attack: Attack) -> str:
        self._is_running = False
        self._reset_count += 1
        self.guest.application = (
            f"Lies {self._reset_count}"  # a new name, so no stored baseline applies
        )
        with contextlib.suppress(Exception):
            self.env.machine._disconnect()  # type: ignore[attr-defined]
        before, started = _peak_bytes(), time.monotonic()
        with self.guest.lying(attack):
            try:
                observation, info = self.env.reset(seed=0)
            except MachineError:
                return _cost(started, before, self.env.config.start_attempts)
            except Exception as error:  # noqa: BLE001 - unexpected exceptions are the finding
                return f"raises {type(error).__name__}: {str(error)[:80]}"
        if attack.is_lie:
            return "is believed"
        return _cost(started, before, 1) or self._unfit(observation, info)

    def _unfit(self, observation: Any, info: Any) -> str:
        if not self.env.observation_space.contains(observation):
            return "an observation outside the space"
        try:
            json.dumps(info, ensure_ascii=False, allow_nan=False).encode("utf-8")
        except (TypeError, ValueError) as error:
            return f"info that cannot be stored: {error}"[:100]
        return ""


def every_lie() -> Iterator[Attack]:
    """Yield all attacks, with 2,000 random changes of a step's reply and 200 of a reset's."""
    for method in ("perform", "load"):
        yield from (attack for _, attack in field_lies(method))
    for method in ("perform", "hello", "load", "save"):
        yield from error_lies(method)
        yield from _adjusted(method, other_lies(method))
    yield from large_lies("perform")
    yield from byte_lies("perform", _MUTATIONS, 0)
    yield from byte_lies("load", _MUTATIONS // 10, 0)


def _adjusted(method: str, lies: Iterable[Attack]) -> Iterator[Attack]:
    """Adjust `is_lie`: a blob count that is wrong for one method is right for another."""
    for lie in lies:
        observes = method in ("load", "perform")
        yield lie if observes else replace(lie, is_lie=lie.name.startswith("id "))


def _cost(started: float, peak_before: int, attempts: int) -> str:
    duration_sec = time.monotonic() - started
    if duration_sec > attempts * _DEADLINE_SEC + _LATE_SEC:
        return f"takes {duration_sec:.1f} s"
    growth_bytes = _peak_bytes() - peak_before
    return f"takes {growth_bytes >> 20} MB" if growth_bytes > _MEMORY_BYTES else ""


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
