"""Checks of text with patterns."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator

from pptarena.decks import Shape
from pptarena.decks.diff.text import clip
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Count
from pptarena.rewards.checking.pairs import Part
from pptarena.rewards.checking.patterns import (
    Pattern,
    PatternError,
    TooLongError,
    compile_pattern,
)
from pptarena.rewards.checking.registry import part_check
from pptarena.rewards.checking.result import CheckResult, NotThereError, listed

_LONGEST_TEXT = 20_000


def _require_pattern(value: str) -> str:
    try:
        compile_pattern(value)
    except PatternError as error:
        raise ValueError(f"expected a pattern: {error}") from None
    return value


TextPattern = Annotated[str, AfterValidator(_require_pattern)]
"""A pattern, see `rewards.checking.patterns`."""


def _need_must(values: Mapping[str, Any]) -> None:
    if values["but_for"] is not None and values["must"] is None:
        raise ValueError("expected but_for with must only, which says what the matches become")


@part_check("text", explain_hidden=True, more=_need_must)
def text_matches(
    part: Part,
    find: TextPattern,
    must: TextPattern | None = None,
    but_for: str | None = None,
    count: Count = 1,
    match_case: bool = True,
) -> CheckResult:
    """Measure the share of a pattern's matches that a second pattern matches as well.

    If there are fewer matches than `count`, or than in the original, the missing matches count as
    wrong: deleting text does not correct it. Patterns apply to single paragraphs, and the longest
    match counts; see [their language](rubrics.md#patterns).

    Args:
        must: Pattern of an entire right match; by default, every match is right.
        but_for: Characters that may be added or removed, such as `,`; apart from these characters,
            the matches of the original must remain.
    """
    first = compile_pattern(find, match_case=match_case)
    second = None if must is None else compile_pattern(must, match_case=match_case)
    before = _before(part)
    try:
        old = _found(first, before)
        all_old = [] if second is None else old
    except TooLongError as error:
        raise UnscoredError(f"the original: {error}") from None
    try:
        now = _found(first, part.visible)
        right = [each for each in now if second is None or second.is_all_of(each)]
    except TooLongError as error:
        raise NotThereError(f"{part.label}: {error}") from None
    wrong = [each for each in now if each not in right]
    good = len(right) if but_for is None else _kept(right, all_old, but_for)
    total = max(count, len(all_old), 0 if second is None else len(now))
    reason = f"{part.label}: {good} of {total} matches of {clip(find)} are right"
    short = f"; {listed([clip(each) for each in wrong])}" if wrong else ""
    return CheckResult(min(1.0, good / total), f"{reason}{short}")


def _before(part: Part) -> Sequence[Shape]:
    if part.shape is None:
        return () if part.on.before is None else part.on.before.shapes
    shape = part.on.original_of(part.shape)
    return () if shape is None else (shape,)


def _found(pattern: Pattern, shapes: Iterable[Shape]) -> list[str]:
    lines = "\n".join(shape.all_text for shape in shapes)
    if len(lines) > _LONGEST_TEXT:
        raise TooLongError(f"expected a text of {_LONGEST_TEXT} characters at most")
    return [each for line in lines.splitlines() for each in pattern.all_in(line)]


def _kept(right: Iterable[str], old: Iterable[str], but_for: str) -> int:
    """Return how many right matches equal a match of the original, apart from some characters."""
    bare = str.maketrans("", "", but_for)
    wanted = Counter(each.translate(bare) for each in old)
    now = Counter(each.translate(bare) for each in right)
    return (wanted & now).total() if wanted else now.total()
