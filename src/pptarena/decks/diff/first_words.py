"""Formatting of text added where there was none.

Text in an empty cell, a new row, an empty placeholder or a new slide has no original formatting to
keep. Its formatting is free, except for what needs a request: text that is entirely struck
through, underlined, highlighted, raised, widely spaced or in capitals, or at least twice as large
as its layout, its master or comparable text.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pptarena.decks import Paragraph, Run, RunStyle, Shape, Slide, Table
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.inherited import samples
from pptarena.decks.diff.tables import paired_lines
from pptarena.decks.match.decks import DeckMatch

__all__ = [
    "Models",
    "first_looks",
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
