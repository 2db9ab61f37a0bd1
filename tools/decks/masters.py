"""Additional masters in one deck, with their themes and layouts, as in merged decks."""

from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls

from tools.decks.house import House, open_template

__all__ = ["add_look"]

_FIRST_ID = 2147483800  # of masters and layouts; those of the first look are smaller
_IDS_PER_LOOK = 50


def add_look(presentation: Any, house: House, prefix: str) -> Any:
    """Append the master of a look, and return it.

    Args:
        presentation: The presentation.
        house: The look.
        prefix: Prefix of its layouts' names, such as ``Annex`` in ``Annex Title Only``.
    """
    number = len(presentation.slide_masters) + 1
    master = open_template(house).slide_masters[0]
    taken = len(presentation.slide_masters[0].slide_layouts) * (number - 1)
    _move(master.part, presentation.part.package, f"/ppt/slideMasters/slideMaster{number}.xml")
    # Theme numbers start at 20, because the notes master takes the first free number.
    theme = master.part.part_related_by(RT.THEME)
    _move(theme, presentation.part.package, f"/ppt/theme/theme{19 + number}.xml")
    first = _FIRST_ID + _IDS_PER_LOOK * number
    for index, layout in enumerate(master.slide_layouts, start=1):
        layout.part._element.cSld.set("name", f"{prefix} {layout.name}")
        place = f"/ppt/slideLayouts/slideLayout{taken + index}.xml"
        _move(layout.part, presentation.part.package, place)
    for index, entry in enumerate(master._element.sldLayoutIdLst, start=1):
        entry.set("id", str(first + index))
    relation = presentation.part.relate_to(master.part, RT.SLIDE_MASTER)
    tag = f'<p:sldMasterId {nsdecls("p", "r")} id="{first}" r:id="{relation}"/>'
    presentation.part._element.sldMasterIdLst.append(parse_xml(tag))
    return master


def _move(part: Any, package: Any, place: str) -> None:
    part._package = package
    part.partname = PackURI(place)
