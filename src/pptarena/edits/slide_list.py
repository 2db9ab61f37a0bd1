"""Operations on the list of slides that python-pptx does not offer."""

from copy import deepcopy
from itertools import count
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.oxml.ns import qn

__all__ = ["add_slide", "append_copy", "clone_slide", "copy_footers", "drop_slide", "move_slide"]

_FOOTERS = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)
_SLIDE_NAME = "/ppt/slides/slide{}.xml"
_RELATION_PREFIX = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def add_slide(presentation: Any, layout: Any, index: int) -> Any:
    """Add an empty slide so that it stands at `index`, counted from 0, and return it."""
    ids = presentation.slides._sldIdLst
    used_names = {str(presentation.part.related_part(item.rId).partname) for item in ids}
    slide = presentation.slides.add_slide(layout)
    # python-pptx names the part by the number of slides; after a deletion this name may exist.
    free_name = next(name for name in map(_SLIDE_NAME.format, count(1)) if name not in used_names)
    slide.part.partname = PackURI(free_name)
    last = ids[-1]
    ids.remove(last)
    ids.insert(index, last)
    return slide


def copy_footers(source: Any, target: Any) -> None:
    """Give a slide the date, footer and number placeholders of another one."""
    for shape in source.placeholders:
        if shape.placeholder_format.type in _FOOTERS:
            append_copy(shape._element, target)


def append_copy(element: Any, slide: Any) -> Any:
    """Append a copy of a shape's element, with an id of its own, to a slide, and return it."""
    copy = deepcopy(element)
    number = max(int(properties.get("id")) for properties in slide._element.iter(qn("p:cNvPr"))) + 1
    for offset, properties in enumerate(copy.iter(qn("p:cNvPr"))):
        properties.set("id", str(number + offset))
    slide.shapes._spTree.append(copy)
    return copy


def drop_slide(presentation: Any, index: int) -> None:
    """Delete a slide."""
    ids = presentation.slides._sldIdLst
    presentation.part.drop_rel(ids[index].rId)
    ids.remove(ids[index])


def move_slide(presentation: Any, index: int, to: int) -> None:
    """Move a slide so that it is at another index, both from 0."""
    ids = presentation.slides._sldIdLst
    entry = ids[index]
    ids.remove(entry)
    ids.insert(to, entry)


def clone_slide(presentation: Any, index: int, *, notes: bool = True) -> Any:
    """Insert a copy of a slide after it, and return the copy.

    The notes are copied; pictures, charts and media are shared by both slides. Comments stay with
    the original, as in PowerPoint and LibreOffice.
    """
    source = presentation.slides[index]
    target = add_slide(presentation, source.slide_layout, index + 1)
    _copy_content(source, target, (RT.SLIDE_LAYOUT, RT.NOTES_SLIDE, RT.COMMENTS))
    if notes and source.has_notes_slide:
        _copy_content(source.notes_slide, target.notes_slide, (RT.NOTES_MASTER, RT.SLIDE))
    return target


def _copy_content(source: Any, target: Any, excluded_types: tuple[str, ...]) -> None:
    """Make a slide, or its notes, like another one; some types of relationships are left out."""
    new_ids = {}
    for relation in source.part.rels.values():
        if relation.reltype in excluded_types:
            continue
        new_ids[relation.rId] = (
            target.part.rels.get_or_add_ext_rel(relation.reltype, relation.target_ref)
            if relation.is_external
            else target.part.rels.get_or_add(relation.reltype, relation.target_part)
        )
    element, tree = target._element, target.shapes._spTree
    for child in list(element):
        element.remove(child)
    for child in source._element:
        element.append(_update_relation_ids(deepcopy(child), new_ids))
    for name, value in source._element.attrib.items():
        element.set(name, value)
    # python-pptx binds the shapes of a slide to its first tree, so that tree must stay.
    copied_tree = element.cSld.spTree
    tree[:] = list(copied_tree)
    copied_tree.getparent().replace(copied_tree, tree)


def _update_relation_ids(element: Any, new_ids: dict[str, str]) -> Any:
    for node in element.iter():
        for name, value in node.attrib.items():
            if name.startswith(_RELATION_PREFIX) and value in new_ids:
                node.set(name, new_ids[value])
    return element
