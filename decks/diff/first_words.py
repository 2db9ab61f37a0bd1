"""The look of words that stand where there were none.

What is written into an empty cell, a new row, an empty place of a layout or onto a new slide
replaces no words whose look it could have kept. How it looks is free, then, within what nobody does
without being asked: letters that are all struck through, underlined, marked, raised or far apart,
in capitals, or huge beside what its layout, its master, or other words of that kind have.
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
_FAR_APART: Final = 0.2  # of the size of the letters; titles are often set a little wider
_WORDY: Final = frozenset(("title", "ctrTitle", "subTitle", "body", "obj", "ftr", "dt", "sldNum"))


@dataclass(frozen=True, slots=True)
class Models:
    """Looks that words may have.

    Attributes:
        styles: Of letters.
        is_of_size: Whether they tell how large words are, too.
    """

    styles: tuple[RunStyle, ...] = ()
    is_of_size: bool = True


def first_looks(paragraphs: Sequence[Paragraph], models: Models) -> Iterator[Difference]:
    """Yield in which ways all letters of a text look as none of their models does."""
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
    """Yield how words look in cells that were empty, or are new, beside the rest of the table."""
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
    """Return what words in a shape of the current deck may look like.

    That is what layout and master say, and what words in such places of the original look like.
    """
    levels = {paragraph.level for paragraph in shape.paragraphs}
    found = [each for level in levels for each in samples(match.current, slide, shape, level)]
    if not shape.placeholder:
        return Models(tuple(_styles([found])), is_of_size=False)
    others = (
        each.paragraphs
        for page in match.original.slides
        for each in page.shapes
        if each.placeholder == shape.placeholder
    )
    return Models(tuple(_styles([found, *others])))


def new_slide_looks(match: DeckMatch) -> Iterator[Change]:
    """Yield how words in places of their layouts look on slides that are new."""
    for index in match.added:
        slide = match.current.slides[index]
        yield from _place_looks(match, slide, slide.shapes)


def new_place_looks(match: DeckMatch, index: int) -> Iterator[Change]:
    """Yield how words look in places of the layout that a slide of the original did not show."""
    now = match.current.slides[match.to_current[index]]
    if match.original.slides[index] is not now:
        added = [now.shapes[at] for at in match.shapes(index).added]
        for change in _place_looks(match, now, added):
            yield replace(change, slide=index + 1)


def _place_looks(match: DeckMatch, slide: Slide, shapes: Iterable[Shape]) -> Iterator[Change]:
    for shape in shapes:
        if shape.placeholder not in _WORDY or not shape.text.strip():
            continue
        for each in first_looks(shape.paragraphs, placeholder_models(match, slide, shape)):
            change = Change.of(each, "formatting_changed")
            yield replace(
                change, slide_now=slide.index + 1, shape=shape.label, shape_index_now=shape.index
            )


def _styles(texts: Iterable[Sequence[Paragraph]]) -> Iterator[RunStyle]:
    """Yield each style of letters once."""
    runs = (run for paragraphs in texts for p in paragraphs for run in p.runs if run.text.strip())
    yield from dict.fromkeys(run.style for run in runs)
