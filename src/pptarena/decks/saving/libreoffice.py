"""Changes that LibreOffice makes when saving a deck."""

import io
import math
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pptarena.decks.facts.chart import Axis, Chart
from pptarena.decks.facts.deck import Deck, Slide
from pptarena.decks.facts.master import Layout, Master
from pptarena.decks.facts.motion import Transition
from pptarena.decks.facts.shape import Box, Shape
from pptarena.decks.saving.saving import SAME_SIZE, Saving, Scale
from pptarena.decks.tolerances import LENGTH_TOLERANCE_EMU

if TYPE_CHECKING:
    from pptarena.decks.diff.change import Change

__all__ = [
    "APPLICATION_PROPERTIES",
    "PLACEHOLDER_ICONS",
    "LibreOffice",
    "is_saved_by_libreoffice",
    "same_route",
]

# Texts that LibreOffice adds to or removes from the placeholders `_FOOTERS` of a layout.
_SAMPLES = frozenset(("", "<date/time>", "<footer>", "<number>", "[slidenum]", "[datetime]"))
_MAX_DATE_CHARS = 40  # characters; longer than any date with weekday and time
_FOOTERS = frozenset(("dt", "ftr", "sldNum"))
_GENERATED_NAME = re.compile(r"Default(?: \d{1,3})?")
# Prompts of title and outline placeholders that LibreOffice adds to a layout if a slide has them.
_GENERATED_PROMPTS = frozenset(
    ("Click to edit the title text format", "Click to edit the outline text format")
)
# Transitions whose left and right direction LibreOffice swaps at every save.
_SWAPPED_TRANSITIONS = frozenset(("push", "cover", "pull"))
_HORIZONTAL_VARIANTS = frozenset(("", "dir=l", "dir=r"))


class LibreOffice(Saving):
    """LibreOffice Impress, as of 25.2."""

    moves_master_shapes = True

    def restore_shape(self, before: Shape, after: Shape) -> Shape:
        """Return the current shape with properties that saving rewrites restored.

        These are the route of a connector, which is recomputed when a deck is opened, the axes of a
        chart, and the direction of a gradient.
        """
        after = _restore_gradient(before, after)
        if same_route(before, after):
            box, outline, bends = before.box, before.geometry, before.adjustments
            return replace(after, box=box, geometry=outline, adjustments=bends)
        if before.chart is None or after.chart is None:
            return after
        axes = _restore_axes(before.chart, after.chart)
        return replace(after, chart=replace(after.chart, axes=axes))

    def restore_transitions(self, pairs: Sequence[tuple[Slide, Slide]]) -> list[Transition]:
        """Return current transitions with swapped directions restored, if all of them are swapped.

        A deliberate change of direction is still detected if another transition is unchanged.
        """
        transitions = [(before.transition, after.transition) for before, after in pairs]
        horizontal = [
            pair
            for pair in transitions
            if pair[0].type == pair[1].type in _SWAPPED_TRANSITIONS
            and {each.variant for each in pair} <= _HORIZONTAL_VARIANTS
        ]
        are_swapped = bool(horizontal) and all(_is_swapped(*pair) for pair in horizontal)
        return [
            replace(after, variant=before.variant)
            if are_swapped and _is_swapped(before, after)
            else after
            for before, after in transitions
        ]

    def is_caused_by_moving(self, change: "Change") -> bool:
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
            return shape.text.split("\n")[0].strip() in _GENERATED_PROMPTS
        if change.aspect == "text" and shape.placeholder in _FOOTERS:
            values = [str(value).strip() for value in (change.value_before, change.value_after)]
            is_sample = _is_date_text if shape.placeholder == "dt" else _SAMPLES.__contains__
            return all(map(is_sample, values))
        if change.what in ("place", "size"):
            resizes_to_text = "shape" in (old.autofit, new.autofit)
            return (resizes_to_text and _is_height_change(old.box, new.box)) or _is_scaled(
                old.box, new.box, scale
            )
        return False

    def is_renamed(self, before: Layout, after: Layout) -> bool:
        """Return whether a layout was renamed because several layouts have the same name."""
        return before.type == after.type and any(map(_has_generated_name, (before, after)))

    def is_transient(self, layout: Layout, *, is_used: bool) -> bool:
        """Return whether a layout is added or removed together with its slides.

        LibreOffice writes only layouts in use, and sometimes one unused layout.
        """
        return is_used or _has_generated_name(layout)

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
        master_pairs = {(slides[i].master, slides_now[j].master) for i, j in pairs}
        old_masters, new_masters = {i for i, _ in master_pairs}, {j for _, j in master_pairs}
        return not len(master_pairs) == len(old_masters) == len(new_masters)


