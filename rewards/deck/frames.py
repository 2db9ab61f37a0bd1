"""Reading the room that a shape gives its text."""

from collections.abc import Mapping

from lxml.etree import _Element

from pptarena.rewards.deck.names import A, P, find_path, int_attribute, local_name
from pptarena.rewards.deck.text_model import CELL_INSETS_EMU, Anchor, TextFrame

__all__ = ["ANCHORS", "INSETS", "body_properties", "read_autofit", "read_frame"]

ANCHORS: Mapping[str, Anchor] = {
    "t": "top", "ctr": "middle", "b": "bottom", "just": "middle", "dist": "middle",
}  # fmt: skip
INSETS = ("lIns", "tIns", "rIns", "bIns")
_FITS = {"spAutoFit": "shape", "normAutofit": "text", "noAutofit": "none"}


def body_properties(body: _Element | None, ancestors: tuple[_Element, ...]) -> tuple[_Element, ...]:
    """Return the ``a:bodyPr`` of a text body and of what it inherits from, nearest first."""
    bodies = (body, *(each.find(f"{P}txBody") for each in ancestors))
    found = (find_path(each, f"{A}bodyPr") for each in bodies)
    return tuple(each for each in found if each is not None)


def read_autofit(chain: tuple[_Element, ...]) -> str:
    """Return ``none``, ``shape`` or ``text``, as `Shape.autofit`."""
    return _FITS[local_name(fit)] if (fit := _fit(chain)) is not None else "none"


def read_frame(chain: tuple[_Element, ...]) -> TextFrame:
    """Return the room for text.

    Args:
        chain: ``a:bodyPr`` elements, nearest first.
    """
    values: dict[str, str] = {}
    for element in reversed(chain):
        values.update((str(name), str(value)) for name, value in element.items())
    insets = (_number(values, n, usual) for n, usual in zip(INSETS, CELL_INSETS_EMU, strict=True))
    left, top, right, bottom = insets
    columns = min(max(_number(values, "numCol", 1), 1), 16)
    scale, reduction = _shrunk(_fit(chain))
    return TextFrame(
        insets_emu=(left, top, right, bottom),
        anchor=ANCHORS.get(values.get("anchor", "t"), "top"),
        centered=values.get("anchorCtr") in ("1", "true"),
        wrap=values.get("wrap") != "none",
        columns=columns,
        column_gap_emu=_number(values, "spcCol", 0) if columns > 1 else 0,
        vertical=values.get("vert", "horz"),
        autofit_scale_pct=scale,
        autofit_reduction_pct=reduction,
        rotation_deg=round((_number(values, "rot", 0) / 60_000) % 360, 2),
        warp=_warp(chain),
    )


def _fit(chain: tuple[_Element, ...]) -> _Element | None:
    return next((child for each in chain for child in each if local_name(child) in _FITS), None)


def _shrunk(fit: _Element | None) -> tuple[float, float]:
    """Return the size that text was shrunk to and what lines lost, both in percent."""
    if fit is None or local_name(fit) != "normAutofit":
        return 100.0, 0.0
    scale, reduction = int_attribute(fit, "fontScale"), int_attribute(fit, "lnSpcReduction")
    return (
        100.0 if scale is None else _percent(fit.get("fontScale"), scale),
        0.0 if reduction is None else _percent(fit.get("lnSpcReduction"), reduction),
    )


def _percent(text: str | None, value: int) -> float:
    return float(value) if text is not None and text.endswith("%") else round(value / 1000, 1)


def _warp(chain: tuple[_Element, ...]) -> str:
    for element in chain:
        warp = element.find(f"{A}prstTxWarp")
        if warp is not None:
            preset = warp.get("prst") or ""
            return "" if preset == "textNoShape" else preset
    return ""


def _number(values: Mapping[str, str], name: str, usual: int) -> int:
    text = values.get(name)
    try:
        return usual if text is None else round(float(text))
    except (ValueError, OverflowError):
        return usual
