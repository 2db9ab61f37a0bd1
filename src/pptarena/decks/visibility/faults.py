"""Visual faults of a shape, based on the facts of one slide.

Invisible text is not reported here because checks treat it as missing. Faults concern visible
content that a person would object to: text that is upside down, tiny, pale or in a symbol font, a
line in the color of the background, a picture cropped to almost nothing, a chart whose axis leaves
out values.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pptarena.decks import Axis, Box, Chart, Deck, Paint, Run, RunStyle, Series, Shape, Slide
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.visibility.contrast import blend, contrast_ratio
from pptarena.decks.visibility.layers import Surface, grid, paint_colors, rotate_point
from pptarena.decks.visibility.overlap import text_points
from pptarena.decks.visibility.text_layout import texts_of
from pptarena.decks.visibility.timeline import never_shown
from pptarena.decks.visibility.visibility import visibility_of

__all__ = ["SMALL_PLACEHOLDERS", "Fault", "is_symbol_font", "shape_faults", "text_size_pt"]

SMALL_PLACEHOLDERS: Final = frozenset(("sldNum", "ftr", "dt"))
"""Placeholders that may have small text."""

_EMU_PER_PT = 12_700
_NORMAL_HEIGHT_PT = 680.0
_MAX_TILT_DEG = 60.0
_UPSIDE_DOWN_DEG = 120.0
_VERTICAL_TEXT_DEG = {"vert": 90.0, "vert270": 270.0}
_SMALL_PT = 8.0
_VERY_SMALL_PT = 6.0
_TINY_PT = 4.0
_LOW_CONTRAST = 2.0
_MIN_CONTRAST = 1.35
_READABLE = 1.6
_MIN_COLOR_DISTANCE = 120.0
_MIN_BACKGROUND_CONTRAST = 1.15
_SAME_COLOR_DISTANCE = 40.0
_BLEED = 0.15
_DECORATION_OUTSIDE = 0.5
_FULL_PAGE = 0.9
_MIN_OPACITY_PCT = 25
_FORMATTING_LOSS = 0.35
_LINE_STEPS = (0.04, 0.25, 0.5, 0.75, 0.96)
_MIN_VISIBLE_SHARE = 0.05
_MIN_SIZE_SHARE = 0.02
_EMU_PER_CM = 360_000
_MAX_ICON_SHARE = 0.35
_MIN_ICON_EMU = 180_000  # 5 mm; a smaller sound icon is hard to click
_MAX_CUT_OFF_SHARE = 0.3
_EDGE_STEPS = (0.02, 0.26, 0.5, 0.74, 0.98)
_SYMBOL_FONTS = re.compile(
    r"(wing|web)dings|^symbol$|opensymbol|starsymbol|zapf ?dingbats|marlett|mt extra"
    r"|bookshelf symbol|segoe mdl2|segoe fluent icons|font ?awesome|material (icons|symbols)"
    r"|(dingbats|emoji)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]{3,}|\d+")
_VISIBLE_EFFECTS = frozenset(("shadow", "inner_shadow", "glow", "bevel"))

_MIN_SERIES_OPACITY_PCT = 15
_BAR_TYPES = ("column", "bar", "area")
_RELATIVE_TOLERANCE = 1e-9

_MAJORITY = 0.5
_MAX_SPACING_PT = 3.0
_MIN_BROKEN_LINES = 4
_MAX_WORDS_PER_LINE = 1.34
_GAP: Final = re.compile(r"\S(?:\t{3,}|[ \u00a0]{8,})\S")
_PLAIN_UNDERLINES: Final = frozenset(("none", "sng"))


@dataclass(frozen=True, slots=True)
class Fault:
    """A visual fault of a shape.

    Attributes:
        kind: Type of the fault; the same fault in the original or the target excuses it.
        loss: Reduction of the shape's value, in [0, 1].
        reason: Explanation in plain words.
    """

    kind: str
    loss: float
    reason: str


def shape_faults(deck: Deck, slide: Slide, shape: Shape) -> Iterator[Fault]:
    """Yield the faults of one shape, regardless of overlaps with other shapes."""
    if shape.hidden or shape.kind == "group" or (shape.placeholder and _is_empty(shape)):
        return
    if shape.index in never_shown(slide, Box(0, 0, deck.width_emu, deck.height_emu)):
        yield Fault("never shown", 0.8, "its effects delay it or remove it")
    yield from _rotation_faults(shape)
    yield from _off_slide_faults(deck, shape)
    if shape.all_text.strip():
        yield from _text_faults(deck, slide, shape)
    yield from _picture_faults(deck, shape)
    if shape.chart is not None:
        for series in _invisible_series(shape.chart):
            yield Fault("undrawn", 0.9, f"the series {series.name!r} has no color")
        cut = _series_out_of_range(shape.chart)
        if cut > _MAX_CUT_OFF_SHARE:
            yield Fault("cut off", 0.4 + 0.5 * cut, f"the axis leaves out {cut:.0%} of the values")
    if _is_bare(shape):
        yield from _paint_faults(deck, slide, shape)


def is_symbol_font(name: str) -> bool:
    """Return whether a typeface contains symbols instead of letters."""
    return bool(_SYMBOL_FONTS.search(name.strip()))


def text_size_pt(shape: Shape) -> float:
    """Return the font size of most characters of a shape in points; 0 for no text."""
    sizes: dict[float, int] = {}
    for run in _runs(shape):
        sizes[run.style.size_pt] = sizes.get(run.style.size_pt, 0) + len(run.text.strip())
    return max(sizes, key=lambda size: sizes[size]) if any(sizes.values()) else 0.0


def _runs(shape: Shape) -> Iterator[Run]:
    for paragraphs, *_ in texts_of(shape):
        for paragraph in paragraphs:
            yield from paragraph.runs


def _is_empty(shape: Shape) -> bool:
    return _is_bare(shape) and not shape.all_text.strip()


def _is_bare(shape: Shape) -> bool:
    """Return whether a shape shows nothing but its own outline and fill."""
    return shape.content is None and not shape.text.strip() and not shape.fingerprint


def _rotation_faults(shape: Shape) -> Iterator[Fault]:
    frame = shape.frame
    angle = shape.box.rotation_deg + (180.0 if shape.box.flip_v else 0.0)
    if shape.text.strip():
        if frame is not None and frame.upright:
            angle = 0.0
        if frame is not None:
            angle += frame.rotation_deg + _VERTICAL_TEXT_DEG.get(frame.vertical, 0.0)
    elif _is_bare(shape) or (shape.picture is not None and shape.picture.media_kind == "audio"):
        return
    tilt = abs((angle + 180.0) % 360.0 - 180.0)
    if tilt >= _UPSIDE_DOWN_DEG:
        yield Fault("turned", 0.7, "it is upside down")
    elif tilt > _MAX_TILT_DEG:
        yield Fault("turned", 0.4, "it lies on its side")


def _off_slide_faults(deck: Deck, shape: Shape) -> Iterator[Fault]:
    line_points = text_points(shape) if shape.table is None else []
    box = shape.box
    screen = Box(0, 0, deck.width_emu, deck.height_emu)
    points = line_points or grid(box, _EDGE_STEPS)
    outside = sum(not (0 <= x <= screen.width and 0 <= y <= screen.height) for x, y in points)
    outside_share = outside / len(points)
    if line_points and outside_share > _BLEED:
        yield Fault("outside", min(0.9, 2 * outside_share), "its text runs off the slide")
        return
    allowed = _DECORATION_OUTSIDE if _is_bare(shape) else _BLEED
    if not line_points and outside_share > allowed and not _fills(screen, box):
        yield Fault(
            "outside", min(1.0, 1.2 * outside_share), f"{outside_share:.0%} of it is off the slide"
        )


def _fills(screen: Box, box: Box) -> bool:
    """Return whether a box covers almost the entire slide, so that it may bleed."""
    width = min(box.right, screen.width) - max(box.left, 0)
    height = min(box.bottom, screen.height) - max(box.top, 0)
    return min(width / max(1, screen.width), height / max(1, screen.height)) >= _FULL_PAGE


def _text_faults(deck: Deck, slide: Slide, shape: Shape) -> Iterator[Fault]:
    runs = [run for run in _runs(shape) if run.text.strip()]
    characters = sum(len(run.text.strip()) for run in runs)
    if not characters:
        return
    scale = 1.0 if shape.frame is None else shape.frame.autofit_scale_pct / 100
    zoom = min(1.0, _NORMAL_HEIGHT_PT * _EMU_PER_PT / max(1, deck.height_emu))
    small = 0.0
    min_size_pt = 99.0
    symbols = 0
    for run in runs:
        size = run.style.size_pt * scale * zoom
        count = len(run.text.strip())
        loss = 0.9 if size < _TINY_PT else 0.8 if size < _VERY_SMALL_PT else 0.5
        if size < _SMALL_PT and shape.placeholder not in SMALL_PLACEHOLDERS:
            small += loss * count / characters
            min_size_pt = min(min_size_pt, run.style.size_pt * scale)
        if is_symbol_font(run.style.font) and _WORD.search(run.text):
            symbols += count
    if small > 0.1:
        yield Fault("small", small, f"its text is {min_size_pt:.3g} pt")
    if symbols / characters > 0.1:
        yield Fault(
            "symbols", 0.9 * symbols / characters, "its characters are glyphs of a symbol font"
        )
    if any(_is_broken_up(p.text) for paragraphs, *_ in texts_of(shape) for p in paragraphs):
        yield Fault("broken up", 0.5, "its words are far apart, or each is on a separate line")
    for kind, reason in _unusual_formatting(runs):
        yield Fault(kind, _FORMATTING_LOSS, reason)
    yield from _contrast_faults(deck, slide, shape, characters)


def _contrast_faults(deck: Deck, slide: Slide, shape: Shape, characters: int) -> Iterator[Fault]:
    if shape.paragraphs == () and shape.table is None:
        return
    loss = 0.0
    for run, backgrounds in visibility_of(deck).backdrops(slide.index, shape.index):
        color, style = run.style.color, run.style
        if (
            backgrounds is None
            or color is None
            or style.outlined
            or style.detail
            or not run.text.strip()
        ):
            continue
        count = len(run.text.strip())
        pairs = [(blend(color, back, style.opacity_pct), back) for back in backgrounds]
        best = max(contrast_ratio(*pair) for pair in pairs)
        if best < _MIN_CONTRAST or (
            best < _READABLE and max(rgb_distance(*p) for p in pairs) < _MIN_COLOR_DISTANCE
        ):
            loss += 0.7 * count / characters
        elif best < _LOW_CONTRAST:
            loss += 0.45 * count / characters
    if loss > 0.1:
        yield Fault("pale", loss, "its text has too little contrast with the background")


def _picture_faults(deck: Deck, shape: Shape) -> Iterator[Fault]:
    picture = shape.picture
    if picture is None:
        return
    if picture.media_kind == "audio":
        side = min(shape.box.width, shape.box.height)
        if side < _MIN_ICON_EMU:
            yield Fault("symbol", 0.5, f"its icon is {side / _EMU_PER_CM:.2g} cm large")
        elif max(shape.box.width, shape.box.height) > _MAX_ICON_SHARE * deck.height_emu:
            yield Fault("large symbol", 0.4, "its icon takes up a large part of the slide")
        return
    if picture.opacity_pct < _MIN_OPACITY_PCT:
        yield Fault("faint", 0.7, f"it is nearly transparent ({picture.opacity_pct}%)")
    left, top, right, bottom = picture.crop_pct
    visible_share = max(0.0, 1 - (left + right) / 100) * max(0.0, 1 - (top + bottom) / 100)
    if visible_share < _MIN_VISIBLE_SHARE:
        yield Fault("cropped", 0.65, f"only {visible_share:.1%} of the picture is left")
    if picture.recolor.startswith("biLevel"):
        yield Fault("recolored", 0.4, "it is reduced to black and white")
    if min(shape.box.width, shape.box.height) < _MIN_SIZE_SHARE * deck.height_emu:
        yield Fault("speck", 0.8, "it is too small to see")


def _paint_faults(deck: Deck, slide: Slide, shape: Shape) -> Iterator[Fault]:
    if shape.link is not None or shape.placeholder:
        return
    if any(each.kind in _VISIBLE_EFFECTS for each in shape.effects):
        return
    is_line = shape.kind == "line" or "onnector" in shape.geometry or shape.geometry == "line"
    paints = [] if is_line else [shape.fill]
    paints += [shape.line.paint] if shape.line.width_pt > 0 else []
    surface, box = Surface(deck, slide), shape.box
    is_rising = is_line and box.flip_h != box.flip_v
    is_shown = []
    for share in _LINE_STEPS:
        dy = box.height * (1 - share if is_rising else share)
        point = rotate_point((box.left + box.width * share, box.top + dy), box, box.rotation_deg)
        backgrounds = surface.colors_behind(shape.index, point)
        if backgrounds is None:
            return
        is_shown.append(
            any(_is_visible_on(paint, back) for paint in paints for back in backgrounds)
        )
    inner = is_shown[1:-1]
    if not any(is_shown) or (not is_line and 2 * sum(inner) < len(inner)):
        yield Fault("unpainted", 1.0, "it has the color of its background")
    elif is_line and not (is_shown[0] or is_shown[-1]):
        yield Fault("unpainted", 0.6, "its ends have the color of their background")


def _is_visible_on(paint: Paint, back: str) -> bool:
    if paint.kind == "none":
        return False
    colors = paint_colors(paint)
    if colors is None:
        return True
    blended_colors = (blend(color, back, opacity) for color, opacity in colors)
    return any(
        contrast_ratio(blended, back) >= _MIN_BACKGROUND_CONTRAST
        or rgb_distance(blended, back) >= _SAME_COLOR_DISTANCE
        for blended in blended_colors
    )


def _invisible_series(chart: Chart) -> Iterator[Series]:
    """Yield the series that have values but no visible color."""
    for series in chart.series:
        points = [value for value in series.values if value is not None]
        opacity = dict(series.point_opacities)
        colored = {index for index, _ in series.point_colors}
        by_point = [opacity.get(index, 100) for index in colored]
        if points and max([series.opacity_pct, *by_point]) < _MIN_SERIES_OPACITY_PCT:
            yield series


def _series_out_of_range(chart: Chart) -> float:
    """Return the share of a chart's values that its value axis cuts off, 0 to 1.

    A bar is cut off if it does not begin on the axis, or ends beyond it. Stacked charts and charts
    with two value axes are not measured.
    """
    value_axes = [axis for axis in chart.axes if axis.kind == "value"]
    if not value_axes or "tacked" in chart.grouping or any(each.secondary for each in chart.series):
        return 0.0
    axis = value_axes[-1]
    if len(value_axes) > 1 and chart.type not in ("scatter", "bubble"):
        return 0.0
    numbers = [value for series in chart.series for value in series.values if value is not None]
    if not numbers:
        return 0.0
    return sum(_is_cut_off(value, axis, chart.type) for value in numbers) / len(numbers)


def _is_cut_off(value: float, axis: Axis, kind: str) -> bool:
    low, high = axis.minimum, axis.maximum
    if high is not None and value > high + _RELATIVE_TOLERANCE * max(1.0, abs(high)):
        return True
    # A bar that ends at the start of the axis has no length; a bar of value 0 never has one.
    if low is not None and value < low - _RELATIVE_TOLERANCE * max(1.0, abs(low)):
        return not (kind in _BAR_TYPES and value == 0)
    return False


def _unusual_formatting(runs: Sequence[Run]) -> Iterator[tuple[str, str]]:
    """Yield name and reason of unusual formatting that most characters of a text have."""
    total = sum(len(run.text.strip()) for run in runs)
    counts: dict[tuple[str, str], int] = {}
    for run in runs:
        for oddity in _style_oddities(run.style):
            counts[oddity] = counts.get(oddity, 0) + len(run.text.strip())
    yield from (oddity for oddity, characters in counts.items() if characters > _MAJORITY * total)


def _is_broken_up(text: str) -> bool:
    """Return whether a paragraph has gaps in its lines, or little more than a word per line."""
    if _GAP.search(text):
        return True
    lines = [line.split() for line in text.split("\v") if line.strip()]
    return len(lines) >= _MIN_BROKEN_LINES and sum(map(len, lines)) <= _MAX_WORDS_PER_LINE * len(
        lines
    )


def _style_oddities(style: RunStyle) -> Iterator[tuple[str, str]]:
    if style.strike or style.double_strike:
        yield "struck through", "its text is struck through"
    if style.baseline:
        direction = "raised" if style.baseline > 0 else "lowered"
        yield "baseline", f"its text is {direction} by {abs(style.baseline)}%"
    if style.underline not in _PLAIN_UNDERLINES:
        yield "underline", f"its text has an underline of the kind {style.underline!r}"
    if abs(style.spacing_pt) >= _MAX_SPACING_PT:
        direction_word = "apart" if style.spacing_pt > 0 else "together"
        yield (
            "spacing",
            f"its characters are moved {direction_word} by {abs(style.spacing_pt):.3g} pt",
        )