def _has_generated_name(layout: Layout) -> bool:
    """Return whether a layout has a name generated by LibreOffice, such as ``Default 1``."""
    return _GENERATED_NAME.fullmatch(layout.name) is not None


def _is_date_text(text: str) -> bool:
    """Return whether a text may be the content of a date placeholder."""
    is_date = len(text) <= _MAX_DATE_CHARS and any(each.isdigit() for each in text)
    return text in _SAMPLES or is_date


def _is_swapped(first: Transition, second: Transition) -> bool:
    variants = {first.variant or "dir=l", second.variant or "dir=l"}
    return first.type in _SWAPPED_TRANSITIONS and variants == {"dir=l", "dir=r"}


def _restore_axes(before: Chart, after: Chart) -> tuple[Axis, ...]:
    categories = (name for series in before.series for name in series.categories)
    has_text_categories = not any(map(_is_number, categories))
    axes = list(after.axes)
    for index, (old, new) in enumerate(zip(before.axes, after.axes, strict=False)):
        if old.kind != "category":
            continue
        if before.type == "radar":  # saving reverses the axis of a radar chart every time
            new = replace(new, reversed=old.reversed)
        # Saving unlinks the format from the source data, which is visible only with numbers.
        if has_text_categories and not (old.number_format and new.number_format):
            new = replace(new, number_format=old.number_format)
        axes[index] = new
    return tuple(axes)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_height_change(old: Box, new: Box) -> bool:
    """Return whether only the height of a box changed, with its top, middle or bottom fixed."""
    limit = LENGTH_TOLERANCE_EMU
    if abs(old.left - new.left) > limit or abs(old.width - new.width) > limit:
        return False
    shifts = old.top - new.top, old.bottom - new.bottom
    return any(abs(each) <= limit for each in (*shifts, sum(shifts) / 2))


def _is_scaled(old: Box, new: Box, scale: Scale) -> bool:
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


def _restore_gradient(before: Shape, after: Shape) -> Shape:
    """Return a shape with its old gradient if the gradient was only rotated by 180 degrees.

    LibreOffice rotates the gradient of a flipped shape each time it opens and saves the deck.
    """
    old, new = before.fill, after.fill
    flips = before.box.flip_h, before.box.flip_v
    if not any(flips) or flips != (after.box.flip_h, after.box.flip_v):
        return after
    if not old.kind == new.kind == "gradient" or old.stops != new.stops:
        return after
    angles = [re.fullmatch(r"angle=(\d+)", fill.detail) for fill in (old, new)]
    angle_values = {int(angle[1]) for angle in angles if angle}
    return (
        replace(after, fill=old)
        if len(angle_values) == 2 and max(angle_values) - min(angle_values) == 180
        else after
    )


PLACEHOLDER_ICONS: Final = frozenset(
    ("39408d86c82160d9bc444e07d3dbe9dd347fe3291c9739ca60333d22c30f658f",)
)
"""Digests of the pictures that LibreOffice 25.2 puts into empty placeholders."""

APPLICATION_PROPERTIES: Final = frozenset((
    "AppVersion", "Application", "Bytes", "Characters", "CharactersWithSpaces", "Company",
    "DocSecurity", "HeadingPairs", "HiddenSlides", "HyperlinkBase", "HyperlinksChanged", "Lines",
    "LinksUpToDate", "MMClips", "Manager", "Notes", "Pages", "Paragraphs", "PresentationFormat",
    "ScaleCrop", "ShareDoc", "SharedDoc", "Slides", "Template", "TitlesOfParts", "TotalTime",
    "Words",
))  # fmt: skip
"""Properties maintained by applications; LibreOffice saves them as custom properties."""

_APP_PROPERTIES = "docProps/app.xml"
_CONTENT_TYPES = "[Content_Types].xml"
_MAX_BYTES = 2**20
_MERGED_PARTS = ("ppt/slideLayouts/", "ppt/slideMasters/")
_APPLICATION = re.compile(rb"<(?:\w+:)?Application>\s*LibreOffice\b")


