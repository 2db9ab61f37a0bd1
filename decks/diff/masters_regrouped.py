"""Masters after LibreOffice has put layouts under other masters.

It keeps a master of its own for every layout in use and, at each save, puts layouts of one theme
under common masters anew: a slide that is added or removed may send layouts to another master, and
shapes from the master to its layouts. Then masters cannot be compared one with one. What slides
show of them can: the shapes and the background behind each slide, wherever they are kept.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pptarena.decks import Deck, Layout, Master, Shape, Slide
from pptarena.decks.match.decks import DeckMatch

__all__ = ["backdrops", "is_regrouped", "same_theme"]

_NO_LAYOUT = Layout("")


def is_regrouped(match: DeckMatch) -> bool:
    """Return whether slides share masters with other slides than before, though not other themes.

    With one master on either side, or with themes that were not there, it is an edit.
    """
    before, after = match.original.masters, match.current.masters
    if len(before) < 2 and len(after) < 2:
        return False
    if {_theme(master) for master in before} != {_theme(master) for master in after}:
        return False
    links = {
        (match.original.slides[i].master, match.current.slides[j].master) for i, j in match.pairs
    }
    firsts, seconds = {i for i, _ in links}, {j for _, j in links}
    return not len(links) == len(firsts) == len(seconds)


def same_theme(match: DeckMatch, before: Slide, after: Slide) -> bool:
    """Return whether the masters of a slide before and now have one theme."""
    old, new = _master(match.original, before), _master(match.current, after)
    return old is not None and new is not None and _theme(old) == _theme(new)


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
    master = _master(deck, slide)
    if master is None:
        return _NO_LAYOUT
    index = slide.layout_index
    known = index is not None and index < len(master.layouts)
    layout = master.layouts[index] if known and index is not None else _NO_LAYOUT
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


def _master(deck: Deck, slide: Slide) -> Master | None:
    return deck.masters[slide.master] if slide.master < len(deck.masters) else None


def _theme(master: Master) -> tuple[object, ...]:
    return master.name, master.palette, master.fonts
