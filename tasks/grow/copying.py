"""Copy slides in a python-pptx presentation."""

from copy import deepcopy
from typing import Any

from pptx.oxml.ns import qn

from pptarena.tasks.grow.edits import move_entry

__all__ = ["copy_slide"]

_LEFT_OUT = ("notesSlide", "slideLayout", "comments", "tags")
_REL_IDS = tuple(
    qn(f"r:{name}") for name in ("id", "embed", "link", "pict", "dm", "lo", "qs", "cs")
)


def copy_slide(presentation: Any, index: int) -> None:
    """Insert a copy of a slide after it.

    Both share pictures, charts and other parts; the application that saves the deck separates them.
    """
    source = presentation.slides[index]
    copy = presentation.slides.add_slide(source.slide_layout)
    names: dict[str, str] = {}
    for id, rel in source.part.rels.items():
        if rel.reltype.rpartition("/")[2] in _LEFT_OUT:
            continue
        if rel.is_external:
            names[id] = copy.part.relate_to(rel.target_ref, rel.reltype, is_external=True)
        else:
            names[id] = copy.part.relate_to(rel.target_part, rel.reltype)
    new = deepcopy(source._element)
    for element in new.iter():
        for key in _REL_IDS:
            if element.get(key) in names:
                element.set(key, names[element.get(key)])
    root = copy._element
    for child in list(root):
        root.remove(child)
    for child in new:
        root.append(deepcopy(child))
    move_entry(presentation, len(presentation.slides) - 1, index + 1)
