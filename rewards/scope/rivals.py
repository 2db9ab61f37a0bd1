"""Rival answers: text that offers several answers where the target has one.

A submission that lists all candidates has not answered.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from pptarena.decks import Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.values import clip
from pptarena.decks.text_match import folded
from pptarena.rewards.gold.plan import GoldPlan

__all__ = ["RIVAL", "lines_with_rivals", "rival_answers"]

RIVAL = "answer_added"
"""Kind of a change that adds another answer next to the requested one."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_ORDINAL = re.compile(r"^\s*\d+[.)]\s")
_BREAK = re.compile(r"[\n\v]")
_LETTERS = re.compile(r"[^\W\d_]")
_OR = "or|oder|ou|o|eller|vagy|или|أو|או"
_JOINT = rf"\s*(?:[/|]|\b(?:{_OR})\b|或は?|または)\s*"
_JOINED_AHEAD, _JOINED_BEHIND = re.compile(rf"{_JOINT}$"), re.compile(rf"^{_JOINT}")
_LEAST_LETTERS = 2
_MOST_LINES = 200


def lines_with_rivals(target: str, now: str, original: str) -> list[str]:
    """Return the target lines that the current text offers together with another answer.

    Another answer is another figure of the same form in the same line ("93.7 / 95.4"), other text
    joined by a slash or an "or", or an additional line that differs only in its figures.

    Args:
        target: Text in the target deck.
        now: Current text.
        original: Original text; empty for new text.
    """
    known = {*_lines(target), *_lines(original)}
    come = [line for line in _lines(now) if line not in known]
    if not come:
        return []
    answers = [line for line in _lines(target) if line not in _lines(original)]
    had = Counter(_figures(original))
    # As many lines as the target, one with another figure: a wrong answer, not a second one.
    more = Counter(map(_frame, _lines(now))) - Counter(map(_frame, _lines(target)))
    return [
        answer
        for answer in answers
        if any(
            _is_stuffed(line, answer, had)
            or (more[_frame(answer)] and answer in _lines(now) and _is_variant(line, answer))
            for line in come
        )
    ]


def rival_answers(match: DeckMatch, plan: GoldPlan) -> Iterator[Change]:
    """Yield answers next to those of a target, in shapes that the original lacks.

    Args:
        match: The target and the current deck.
        plan: The changes from the original to the target.
    """
    worked = {change.slide - 1 for change in plan.way if change.slide is not None}
    for index in sorted(worked & match.to_current.keys()):
        now, before = match.to_current[index], plan.match.to_original.get(index)
        slide, slide_now = match.original.slides[index], match.current.slides[now]
        old = None if before is None else plan.original.slides[before]
        shapes = match.shapes(index)
        old_of = {} if before is None else plan.match.shapes(before).to_original
        for first, second in shapes.pairs:
            if first not in old_of:
                yield from _in_shape(slide, slide_now, slide.shapes[first], second, before)
        if shapes.added and old is not None:
            yield from _in_new_shapes(old, slide, slide_now, shapes.added)


def _in_shape(
    slide: Slide, slide_now: Slide, wanted: Shape, now: int, before: int | None
) -> Iterator[Change]:
    """Yield rival answers in a shape that the target adds as well."""
    shape = slide_now.shapes[now]
    for line in lines_with_rivals(wanted.all_text, shape.all_text, ""):
        yield _change(before, slide_now, shape, line, shape.all_text)


def _in_new_shapes(
    old: Slide, wanted: Slide, slide_now: Slide, added: Sequence[int]
) -> Iterator[Change]:
    """Yield rival answers in shapes that neither the original nor the target has."""
    lines, lines_before = set(_lines(wanted.text)), set(_lines(old.text))
    answers, gone = lines - lines_before, lines_before - lines
    if not answers or len(answers) > _MOST_LINES:
        return
    for index in added:
        shape = slide_now.shapes[index]
        for line in _lines(shape.all_text):
            if line in lines:
                continue
            rival = next((each for each in sorted(answers) if _is_variant(line, each)), None)
            if rival is None and line in gone:
                rival = min(answers)
            if rival is not None:
                yield _change(old.index, slide_now, shape, rival, line)
                break


def _change(before: int | None, slide_now: Slide, shape: Shape, wanted: str, now: str) -> Change:
    return Change(
        RIVAL,
        "text",
        slide=None if before is None else before + 1,
        slide_now=slide_now.index + 1,
        shape=shape.label,
        before=clip(wanted),
        after=clip(now),
        shape_index_now=shape.index,
        value_before=wanted,
        value_after=now,
    )


def _is_stuffed(line: str, answer: str, had: Counter[str]) -> bool:
    """Return whether a line contains an answer and a rival one."""
    found, wanted = Counter(_figures(line)), Counter(_figures(answer))
    own = wanted - had
    if own:
        others = found - wanted
        return not wanted - found and any(_compete(f, a) for f in others for a in own)
    text, part = folded(line), folded(answer)
    if len(_LETTERS.findall(part)) < _LEAST_LETTERS or part not in text:
        return False
    ahead, _, behind = text.partition(part)
    if wanted and any(_frame(part) in _frame(side) for side in (ahead, behind)):
        return True
    joined = [_JOINED_AHEAD.split(ahead, 1)[0]] if _JOINED_AHEAD.search(ahead) else []
    joined += [_JOINED_BEHIND.split(behind, 1)[1]] if _JOINED_BEHIND.search(behind) else []
    return any(len(_LETTERS.findall(each)) >= _LEAST_LETTERS for each in joined)


def _compete(one: str, other: str) -> bool:
    """Return whether two figures have the same form, so that either may be the answer."""
    if one == other:
        return False
    has_mark = [any(mark in each for mark in ".,") for each in (one, other)]
    return has_mark[0] == has_mark[1] and abs(len(one) - len(other)) <= 1


def _is_variant(line: str, answer: str) -> bool:
    """Return whether a line equals an answer except for its figures."""
    found, wanted = _figures(line), _figures(answer)
    if len(found) != len(wanted) or _frame(line) != _frame(answer):
        return False
    return any(_compete(one, other) for one, other in zip(found, wanted, strict=True))


@lru_cache(maxsize=4096)
def _frame(line: str) -> str:
    return _FIGURE.sub("0", folded(line))


def _figures(text: str) -> list[str]:
    return [
        figure for line in _BREAK.split(text) for figure in _FIGURE.findall(_ORDINAL.sub("", line))
    ]


def _lines(text: str) -> list[str]:
    return _stripped(_BREAK.split(text))


def _stripped(lines: Iterable[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]
