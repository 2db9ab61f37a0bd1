"""Reading a model's answer: exactly the JSON that was asked for, or an error it can mend."""

import json
import math
import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from pptarena.rewards.judges.protocol import Verdict

__all__ = [
    "ReplyError",
    "Scale",
    "read_json",
    "reasons_parser",
    "slides_parser",
    "verdict_parser",
]

Scale = tuple[float, bool]
"""Highest score, and whether scores are whole numbers; the lowest is 0."""

_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_MAX_REASON = 600
_T = TypeVar("_T")


class ReplyError(Exception):
    """An answer of the wrong form; the message tells the model what to mend."""


def read_json(text: str, parse: Callable[[object], _T]) -> _T:
    """Return what an answer says.

    The whole answer must be one JSON value, perhaps in one Markdown code block. No text around it
    is skipped, no number is rounded, rescaled or clipped: what is not as asked is refused.

    Raises:
        ReplyError: If it is not, or if `parse` refuses it.
    """
    text = text.strip()
    fenced = _FENCED.match(text)
    try:
        value = json.loads(
            fenced.group(1) if fenced else text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError) as error:
        raise ReplyError(f"the answer is not one JSON object and nothing else: {error}") from error
    return parse(value)


def verdict_parser(scale: Scale) -> Callable[[object], Verdict]:
    """Return a reader of ``{"score": ..., "reason": ...}``; the score stays on its scale."""

    def parse(value: object) -> Verdict:
        found = _object(value, ("score", "reason"), "the answer")
        return Verdict(_score(found["score"], scale), _reason(found["reason"]))

    return parse


def slides_parser(labels: Collection[str], scale: Scale) -> Callable[[object], dict[str, Verdict]]:
    """Return a reader of ``{"slides": [{"slide": ..., "score": ..., "reason": ...}, ...]}``.

    Args:
        labels: The slides; each must be there exactly once.
        scale: Of the scores.
    """

    def parse(value: object) -> dict[str, Verdict]:
        found: dict[str, Verdict] = {}
        for item in _items(value, "slides", ("slide", "score", "reason")):
            label = _label(item["slide"], "slide", labels, found)
            found[label] = Verdict(_score(item["score"], scale), _reason(item["reason"]))
        _require_all(labels, found, "slides")
        return found

    return parse


def reasons_parser(places: Collection[str]) -> Callable[[object], dict[str, str]]:
    """Return a reader of ``{"reasons": [{"place": ..., "reason": ...}, ...]}``.

    Args:
        places: What is explained; each must be there exactly once.
    """

    def parse(value: object) -> dict[str, str]:
        found: dict[str, str] = {}
        for item in _items(value, "reasons", ("place", "reason")):
            found[_label(item["place"], "place", places, found)] = _reason(item["reason"])
        _require_all(places, found, "reasons")
        return found

    return parse


def _items(value: object, name: str, keys: tuple[str, ...]) -> list[dict[str, Any]]:
    listed = _object(value, (name,), "the answer")[name]
    if not isinstance(listed, list):
        raise ReplyError(f"{name!r} must be a list, got {_short(listed)}")
    return [_object(each, keys, f"each item of {name!r}") for each in listed]


def _label(value: object, name: str, known: Collection[str], found: Collection[str]) -> str:
    if not isinstance(value, str) or value not in known or value in found:
        raise ReplyError(f"{name!r} must be each of {list(known)} once, got {_short(value)}")
    return value


def _require_all(known: Collection[str], found: Collection[str], name: str) -> None:
    missing = [label for label in known if label not in found]
    if missing:
        raise ReplyError(f"{name!r} lacks {missing}")


def _object(value: object, keys: tuple[str, ...], what: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(keys):
        raise ReplyError(f"{what} must be an object with exactly the keys {list(keys)}")
    return value


def _score(value: object, scale: Scale) -> float:
    high, whole = scale
    right = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not right or not isinstance(value, int | float) or not 0 <= value <= high:
        kind = "whole number" if whole else "number"
        raise ReplyError(f"'score' must be a {kind} from 0 to {high:g}, got {_short(value)}")
    if not math.isfinite(value):  # 1e999 reads as infinity
        raise ReplyError("'score' must be finite")
    return float(value)


def _reason(value: object) -> str:
    line = " ".join(value.split()) if isinstance(value, str) else ""
    line = "".join(letter for letter in line if letter.isprintable())
    if not line:
        raise ReplyError("'reason' must be a text that is not empty")
    return line if len(line) <= _MAX_REASON else f"{line[: _MAX_REASON - 1]}…"


def _short(value: object) -> str:
    return repr(value)[:60]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