def is_saved_by_libreoffice(deck: bytes) -> bool:
    """Return whether LibreOffice was the last application to save a deck.

    The application name alone is not sufficient, because libraries that edit a file keep it. But
    only LibreOffice writes the content types at the end of the file, followed at most by masters
    and layouts that it merges.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(deck)) as file, file.open(_APP_PROPERTIES) as part:
            is_libreoffice = _APPLICATION.search(part.read(_MAX_BYTES)) is not None
            names = file.namelist()
            position = names.index(_CONTENT_TYPES)
            return (
                is_libreoffice
                and position > 0
                and all(n.startswith(_MERGED_PARTS) for n in names[position + 1 :])
            )
    except (KeyError, OSError, ValueError, NotImplementedError, RuntimeError, zipfile.BadZipFile):
        return False


_Point = tuple[float, float]
_HALF = 50_000
_WHOLE = 100_000


def same_route(first: Shape, second: Shape) -> bool:
    """Return whether two connectors of one type have the same route; False for other shapes."""
    if (
        not first.kind == second.kind == "line"
        or _connector_type(first) != _connector_type(second)
        or not _connector_type(first)
    ):
        return False
    route, other = _route(first), _route(second)
    if _same_points(route, other):
        return True
    if None not in (*first.connects, *second.connects):
        return _same_points((route[0], route[-1]), (other[0], other[-1]))
    # A reversed route is the same line, unless its arrowheads differ.
    ends = first.line.ends
    return ends == second.line.ends and ends[0] == ends[1] and _same_points(route, other[::-1])


def _connector_type(shape: Shape) -> str:
    name = shape.geometry.rstrip("12345")
    return name if name in ("straightConnector", "bentConnector", "curvedConnector", "line") else ""


def _route(shape: Shape) -> list[_Point]:
    """Return the corners of the route on the slide, in EMU, from start to end."""
    box, adjustments = shape.box, dict(shape.adjustments)
    corners = _corners(shape.geometry[-1:], adjustments)
    points = []
    angle = math.radians(box.rotation_deg)
    sine, cosine = math.sin(angle), math.cos(angle)
    for x, y in corners:
        # Relative to the center, about which shapes are flipped and rotated.
        dx = (x - 0.5) * box.width * (-1 if box.flip_h else 1)
        dy = (y - 0.5) * box.height * (-1 if box.flip_v else 1)
        points.append(
            (
                box.left + box.width / 2 + dx * cosine - dy * sine,
                box.top + box.height / 2 + dx * sine + dy * cosine,
            )
        )
    return _simplify(points)


def _corners(bends: str, adjustments: Mapping[str, int]) -> list[_Point]:
    """Return the corners as shares of width and height."""
    first, second, third = (adjustments.get(f"adj{n}", _HALF) / _WHOLE for n in (1, 2, 3))
    if bends == "2":
        return [(0, 0), (1, 0), (1, 1)]
    if bends == "3":
        return [(0, 0), (first, 0), (first, 1), (1, 1)]
    if bends == "4":
        return [(0, 0), (first, 0), (first, second), (1, second), (1, 1)]
    if bends == "5":
        return [(0, 0), (first, 0), (first, second), (third, second), (third, 1), (1, 1)]
    return [(0, 0), (1, 1)]


def _simplify(points: Sequence[_Point]) -> list[_Point]:
    """Return a line without invisible corners (Douglas-Peucker algorithm)."""
    if len(points) < 3:
        return list(points)
    distances = [_distance(point, points[0], points[-1]) for point in points[1:-1]]
    furthest = max(range(len(distances)), key=distances.__getitem__)
    if distances[furthest] <= LENGTH_TOLERANCE_EMU:
        return [points[0], points[-1]]
    corner = furthest + 1
    return _simplify(points[: corner + 1])[:-1] + _simplify(points[corner:])


def _distance(point: _Point, start: _Point, end: _Point) -> float:
    """Return the distance of a point from the segment between two others."""
    (x, y), (x1, y1), (x2, y2) = point, start, end
    length_2 = (x2 - x1) ** 2 + (y2 - y1) ** 2
    share = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length_2 if length_2 else 0.0
    share = max(0.0, min(1.0, share))
    return math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))


def _same_points(first: Sequence[_Point], second: Sequence[_Point]) -> bool:
    return len(first) == len(second) and all(
        math.dist(a, b) <= LENGTH_TOLERANCE_EMU for a, b in zip(first, second, strict=True)
    )
