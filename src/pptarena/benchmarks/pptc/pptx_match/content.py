"""The compared content of slides and shapes, as named attributes with text values."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pptarena.benchmarks.pptc.pptx_match.objects import is_ordinary, kind_name
from pptarena.decks import Chart, Deck, Paint, Paragraph, RunStyle, Shape, Slide, Table

__all__ = ["ObjectContent", "SlideContent", "paint_text", "read_content"]

Attributes = tuple[tuple[str, str], ...]

_STYLES: Final[Mapping[str, Callable[[RunStyle], object]]] = MappingProxyType(
    {
        "bold": lambda style: style.bold,
        "italic": lambda style: style.italic,
        "underline": lambda style: style.underline != "none",
        "font size": lambda style: f"{style.size_pt:g} pt",
        "font color": lambda style: style.color,
        "font": lambda style: style.font,
    }
)
_MORE_STYLES: Final[Mapping[str, Callable[[RunStyle], object]]] = MappingProxyType(
    {
        "strike": lambda style: style.strike,
        "baseline": lambda style: style.baseline,
        "highlight": lambda style: style.highlight,
    }
)


@dataclass(frozen=True, slots=True)
class ObjectContent:
    """One object of a slide.

    Attributes:
        shape: The shape.
        kind: Type name as returned by `kind_name`.
        label: Type name and index among objects of this type on the slide, from 0.
        attributes: Names and values of all compared attributes, without the position.
    """

    shape: Shape
    kind: str
    label: str
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class SlideContent:
    """One slide.

    Attributes:
        attributes: Attributes of the slide itself.
        objects: Objects from back to front.
    """

    attributes: Attributes
    objects: tuple[ObjectContent, ...]


def read_content(deck: Deck, *, quirks: bool = False) -> tuple[SlideContent, ...]:
    """Return the compared content of a deck, without positions.

    Args:
        deck: The deck.
        quirks: Omit what the original ignores: later runs and paragraphs, style in tables and
            autoshapes, categories, outlines, rotation of anything but pictures, groups, lines,
            freeforms, and backgrounds that are not solid.
    """
    return tuple(_slide(slide, quirks) for slide in deck.slides)


def paint_text(paint: Paint) -> str:
    """Return a fill as a short text, such as ``#FF0000``."""
    if paint.kind == "solid":
        opacity = f" at {paint.opacity_pct} %" if paint.opacity_pct != 100 else ""
        return f"{paint.color}{opacity}"
    return f"{paint.kind} {paint.description}".strip()


def _slide(slide: Slide, quirks: bool) -> SlideContent:
    counts: dict[str, int] = {}
    objects = []
    for shape in slide.shapes:
        if quirks and not is_ordinary(shape):
            continue
        kind = kind_name(shape)
        index = counts[kind] = counts.get(kind, -1) + 1
        attributes = tuple(_attributes(shape, quirks))
        objects.append(ObjectContent(shape, kind, f"{kind} {index}", attributes))
    background = _paint(slide.background, quirks)
    return SlideContent((("background", background), ("notes", slide.notes)), tuple(objects))


def _paint(paint: Paint, quirks: bool) -> str:
    return "None" if quirks and paint.kind != "solid" else paint_text(paint)


def _attributes(shape: Shape, quirks: bool) -> Iterable[tuple[str, str]]:
    if shape.table is not None:
        yield from _table(shape.table, quirks)
    elif shape.chart is not None:
        yield from _chart(shape.chart, quirks)
    elif shape.picture is None:
        yield "text", shape.text
        if shape.kind != "shape" or not quirks:
            yield from _text_styles(shape.paragraphs, quirks)
        yield "fill", _paint(shape.fill, quirks)
    if not quirks:
        yield "line", _line(shape)
        yield "hidden", str(shape.hidden)
        yield "link", str(shape.link or "")
    if shape.picture is not None or not quirks:
        yield "rotation", f"{round(shape.box.rotation_deg) % 360}"
    if shape.picture is not None and not quirks:
        yield "crop", " ".join(f"{part:.0f}" for part in shape.picture.crop_pct)


def _line(shape: Shape) -> str:
    line = shape.line
    if line.paint.kind == "none":
        return "none"
    return f"{paint_text(line.paint)} {line.width_pt:g} pt {line.dash}"


def _table(table: Table, quirks: bool) -> Iterable[tuple[str, str]]:
    yield "size", f"{len(table.rows)} x {len(table.column_widths)}"
    yield "data", "\n".join("|".join(cell.text for cell in row) for row in table.rows)
    if quirks:
        return
    cells = [cell for row in table.rows for cell in row]
    yield "fill", _spans((1, paint_text(cell.fill)) for cell in cells)
    yield from _text_styles([paragraph for cell in cells for paragraph in cell.paragraphs], quirks)


def _chart(chart: Chart, quirks: bool) -> Iterable[tuple[str, str]]:
    automatic = chart.title_style is None  # the name of the only series
    yield "chart title", "" if quirks and automatic else chart.title
    yield "chart type", f"{chart.type} {chart.grouping}".strip()
    yield "data", "\n".join(f"{series.name}: {_values(series.values)}" for series in chart.series)
    if not quirks:
        yield "categories", "\n".join(", ".join(series.categories) for series in chart.series[:1])


def _values(values: Iterable[float | None]) -> str:
    return ", ".join("-" if value is None else f"{value:.12g}" for value in values)


def _text_styles(paragraphs: Iterable[Paragraph], quirks: bool) -> Iterable[tuple[str, str]]:
    """Yield every text property, with the number of characters that each value covers."""
    paragraphs = list(paragraphs)
    non_empty = [paragraph for paragraph in paragraphs if paragraph.runs]
    if quirks:
        non_empty = paragraphs[:1]  # even if empty
    runs = [run for paragraph in non_empty for run in paragraph.runs]
    if quirks:
        runs = runs[:1]
    lengths = [0 if quirks else len(run.text) for run in runs]
    styles = dict(_STYLES) if quirks else {**_STYLES, **_MORE_STYLES}
    for name, value in styles.items():
        values = (str(value(run.style)) for run in runs)
        yield name, _spans(zip(lengths, values, strict=True))
    if not quirks:
        yield "text link", _spans((len(run.text), str(run.link or "")) for run in runs)
        yield "bullet", _spans((1, f"{p.bullet.kind} {p.bullet.char}".strip()) for p in non_empty)
        yield "level", _spans((1, str(p.level)) for p in non_empty)
    yield "alignment", _spans((1, p.align) for p in non_empty)
    yield "line spacing", _spans((1, _spacing(p)) for p in non_empty)


def _spacing(paragraph: Paragraph) -> str:
    if paragraph.line_spacing_pt is not None:
        return f"{paragraph.line_spacing_pt:g} pt"
    return f"{paragraph.line_spacing_pct:g} %"


def _spans(parts: Iterable[tuple[int, str]]) -> str:
    """Join adjacent equal values; several values are shown with their lengths."""
    spans: list[tuple[int, str]] = []
    for length, value in parts:
        if spans and spans[-1][1] == value:
            length += spans.pop()[0]
        spans.append((length, value))
    if len(spans) == 1:
        return spans[0][1]
    return ", ".join(f"{value} x{length}" for length, value in spans)
