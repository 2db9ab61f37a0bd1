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
from pptarena.decks.diff.text import TRAILING_LINES
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.match.similarity import words
from pptarena.decks.match.values import clip
from pptarena.decks.text_match import differs_in_punctuation, normalize_caseless
from pptarena.decks.visibility.faults import SMALL_PLACEHOLDERS
from pptarena.rewards.gold.plan import GoldPlan
from pptarena.rewards.scope.loss import (
    advances_too_soon,
    has_content,
    has_slow_transition,
    shape_out_of_sight,
)

__all__ = [
    "RIVAL_ANSWER",
    "content_units",
    "falsifies_content",
    "is_unwatchable",
    "lines_with_rivals",
    "rival_answers",
]


_SPELLING_UNITS = 0.15
_FOOTER_UNITS = 0.15
_MIN_MISSPELLED_CHARS = 5
_LINE = re.compile(r"(row|column) \d+")
_CELL = re.compile(r"row \d+ column \d+")
_SERIES = re.compile(r"series \d+")
_CHART_CONTENT = re.compile(r"type|title|series \d+ (name|values|sizes)")
_CATEGORIES = re.compile(r"series (\d+) categories")
_LABELS = re.compile(r"series \d+ point labels")
_SCALES = re.compile(r".* (minimum|maximum|log base)")
_OBJECTS = frozenset(("picture", "medium", "table", "chart", "smart art"))


def falsifies_content(change: Change, match: DeckMatch) -> bool:
    """Return whether a change falsifies content, beyond the spelling of one or two words."""
    return content_units(change, match) >= 1


def content_units(change: Change, match: DeckMatch) -> float:
    """Return how many units of content a change falsifies; 0 for pure formatting.

    A corrected spelling or a removed footer counts for a small part of a unit. Added content does
    not count.
    """
    before, after = _values(change)
    if change.kind in ("slide_removed", RIVAL_ANSWER):
        return 1.0
    if change.kind == "shape_removed":
        return _removed_shape_units(change, match)
    if change.what.endswith(TRAILING_LINES):
        return 0.0
    if change.aspect == "geometry":
        return _moved_away_units(change, match)
    if change.aspect in ("text", "notes"):
        return _rewording_units(before, after)
    if change.aspect == "tables":
        return _table_units(change, before, after)
    if change.aspect == "charts":
        return _chart_units(change.what, before, after)
    if change.aspect in ("pictures", "diagrams"):
        is_other = change.what in _OBJECTS or change.aspect == "diagrams"
        return float(is_other and before not in (None, ""))
    if change.aspect == "hyperlinks":
        return float(bool(before) or _is_misleading_link(change, match))
    return float(is_unwatchable(change))


def _values(change: Change) -> tuple[object, object]:
    """Return the values before and after, unabridged if available."""
    if change.value_before is None and change.value_after is None:
        return change.before, change.after
    return change.value_before, change.value_after


def _is_misleading_link(change: Change, match: DeckMatch) -> bool:
    """Return whether a new link leads somewhere other than its text indicates.

    Applications add a link when an address is typed. A target that another link of the shape
    already has is accepted as well.
    """
    link, pair = change.value_after, ShapePair.of(match, change)
    if not isinstance(link, Link):
        return False
    if pair is None:
        return change.shape_index_now is not None
    original_links = [pair.old.link, *(r.link for p in pair.old.paragraphs for r in p.runs)]
    return link not in original_links and (
        not link.address or link.address not in pair.new.all_text
    )


def is_unwatchable(change: Change) -> bool:
    """Return whether a slide is no longer shown, or shown too briefly or too late to be read."""
    if change.shape_index is not None:
        return False
    before, after = change.value_before, change.value_after
    if change.aspect == "visibility":
        return after is True
    if isinstance(before, Transition) and isinstance(after, Transition):
        return advances_too_soon(before, after) or has_slow_transition(before, after)
    return False


def _moved_away_units(change: Change, match: DeckMatch) -> float:
    """Return the units for a shape that left the slide or is covered, as for its deletion."""
    if change.slide is None or change.shape_index is None or change.what not in ("place", "size"):
        return 0.0
    is_out_of_sight = shape_out_of_sight(match, change.slide - 1, change.shape_index) >= 1
    return _removed_shape_units(change, match) if is_out_of_sight else 0.0


