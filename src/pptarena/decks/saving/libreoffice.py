"""Changes that LibreOffice makes when saving a deck."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pptarena.decks.facts.chart import Axis, Chart
from pptarena.decks.facts.deck import Deck, Slide
from pptarena.decks.facts.master import Layout, Master
from pptarena.decks.facts.motion import Transition
from pptarena.decks.facts.shape import Box, Shape
from pptarena.decks.saving.connector_route import same_route
from pptarena.decks.saving.saving import SAME_SIZE, Saving, Scale
from pptarena.decks.tolerances import LENGTH_TOLERANCE_EMU

if TYPE_CHECKING:
    from pptarena.decks.diff.change import Change

__all__ = ["LibreOffice"]

# Texts that it adds to or removes from these placeholders of a layout.
_SAMPLES = frozenset(("", "<date/time>", "<footer>", "<number>", "[slidenum]", "[datetime]"))
_MAX_DATE = 40  # characters; longer than any date with weekday and time
_SMALL = frozenset(("dt", "ftr", "sldNum"))
_OWN_LAYOUT = re.compile(r"Default(?: \d{1,3})?")
# Prompts of the title and outline that it adds to a layout if a slide has these placeholders.
_OWN_WORDS = frozenset(
    ("Click to edit the title text format", "Click to edit the outline text format")
)
# Transitions whose left and right direction it swaps at every save.
_TURNED = frozenset(("push", "cover", "pull"))
_SIDEWAYS = frozenset(("", "dir=l", "dir=r"))


class LibreOffice(Saving):
    """LibreOffice Impress, as of 25.2."""

    moves_master_shapes = True

    def restored_shape(self, before: Shape, after: Shape) -> Shape:
        """Return the current shape with properties that saving rewrites restored.

        These are the route of a connector, which is recomputed when a deck is opened, the axes of a
        chart, and the direction of a gradient.
        """
        after = _restored_gradient(before, after)
        if same_route(before, after):
            box, outline, bends = before.box, before.geometry, before.adjustments
            return replace(after, box=box, geometry=outline, adjustments=bends)
        if before.chart is None or after.chart is None:
            return after
        axes = _restored_axes(before.chart, after.chart)
        return replace(after, chart=replace(after.chart, axes=axes))

    def restored_transitions(self, pairs: Sequence[tuple[Slide, Slide]]) -> list[Transition]:
        """Return current transitions with swapped directions restored, if all of them are swapped.

        A deliberate change of direction is still detected if another transition is unchanged.
        """
        both = [(before.transition, after.transition) for before, after in pairs]
        sideways = [
            pair
            for pair in both
            if pair[0].type == pair[1].type in _TURNED
            and {each.variant for each in pair} <= _SIDEWAYS
        ]
        turned = bool(sideways) and all(_is_turned(*pair) for pair in sideways)
        return [
            replace(after, variant=before.variant)
            if turned and _is_turned(before, after)
            else after
            for before, after in both
        ]

    def is_lost_by_moving(self, change: "Change") -> bool:
        """Return whether a change is the loss of a number format of a chart's values."""
        is_format = re.fullmatch(r"series \d+ number format", change.what) is not None
        return change.aspect == "charts" and is_format and not change.value_after

    def is_rewritten(
        self, change: "Change", before: Master | Layout, after: Master | Layout, scale: Scale
    ) -> bool:
        """Return whether a change on a master or layout concerns only a placeholder's sample.

        Placeholders of masters and layouts are not rendered on slides; only inherited values
        matter. Layouts contain the values inherited from their master, and text styles are compared
        separately, so placeholders of masters, which every save rewrites, can be ignored.
        """
        i, j = change.shape_index, change.shape_index_now
        old = None if i is None else before.shapes[i]
        new = None if j is None else after.shapes[j]
        shape = old or new
        if shape is None or not shape.placeholder:
            return False
        if isinstance(before, Master) or change.kind == "z_order_changed":
            return True
        if old is None or new is None:
            return shape.text.split("\n")[0].strip() in _OWN_WORDS
        if change.aspect == "text" and shape.placeholder in _SMALL:
            values = [str(value).strip() for value in (change.value_before, change.value_after)]
            shows = _shows_date if shape.placeholder == "dt" else _SAMPLES.__contains__
            return all(map(shows, values))
        if change.what in ("place", "size"):
            grows = "shape" in (old.autofit, new.autofit)
            return (grows and _only_grew(old.box, new.box)) or _only_scaled(old.box, new.box, scale)
        return False

    def is_renamed(self, before: Layout, after: Layout) -> bool:
        """Return whether a layout was renamed because several layouts have the same name."""
        return before.type == after.type and any(map(_is_own_layout, (before, after)))

    def comes_and_goes(self, layout: Layout, *, is_used: bool) -> bool:
        """Return whether a layout is added or removed together with its slides.

        LibreOffice writes only layouts in use, and sometimes one unused layout.
        """
        return is_used or _is_own_layout(layout)

    def is_regrouped(self, original: Deck, current: Deck, pairs: Sequence[tuple[int, int]]) -> bool:
        """Return whether saving alone changed which slides share a master.

        LibreOffice keeps one master per layout in use and, at each save, puts layouts of one theme
        under common masters again. Adding or removing a slide may therefore move layouts to another
        master, and shapes from the master to its layouts. With a single master in both decks, or
        with different themes, the change is an edit.
        """
        before, after = original.masters, current.masters
        if len(before) < 2 and len(after) < 2:
            return False
        if {master.theme for master in before} != {master.theme for master in after}:
            return False
        slides, slides_now = original.slides, current.slides
        links = {(slides[i].master, slides_now[j].master) for i, j in pairs}
        firsts, seconds = {i for i, _ in links}, {j for _, j in links}
        return not len(links) == len(firsts) == len(seconds)


