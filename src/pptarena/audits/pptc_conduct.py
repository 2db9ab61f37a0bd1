"""What agents did in PPTC turns that decks do not show: requests for help, invalid calls."""

from collections.abc import Iterable, Sequence
from typing import Any

from pptarena.benchmarks.pptc.calls import Call, parse_label
from pptarena.benchmarks.pptc.labels import Conduct
from pptarena.benchmarks.pptc.settings import SEEK, Setting
from pptarena.benchmarks.pptc.tools import FAMILY, UPDATE
from pptarena.errors import TaskError
from pptarena.rollouts.episode import StepRecord

__all__ = ["conducts_of", "named_calls"]

_TEXT = "run_calls"
_NAMES = frozenset(
    each.__name__ for each in (*FAMILY.changing, *UPDATE.changing, *UPDATE.reading)
) - {_TEXT, "get_content"} | {SEEK}


def conducts_of(steps: Iterable[StepRecord], setting: Setting, count: int) -> tuple[Conduct, ...]:
    """Return an agent's conduct in each turn of a task.

    Args:
        steps: All steps of the episode.
        setting: The benchmark setting, which determines the available APIs.
        count: Number of turns of the task.
    """
    turns: list[list[Call]] = [[]]
    given_up = [False]
    for step in steps:
        name = str((step.call or {}).get("tool", ""))
        turns[-1] += named_calls(step.call)
        if name in ("done", "fail"):
            given_up[-1] = name == "fail"
            turns.append([])
            given_up.append(False)
    found = [
        Conduct(
            helped=failed or any(call.name == SEEK for call in calls),
            spoiled=any(map(setting.spoils, calls)),
        )
        for calls, failed in zip(turns, given_up, strict=True)
    ]
    return tuple((found + [Conduct()] * count)[:count])


def named_calls(call: dict[str, Any] | None) -> Sequence[Call]:
    """Return the API calls that a step made; none for a refused step."""
    name = str((call or {}).get("tool", ""))
    if name == _TEXT and call is not None:
        return _parsed(call.get("arguments"))
    return [Call(name, (), (), f"{name}()")] if name in _NAMES else []


def _parsed(arguments: Any) -> Sequence[Call]:
    text = arguments.get("calls", "") if isinstance(arguments, dict) else ""
    try:
        return parse_label(str(text))
    except TaskError:  # too long to have been executed
        return ()