def _removed_shape_units(change: Change, match: DeckMatch) -> float:
    if change.slide is None or change.shape_index is None:
        return 0.0
    shape = match.original.slides[change.slide - 1].shapes[change.shape_index]
    if shape.placeholder in SMALL_PLACEHOLDERS:
        return _FOOTER_UNITS
    return float(has_content(shape))


def _rewording_units(before: object, after: object) -> float:
    """Return the units for reworded text: 1, or the number of lost figures if greater."""
    old, new = str(before or ""), str(after or "")
    if (
        not old.strip()
        or normalize_caseless(old) == normalize_caseless(new)
        or differs_in_punctuation(old, new, False)
    ):
        return 0.0
    first, second = words(normalize_caseless(old)), words(normalize_caseless(new))
    spellings = other = 0
    for tag, i1, i2, j1, j2 in opcodes(first, second):
        if tag == "equal":
            continue
        removed, added = first[i1:i2], second[j1:j2]
        if len(removed) == len(added) and all(map(_is_respelling, removed, added)):
            spellings += len(removed)
            continue
        other += 1
    figures_before, figures_now = (Counter(_FIGURE.findall(side)) for side in (old, new))
    return (
        max(1.0, (figures_before - figures_now).total()) if other else _SPELLING_UNITS * spellings
    )


def _is_respelling(old: str, new: str) -> bool:
    """Return whether a long word differs by one letter, or by two swapped letters."""
    if not (old.isalpha() and new.isalpha()) or min(len(old), len(new)) < _MIN_MISSPELLED_CHARS:
        return False
    if old[0] != new[0] or abs(len(old) - len(new)) > 1:
        return False
    first_difference = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), -1
    )
    if first_difference < 0:
        return True
    remainders = old[first_difference:], new[first_difference:]
    if len(old) != len(new):
        longer, shorter = sorted(remainders, key=len, reverse=True)
        return longer[1:] == shorter
    swapped = remainders[0][:2] == remainders[1][1::-1] and remainders[0][2:] == remainders[1][2:]
    return swapped or remainders[0][1:] == remainders[1][1:]


def _table_units(change: Change, before: object, after: object) -> float:
    if _CELL.fullmatch(change.what):
        return _rewording_units(before, after) if str(before or "").strip() else 0.0
    if _LINE.fullmatch(change.what) and isinstance(before, tuple):
        return float(max(1, sum(bool(str(text).strip()) for text in before)))
    return float(change.what in _OBJECTS and before is not None)


def _chart_units(name: str, before: object, after: object) -> float:
    if name in _OBJECTS or _SERIES.fullmatch(name):
        series = before if isinstance(before, Series) else None
        return (
            float(max(1, len(series.values)))
            if series
            else float(before is not None and not series)
        )
    # All series share their categories, so only those of the first one count.
    categories = _CATEGORIES.fullmatch(name)
    if categories is not None and categories[1] != "1":
        return 0.0
    if categories is not None or _CHART_CONTENT.fullmatch(name):
        if isinstance(before, tuple) and isinstance(after, tuple):
            return float(sum(old != new for old, new in zip_longest(before, after)))
        return float(bool(before))
    if _LABELS.fullmatch(name):
        texts = [str(label) for _, label in after] if isinstance(after, tuple) else []
        return float(any("'" in text for text in texts))  # text in place of the value
    # Another scale changes how the same numbers appear, or hides them.
    return float(_SCALES.fullmatch(name) is not None)


