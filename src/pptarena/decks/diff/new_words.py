"""Formatting of replaced text, which should match the text that it replaced.

The text diff compares the formatting of characters that are in both decks. New characters have no
old formatting, but a user who replaces a title means its text, not its size. For text added where
there was none, see `pptarena.decks.diff.first_words`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from pptarena.decks import Paragraph, Run, Shape, Slide
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.first_words import first_looks, new_cell_looks, placeholder_models
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.typefaces import script_spans

__all__ = ["BLANKS", "look_changes"]

BLANKS = "blanks before the text"
"""Property name of a change that pushes text away by whitespace or empty lines."""

_MANY_BLANKS = 2
_Pairs = Iterator[tuple[Sequence[Paragraph], Sequence[Paragraph]]]


def look_changes(match: DeckMatch, index: int) -> Iterator[Change]:
    """Yield differences in formatting between new text on a slide and the text it replaced.

    Args:
        match: Pairs of corresponding slides and shapes.
        index: Index of an original slide that still exists, from 0.
    """
    before, now = match.original.slides[index], match.current.slides[match.to_current[index]]
    if before is now:
        return
    for old_index, new_index in sorted(match.shapes(index).to_current.items()):
        old, new = before.shapes[old_index], now.shapes[new_index]
        if old is new:
            continue
        for each in _differences(match, now, old, new):
            change = Change.of(each, "formatting_changed")
            yield replace(
                change,
                slide=index + 1,
                slide_now=now.index + 1,
                shape=old.label,
                shape_index=old_index,
                shape_index_now=new_index,
            )


def _differences(match: DeckMatch, now: Slide, old: Shape, new: Shape) -> list[Difference]:
    """Return the differences, one per property."""
    found: dict[str, Difference] = {}
    replaced = (_look_differences(*texts) for texts in _texts(old, new))
    for each in (*chain.from_iterable(replaced), *_first(match, now, old, new)):
        found.setdefault(each.what, each)
    return list(found.values())


def _first(match: DeckMatch, now: Slide, old: Shape, new: Shape) -> Iterator[Difference]:
    """Yield unusual formatting of text added where there was none."""
    if old.table is not None and new.table is not None:
        yield from new_cell_looks(old.table, new.table)
    elif new.text.strip() and not old.text.strip():
        yield from first_looks(new.paragraphs, placeholder_models(match, now, new))


def _texts(old: Shape, new: Shape) -> _Pairs:
    yield old.paragraphs, new.paragraphs
    if old.table is None or new.table is None:
        return
    rows = zip(old.table.rows, new.table.rows, strict=False)
    if len(old.table.rows) == len(new.table.rows):
        for left, right in rows:
            if len(left) == len(right):
                yield from ((a.paragraphs, b.paragraphs) for a, b in zip(left, right, strict=True))


def _look_differences(
    before: Sequence[Paragraph], after: Sequence[Paragraph]
) -> Iterator[Difference]:
    old, new = ([p.text.rstrip() for p in side] for side in (before, after))
    said = [p for p in before if p.text.strip()]
    if old == new or not said:
        return
    if _blanks(after) > max(_blanks(before), _MANY_BLANKS - 1):
        yield Difference.of("formatting", BLANKS, str(_blanks(before)), str(_blanks(after)))
    for tag, i1, i2, j1, j2 in opcodes(old, new):
        if tag == "equal":
            continue
        models = [p for p in before[i1:i2] if p.text.strip()] or said
        for paragraph in after[j1:j2]:
            yield from _run_differences(models, paragraph)


def _run_differences(models: Sequence[Paragraph], now: Paragraph) -> Iterator[Difference]:
    """Yield the differences of new runs from all runs that they could have replaced."""
    old = [run for model in models for run in model.runs if run.text.strip()]
    styles = [run.style for run in old]
    for run in now.runs:
        if not run.text.strip() or run.style in styles:
            continue
        found = [list(_style_differences(each, run)) for each in old]
        # The run with the fewest differences is taken as the model.
        yield from min(found, key=len)


def _style_differences(old: Run, new: Run) -> Iterator[Difference]:
    """Yield the differences between two runs; fonts of different scripts are not compared."""
    style = old.style
    if style.font != new.style.font and _scripts(old.text).isdisjoint(_scripts(new.text)):
        style = replace(style, font=new.style.font)
    return field_differences(style, new.style, "formatting")


def _scripts(text: str) -> set[str]:
    return {script for script, _, _ in script_spans(text)}


def _blanks(paragraphs: Sequence[Paragraph]) -> int:
    """Return the number of whitespace characters and line ends before the first character."""
    text = "\n".join(paragraph.text for paragraph in paragraphs)
    return len(text) - len(text.lstrip())
