"""What slides show of their masters and layouts: the shapes and the background behind each slide.

These can be compared where masters cannot be compared one with one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pptarena.decks import Deck, Layout, Shape, Slide
from pptarena.decks.match.decks import DeckMatch

__all__ = ["backdrops"]

_NO_LAYOUT = Layout("")


def backdrops(match: DeckMatch) -> Iterator[tuple[int, Layout, Layout]]:
    """Yield what is behind slides before and now, as layouts without placeholders.

    Each pair of a layout before and one now comes once, with the first slide that has it, from 0.
    """
    seen = set()
    for i, j in match.pairs:
        before, after = match.original.slides[i], match.current.slides[j]
        key = (
            *(before.master, before.layout_index, before.show_master_shapes),
            *(after.master, after.layout_index, after.show_master_shapes),
        )
        if key not in seen:
            seen.add(key)
            yield i, _backdrop(match.original, before), _backdrop(match.current, after)


def _backdrop(deck: Deck, slide: Slide) -> Layout:
    master, known = deck.master_of(slide), deck.layout_of(slide)
    if master is None:
        return _NO_LAYOUT
    layout = known or _NO_LAYOUT
    shown = slide.show_master_shapes and layout.show_master_shapes
    shapes = _joined([master.shapes if shown else (), layout.shapes])
    background = layout.background if known else master.background
    return Layout(layout.name, layout.type, background, shapes)


def _joined(parts: Iterable[tuple[Shape, ...]]) -> tuple[Shape, ...]:
    """Return the shapes of several parts behind one another, without placeholders."""
    found: list[Shape] = []
    for shapes in parts:
        places: dict[int, int] = {}
        for shape in shapes:
            if shape.placeholder:
                continue
            places[shape.index] = len(found)
            group = None if shape.group is None else places.get(shape.group)
            found.append(replace(shape, index=len(found), group=group, connects=(None, None)))
    return tuple(found)