RIVAL_ANSWER = "answer_added"
"""Kind of a change that adds another answer next to the requested one."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_ORDINAL = re.compile(r"^\s*\d+[.)]\s")
_BREAK = re.compile(r"[\n\v]")
_LETTERS = re.compile(r"[^\W\d_]")
_OR = "or|oder|ou|o|eller|vagy|или|أو|או"
_SEPARATOR = rf"\s*(?:[/|]|\b(?:{_OR})\b|或は?|または)\s*"
_SEPARATOR_AT_END, _SEPARATOR_AT_START = (
    re.compile(rf"{_SEPARATOR}$"),
    re.compile(rf"^{_SEPARATOR}"),
)
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[/|]")
_CLAUSE = re.compile(r"[,;:.]\s|\band\b")
_ONLY_SEPARATOR = re.compile(rf"(?:[/|]|{_OR})?")
_MIN_SENTENCE_WORDS = 3  # a shorter answer allows no other figures in its line
_MIN_LONG_WORD_CHARS = 4
_MIN_WORD_CHARS = 3
_MIN_LETTERS = 2
_MAX_LINES = 200


def lines_with_rivals(target: str, now: str, original: str) -> list[str]:
    """Return the target lines that the current text offers together with another answer.

    Another answer is another figure of the same form in the same line ("93.7 / 95.4"), other text
    joined by a slash or an "or", or an additional line that differs only in its figures.

    Args:
        target: Text in the target deck.
        now: Current text.
        original: Original text; empty for new text.
    """
    known_lines = {*_lines(target), *_lines(original)}
    new_lines = [line for line in _lines(now) if line not in known_lines]
    if not new_lines:
        return []
    answers = [line for line in _lines(target) if line not in _lines(original)]
    original_figures = Counter(_figures(original))
    # A line with another figure that replaces the target's line is wrong, not a second answer.
    more = Counter(map(_figure_template, _lines(now))) - Counter(
        map(_figure_template, _lines(target))
    )
    return [
        answer
        for answer in answers
        if any(
            _has_two_answers(line, answer, original_figures)
            or (
                more[_figure_template(answer)]
                and answer in _lines(now)
                and _differs_only_in_figures(line, answer)
            )
            for line in new_lines
        )
    ]


def rival_answers(match: DeckMatch, plan: GoldPlan) -> Iterator[Change]:
    """Yield answers next to those of a target, in shapes that the original lacks.

    Args:
        match: The target and the current deck.
        plan: The changes from the original to the target.
    """
    changed_slides = {
        change.slide - 1 for change in plan.reverse_changes if change.slide is not None
    }
    for index in sorted(changed_slides & match.to_current.keys()):
        now, before = match.to_current[index], plan.match.to_original.get(index)
        slide, slide_now = match.original.slides[index], match.current.slides[now]
        old = None if before is None else plan.original.slides[before]
        shapes = match.shapes(index)
        old_of = {} if before is None else plan.match.shapes(before).to_original
        for first, second in shapes.pairs:
            if first not in old_of:
                target_text, shape = slide.shapes[first].all_text, slide_now.shapes[second]
                for line in lines_with_rivals(target_text, shape.all_text, ""):
                    yield _rival_change(before, slide_now, shape, line, shape.all_text)
        if shapes.added and old is not None:
            yield from _rivals_in_new_shapes(old, slide, slide_now, shapes.added)


def _rivals_in_new_shapes(
    old: Slide, target_slide: Slide, slide_now: Slide, added: Sequence[int]
) -> Iterator[Change]:
    """Yield rival answers in shapes that neither the original nor the target has."""
    lines, lines_before = set(_lines(target_slide.text)), set(_lines(old.text))
    answers, removed_lines = lines - lines_before, lines_before - lines
    if not answers or len(answers) > _MAX_LINES:
        return
    for index in added:
        shape = slide_now.shapes[index]
        for line in _lines(shape.all_text):
            if line in lines:
                continue
            rival = next(
                (each for each in sorted(answers) if _differs_only_in_figures(line, each)), None
            )
            if rival is None and line in removed_lines:
                rival = min(answers)
            if rival is not None:
                yield _rival_change(old.index, slide_now, shape, rival, line)
                break


def _rival_change(
    before: int | None, slide_now: Slide, shape: Shape, answer: str, now: str
) -> Change:
    return Change(
        RIVAL_ANSWER,
        "text",
        slide=None if before is None else before + 1,
        slide_now=slide_now.index + 1,
        shape=shape.label,
        before=clip(answer),
        after=clip(now),
        shape_index_now=shape.index,
        value_before=answer,
        value_after=now,
    )


def _has_two_answers(line: str, answer: str, original_figures: Counter[str]) -> bool:
    """Return whether a line contains an answer and a rival one."""
    line_figures, answer_figures = Counter(_figures(line)), Counter(_figures(answer))
    new_figures = answer_figures - original_figures
    if new_figures:
        if answer_figures - line_figures:
            return False
        if len(_WORD.findall(answer)) >= _MIN_SENTENCE_WORDS:
            return _has_rival_figure(line, answer, answer_figures, new_figures)
        return any(_are_rivals(f, a) for f in line_figures - answer_figures for a in new_figures)
    text, part = normalize_caseless(line), normalize_caseless(answer)
    if len(_LETTERS.findall(part)) < _MIN_LETTERS or part not in text:
        return False
    before, _, after = text.partition(part)
    if answer_figures and any(
        _figure_template(part) in _figure_template(side) for side in (before, after)
    ):
        return True
    joined = [_SEPARATOR_AT_END.split(before, 1)[0]] if _SEPARATOR_AT_END.search(before) else []
    joined += [_SEPARATOR_AT_START.split(after, 1)[1]] if _SEPARATOR_AT_START.search(after) else []
    return any(len(_LETTERS.findall(each)) >= _MIN_LETTERS for each in joined)


def _has_rival_figure(
    line: str, answer: str, answer_figures: Counter[str], new_figures: Counter[str]
) -> bool:
    """Return whether a sentence offers another figure in the place of one of the answer's.

    That figure is next to the answer's ("33 or 31", "33 (31)"), or has the same word behind it or
    the same two before it. In clauses about something else, the two before it may be the same:
    "falls are down from 38 to 33, equipment from 15 to 14".
    """
    figure_contexts = {
        (figure, context) for figure, _, contexts in _figures_in(answer) for context in contexts
    }
    subject = _long_words_in(answer)
    for clause in _CLAUSE.split(normalize_caseless(line)):
        figures = _figures_in(clause)
        is_other = not any(figure in answer_figures for figure, _, _ in figures)
        is_other = is_other and not _long_words_in(clause) <= subject
        for figure, nearest, contexts in figures:
            rivals = {each for each in new_figures if _are_rivals(figure, each)}
            same_context = {
                a
                for a, context in figure_contexts
                if context in contexts and not (is_other and context[1:])
            }
            if figure not in answer_figures and rivals & (nearest | same_context):
                return True
    return False


def _long_words_in(text: str) -> set[str]:
    return {
        word
        for word in _WORD.findall(normalize_caseless(text))
        if len(word) >= _MIN_LONG_WORD_CHARS
    }


_FigureContext = tuple[str, ...]
"""The word behind a figure, or the two words before it, in which figures are "0"."""


def _figures_in(text: str) -> list[tuple[str, set[str], set[_FigureContext]]]:
    """Return the figures of a text, each with the figures next to it and the words around it."""
    tokens = _TOKEN.findall(normalize_caseless(text))
    figures = []
    for at, token in enumerate(tokens):
        if not _FIGURE.fullmatch(token):
            continue
        words_before, words_after = tokens[max(0, at - 2) : at][::-1], tokens[at + 1 : at + 3]
        nearest = {
            near[-1]
            for near in (words_before[:1], words_after[:1], words_before, words_after)
            if near and _ONLY_SEPARATOR.fullmatch(" ".join(near[:-1]))
        }
        templates = [_FIGURE.sub("0", word) for word in words_before]
        contexts: set[_FigureContext] = {tuple(templates)} if len(templates) == 2 else set()
        if words_after and len(words_after[0]) >= _MIN_WORD_CHARS:
            contexts.add((words_after[0],))
        figures.append((token, nearest, contexts))
    return figures


def _are_rivals(one: str, other: str) -> bool:
    """Return whether two figures have the same form, so that either may be the answer."""
    if one == other:
        return False
    has_separator = [any(separator in each for separator in ".,") for each in (one, other)]
    return has_separator[0] == has_separator[1] and abs(len(one) - len(other)) <= 1


def _differs_only_in_figures(line: str, answer: str) -> bool:
    """Return whether a line equals an answer except for its figures."""
    line_figures, answer_figures = _figures(line), _figures(answer)
    if len(line_figures) != len(answer_figures) or _figure_template(line) != _figure_template(
        answer
    ):
        return False
    return any(
        _are_rivals(one, other) for one, other in zip(line_figures, answer_figures, strict=True)
    )


@lru_cache(maxsize=4096)
def _figure_template(line: str) -> str:
    return _FIGURE.sub("0", normalize_caseless(line))


def _figures(text: str) -> list[str]:
    return [
        figure for line in _BREAK.split(text) for figure in _FIGURE.findall(_ORDINAL.sub("", line))
    ]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in _BREAK.split(text) if line.strip()]
