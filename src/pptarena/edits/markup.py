"""Insert elements in the order that the schema of PresentationML requires."""

from typing import Any

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml.ns import qn

from pptarena.errors import EditError

__all__ = [
    "insert_motion",
    "paint_color",
    "remove_transition",
    "require_width",
    "rgb",
    "write_part",
]

_SUCCESSORS = {
    qn("p:transition"): (qn("p:timing"), qn("p:extLst")),
    qn("p:timing"): (qn("p:extLst"),),
}
_THEME_COLORS = {
    **{f"accent{number}": getattr(MSO_THEME_COLOR, f"ACCENT_{number}") for number in range(1, 7)},
    "dk1": MSO_THEME_COLOR.DARK_1,
    "dk2": MSO_THEME_COLOR.DARK_2,
    "lt1": MSO_THEME_COLOR.LIGHT_1,
    "lt2": MSO_THEME_COLOR.LIGHT_2,
    "tx1": MSO_THEME_COLOR.TEXT_1,
    "tx2": MSO_THEME_COLOR.TEXT_2,
    "bg1": MSO_THEME_COLOR.BACKGROUND_1,
    "bg2": MSO_THEME_COLOR.BACKGROUND_2,
    "hlink": MSO_THEME_COLOR.HYPERLINK,
    "folHlink": MSO_THEME_COLOR.FOLLOWED_HYPERLINK,
}


def insert_motion(slide: Any, child: Any) -> None:
    """Insert a transition or a timing into the root element of a slide."""
    successors = _SUCCESSORS[child.tag]
    successor = next((sibling for sibling in slide if sibling.tag in successors), None)
    slide.append(child) if successor is None else successor.addprevious(child)


def remove_transition(slide: Any) -> None:
    """Remove the transition of a slide's root element.

    Newer applications write a choice of two: one with the exact duration, one without.
    """
    for child in list(slide):
        is_wrapper = child.tag.endswith("}AlternateContent")
        if child.tag == qn("p:transition") or (
            is_wrapper and next(child.iter(qn("p:transition")), None) is not None
        ):
            slide.remove(child)


def require_width(width_pt: float | None) -> None:
    """Check the width of a line.

    Raises:
        EditError: If it is out of range.
    """
    if width_pt is not None and not 0 <= width_pt <= 1584:
        raise EditError(f"expected width_pt from 0 to 1584, got {width_pt}")


def rgb(color: str) -> Any:
    """Return ``#RRGGBB`` as a color object of python-pptx."""
    return RGBColor.from_string(color[1:].upper())  # type: ignore[no-untyped-call]


def paint_color(format: Any, paint: str) -> None:
    """Set a color format of python-pptx to ``#RRGGBB`` or a color of the theme."""
    if paint.startswith("#"):
        format.rgb = rgb(paint)
    else:
        format.theme_color = _THEME_COLORS[paint]


def write_part(part: Any, root: Any) -> None:
    """Replace the XML of a part that python-pptx stores as bytes."""
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
