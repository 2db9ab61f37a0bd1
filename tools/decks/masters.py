"""Additional masters in one deck, with their themes and layouts, as in merged decks."""

from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls

from tools.decks.deck_template import DeckStyle, open_template

__all__ = ["add_master"]

_FIRST_ID = 2147483800  # of masters and layouts; those of the first style are smaller
_IDS_PER_MASTER = 50


def add_master(presentation: Any, style: DeckStyle, prefix: str) -> Any:
    """Append the master of a style, and return it.

    Args:
        presentation: The presentation.
        style: The style.
        prefix: Prefix of its layouts' names, such as ``Annex`` in ``Annex Title Only``.
    """
    number = len(presentation.slide_masters) + 1
    master = open_template(style).slide_masters[0]
    layout_count = len(presentation.slide_masters[0].slide_layouts) * (number - 1)
    _move(master.part, presentation.part.package, f"/ppt/slideMasters/slideMaster{number}.xml")
    # Theme numbers start at 20, because the notes master takes the first free number.
    theme = master.part.part_related_by(RT.THEME)
    _move(theme, presentation.part.package, f"/ppt/theme/theme{19 + number}.xml")
    first_id = _FIRST_ID + _IDS_PER_MASTER * number
    for index, layout in enumerate(master.slide_layouts, start=1):
        layout.part._element.cSld.set("name", f"{prefix} {layout.name}")
        path = f"/ppt/slideLayouts/slideLayout{layout_count + index}.xml"
        _move(layout.part, presentation.part.package, path)
    for index, entry in enumerate(master._element.sldLayoutIdLst, start=1):
        entry.set("id", str(first_id + index))
    relation = presentation.part.relate_to(master.part, RT.SLIDE_MASTER)
    tag = f'<p:sldMasterId {nsdecls("p", "r")} id="{first_id}" r:id="{relation}"/>'
    presentation.part._element.sldMasterIdLst.append(parse_xml(tag))
    return master


def _move(part: Any, package: Any, path: str) -> None:
    part._package = package
    part.partname = PackURI(path)
