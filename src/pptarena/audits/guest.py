"""Audit of a malicious guest: invalid replies sent to the real environment over the protocol."""

import contextlib
import json
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from pptarena.audits.evil_guest import HEIGHT_PX, WIDTH_PX, Attack, EvilGuest
from pptarena.audits.guest_lies import (
    byte_lies,
    error_lies,
    field_lies,
    large_lies,
    other_lies,
)
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import wait
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.grading import Grading
from pptarena.errors import MachineError
from pptarena.tasks import get_task

__all__ = ["Trial", "figures", "rows"]

MUTATIONS = 2000
_DEADLINE_SEC = 5.0
_LATE_SEC = 2.0
_MEMORY_BYTES = 400 * 2**20
_EXPECTED = "a lost machine, in time, nothing raised; what is shown fits the space"

_seen: Counter[str] = Counter()


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
        self._runs = False
        self._names = 0

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
        if not self._runs:
            self.env.reset(seed=0)
        self._runs = False
        before, started = _peak_bytes(), time.monotonic()
        with self.guest.lying(attack):
            try:
                observation, reward, _, truncated, info = self.env.step(wait(1))
            except Exception as error:  # noqa: BLE001 - unexpected exceptions are the finding
                return f"raises {type(error).__name__}: {str(error)[:80]}"
        problem = _cost(started, before, 1) or self._unfit(observation, info)
        if problem:
            return problem
        refused = bool(info["infra_error"] or info["action_error"] or info.get("overload"))
        if attack.is_lie and not info["infra_error"]:
            return "is believed"
        if truncated and reward:
            return f"is paid {reward}"
        self._runs = not self.env._session.over
        _seen["refused" if refused else "taken"] += 1
        return ""

    def _in_reset(self, attack: Attack) -> str:
        self._runs = False
        self._names += 1
        self.guest.application = f"Lies {self._names}"  # a new name, so no stored baseline applies
        with contextlib.suppress(Exception):
            self.env.machine._hang_up()  # type: ignore[attr-defined]
        before, started = _peak_bytes(), time.monotonic()
        with self.guest.lying(attack):
            try:
                observation, info = self.env.reset(seed=0)
            except MachineError:
                _seen["refused"] += 1
                return _cost(started, before, self.env.config.start_attempts)
            except Exception as error:  # noqa: BLE001 - unexpected exceptions are the finding
                return f"raises {type(error).__name__}: {str(error)[:80]}"
        _seen["taken"] += 1
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


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Try every attack; one row per field or type of attack."""
    _seen.clear()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        try:
            for name, lies in _batches(settings):
                yield _row(trial, name, lies)
        finally:
            trial.close()


def figures(found: tuple[Row, ...]) -> dict[str, float | int | str]:
    """Return the number of attacks by outcome, and the peak memory in MB."""
    return {
        "lies": _seen["told"],
        "got through": _seen["failed"],
        "refused": _seen["refused"],
        "taken for honest": _seen["taken"],
        "groups failed": sum(not row.held for row in found),
        "peak_memory_mb": _peak_bytes() >> 20,
    }


def _batches(settings: AuditSettings) -> Iterator[tuple[str, Iterable[Attack]]]:
    for method in ("perform", "load"):
        for field, pairs in groupby(field_lies(method), key=lambda pair: pair[0]):
            yield f"{method}: {field}", (attack for _, attack in pairs)
    for method in ("perform", "hello", "load", "save"):
        yield f"{method}: errors", error_lies(method)
        yield f"{method}: frames", _for(method, other_lies(method))
    yield "perform: large", large_lies("perform")
    count = settings.count or MUTATIONS
    yield f"perform: {count} mutations", byte_lies("perform", count, settings.seed)
    yield f"load: {count // 10} mutations", byte_lies("load", count // 10, settings.seed)


def _for(method: str, lies: Iterable[Attack]) -> Iterator[Attack]:
    """Adjust `is_lie`: a wrong blob count for one method is correct for another."""
    for lie in lies:
        observes = method in ("load", "perform")
        yield lie if observes else replace(lie, is_lie=lie.name.startswith("id "))


def _row(trial: Trial, name: str, lies: Iterable[Attack]) -> Row:
    told, problems, slowest = 0, [], 0.0
    for lie in lies:
        started = time.monotonic()
        problem = trial.try_lie(lie)
        slowest = max(slowest, time.monotonic() - started)
        told += 1
        _seen["told"] += 1
        _seen["failed"] += bool(problem)
        if problem:
            problems.append(f"{lie.name}: {problem}")
    found = f"{told} lies, none got through; {slowest:.2f} s at most"
    if problems:
        found = f"{len(problems)} of {told} got through: " + "; ".join(problems[:4])
    printable = found.encode("utf-8", "backslashreplace").decode()
    return Row(name, _EXPECTED, printable, not problems)


def _cost(started: float, peak_before: int, attempts: int) -> str:
    took = time.monotonic() - started
    if took > attempts * _DEADLINE_SEC + _LATE_SEC:
        return f"takes {took:.1f} s"
    grown = _peak_bytes() - peak_before
    return f"takes {grown >> 20} MB" if grown > _MEMORY_BYTES else ""


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
