"""Read values that DrawingML text elements set explicitly, before inheritance."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from lxml.etree import _Element

from pptarena.decks.facts.text import Align, Bullet, RunStyle
from pptarena.decks.package.names import A, local_name, true_attribute
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.read.context import Theme
from pptarena.decks.read.numbers import (
    BULLET_PERCENT,
    CHARACTER_SPACING,
    INDENT,
    LIST_START,
    MARGIN,
    PARAGRAPH_SPACE,
    PARAGRAPH_SPACE_PERCENT,
    TYPE_SIZE,
    int_attribute,
    number,
)
from pptarena.decks.read.paint import read_color
from pptarena.decks.typefaces import Script, script_spans

__all__ = [
    "ParagraphValues",
    "RunValues",
    "paragraph_values",
    "reference_values",
    "run_style",
    "run_values",
    "serialize_element",
    "split_by_script",
]

_ALIGN: Mapping[str, Align] = {
    "l": "left", "ctr": "center", "r": "right", "just": "justify", "justLow": "justify",
    "dist": "justify", "thaiDist": "justify",
}  # fmt: skip
_OTHER_FILLS = frozenset(("gradFill", "blipFill", "pattFill", "noFill"))
_DETAIL_ELEMENTS = frozenset(("gradFill", "blipFill", "pattFill", "ln", "effectLst", "effectDag"))
_DEFAULT_DETAILS = frozenset(("ln", "(ln noFill)", "effectLst", "noFill"))
_UNDERLINES = frozenset(("uLn", "uLnTx", "uFill", "uFillTx"))
_FONT_ALIGNMENTS = frozenset(("t", "ctr", "b"))
_MAX_CHILDREN = 100
_EAST_ASIAN = frozenset(("zh", "ja", "ko"))
_FONT_SOURCES = frozenset(
    ("font_ea", "font_cs", "language")
)  # used by `split_by_script` to find fonts
_TYPEFACES = frozenset(("latin", "ea", "cs"))
_SPACES = {"lnSpc": "line_spacing", "spcBef": "space_before", "spcAft": "space_after"}
_FONTS = frozenset(("major", "minor"))
_BULLETS = frozenset(("buNone", "buChar", "buAutoNum", "buBlip"))


RunValues = dict[str, Any]
"""Explicit fields of `RunStyle` by name, and values that determine the typeface.

``font_ea`` and ``font_cs`` are typefaces for East Asian and complex scripts, possibly references
such as ``+mn-ea``. ``language`` is kept if it is Chinese, Japanese or Korean.
"""

ParagraphValues = dict[str, Any]
"""Explicit fields of `Paragraph` by name; spacing in percent is relative to the font size.

