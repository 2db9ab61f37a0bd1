"""Edits of entire slides: hide, delete, move, duplicate, transitions, animations."""

import copy
import itertools
from typing import Any

from lxml import etree
from pptx.opc.packuri import PackURI

from pptarena.audits.meta_eval.finding import Slides, slide_of, slides_of

__all__ = [
    "add_slide",
    "delete_slides",
    "duplicate_slide",
    "hide_slides",
    "move_slide",
    "recreate_slide",
    "remove_animations",
    "set_transition",
    "show_slides",
    "write_out_shown",
]

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_EMPTY_TIMING = (
    f'<p:timing xmlns:p="{_P}"><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" '
    'nodeType="tmRoot"/></p:par></p:tnLst></p:timing>'
)


def hide_slides(deck: Any, slides: Slides) -> None:
    """Hide slides in the slide show."""
    for slide in slides_of(deck, slides):
        slide._element.set("show", "0")


def show_slides(deck: Any, slides: Slides) -> None:
    """Unhide slides."""
    for slide in slides_of(deck, slides):
        slide._element.attrib.pop("show", None)


def write_out_shown(deck: Any) -> None:
    """Write the default ``show="1"`` on every visible slide, as some programs do."""
    for slide in deck.slides:
        if slide._element.get("show") is None:
            slide._element.set("show", "1")


def delete_slides(deck: Any, slides: Slides) -> None:
    """Delete slides, numbered as before the deletion."""
    ids = deck.slides._sldIdLst
    for number in sorted(range(1, len(ids) + 1) if slides == "all" else slides, reverse=True):
        slide_of(deck, number)
        deck.part.drop_rel(ids[number - 1].get(_LINK))
        ids.remove(ids[number - 1])


def move_slide(deck: Any, slide: int, to: int) -> None:
    """Move a slide to the number `to`."""
    slide_of(deck, slide)
    ids = deck.slides._sldIdLst
    moved = ids[slide - 1]
    ids.remove(moved)
    ids.insert(to - 1, moved)


def duplicate_slide(deck: Any, slide: int, to: int, notes: bool = True) -> None:
    """Copy a slide with its pictures, charts and notes to the number `to`."""
    old = slide_of(deck, slide)
    new = _new_slide(deck, old.slide_layout)
    names = {
        key: new.part.relate_to(relation._target, relation.reltype, relation.is_external)
        for key, relation in old.part.rels.items()
        if not relation.reltype.endswith(("/slideLayout", "/notesSlide"))
    }
    _fill(new._element, old._element)
    for holder in new._element.iter():
        for key, value in holder.attrib.items():
            if key.startswith(_LINK[:-2]) and value in names:
                holder.set(key, names[value])
    if notes and old.has_notes_slide:
        new.notes_slide.notes_text_frame.text = old.notes_slide.notes_text_frame.text
    move_slide(deck, len(deck.slides), to)


def recreate_slide(deck: Any, slide: int, to: int) -> None:
    """Cut and paste a slide, so that it becomes a new slide in the file."""
    duplicate_slide(deck, slide, len(deck.slides) + 1)
    delete_slides(deck, [slide])
    move_slide(deck, len(deck.slides), to)


def add_slide(deck: Any, to: int, layout: str = "Title and Content") -> None:
    """Add an empty slide with the number `to`."""
    _new_slide(deck, deck.slide_layouts.get_by_name(layout))
    move_slide(deck, len(deck.slides), to)


def set_transition(
    deck: Any,
    slides: Slides,
    effect: str | None,
    speed: str = "med",
    direction: str | None = None,
    modern: bool = False,
    after_sec: float | None = None,
) -> None:
    """Set the transition of slides; None removes it.

    `modern` writes the format of newer programs. With `after_sec`, slides advance automatically
    after that many seconds.
    """
    for slide in slides_of(deck, slides):
        root = slide._element
        for old in root.xpath("./p:transition | ./*[local-name()='AlternateContent']"):
            root.remove(old)
        if effect is not None:
            made = _modern(effect, speed) if modern else _transition(effect, speed, direction)
            if after_sec is not None:
                for each in made.iter(f"{{{_P}}}transition"):
                    each.set("advTm", str(round(after_sec * 1000)))
            root.xpath("./p:clrMapOvr")[0].addnext(made)


def remove_animations(deck: Any, slides: Slides, leave_empty: bool = False) -> None:
    """Remove all animations of slides; `leave_empty` keeps an empty timing element."""
    for slide in slides_of(deck, slides):
        for old in slide._element.xpath("./p:timing"):
            if leave_empty:
                old.addnext(etree.fromstring(_EMPTY_TIMING))
            slide._element.remove(old)


def _fill(new: Any, old: Any) -> None:
    """Copy the content of a slide element into a new one."""
    tree = new.cSld.spTree  # python-pptx keeps a reference to this object
    for child in list(tree):
        tree.remove(child)
    for child in old.cSld.spTree:
        tree.append(copy.deepcopy(child))
    for child in old.cSld.xpath("./p:bg"):
        tree.addprevious(copy.deepcopy(child))
    for child in new.xpath("./*[not(self::p:cSld)]"):
        new.remove(child)
    for child in old.xpath("./*[not(self::p:cSld)]"):
        new.append(copy.deepcopy(child))


def _new_slide(deck: Any, layout: Any) -> Any:
    new = deck.slides.add_slide(layout)
    # python-pptx derives the part name from the slide count, which may be in use after a deletion.
    taken = {str(each.part.partname) for each in deck.slides if each.part is not new.part}
    number = next(n for n in itertools.count(1) if f"/ppt/slides/slide{n}.xml" not in taken)
    new.part.partname = PackURI(f"/ppt/slides/slide{number}.xml")
    return new


def _transition(effect: str, speed: str, direction: str | None) -> Any:
    made = etree.Element(f"{{{_P}}}transition", {"spd": speed}, nsmap={"p": _P})
    etree.SubElement(made, f"{{{_P}}}{effect}", {"dir": direction} if direction else {})
    return made


def _modern(effect: str, speed: str) -> Any:
    names = {"mc": _MC, "p": _P, "p14": _P14}
    both = etree.Element(f"{{{_MC}}}AlternateContent", {}, nsmap=names)
    choice = etree.SubElement(both, f"{{{_MC}}}Choice", {"Requires": "p14"})
    choice.append(_transition(effect, speed, None))
    choice[0].set(f"{{{_P14}}}dur", "700")
    fallback = etree.SubElement(both, f"{{{_MC}}}Fallback")
    fallback.append(_transition(effect, speed, None))
    return both
