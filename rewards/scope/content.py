"""Content falsified by a change: numbers, text, pictures, link targets, deletions, rival answers.

One unit is one fact in the deck that is now wrong: a figure, a reworded text, another picture, a
redirected link, or a shape or slide that is removed, off the slide or not shown long enough to be
read.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest

from pptarena.decks import Link, Series, Shape, Slide, Transition
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.diff.text import LINES_AFTER
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.likeness import words
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.match.values import clip
from pptarena.decks.text_match import folded, only_signs_differ
from pptarena.decks.visibility.fitness import SMALL_PLACEHOLDERS
from pptarena.rewards.gold.plan import GoldPlan
from pptarena.rewards.scope.loss import (
    has_content,
    is_hasty,
    is_slow,
    shape_out_of_sight,
)

__all__ = [
    "RIVAL",
    "content_units",
    "is_content",
    "is_missed",
    "lines_with_rivals",
    "rival_answers",
]


_SPELLING = 0.15
_SMALL = 0.15
_SHORTEST_MISSPELT = 5
_LINE = re.compile(r"(row|column) \d+")
_CELL = re.compile(r"row \d+ column \d+")
_SERIES = re.compile(r"series \d+")
_OF_CHARTS = re.compile(r"type|title|series \d+ (name|values|sizes)")
_CATEGORIES = re.compile(r"series (\d+) categories")
_LABELS = re.compile(r"series \d+ point labels")
_SCALES = re.compile(r".* (minimum|maximum|log base)")
_FILES = frozenset(("picture", "medium", "table", "chart", "smart art"))


def is_content(change: Change, match: DeckMatch) -> bool:
    """Return whether a change falsifies content, beyond the spelling of one or two words."""
    return content_units(change, match) >= 1


def content_units(change: Change, match: DeckMatch) -> float:
    """Return how many units of content a change falsifies; 0 for pure formatting.

    A corrected spelling or a removed footer counts for a small part of a unit. Added content does
    not count.
    """
    before, after = _values(change)
    if change.kind in ("slide_removed", RIVAL):
        return 1.0
    if change.kind == "shape_removed":
        return _removed_shape(change, match)
    if change.what.endswith(LINES_AFTER):
        return 0.0
    if change.aspect == "geometry":
        return _moved_away(change, match)
    if change.aspect in ("text", "notes"):
        return _reworded(before, after)
    if change.aspect == "tables":
        return _of_table(change, before, after)
    if change.aspect == "charts":
        return _of_chart(change.what, before, after)
    if change.aspect in ("pictures", "diagrams"):
        is_other = change.what in _FILES or change.aspect == "diagrams"
        return float(is_other and before not in (None, ""))
    if change.aspect == "hyperlinks":
        return float(bool(before) or _leads_astray(change, match))
    return float(is_missed(change))


def _values(change: Change) -> tuple[object, object]:
    """Return the values before and after, unabridged if available."""
    if change.value_before is None and change.value_after is None:
        return change.before, change.after
    return change.value_before, change.value_after


def _leads_astray(change: Change, match: DeckMatch) -> bool:
    """Return whether a new link leads somewhere other than its text indicates.

    Applications add a link when an address is typed. A target that another link of the shape
    already has is accepted as well.
    """
    link, pair = change.value_after, ShapePair.of(match, change)
    if not isinstance(link, Link):
        return False
    if pair is None:
        return change.shape_index_now is not None
    known = [pair.old.link, *(r.link for p in pair.old.paragraphs for r in p.runs)]
    return link not in known and (not link.address or link.address not in pair.new.all_text)


def is_missed(change: Change) -> bool:
    """Return whether a slide is no longer shown, or shown too briefly or too late to be read."""
    if change.shape_index is not None:
        return False
    before, after = change.value_before, change.value_after
    if change.aspect == "visibility":
        return after is True
    if isinstance(before, Transition) and isinstance(after, Transition):
        return is_hasty(before, after) or is_slow(before, after)
    return False


def _moved_away(change: Change, match: DeckMatch) -> float:
    """Return the units for a shape that left the slide or is covered, as for its deletion."""
    if change.slide is None or change.shape_index is None or change.what not in ("place", "size"):
        return 0.0
    gone = shape_out_of_sight(match, change.slide - 1, change.shape_index) >= 1
    return _removed_shape(change, match) if gone else 0.0


def _removed_shape(change: Change, match: DeckMatch) -> float:
    if change.slide is None or change.shape_index is None:
        return 0.0
    shape = match.original.slides[change.slide - 1].shapes[change.shape_index]
    if shape.placeholder in SMALL_PLACEHOLDERS:
        return _SMALL
    return float(has_content(shape))


def _reworded(before: object, after: object) -> float:
    """Return the units for reworded text: 1, or the number of lost figures if greater."""
    old, new = str(before or ""), str(after or "")
    if not old.strip() or folded(old) == folded(new) or only_signs_differ(old, new, False):
        return 0.0
    first, second = words(folded(old)), words(folded(new))
    spellings = other = 0
    for tag, i1, i2, j1, j2 in opcodes(first, second):
        if tag == "equal":
            continue
        gone, come = first[i1:i2], second[j1:j2]
        if len(gone) == len(come) and all(map(_is_respelt, gone, come)):
            spellings += len(gone)
            continue
        other += 1
    had, has = (Counter(_FIGURE.findall(side)) for side in (old, new))
    return max(1.0, (had - has).total()) if other else _SPELLING * spellings


def _is_respelt(old: str, new: str) -> bool:
    """Return whether a long word differs by one letter, or by two swapped letters."""
    if not (old.isalpha() and new.isalpha()) or min(len(old), len(new)) < _SHORTEST_MISSPELT:
        return False
    if old[0] != new[0] or abs(len(old) - len(new)) > 1:
        return False
    ahead = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), -1)
    if ahead < 0:
        return True
    rest = old[ahead:], new[ahead:]
    if len(old) != len(new):
        longer, shorter = sorted(rest, key=len, reverse=True)
        return longer[1:] == shorter
    swapped = rest[0][:2] == rest[1][1::-1] and rest[0][2:] == rest[1][2:]
    return swapped or rest[0][1:] == rest[1][1:]


def _of_table(change: Change, before: object, after: object) -> float:
    if _CELL.fullmatch(change.what):
        return _reworded(before, after) if str(before or "").strip() else 0.0
    if _LINE.fullmatch(change.what) and isinstance(before, tuple):
        return float(max(1, sum(bool(str(text).strip()) for text in before)))
    return float(change.what in _FILES and before is not None)


def _of_chart(what: str, before: object, after: object) -> float:
    if what in _FILES or _SERIES.fullmatch(what):
        gone = before if isinstance(before, Series) else None
        return float(max(1, len(gone.values))) if gone else float(before is not None and not gone)
    # All series share their categories, so only those of the first one count.
    named = _CATEGORIES.fullmatch(what)
    if named is not None and named[1] != "1":
        return 0.0
    if named is not None or _OF_CHARTS.fullmatch(what):
        if isinstance(before, tuple) and isinstance(after, tuple):
            return float(sum(old != new for old, new in zip_longest(before, after)))
        return float(bool(before))
    if _LABELS.fullmatch(what):
        texts = [str(label) for _, label in after] if isinstance(after, tuple) else []
        return float(any("'" in text for text in texts))  # text in place of the value
    # Another scale changes how the same numbers appear, or hides them.
    return float(_SCALES.fullmatch(what) is not None)


RIVAL = "answer_added"
"""Kind of a change that adds another answer next to the requested one."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_ORDINAL = re.compile(r"^\s*\d+[.)]\s")
_BREAK = re.compile(r"[\n\v]")
_LETTERS = re.compile(r"[^\W\d_]")
_OR = "or|oder|ou|o|eller|vagy|или|أو|או"
_JOINT = rf"\s*(?:[/|]|\b(?:{_OR})\b|或は?|または)\s*"
_JOINED_AHEAD, _JOINED_BEHIND = re.compile(rf"{_JOINT}$"), re.compile(rf"^{_JOINT}")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[/|]")
_CLAUSE = re.compile(r"[,;:.]\s|\band\b")
_IS_JOINT = re.compile(rf"(?:[/|]|{_OR})?")
_LEAST_WORDS = 3  # of a sentence; a shorter answer allows no other figures in its line
_LONG_WORD = 4
_SHORT_WORD = 3
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
                wanted, shape = slide.shapes[first].all_text, slide_now.shapes[second]
                for line in lines_with_rivals(wanted, shape.all_text, ""):
                    yield _change(before, slide_now, shape, line, shape.all_text)
        if shapes.added and old is not None:
            yield from _in_new_shapes(old, slide, slide_now, shapes.added)


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
        if wanted - found:
            return False
        if len(_WORD.findall(answer)) >= _LEAST_WORDS:
            return _is_beside(line, answer, wanted, own)
        return any(_compete(f, a) for f in found - wanted for a in own)
    text, part = folded(line), folded(answer)
    if len(_LETTERS.findall(part)) < _LEAST_LETTERS or part not in text:
        return False
    ahead, _, behind = text.partition(part)
    if wanted and any(_frame(part) in _frame(side) for side in (ahead, behind)):
        return True
    joined = [_JOINED_AHEAD.split(ahead, 1)[0]] if _JOINED_AHEAD.search(ahead) else []
    joined += [_JOINED_BEHIND.split(behind, 1)[1]] if _JOINED_BEHIND.search(behind) else []
    return any(len(_LETTERS.findall(each)) >= _LEAST_LETTERS for each in joined)


