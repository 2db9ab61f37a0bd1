"""Formatting of replaced text, which should match the text that it replaced.

The text diff compares the formatting of characters that are in both decks. New characters have no
old formatting, but a user who replaces a title means its text, not its size. For text added where
there was none, see `pptarena.decks.diff.new_words`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from pptarena.decks import Paragraph, Run, RunStyle, Shape, Slide, Table
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.content import paired_lines
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.inherited import samples
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.typefaces import script_spans

__all__ = [
    "BLANKS",
    "Models",
    "first_looks",
    "look_changes",
    "new_cell_looks",
    "new_place_looks",
    "new_slide_looks",
    "placeholder_models",
]

_PLAIN: Final = RunStyle()
_LOOKS: Final = ("underline", "strike", "highlight", "caps", "baseline", "spacing_pt")
_HUGE: Final = 2.0
_FAR_APART: Final = 0.2  # share of the font size; titles are often spaced a little wider
_WORDY: Final = frozenset(("title", "ctrTitle", "subTitle", "body", "obj", "ftr", "dt", "sldNum"))
_BOXES: Final = frozenset(("text_box", "shape"))


@dataclass(frozen=True, slots=True)
class Models:
    """Styles that new text may have.

    Attributes:
        styles: The run styles.
        is_of_size: Whether the styles limit the font size, too.
    """

    styles: tuple[RunStyle, ...] = ()
    is_of_size: bool = True


def first_looks(paragraphs: Sequence[Paragraph], models: Models) -> Iterator[Difference]:
    """Yield the properties in which all runs of a text differ from every model."""
    runs = [run for paragraph in paragraphs for run in paragraph.runs if run.text.strip()]
    found = [{each.what: each for each in _unasked(run, models)} for run in runs]
    for what, each in found[0].items() if found else ():
        if all(what in others for others in found):
            yield each


def _unasked(run: Run, models: Models) -> Iterator[Difference]:
    usual = run.style
    for name in _LOOKS:
        known = {getattr(style, name) for style in (_PLAIN, *models.styles)}
        is_of_link = name == "underline" and run.link is not None
        is_slight = name == "spacing_pt" and abs(usual.spacing_pt) < _FAR_APART * usual.size_pt
        if getattr(usual, name) not in known and not is_of_link and not is_slight:
            usual = replace(usual, **{name: getattr(_PLAIN, name)})
    sizes = [style.size_pt for style in models.styles] if models.is_of_size else []
    if sizes and usual.size_pt >= _HUGE * max(sizes):
        usual = replace(usual, size_pt=max(sizes))
    yield from field_differences(usual, run.style, "formatting")


def new_cell_looks(old: Table, new: Table) -> Iterator[Difference]:
    """Yield unusual formatting of text in new or formerly empty cells, against the old table."""
    models = Models(tuple(_styles(cell.paragraphs for row in old.rows for cell in row)))
    rows, columns = paired_lines(old, new)
    for i, j in rows:
        for k, m in columns if j is not None else ():
            if m is None or m >= len(new.rows[j or 0]):
                continue
            was = "" if i is None or k is None or k >= len(old.rows[i]) else old.rows[i][k].text
            if not was.strip():
                yield from first_looks(new.rows[j or 0][m].paragraphs, models)


def placeholder_models(match: DeckMatch, slide: Slide, shape: Shape) -> Models:
    """Return the styles that text in a shape of the current deck may have.

    They come from layout and master, and from original shapes with the same placeholder type.
    """
    is_place = bool(shape.placeholder)
    levels = {paragraph.level for paragraph in shape.paragraphs}
    found = [each for level in levels for each in samples(match.current, slide, shape, level)]
    others = (
        each.paragraphs
        for page in match.original.slides
        for each in page.shapes
        if each.placeholder == shape.placeholder
    )
    return Models(tuple(_styles([found, *others])), is_of_size=is_place)


def new_slide_looks(match: DeckMatch) -> Iterator[Change]:
    """Yield unusual formatting of placeholder text on added slides."""
    for index in match.added:
        slide = match.current.slides[index]
        places = [each for each in slide.shapes if each.placeholder in _WORDY]
        yield from _place_looks(match, slide, places)


def new_place_looks(match: DeckMatch, index: int) -> Iterator[Change]:
    """Yield unusual formatting in text boxes and placeholders added to a slide."""
    now = match.current.slides[match.to_current[index]]
    if match.original.slides[index] is not now:
        added = [now.shapes[at] for at in match.shapes(index).added]
        known = [each for each in added if each.placeholder in _WORDY or each.kind in _BOXES]
        for change in _place_looks(match, now, known):
            yield replace(change, slide=index + 1)


def _place_looks(match: DeckMatch, slide: Slide, shapes: Iterable[Shape]) -> Iterator[Change]:
    for shape in shapes:
        if not shape.text.strip():
            continue
        for each in first_looks(shape.paragraphs, placeholder_models(match, slide, shape)):
            change = Change.of(each, "formatting_changed")
            yield replace(
                change, slide_now=slide.index + 1, shape=shape.label, shape_index_now=shape.index
            )


def _styles(texts: Iterable[Sequence[Paragraph]]) -> Iterator[RunStyle]:
    """Yield each run style once."""
    runs = (run for paragraphs in texts for p in paragraphs for run in p.runs if run.text.strip())
    yield from dict.fromkeys(run.style for run in runs)


BLANKS = "blanks before the text"
"""Property name of a change that pushes text away by whitespace or empty lines."""

_MANY_BLANKS = 2
_Pairs = Iterator[tuple[Sequence[Paragraph], Sequence[Paragraph]]]


def look_changes(match: DeckMatch, index: int) -> Iterator[Change]:
    """Yield differences in formatting between new text on a slide and the text it replaced."""
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
