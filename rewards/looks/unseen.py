"""Slides without the words that nobody can read on their pictures."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pptarena.decks import Paragraph, Run, Shape, Slide
from pptarena.decks.visibility.shape_texts import texts_of, with_texts
from pptarena.decks.visibility.text_place import cell_boxes
from pptarena.rewards.looks.looked import Spot, Unseen

__all__ = ["without_unseen"]


def without_unseen(
    shapes: Sequence[Shape], slide: Slide, unseen: Iterable[Unseen]
) -> Iterator[Shape]:
    """Yield shapes without words that cannot be read.

    Args:
        shapes: Those of a slide, perhaps without other words already.
        slide: The slide with all of its words: places of words count from these.
        unseen: The words.
    """
    by_shape: dict[int, list[Spot]] = {}
    for each in unseen:
        by_shape.setdefault(each.spot.shape, []).append(each.spot)
    for shape in shapes:
        spots = by_shape.get(shape.index)
        yield shape if spots is None else _without(shape, slide.shapes[shape.index], spots)


def _without(shape: Shape, whole: Shape, spots: Sequence[Spot]) -> Shape:
    cells: list[tuple[int, int] | None] = [None] if whole.paragraphs else []
    cells += [(row, column) for row, column, _ in cell_boxes(whole)]
    texts = []
    kept = dict(zip(cells, (paragraphs for paragraphs, *_ in texts_of(shape)), strict=False))
    for cell, (paragraphs, *_) in zip(cells, texts_of(whole), strict=True):
        mine = [spot for spot in spots if spot.cell == cell]
        texts.append(
            tuple(_cut(each, number, mine) for number, each in enumerate(paragraphs))
            if mine else kept.get(cell, paragraphs)
        )  # fmt: skip
    return with_texts(whole if not shape.paragraphs else shape, texts)


def _cut(paragraph: Paragraph, number: int, spots: Sequence[Spot]) -> Paragraph:
    mine = [spot for spot in spots if spot.paragraph in (None, number)]
    if not mine:
        return paragraph
    kept: list[Run] = []
    at = 0
    for run in paragraph.runs:
        end = at + len(run.text)
        if not any(spot.start <= at and (spot.end is None or end <= spot.end) for spot in mine):
            kept.append(run)
        at = end
    return replace(paragraph, runs=tuple(kept))
