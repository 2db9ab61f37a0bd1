"""Remove ranges of text from the shapes of a slide."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pptarena.decks import Paragraph, Run, Shape, Slide
from pptarena.decks.edits import Spot
from pptarena.decks.visibility.shape_texts import texts_of, with_texts
from pptarena.decks.visibility.text_place import cell_boxes

__all__ = ["without_words"]


def without_words(shapes: Sequence[Shape], slide: Slide, spots: Iterable[Spot]) -> Iterator[Shape]:
    """Yield shapes without the text at some positions.

    Args:
        shapes: Shapes of the slide; other text may be removed already.
        slide: The slide with all text, to which the positions refer.
        spots: The positions.
    """
    by_shape: dict[int, list[Spot]] = {}
    for spot in spots:
        by_shape.setdefault(spot.shape, []).append(spot)
    for shape in shapes:
        mine = by_shape.get(shape.index)
        yield shape if mine is None else _without(shape, slide.shapes[shape.index], mine)


def _without(shape: Shape, whole: Shape, spots: Sequence[Spot]) -> Shape:
    cells: list[tuple[int, int] | None] = [None] if whole.paragraphs else []
    cells += [(row, column) for row, column, _ in cell_boxes(whole)]
    left = dict(zip(cells, (paragraphs for paragraphs, *_ in texts_of(shape)), strict=False))
    texts = []
    for cell, (paragraphs, *_) in zip(cells, texts_of(whole), strict=True):
        mine = [spot for spot in spots if spot.cell == cell]
        cut = tuple(_cut(each, number, mine) for number, each in enumerate(paragraphs))
        texts.append(cut if mine else left.get(cell, paragraphs))
    return with_texts(shape if shape.paragraphs else whole, texts)


def _cut(paragraph: Paragraph, number: int, spots: Sequence[Spot]) -> Paragraph:
    mine = [spot for spot in spots if spot.paragraph in (None, number)]
    left: list[Run] = []
    at = 0
    for run in paragraph.runs:
        end = at + len(run.text)
        if not any(spot.start <= at and (spot.end is None or end <= spot.end) for spot in mine):
            left.append(run)
        at = end
    return replace(paragraph, runs=tuple(left))
