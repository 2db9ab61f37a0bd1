"""Faults of many new shapes or cells together: each in another color, as nothing in the deck is."""

from collections.abc import Iterable, Iterator, Sequence

from pptarena.decks import Deck, Paint, Shape
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.visibility.fitness import Fault
from pptarena.rewards.fitness.work import WorkedShape

__all__ = ["color_faults"]

_OTHER_COLOR = 70.0
_MANY = 4
_VIVID = 90
_GAUDY = 0.55


def color_faults(
    original: Deck, work: Sequence[WorkedShape], targets: Sequence[Deck]
) -> Iterator[Fault]:
    """Yield that new fills have many vivid colors that neither the deck nor a target has.

    Without a target nobody knows which colors were asked for.
    """
    if not targets:
        return
    found: list[str] = []
    known: list[str] | None = None
    for color in dict.fromkeys(c for each in work for c in _fresh_fills(each)):
        if not _is_vivid(color):
            continue
        if known is None:
            known = [c for deck in (original, *targets) for c in _colors_of(deck)]
        if all(rgb_distance(color, each) > _OTHER_COLOR for each in (*known, *found)):
            found.append(color)
    if len(found) >= _MANY:
        yield Fault(
            "gaudy", _GAUDY, f"it introduces {len(found)} fill colors that the deck does not use"
        )


def _fresh_fills(work: WorkedShape) -> Iterator[str]:
    before = set() if work.before is None else set(_fills(work.before))
    yield from (color for color in _fills(work.shape) if color not in before)


def _colors_of(deck: Deck) -> Iterable[str]:
    found = {color for master in deck.masters for _, color in master.palette}
    return found | {color for slide in deck.slides for s in slide.shapes for color in _fills(s)}


def _fills(shape: Shape) -> Iterator[str]:
    paints: list[Paint] = [shape.fill]
    if shape.table is not None:
        paints += [cell.fill for row in shape.table.rows for cell in row]
    yield from (paint.color for paint in paints if paint.color is not None)


def _is_vivid(color: str) -> bool:
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return max(parts) - min(parts) >= _VIVID
