"""Values that elements of DrawingML text set themselves, before any inheritance."""

from collections.abc import Mapping
from typing import TypedDict

from lxml.etree import _Element

from pptarena.rewards.deck.names import A, int_attribute, local_name
from pptarena.rewards.deck.paint import read_color
from pptarena.rewards.deck.text_model import Align, Bullet
from pptarena.rewards.deck.theme import Theme

__all__ = ["ParagraphValues", "RunValues", "paragraph_values", "run_values"]

_ALIGN: Mapping[str, Align] = {
    "l": "left", "ctr": "center", "r": "right", "just": "justify", "justLow": "justify",
    "dist": "justify", "thaiDist": "justify",
}  # fmt: skip
_BULLETS = frozenset(("buNone", "buChar", "buAutoNum", "buBlip"))


class RunValues(TypedDict, total=False):
    """Fields of `RunStyle` that an element sets."""

    size_pt: float
    bold: bool
    italic: bool
    underline: str
    strike: bool
    color: str | None
    font: str
    baseline: int
    highlight: str | None
    caps: str


class ParagraphValues(TypedDict, total=False):
    """Fields of `Paragraph` that an element sets; space in percent is one of the type's size."""

    align: Align
    bullet: Bullet
    line_spacing_pct: float | None
    line_spacing_pt: float | None
    space_before_pct: float | None
    space_before_pt: float | None
    space_after_pct: float | None
    space_after_pt: float | None
    margin_emu: int
    indent_emu: int


def run_values(element: _Element, colors: Mapping[str, str], theme: Theme) -> RunValues:
    """Return what an element such as ``a:rPr`` or ``a:defRPr`` sets."""
    values = _run_attributes(element)
    for child in element:
        tag = child.tag
        if tag == f"{A}solidFill":
            values["color"] = read_color(child, colors)
        elif tag == f"{A}latin":
            values["font"] = theme.font(child.get("typeface") or "")
        elif tag == f"{A}highlight":
            values["highlight"] = read_color(child, colors)
        elif tag in (f"{A}gradFill", f"{A}blipFill", f"{A}pattFill", f"{A}noFill"):
            values["color"] = None
    return values


def _run_attributes(element: _Element) -> RunValues:
    values: RunValues = {}
    for name, value in element.items():
        if name == "sz":
            values["size_pt"] = _number(value) / 100
        elif name == "b":
            values["bold"] = value in ("1", "true", "on")
        elif name == "i":
            values["italic"] = value in ("1", "true", "on")
        elif name == "u":
            values["underline"] = value
        elif name == "strike":
            values["strike"] = value != "noStrike"
        elif name == "baseline":
            values["baseline"] = round(_number(value) / 1000)
        elif name == "cap":
            values["caps"] = value
    return values


def paragraph_values(element: _Element) -> ParagraphValues:
    """Return what an element such as ``a:pPr`` or ``a:lvl1pPr`` sets."""
    values: ParagraphValues = {}
    if element.get("algn") in _ALIGN:
        values["align"] = _ALIGN[element.get("algn") or "l"]
    margin, indent = int_attribute(element, "marL"), int_attribute(element, "indent")
    if margin is not None:
        values["margin_emu"] = margin
    if indent is not None:
        values["indent_emu"] = indent
    for child in element:
        name = local_name(child)
        if name in _BULLETS:
            values["bullet"] = _bullet(child, name)
        elif name == "lnSpc":
            values["line_spacing_pct"], values["line_spacing_pt"] = _spacing(child)
        elif name == "spcBef":
            values["space_before_pct"], values["space_before_pt"] = _spacing(child)
        elif name == "spcAft":
            values["space_after_pct"], values["space_after_pt"] = _spacing(child)
    return values


def _bullet(element: _Element, name: str) -> Bullet:
    if name == "buChar":
        return Bullet("char", element.get("char") or "")
    if name == "buAutoNum":
        return Bullet("number", element.get("type") or "")
    return Bullet("picture") if name == "buBlip" else Bullet()


def _spacing(element: _Element) -> tuple[float | None, float | None]:
    for child in element:
        value = _number(child.get("val") or "0")
        if local_name(child) == "spcPct":
            return round(value / 1000, 1), None
        return None, round(value / 100, 1)
    return 100.0, None


def _number(text: str) -> float:
    try:
        # Strict files write percentages as "90%".
        return float(text[:-1]) * 1000 if text.endswith("%") else float(text)
    except ValueError:
        return 0.0