Bullet formatting is separate: ``bullet_color``, ``bullet_size_pct``, ``bullet_size_pt`` and
``bullet_font``.
"""


def run_values(element: _Element, colors: Mapping[str, str], theme: Theme) -> RunValues:
    """Return the values set by an element such as ``a:rPr`` or ``a:defRPr``."""
    values = _run_attributes(element)
    for child in element:
        name = local_name(child)
        if name == "solidFill":
            color = first_color(child)
            if color is not None:  # without a color, the inherited one stays
                values["color"], values["opacity_pct"] = resolve_color(color, colors)
        elif name in _TYPEFACES:
            _add_typeface(values, name, child.get("typeface") or "", theme)
        elif name == "highlight":
            values["highlight"] = read_color(child, colors)
        elif name in _OTHER_FILLS:
            values["color"] = None
            values["opacity_pct"] = 0 if name == "noFill" else 100
        elif name == "ln":
            values["outlined"] = not any(local_name(each) == "noFill" for each in child)
        elif name in _UNDERLINES:
            _add_underline_color(values, child, name, colors)
    details = [
        serialize_element(each, colors) for each in element if local_name(each) in _DETAIL_ELEMENTS
    ]
    details = [text for text in details if text not in _DEFAULT_DETAILS]
    if details or "color" in values:
        values["detail"] = " ".join(details)
    return values


def _add_typeface(values: RunValues, name: str, typeface: str, theme: Theme) -> None:
    if name == "latin":
        values["font"] = theme.font(typeface)
    elif typeface:  # without a name, the inherited one stays
        values["font_ea" if name == "ea" else "font_cs"] = typeface


def _theme_typefaces(major: bool, theme: Theme) -> RunValues:
    """Return the typefaces for a theme font reference: headings if `major`, else body text."""
    prefix = "+mj" if major else "+mn"
    return {
        "font": theme.font(f"{prefix}-lt"),
        "font_ea": f"{prefix}-ea",
        "font_cs": f"{prefix}-cs",
    }


def reference_values(
    reference: _Element | None, colors: Mapping[str, str], theme: Theme
) -> RunValues:
    """Return the values set by an ``a:fontRef``: color and typefaces."""
    values: RunValues = {}
    color, opacity = resolve_color(first_color(reference), colors)
    if color is not None:
        values["color"], values["opacity_pct"] = color, opacity
    collection = None if reference is None else reference.get("idx")
    return (
        values | _theme_typefaces(collection == "major", theme) if collection in _FONTS else values
    )


def run_style(values: RunValues) -> RunStyle:
    """Return the style for effective values; the underline color is dropped without underline."""
    style = {name: each for name, each in values.items() if name not in _FONT_SOURCES}
    if values.get("underline", "none") == "none":
        style["underline_color"] = None
    return RunStyle(**style)


def _add_underline_color(
    values: RunValues, element: _Element, name: str, colors: Mapping[str, str]
) -> None:
    """Set the underline color from an element of ECMA-376-1, 21.1.2.3.12 to 21.1.2.3.15."""
    color = first_color(element.find(f"{A}solidFill")) if name in ("uLn", "uFill") else None
    if color is not None:
        values["underline_color"] = resolve_color(color, colors)[0]
    else:
        # An underline fill that follows the text does not override the color of its line.
        values.setdefault("underline_color", None)


def serialize_element(element: _Element, colors: Mapping[str, str]) -> str:
    """Return an element as text that is independent of how the file specifies colors."""
    color = resolve_color(element, colors)
    if color[0] is not None:
        return f"{color[0]}/{color[1]}"
    parts = [local_name(element)]
    parts += [f"{local}={value}" for local, value in sorted(element.items()) if local[:1] != "{"]
    parts += [serialize_element(child, colors) for child in element[:_MAX_CHILDREN]]
    return f"({' '.join(parts)})" if len(parts) > 1 else parts[0]


def _is_on(value: str) -> bool:
    return value in ("1", "true", "on")


_RUN_ATTRIBUTES: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "b": ("bold", _is_on),
    "i": ("italic", _is_on),
    "u": ("underline", str),
    "cap": ("caps", str),
    "baseline": ("baseline", lambda value: round((number(value) or 0) / 1000)),
    "spc": ("spacing_pt", lambda value: (number(value, CHARACTER_SPACING) or 0) / 100),
}


def _run_attributes(element: _Element) -> RunValues:
    values: RunValues = {}
    for name, value in element.items():
        if name in _RUN_ATTRIBUTES:
            field, read = _RUN_ATTRIBUTES[name]
            values[field] = read(value)
        elif name == "sz":
            size = number(value, TYPE_SIZE)
            if size is not None:
                values["size_pt"] = size / 100
        elif name == "strike":
            values["strike"] = value != "noStrike"
            values["double_strike"] = value == "dblStrike"
        elif value[:2] in _EAST_ASIAN and name == "lang":
            values["language"] = value
        elif value[:2] in _EAST_ASIAN and name == "altLang":
            # Language of East Asian text in a run of another language.
            values.setdefault("language", value)
    return values


def paragraph_values(element: _Element, colors: Mapping[str, str]) -> ParagraphValues:
    """Return the values set by an element such as ``a:pPr`` or ``a:lvl1pPr``."""
    values = _paragraph_attributes(element)
    for child in element:
        name = local_name(child)
        if name in _BULLETS:
            values["bullet"] = _bullet(child, name)
        elif name in _SPACES:
            space = _SPACES[name]
            values[f"{space}_pct"], values[f"{space}_pt"] = _spacing(child)
        elif name == "tabLst":
            stops = (
                (int_attribute(tab, "pos", INDENT) or 0, tab.get("algn") or "l") for tab in child
            )
            # Some applications write a stop at 0, which has no effect.
            values["tabs"] = tuple(stop for stop in stops if stop[0])
        elif name.startswith("bu"):
            _add_bullet_style(values, child, name, colors)
    return values


def _paragraph_attributes(element: _Element) -> ParagraphValues:
    values: ParagraphValues = {}
    if element.get("algn") in _ALIGN:
        values["align"] = _ALIGN[element.get("algn") or "l"]
    values["margin_emu"] = int_attribute(element, "marL", MARGIN)
    values["indent_emu"] = int_attribute(element, "indent", INDENT)
    values["right_to_left"] = true_attribute(element, "rtl")
    alignment = element.get("fontAlgn")
    if alignment is not None:
        values["font_alignment"] = alignment if alignment in _FONT_ALIGNMENTS else "base"
    return {name: value for name, value in values.items() if value is not None}


def _add_bullet_style(
    values: ParagraphValues, element: _Element, name: str, colors: Mapping[str, str]
) -> None:
    if name == "buClr":
        values["bullet_color"] = read_color(element, colors)
    elif name == "buClrTx":
        values["bullet_color"] = None
    elif name == "buFont":
        values["bullet_font"] = element.get("typeface") or ""
    elif name == "buFontTx":
        values["bullet_font"] = ""
    elif name == "buSzPts":
        values["bullet_size_pt"] = (number(element.get("val"), TYPE_SIZE) or 0) / 100
    elif name in ("buSzPct", "buSzTx"):
        values["bullet_size_pct"] = (number(element.get("val"), BULLET_PERCENT) or 100_000) / 1000
        values["bullet_size_pt"] = None


def _bullet(element: _Element, name: str) -> Bullet:
    if name == "buChar":
        return Bullet("char", element.get("char") or "")
    if name == "buAutoNum":
        return Bullet(
            "number", element.get("type") or "", int_attribute(element, "startAt", LIST_START) or 1
        )
    return Bullet("picture") if name == "buBlip" else Bullet()


def _spacing(element: _Element) -> tuple[float | None, float | None]:
    for child in element:
        if local_name(child) == "spcPct":
            percent = number(child.get("val"), PARAGRAPH_SPACE_PERCENT) or 0
            return round(percent / 1000, 1), None
        return None, round((number(child.get("val"), PARAGRAPH_SPACE) or 0) / 100, 1)
    return 100.0, None


_Piece = tuple[str, RunValues]


def split_by_script(pieces: Sequence[_Piece], theme: Theme) -> list[list[_Piece]]:
    """Return, for each text of a paragraph, its parts with one typeface each.

    Returns:
        Lists in the order of `pieces`; in the values of each part, ``font`` is the typeface that
        its characters use.
    """
    text_of_all = "".join([text for text, _ in pieces])
    spans = script_spans(text_of_all)
    # Adjacent spans differ in script, so Latin text is a single span.
    if not spans or spans[0] == ("latin", 0, len(text_of_all)):
        return [[piece] for piece in pieces]
    texts: dict[Script, str] = {}
    for script, start, end in spans:
        texts[script] = texts.get(script, "") + text_of_all[start:end]
    result: list[list[_Piece]] = []
    offset = 0
    for text, values in pieces:
        parts = []
        for script, start, end in _clip_spans(spans, offset, offset + len(text)):
            part = text_of_all[start:end]
            parts.append((part, _with_font(values, script, texts[script], theme)))
        result.append(parts)
        offset += len(text)
    return result


def _clip_spans(
    spans: Sequence[tuple[Script, int, int]], first: int, last: int
) -> Iterator[tuple[Script, int, int]]:
    for script, start, end in spans:
        if start < last and first < end:
            yield script, max(start, first), min(end, last)


def _with_font(values: RunValues, script: Script, text: str, theme: Theme) -> RunValues:
    if script == "latin":
        return values
    explicit = values.get("font_ea") if script == "ea" else values.get("font_cs")
    typeface = f"+mn-{script}" if explicit is None else explicit
    font = theme.font_of(typeface, text, values.get("language", ""))
    return {**values, "font": font}
