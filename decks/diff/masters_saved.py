"""What an application does to masters and layouts by itself when it saves a deck once more."""

from collections.abc import Sequence

from pptarena.decks import Box, Layout, Master, Shape
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.values import LENGTH_TOLERANCE_EMU

__all__ = ["SAME_SIZE", "Scale", "is_consequence", "is_renamed", "is_rewritten"]

# Words that LibreOffice puts into these placeholders of a layout, or takes out.
_SAMPLES = frozenset(("", "<date/time>", "<footer>", "<number>", "[slidenum]", "[datetime]"))
_SMALL = frozenset(("dt", "ftr", "sldNum"))
_OWN_LAYOUT = "Default"
# Of the title and the outline that it gives to a layout as soon as a slide has them.
_OWN_WORDS = frozenset(
    ("Click to edit the title text format", "Click to edit the outline text format")
)

Scale = tuple[float, float]
SAME_SIZE: Scale = (1.0, 1.0)


def is_rewritten(
    change: Change, before: Master | Layout, after: Master | Layout, scale: Scale = SAME_SIZE
) -> bool:
    """Return whether LibreOffice makes a change of a master's or layout's shape by itself.

    Placeholders show on no slide themselves; what slides inherit from them counts. Layouts have
    the values that they inherit from their master, and text styles are compared too, so nothing is
    lost by leaving out the placeholders of masters, which are written anew at every save.

    Args:
        change: A change of one of the shapes.
        before: The master or layout before.
        after: The same now.
        scale: How many times as wide and as high slides are now.
    """
    old, new = (
        _shape(change.shape_index, before.shapes),
        _shape(change.shape_index_now, after.shapes),
    )
    shape = old or new
    if shape is None or not shape.placeholder:
        return False
    if isinstance(before, Master) or change.kind == "z_order_changed":
        return True
    if old is None or new is None:
        return shape.text.split("\n")[0].strip() in _OWN_WORDS
    if change.aspect == "text" and shape.placeholder in _SMALL:
        values = change.value_before, change.value_after
        return all(str(value).strip() in _SAMPLES for value in values)
    if change.what in ("place", "size"):
        grows = "shape" in (old.autofit, new.autofit)
        return (grows and _only_grew(old.box, new.box)) or _only_scaled(old.box, new.box, scale)
    return False


def is_renamed(before: Layout, after: Layout) -> bool:
    """Return whether LibreOffice may have given a layout another name by itself.

    Of layouts that have one name it calls the later ones by a name of its own.
    """
    return before.type == after.type and _OWN_LAYOUT in (before.name, after.name)


def is_consequence(layout: Layout, index: int, master: int, match: DeckMatch, *, now: bool) -> bool:
    """Return whether a layout came or went by itself.

    LibreOffice writes the layouts of the slides that there are, so that one comes and goes with
    its slides, whose change is named; and sometimes one of its own that nothing uses.

    Args:
        layout: A layout that is in one of the decks only.
        index: Its place in its master's layouts.
        master: The place of its master.
        match: Which slide is which.
        now: Whether it is in the deck now.
    """
    slides = (match.current if now else match.original).slides
    used = any((slide.master, slide.layout_index) == (master, index) for slide in slides)
    return used or layout.name == _OWN_LAYOUT


def _shape(index: int | None, shapes: Sequence[Shape]) -> Shape | None:
    return None if index is None else shapes[index]


def _only_grew(old: Box, new: Box) -> bool:
    """Return whether a box only has another height, with its top, middle or bottom kept."""
    limit = LENGTH_TOLERANCE_EMU
    if abs(old.left - new.left) > limit or abs(old.width - new.width) > limit:
        return False
    ends = old.top - new.top, old.bottom - new.bottom
    return any(abs(each) <= limit for each in (*ends, sum(ends) / 2))


def _only_scaled(old: Box, new: Box, scale: Scale) -> bool:
    """Return whether a box kept its share of a slide whose size changed."""
    if scale == SAME_SIZE:
        return False
    pairs = (
        (old.left * scale[0], new.left),
        (old.top * scale[1], new.top),
        (old.width * scale[0], new.width),
        (old.height * scale[1], new.height),
    )
    return all(abs(a - b) <= LENGTH_TOLERANCE_EMU for a, b in pairs)
