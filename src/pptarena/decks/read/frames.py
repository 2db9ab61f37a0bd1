"""Read text frame properties."""

from collections.abc import Mapping

from lxml.etree import _Element

from pptarena.decks.facts.text import CELL_INSETS_EMU, Anchor, TextFrame
from pptarena.decks.package.names import A, P, find_path, local_name
from pptarena.decks.read.numbers import (
    ANGLE,
    FONT_SCALE,
    INT,
    PARAGRAPH_SPACE_PERCENT,
    Span,
    int_attribute,
    number,
)

__all__ = ["ANCHORS", "INSETS", "body_properties", "read_autofit", "read_frame"]

ANCHORS: Mapping[str, Anchor] = {
    "t": "top", "ctr": "middle", "b": "bottom", "just": "middle", "dist": "middle",
}  # fmt: skip
INSETS = ("lIns", "tIns", "rIns", "bIns")
_TRUE = ("1", "true")
_COLUMNS = Span(1, 16)
_GAP = Span(0, INT.most)
_FITS = {"spAutoFit": "shape", "normAutofit": "text", "noAutofit": "none"}


def body_properties(body: _Element | None, ancestors: tuple[_Element, ...]) -> tuple[_Element, ...]:
    """Return the ``a:bodyPr`` of a text body and of its ancestors, nearest first."""
    bodies = (body, *(each.find(f"{P}txBody") for each in ancestors))
    found = (find_path(each, f"{A}bodyPr") for each in bodies)
    return tuple(each for each in found if each is not None)


def read_autofit(chain: tuple[_Element, ...]) -> str:
    """Return ``none``, ``shape`` or ``text``, as in `Shape.autofit`."""
    return _FITS[local_name(fit)] if (fit := _fit(chain)) is not None else "none"


def read_frame(chain: tuple[_Element, ...]) -> TextFrame:
    """Return the text frame properties.

    Args:
        chain: ``a:bodyPr`` elements, nearest first.
    """
    values: dict[str, str] = {}
    for element in reversed(chain):
        values.update((str(name), str(value)) for name, value in element.items())
    insets = (
        _value(values, n, usual, INT) for n, usual in zip(INSETS, CELL_INSETS_EMU, strict=True)
    )
    left, top, right, bottom = insets
    columns = _value(values, "numCol", 1, _COLUMNS)
    scale, reduction = _shrunk(_fit(chain))
    return TextFrame(
        insets_emu=(left, top, right, bottom),
        anchor=ANCHORS.get(values.get("anchor", "t"), "top"),
        centered=values.get("anchorCtr") in _TRUE,
        wrap=values.get("wrap") != "none",
        columns=columns,
        column_gap_emu=_value(values, "spcCol", 0, _GAP) if columns > 1 else 0,
        vertical=values.get("vert", "horz"),
        autofit_scale_pct=scale,
        autofit_reduction_pct=reduction,
        rotation_deg=round((_value(values, "rot", 0, ANGLE) / 60_000) % 360, 2),
        warp=_warp(chain),
        columns_right_to_left=columns > 1 and values.get("rtlCol") in _TRUE,
        upright=values.get("upright") in _TRUE,
        overflow=values.get("vertOverflow", "overflow"),
    )


def _fit(chain: tuple[_Element, ...]) -> _Element | None:
    return next((child for each in chain for child in each if local_name(child) in _FITS), None)


def _shrunk(fit: _Element | None) -> tuple[float, float]:
    """Return font scale and line spacing reduction of autofit, both in percent."""
    if fit is None or local_name(fit) != "normAutofit":
        return 100.0, 0.0
    scale = int_attribute(fit, "fontScale", FONT_SCALE)
    reduction = int_attribute(fit, "lnSpcReduction", PARAGRAPH_SPACE_PERCENT)
    return (
        100.0 if scale is None else round(scale / 1000, 1),
        0.0 if reduction is None else round(reduction / 1000, 1),
    )


def _warp(chain: tuple[_Element, ...]) -> str:
    for element in chain:
        warp = element.find(f"{A}prstTxWarp")
        if warp is not None:
            preset = warp.get("prst") or ""
            return "" if preset == "textNoShape" else preset
    return ""


def _value(values: Mapping[str, str], name: str, usual: int, span: Span) -> int:
    found = number(values.get(name), span)
    return usual if found is None else round(found)
