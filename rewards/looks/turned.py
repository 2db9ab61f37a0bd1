"""Gradients that saving alone turned half round are drawn as they were before."""

from collections.abc import Iterator, Sequence

from pptarena.decks import Shape
from pptarena.decks.edits import with_gradients_turned
from pptarena.decks.excerpt import Pages
from pptarena.decks.match.decks import DeckMatch, match_shapes

__all__ = ["turn_back"]

_Pairs = Sequence[tuple[Shape, Shape]]


def turn_back(match: DeckMatch, pages: Pages) -> None:
    """Turn gradients back, on slides as well as on their layouts and masters.

    LibreOffice turns those of mirrored shapes each time that it opens a deck. Facts forgive that;
    pictures of a deck that was opened once more than the original would not.

    Args:
        match: Which slide and shape is which.
        pages: The slides of the deck as it is now, of which nothing was drawn yet.

    Raises:
        DeckError: If a part that has to be changed cannot be read.
    """
    done: set[str] = set()
    for before, now in match.pairs:
        for part, pairs in zip(pages.chain(now), _levels(match, before, now), strict=False):
            if part in done:
                continue
            done.add(part)
            if turned := [new.index for old, new in pairs if _is_turned(match, old, new)]:
                pages.change(part, with_gradients_turned(turned))


def _levels(match: DeckMatch, before: int, now: int) -> Iterator[_Pairs]:
    """Yield the shapes before and now of a slide, of its layout and of its master."""
    old, new = match.original.slides[before], match.current.slides[now]
    yield [(old.shapes[i], new.shapes[j]) for i, j in match.shapes(before).pairs]
    if old.layout_index is None or new.layout_index is None:
        return
    was, is_now = match.original.masters[old.master], match.current.masters[new.master]
    yield _paired(was.layouts[old.layout_index].shapes, is_now.layouts[new.layout_index].shapes)
    yield _paired(was.shapes, is_now.shapes)


def _paired(before: Sequence[Shape], now: Sequence[Shape]) -> _Pairs:
    if not any(shape.fill.kind == "gradient" for shape in now):
        return ()
    return [(before[i], now[j]) for i, j in match_shapes(before, now).pairs]


def _is_turned(match: DeckMatch, old: Shape, new: Shape) -> bool:
    if old.fill == new.fill or not old.fill.kind == new.fill.kind == "gradient":
        return False
    return match.saving.restored_shape(old, new).fill == old.fill