def _is_beside(line: str, answer: str, wanted: Counter[str], own: Counter[str]) -> bool:
    """Return whether a sentence offers another figure in the place of one of the answer's.

    That figure is next to the answer's ("33 or 31", "33 (31)"), or has the same word behind it or
    the same two before it. In clauses about something else, the two before it may be the same:
    "falls are down from 38 to 33, equipment from 15 to 14".
    """
    places = {(figure, place) for figure, _, around in _figures_in(answer) for place in around}
    subject = _long_words(answer)
    for clause in _CLAUSE.split(folded(line)):
        figures = _figures_in(clause)
        is_other = not any(figure in wanted for figure, _, _ in figures)
        is_other = is_other and not _long_words(clause) <= subject
        for figure, nearest, around in figures:
            rivals = {each for each in own if _compete(figure, each)}
            alike = {a for a, place in places if place in around and not (is_other and place[1:])}
            if figure not in wanted and rivals & (nearest | alike):
                return True
    return False


def _long_words(text: str) -> set[str]:
    return {word for word in _WORD.findall(folded(text)) if len(word) >= _LONG_WORD}


_Place = tuple[str, ...]
"""The word behind a figure, or the two words before it, in which figures are "0"."""


def _figures_in(text: str) -> list[tuple[str, set[str], set[_Place]]]:
    """Return the figures of a text, each with the figures next to it and the words around it."""
    tokens = _TOKEN.findall(folded(text))
    found = []
    for at, token in enumerate(tokens):
        if not _FIGURE.fullmatch(token):
            continue
        ahead, behind = tokens[max(0, at - 2) : at][::-1], tokens[at + 1 : at + 3]
        nearest = {
            near[-1]
            for near in (ahead[:1], behind[:1], ahead, behind)
            if near and _IS_JOINT.fullmatch(" ".join(near[:-1]))
        }
        framed = [_FIGURE.sub("0", word) for word in ahead]
        around: set[_Place] = {tuple(framed)} if len(framed) == 2 else set()
        if behind and len(behind[0]) >= _SHORT_WORD:
            around.add((behind[0],))
        found.append((token, nearest, around))
    return found


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
    return [line.strip() for line in _BREAK.split(text) if line.strip()]
