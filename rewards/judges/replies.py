"""Parsing of a model's reply: exactly the requested JSON, or an error that the model can fix."""

import json
import re
from collections.abc import Callable, Collection
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, create_model

from pptarena.errors import RubricError
from pptarena.rewards.judges.protocol import Verdict
from pptarena.rewards.parsing import parse

__all__ = [
    "ReplyError",
    "Share",
    "notes_parser",
    "read_json",
    "reasons_parser",
    "slides_parser",
    "text_parser",
    "two_scores_parser",
    "verdict_parser",
]

_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_MAX_REASON = 600
_MAX_TEXT = 4000
_T = TypeVar("_T")


class ReplyError(Exception):
    """A reply of the wrong form; the message tells the model what to fix."""


def _one_line(text: str) -> str:
    line = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
    if not line:
        raise ValueError("a reason must not be empty")
    return line if len(line) <= _MAX_REASON else f"{line[: _MAX_REASON - 1]}…"


Share = Annotated[float, Field(ge=0, le=1)]
"""Scores from 0 to 1."""

_Text = Annotated[str, Field(min_length=1, max_length=_MAX_TEXT)]
_Reason = Annotated[str, AfterValidator(_one_line)]


def read_json(text: str, parse: Callable[[object], _T]) -> _T:
    """Parse a reply.

    The reply must be a single JSON value, optionally in a Markdown code block. Surrounding text is
    not skipped, and numbers are not rounded, rescaled or clipped.

    Raises:
        ReplyError: If the reply is anything else, or `parse` rejects it.
    """
    text = text.strip()
    fenced = _FENCED.match(text)
    try:
        value = json.loads(
            fenced.group(1) if fenced else text,
            object_pairs_hook=_reject_duplicate_keys,
            parse_constant=_reject_constant,
        )
    except (ValueError, RecursionError) as error:
        raise ReplyError(f"the answer is not one JSON object and nothing else: {error}") from error
    return parse(value)


def verdict_parser(scale: Any, prefix: str = "") -> Callable[[object], Verdict]:
    """Return a parser of ``{"score": ..., "reason": ...}``.

    Args:
        scale: Type of the score, such as `Share`.
        prefix: Beginning of both names.
    """
    read = _object_parser(**{f"{prefix}score": scale, f"{prefix}reason": _Reason})

    def verdict(value: object) -> Verdict:
        score, reason = (each for _, each in read(value))
        return Verdict(float(score), reason)

    return verdict


def two_scores_parser(scale: Any) -> Callable[[object], tuple[Verdict, Verdict]]:
    """Return a parser of ``{"instruction": ..., "visual": ..., "reason": ...}``."""
    read = _object_parser(instruction=scale, visual=scale, reason=_Reason)

    def verdicts(value: object) -> tuple[Verdict, Verdict]:
        first, second, reason = (each for _, each in read(value))
        return Verdict(float(first), reason), Verdict(float(second), reason)

    return verdicts


def text_parser(name: str) -> Callable[[object], str]:
    """Return a parser of an object with one text, which may not be empty."""
    read = _object_parser(**{name: _Text})
    return lambda value: str(getattr(read(value), name))


def notes_parser() -> Callable[[object], tuple[str, str]]:
    """Return a parser of ``{"overview_instructions": ..., "notes": ...}``; the notes are optional.

    It returns both texts.
    """
    notes = Annotated[str, Field(max_length=_MAX_TEXT)]
    read = _object_parser(overview_instructions=_Text, notes=(notes, ""))

    def texts(value: object) -> tuple[str, str]:
        reply = read(value)
        return reply.overview_instructions, reply.notes

    return texts


def slides_parser(labels: Collection[str], scale: Any) -> Callable[[object], dict[str, Verdict]]:
    """Return a parser of ``{"slides": [{"slide": ..., "score": ..., "reason": ...}, ...]}``.

    Each slide must occur exactly once; `scale` is the type of the scores.
    """
    read = _items_parser("slides", "slide", labels, score=scale)
    return lambda value: {
        each.slide: Verdict(float(each.score), each.reason) for each in read(value)
    }


def reasons_parser(locations: Collection[str]) -> Callable[[object], dict[str, str]]:
    """Return a parser of ``{"reasons": [{"place": ..., "reason": ...}, ...]}``.

    Each place must occur exactly once.
    """
    read = _items_parser("reasons", "place", locations)
    return lambda value: {each.place: each.reason for each in read(value)}


def _items_parser(
    name: str, key: str, expected: Collection[str], **fields: Any
) -> Callable[[object], list[Any]]:
    """Return a parser of a list with exactly one item for each of `expected`."""
    item = _object_model(**{key: str}, **fields, reason=_Reason)
    read = _object_parser(**{name: list[item]})  # type: ignore[valid-type]

    def read_items(value: object) -> list[Any]:
        items: list[Any] = getattr(read(value), name)
        labels = [getattr(each, key) for each in items]
        if sorted(expected) != sorted(labels):
            raise ReplyError(f"{key!r} must be each of {list(expected)} once, got {labels}")
        return items

    return read_items


def _object_model(**fields: Any) -> type[BaseModel]:
    """Return a model of an object with these keys; a pair is the type and default of a value."""
    definitions: dict[str, Any] = {
        name: kind if isinstance(kind, tuple) else (kind, ...) for name, kind in fields.items()
    }
    return create_model("Answer", __config__=ConfigDict(extra="forbid"), **definitions)


def _object_parser(**fields: Any) -> Callable[[object], Any]:
    """Return a function that validates an object with these keys; see `_object_model`."""
    adapter = TypeAdapter(_object_model(**fields))

    def read(value: object) -> Any:
        try:
            return parse(adapter, value, "the answer")
        except RubricError as error:
            raise ReplyError(str(error)) from error

    return read


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("an object contains the same key twice")
    return result


def _reject_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
