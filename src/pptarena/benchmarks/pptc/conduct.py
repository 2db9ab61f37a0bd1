"""Conduct of agents in PPTC turns that decks do not show: requests for help, failed calls."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pptarena.benchmarks.pptc.calls import Call, parse_label
from pptarena.benchmarks.pptc.labels import Conduct
from pptarena.benchmarks.pptc.settings import SEEK, Setting
from pptarena.benchmarks.pptc.tools import FAMILY, UPDATE
from pptarena.errors import TaskError
from pptarena.rollouts.episode import StepRecord

__all__ = ["CallCounts", "call_counts", "named_calls", "read_conducts"]

_TEXT = "run_calls"
_SKIPPED = "passed over: "
_OTHER_TOOLS = ("done", "fail", "get_content", "read_slide", "list_layouts")
_NAMES = frozenset(
    tool.__name__ for tool in (*FAMILY.changing, *UPDATE.changing, *UPDATE.reading)
) - {_TEXT, "get_content"} | {SEEK}


def read_conducts(steps: Iterable[StepRecord], setting: Setting, count: int) -> tuple[Conduct, ...]:
    """Return an agent's conduct in each turn of a task.

    Args:
        steps: All steps of the episode.
        setting: The benchmark setting, which determines the available APIs.
        count: Number of turns of the task.
    """
    turns: list[list[Call]] = [[]]
    failed_turns = [False]
    for step in steps:
        name = str((step.call or {}).get("tool", ""))
        turns[-1] += named_calls(step.call)
        if name in ("done", "fail"):
            failed_turns[-1] = name == "fail"
            turns.append([])
            failed_turns.append(False)
    conducts = [
        Conduct(
            asked_for_help=failed or any(call.name == SEEK for call in calls),
            corrupted=any(map(setting.corrupts, calls)),
        )
        for calls, failed in zip(turns, failed_turns, strict=True)
    ]
    return tuple((conducts + [Conduct()] * count)[:count])


@dataclass
class CallCounts:
    """Calls that an agent sent, including those that failed.

    Attributes:
        calls: Number of calls.
        failed: Number of calls without an effect: unknown, unreadable, or impossible on the deck.
        unreadable: Number of calls that cannot be parsed.
        unknown: Number of calls by name of an API that does not exist.
    """

    calls: int = 0
    failed: int = 0
    unreadable: int = 0
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, other: "CallCounts") -> None:
        """Add other counts."""
        self.calls += other.calls
        self.failed += other.failed
        self.unreadable += other.unreadable
        self.unknown += other.unknown

    def to_json(self) -> dict[str, Any]:
        """Return them as a JSON object."""
        return {
            "calls": self.calls,
            "failed": self.failed,
            "unreadable": self.unreadable,
            "unknown": dict(self.unknown.most_common()),
        }


def call_counts(
    steps: Iterable[StepRecord], setting: Setting, count: int
) -> tuple[CallCounts, ...]:
    """Return the calls that an agent sent in each turn of a task, including refused calls.

    Args:
        steps: All steps of the episode.
        setting: The benchmark setting, which determines the APIs that exist.
        count: Number of turns of the task.
    """
    turns = [CallCounts()]
    for step in steps:
        record = step.call or {}
        if record.get("tool") in ("done", "fail"):
            turns.append(CallCounts())
            continue
        calls = tuple(_sent_calls(record))
        unknown = [call.name for call in calls if call.name and not _is_known(call.name, setting)]
        skipped = str(record.get("result", "")).count(f"\n{_SKIPPED}")
        skipped += str(record.get("result", "")).startswith(_SKIPPED)
        turns[-1].add(
            CallCounts(
                calls=len(calls),
                failed=len(calls) if "tool" not in record else skipped,
                unreadable=sum(not call.name for call in calls),
                unknown=Counter(unknown),
            )
        )
    return tuple((turns + [CallCounts() for _ in range(count)])[:count])


def _is_known(name: str, setting: Setting) -> bool:
    return name in setting.apis or name in setting.decoys


def _sent_calls(record: dict[str, Any]) -> Iterator[Call]:
    """Yield the calls of a step, whether or not it was refused."""
    if "tool" in record:
        yield from named_calls(record)
        return
    request = record.get("asked") or {}
    name, arguments = str(request.get("tool", "")), str(request.get("arguments", ""))
    if name == _TEXT:
        try:
            yield from _parse_arguments(json.loads(arguments))
        except ValueError:  # too long to be stored completely
            yield Call("", (), (), arguments)
    elif name and name not in _OTHER_TOOLS:
        yield Call(name, (), (), f"{name}()")


def named_calls(call: dict[str, Any] | None) -> Sequence[Call]:
    """Return the API calls that a step made; none for a refused step."""
    name = str((call or {}).get("tool", ""))
    if name == _TEXT and call is not None:
        return _parse_arguments(call.get("arguments"))
    return [Call(name, (), (), f"{name}()")] if name in _NAMES else []


def _parse_arguments(arguments: Any) -> Sequence[Call]:
    text = arguments.get("calls", "") if isinstance(arguments, dict) else ""
    try:
        return parse_label(str(text))
    except TaskError:  # too long to have been executed
        return ()