def _is_own_layout(layout: Layout) -> bool:
    """Return whether a layout has a name generated by LibreOffice, such as ``Default 1``."""
    return _OWN_LAYOUT.fullmatch(layout.name) is not None


def _shows_date(text: str) -> bool:
    """Return whether a text may be the content of a date placeholder."""
    is_date = len(text) <= _MAX_DATE and any(each.isdigit() for each in text)
    return text in _SAMPLES or is_date


def _is_turned(first: Transition, second: Transition) -> bool:
    variants = {first.variant or "dir=l", second.variant or "dir=l"}
    return first.type in _TURNED and variants == {"dir=l", "dir=r"}


def _restored_axes(before: Chart, after: Chart) -> tuple[Axis, ...]:
    categories = (name for series in before.series for name in series.categories)
    is_worded = not any(map(_is_number, categories))
    axes = list(after.axes)
    for at, (old, new) in enumerate(zip(before.axes, after.axes, strict=False)):
        if old.kind != "category":
            continue
        if before.type == "radar":  # saving reverses the axis of a radar chart every time
            new = replace(new, reversed=old.reversed)
        # Saving unlinks the format from the source data, which is visible only with numbers.
        if is_worded and not (old.number_format and new.number_format):
            new = replace(new, number_format=old.number_format)
        axes[at] = new
    return tuple(axes)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _only_grew(old: Box, new: Box) -> bool:
    """Return whether only the height of a box changed, with its top, middle or bottom fixed."""
    limit = LENGTH_TOLERANCE_EMU
    if abs(old.left - new.left) > limit or abs(old.width - new.width) > limit:
        return False
    ends = old.top - new.top, old.bottom - new.bottom
    return any(abs(each) <= limit for each in (*ends, sum(ends) / 2))


def _only_scaled(old: Box, new: Box, scale: Scale) -> bool:
    """Return whether a box scaled with the slide size."""
    if scale == SAME_SIZE:
        return False
    pairs = (
        (old.left * scale[0], new.left),
        (old.top * scale[1], new.top),
        (old.width * scale[0], new.width),
        (old.height * scale[1], new.height),
    )
    return all(abs(a - b) <= LENGTH_TOLERANCE_EMU for a, b in pairs)


def _restored_gradient(before: Shape, after: Shape) -> Shape:
    """Return a shape with its old gradient if the gradient was only rotated by 180 degrees.

    LibreOffice rotates the gradient of a flipped shape each time it opens and saves the deck.
    """
    old, new = before.fill, after.fill
    mirrored = before.box.flip_h, before.box.flip_v
    if not any(mirrored) or mirrored != (after.box.flip_h, after.box.flip_v):
        return after
    if not old.kind == new.kind == "gradient" or old.stops != new.stops:
        return after
    angles = [re.fullmatch(r"angle=(\d+)", fill.detail) for fill in (old, new)]
    turn = {int(angle[1]) for angle in angles if angle}
    return replace(after, fill=old) if len(turn) == 2 and max(turn) - min(turn) == 180 else after
