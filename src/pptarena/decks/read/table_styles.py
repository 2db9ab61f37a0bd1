"""Find table styles, in the file or built into PowerPoint."""

from types import MappingProxyType
from typing import Final

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.names import A_NS
from pptarena.decks.package.package import Package
from pptarena.errors import DeckError

__all__ = ["TableStyles"]

_MAX_STYLES = 1_000

# "Medium Style 2" of PowerPoint, which files refer to by id without defining it.
_MEDIUM_2: Final = MappingProxyType(
    {
        "{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}": "dk1",
        "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}": "accent1",
        "{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}": "accent2",
        "{F5AB1C69-6EDB-4FF4-983F-18BD219EF322}": "accent3",
        "{00A15C55-8517-42AA-B614-E9B94910E393}": "accent4",
        "{7DF18680-E054-41AD-8BC1-D1AEF772440D}": "accent5",
        "{93296810-A885-4BE3-A3E7-6D5BEEA58F35}": "accent6",
    }
)
_GRIDS: Final = MappingProxyType(
    {
        "{2D5ABB26-0587-4C30-8999-92F81FD0307C}": ("No Style, No Grid", False),
        "{5940675A-B579-460E-94D1-54222C63F5DA}": ("No Style, Table Grid", True),
    }
)
_SIDES = ("left", "right", "top", "bottom")


class TableStyles:
    """The table styles of a deck.

    Args:
        package: The file.
        part: Name of the table styles part; empty for none.
    """

    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self.part = part
        # Per instance only, because threads must not share trees (`own_dictionary`).
        self._built_in: dict[str, _Element | None] = {}

    def find(self, style_id: str) -> _Element | None:
        """Return the style with an id, from the deck or built in; None if unknown."""
        for style in self._written():
            if (style.get("styleId") or "").upper() == style_id.upper():
                return style
        key = style_id.upper()
        if key not in self._built_in:
            self._built_in[key] = _built_in(key)
        return self._built_in[key]

    def _written(self) -> list[_Element]:
        if not self.part:
            return []
        try:
            return list(self._package.xml(self.part))[:_MAX_STYLES]
        except DeckError:
            # Tables without their style still show their text.
            return []


def _built_in(style_id: str) -> _Element | None:
    if style_id in _MEDIUM_2:
        return etree.fromstring(_medium_2(_MEDIUM_2[style_id]))
    if style_id in _GRIDS:
        return etree.fromstring(_grid(*_GRIDS[style_id]))
    return None


def _edge_xml(name: str, color: str, width: int) -> str:
    fill = f'<a:solidFill><a:schemeClr val="{color}"/></a:solidFill>'
    return f'<a:{name}><a:ln w="{width}">{fill}</a:ln></a:{name}>'


def _fill_xml(color: str, tint: int | None = None) -> str:
    inside = "" if tint is None else f'<a:tint val="{tint}"/>'
    value = f'<a:schemeClr val="{color}">{inside}</a:schemeClr>'
    return f"<a:fill><a:solidFill>{value}</a:solidFill></a:fill>"


def _medium_2(color: str) -> str:
    name = "Medium Style 2" + (f" - Accent {color[-1]}" if color != "dk1" else "")
    thin = "".join(_edge_xml(side, "lt1", 12_700) for side in (*_SIDES, "insideH", "insideV"))
    strong = '<a:tcTxStyle b="on"><a:fontRef idx="minor"/><a:schemeClr val="lt1"/></a:tcTxStyle>'
    plain = '<a:tcTxStyle><a:fontRef idx="minor"/><a:schemeClr val="dk1"/></a:tcTxStyle>'
    band = f"<a:tcStyle><a:tcBdr/>{_fill_xml(color, 40_000)}</a:tcStyle>"

    def heading(part: str, edge: str) -> str:
        border = _edge_xml(edge, "lt1", 38_100) if edge else ""
        inside = f"<a:tcStyle><a:tcBdr>{border}</a:tcBdr>{_fill_xml(color)}</a:tcStyle>"
        return f"<a:{part}>{strong}{inside}</a:{part}>"

    whole = f"<a:tcStyle><a:tcBdr>{thin}</a:tcBdr>{_fill_xml(color, 20_000)}</a:tcStyle>"
    return (
        f'<a:tblStyle xmlns:a="{A_NS}" styleName="{name}"><a:wholeTbl>{plain}{whole}</a:wholeTbl>'
        f"<a:band1H>{band}</a:band1H><a:band1V>{band}</a:band1V>"
        + heading("lastCol", "")
        + heading("firstCol", "")
        + heading("lastRow", "top")
        + heading("firstRow", "bottom")
        + "</a:tblStyle>"
    )


def _grid(name: str, lines: bool) -> str:
    sides = (*_SIDES, "insideH", "insideV") if lines else ()
    edges = "".join(_edge_xml(side, "tx1", 12_700) for side in sides)
    text = '<a:tcTxStyle><a:fontRef idx="minor"/><a:schemeClr val="tx1"/></a:tcTxStyle>'
    style = f"<a:tcStyle><a:tcBdr>{edges}</a:tcBdr><a:fill><a:noFill/></a:fill></a:tcStyle>"
    return (
        f'<a:tblStyle xmlns:a="{A_NS}" styleName="{name}">'
        f"<a:wholeTbl>{text}{style}</a:wholeTbl></a:tblStyle>"
    )
