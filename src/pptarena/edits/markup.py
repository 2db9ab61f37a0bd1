"""Put elements where the schema of PresentationML wants them."""

from typing import Any

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml.ns import qn

__all__ = ["insert_motion", "paint_color", "remove_transition", "rgb", "write_part"]

_BEFORE = {
    qn("p:transition"): (qn("p:timing"), qn("p:extLst")),
    qn("p:timing"): (qn("p:extLst"),),
}
_SLOTS = {
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
    later = _BEFORE[child.tag]
    behind = next((each for each in slide if each.tag in later), None)
    slide.append(child) if behind is None else behind.addprevious(child)


def remove_transition(slide: Any) -> None:
    """Remove the transition of a slide's root element.

    Newer applications write a choice of two: one with the exact duration, one without.
    """
    for child in list(slide):
        found = next(child.iter(qn("p:transition")), None)
        if found is child or (found is not None and child.tag.endswith("}AlternateContent")):
            slide.remove(child)


def rgb(color: str) -> Any:
    """Return ``#RRGGBB`` as python-pptx takes it."""
    return RGBColor.from_string(color[1:].upper())  # type: ignore[no-untyped-call]


def paint_color(format: Any, paint: str) -> None:
    """Set a color format of python-pptx to ``#RRGGBB`` or a color of the theme."""
    if paint.startswith("#"):
        format.rgb = rgb(paint)
    else:
        format.theme_color = _SLOTS[paint]


def write_part(part: Any, root: Any) -> None:
    """Replace the XML of a part that python-pptx keeps as bytes."""
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
