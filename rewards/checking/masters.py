"""Content shared by all slides, on masters or layouts.

LibreOffice writes an empty master, white with 18 pt text, and moves all master content into the
layouts. For a master without shapes, the layouts in use are examined instead.
"""

from collections.abc import Iterator

from pptarena.decks import Deck, Layout, Master, Paint, Paragraph, Shape

__all__ = ["backgrounds", "layout_samples", "samples", "shape_groups"]

_PLACEHOLDERS = {"title": ("title", "ctrTitle"), "body": ("body", "obj", "subTitle")}


def backgrounds(deck: Deck) -> list[Paint]:
    """Return the backgrounds of each master."""
    return [holder.background for holder in _holders(deck)]


def samples(deck: Deck, kind: str, level: int) -> Iterator[Paragraph | None]:
    """Yield a sample paragraph of a text style for each master, or None if there is none.

    Args:
        deck: The deck.
        kind: ``title``, ``body`` or ``other``.
        level: Outline level, from 0.
    """
    for holder in _holders(deck):
        if isinstance(holder, Master) or kind not in _PLACEHOLDERS:
            master = holder if isinstance(holder, Master) else _master_of(deck, holder)
            yield dict(master.text_styles).get(f"{kind} {level + 1}")
            continue
        yield from _samples_of(holder, kind, level)


def layout_samples(deck: Deck, kind: str, level: int) -> Iterator[Paragraph | None]:
    """Yield a sample paragraph for each layout in use; nothing for the kind ``other``."""
    for index, master in enumerate(deck.masters):
        for layout in _used_layouts(deck, index, master) if kind in _PLACEHOLDERS else ():
            yield from _samples_of(layout, kind, level)


def _samples_of(layout: Layout, kind: str, level: int) -> Iterator[Paragraph | None]:
    boxes = [s for s in layout.shapes if s.placeholder in _PLACEHOLDERS[kind]]
    said = (p for shape in boxes for p in shape.paragraphs if p.level == level and p.runs)
    if boxes:  # a layout without such a placeholder shows no such text
        yield next(said, None)


def shape_groups(deck: Deck) -> list[list[Shape]]:
    """Return the shapes that appear on all slides, by master or by layout in use."""
    holders = _holders(deck)
    own = [shape for each in holders if isinstance(each, Master) for shape in each.shapes]
    groups = [list(each.shapes) for each in holders if isinstance(each, Layout)]
    return [own, *groups] if own or not groups else groups


def _holders(deck: Deck) -> list[Master | Layout]:
    found: list[Master | Layout] = []
    for index, master in enumerate(deck.masters):
        layouts = _used_layouts(deck, index, master)
        found += [master] if master.shapes or not layouts else layouts
    return found


def _used_layouts(deck: Deck, index: int, master: Master) -> list[Layout]:
    of_it = (slide for slide in deck.slides if slide.master == index)
    used = {slide.layout_index for slide in of_it} - {None}
    return [each for at, each in enumerate(master.layouts) if at in used]


def _master_of(deck: Deck, layout: Layout) -> Master:
    return next(master for master in deck.masters if layout in master.layouts)
