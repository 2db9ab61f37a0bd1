"""Tools that change the row of slides, and slides as a whole."""

from typing import Any, Literal

from pptx.dml.color import RGBColor
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Color, Name, Position, SlideId
from pptarena.envs.machines.fake import slides as whole
from pptarena.errors import ActionError

__all__ = [
    "add_slide",
    "delete_slide",
    "duplicate_slide",
    "hide_slide",
    "move_slide",
    "remove_animations",
    "set_background",
    "set_transition",
]

_KINDS = Literal[
    "none", "cut", "fade", "push", "wipe", "split", "cover", "dissolve", "zoom",
    "wheel", "circle", "diamond", "comb",
]  # fmt: skip
_MARKUP_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def add_slide(document: Document, layout: Name, position: Position | None = None) -> str:
    """Add an empty slide; the answer names its id.

    Args:
        layout: Name of the layout.
        position: Where it will stand, from 1; at the end by default.
    """
    layouts = [
        each for master in document.presentation.slide_masters for each in master.slide_layouts
    ]
    chosen = next((each for each in layouts if each.name == layout), None)
    if chosen is None:
        names = ", ".join(repr(each.name) for each in layouts[:40])
        raise ActionError(f"no layout is called {layout!r}; there are {names}")
    count = len(document.slide_ids())
    place = _place(position if position is not None else count + 1, count + 1)
    document.require_room(slides=1, shapes=len(chosen.placeholders))
    slide = whole.add_slide(document.presentation, chosen, place)
    return f"the new slide has the id {slide.slide_id}"


def duplicate_slide(document: Document, slide: SlideId) -> str:
    """Put a copy of a slide behind it, without its notes; the answer names its id.

    A chart on it stays one with that of the original: its data change for both.

    Args:
        slide: Id of the slide.
    """
    index = document.index(slide)
    document.require_room(slides=1, shapes=document.outline_of(slide).shapes)
    whole.clone_slide(document.presentation, index)
    return f"the copy has the id {document.slide_ids()[index + 1]}"


def move_slide(document: Document, slide: SlideId, position: Position) -> str:
    """Move a slide to another place.

    Args:
        slide: Id of the slide.
        position: Where it will stand, from 1.
    """
    index = document.index(slide)
    place = _place(position, len(document.slide_ids()))
    entries = document.presentation.slides._sldIdLst
    entry = entries[index]
    entries.remove(entry)
    entries.insert(place, entry)
    return "moved"


def delete_slide(document: Document, slide: SlideId) -> str:
    """Delete a slide.

    Args:
        slide: Id of the slide.
    """
    document.slide(slide)  # forgotten: a later slide may get its id
    whole.drop_slide(document.presentation, document.index(slide))
    return "deleted"


def hide_slide(document: Document, slide: SlideId, hidden: bool = True) -> str:
    """Leave a slide out of the show, or show it again.

    Args:
        slide: Id of the slide.
        hidden: Whether it is left out.
    """
    element = document.slide(slide)._element
    if hidden:
        element.set("show", "0")
    else:
        element.attrib.pop("show", None)
    return "hidden" if hidden else "shown"


def set_transition(
    document: Document,
    slide: SlideId,
    kind: _KINDS,
    speed: Literal["slow", "med", "fast"] = "med",
) -> str:
    """Set how a slide comes in.

    Args:
        slide: Id of the slide.
        kind: The transition; none removes it.
        speed: How fast it is.
    """
    element = document.slide(slide)._element
    for old in [*element.findall(qn("p:transition")), *_wrapped_transitions(element)]:
        element.remove(old)
    if kind != "none":
        xml = f'<p:transition {nsdecls("p")} spd="{speed}"><p:{kind}/></p:transition>'
        _before(element, parse_xml(xml), ("p:timing", "p:extLst"))
    return "the transition is set" if kind != "none" else "there is no transition now"


def remove_animations(document: Document, slide: SlideId) -> str:
    """Remove all animations of a slide.

    Args:
        slide: Id of the slide.
    """
    element = document.slide(slide)._element
    for timing in element.findall(qn("p:timing")):
        element.remove(timing)
    return "there are no animations now"


def set_background(document: Document, slide: SlideId, color: Color) -> str:
    """Give a slide a background of one colour.

    Args:
        slide: Id of the slide.
        color: As #RRGGBB.
    """
    fill = document.slide(slide).background.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor.from_string(color[1:].upper())  # type: ignore[no-untyped-call]
    return "the background is set"


def _place(position: int, count: int) -> int:
    if position > count:
        raise ActionError(f"expected a position from 1 to {count}, got {position}")
    return position - 1


def _wrapped_transitions(element: Any) -> list[Any]:
    """Return the transitions that newer programs write beside one that older ones know."""
    wrappers = element.findall(f"{_MARKUP_COMPATIBILITY}AlternateContent")
    return [each for each in wrappers if next(each.iter(qn("p:transition")), None) is not None]


def _before(parent: Any, child: Any, tags: tuple[str, ...]) -> None:
    for tag in tags:
        found = parent.find(qn(tag))
        if found is not None:
            found.addprevious(child)
            return
    parent.append(child)
