"""The PowerPointDiff with the faults of the published one: slides and transitions.

Source of the behavior: PPT-Eval (microsoft/ppteval, MIT); see `QUIRKS`. Two behaviors are not
reproduced: guessing the layout of a slide whose layout has no name (None here), and skipping
unreadable slides (an error here).
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.names import A, P
from pptarena.decks.package.package import Package
from pptarena.envs.programs.pptdiff.model import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideTransition,
)
from pptarena.envs.programs.pptdiff.parts import SlidePart, slide_parts
from pptarena.envs.programs.pptdiff.published_motion import published_animations, shape_text
from pptarena.errors import DeckError

__all__ = ["published_diff"]

_T = TypeVar("_T")
_TOLERANCE_SEC = 0.01
_DEFAULT_MSEC = "500"


def published_diff(original: bytes, current: bytes) -> PowerPointDiff:
    """Return the differences between two decks, with all of `QUIRKS`.

    Raises:
        DeckError: If a file cannot be read.
    """
    before, after = _read(original), _read(current)
    slides = _compare(before.slides, after.slides, _id, _same_slide(before, after))
    transitions = _compare(before.transitions, after.transitions, _id, _same_transition)
    effects = _compare(before.animations, after.animations, _effect_key, _same_animation)
    return PowerPointDiff(
        added_animations=effects[0],
        removed_animations=effects[1],
        modified_animations=effects[2],
        added_transitions=transitions[0],
        removed_transitions=transitions[1],
        modified_transitions=transitions[2],
        added_slides=slides[0],
        removed_slides=slides[1],
        modified_slides=slides[2],
    )


def _id(item: Slide | SlideTransition) -> str:
    return item.slide_id


def _effect_key(effect: AnimationEffect) -> str:
    return f"{effect.slide_id}_{effect.element_id}_{effect.order}"


class _Contents:
    """The contents of one deck."""

    def __init__(self) -> None:
        self.slides: list[Slide] = []
        self.transitions: list[SlideTransition] = []
        self.animations: list[AnimationEffect] = []
        self.forms: dict[str, object] = {}


def _read(data: bytes) -> _Contents:
    package, contents = Package(data), _Contents()
    for part in slide_parts(package):
        contents.slides.append(_slide(package, part))
        contents.forms[part.id] = _form(part.root)
        # The part name that python-pptx derives from the position, not the one in the file.
        name = f"ppt/slides/slide{part.number}.xml"
        if name not in package:
            continue
        root = package.xml(name)
        transition = root.find(f".//{P}transition")
        if transition is not None:
            contents.transitions.append(_transition(transition, part.id))
        contents.animations += published_animations(root, part.id)
    return contents


def _compare(
    before: Sequence[_T],
    after: Sequence[_T],
    key: Callable[[_T], str],
    same: Callable[[_T, _T], bool],
) -> tuple[list[_T], list[_T], list[tuple[_T, _T]]]:
    """Return added, removed and modified items, matched by key."""
    old, new = ({key(item): item for item in side} for side in (before, after))
    added = [item for name, item in new.items() if name not in old]
    removed = [item for name, item in old.items() if name not in new]
    both = [(item, new[name]) for name, item in old.items() if name in new]
    return added, removed, [pair for pair in both if not same(*pair)]


def _same_slide(before: _Contents, after: _Contents) -> Callable[[Slide, Slide], bool]:
    def is_same(first: Slide, second: Slide) -> bool:
        if first.content_hash == second.content_hash:
            return True
        return bool(before.forms[first.slide_id] == after.forms[second.slide_id])

    return is_same


def _same_transition(first: SlideTransition, second: SlideTransition) -> bool:
    return (
        first.transition_type == second.transition_type
        and abs(first.duration - second.duration) < _TOLERANCE_SEC
        and first.direction == second.direction
    )


def _same_animation(first: AnimationEffect, second: AnimationEffect) -> bool:
    return (
        first.effect_type == second.effect_type
        and first.trigger == second.trigger
        and abs(first.delay - second.delay) < _TOLERANCE_SEC
        and abs(first.duration - second.duration) < _TOLERANCE_SEC
    )


def _slide(package: Package, part: SlidePart) -> Slide:
    return Slide(
        slide_id=part.id,
        slide_number=part.number,
        title=_title(part.root),
        layout_type=_layout(package, part.name),
        element_count=len(part.root.findall(f".//{P}sp")),
        notes=_notes(package, part.name),
        content_hash=_hash(package, part.name),
    )


def _title(root: _Element) -> str | None:
    for shape in root.iterfind(f".//{P}sp"):
        non_visual = shape.find(f".//{P}nvSpPr")
        if non_visual is None:
            continue
        placeholder, properties = non_visual.find(f".//{P}ph"), non_visual.find(f".//{P}cNvPr")
        is_title = placeholder is not None and placeholder.get("type") in ("title", "ctrTitle")
        if is_title or (
            properties is not None and "title" in (properties.get("name") or "").lower()
        ):
            return shape_text(shape)
    return None


def _layout(package: Package, slide: str) -> str | None:
    name = package.related(slide, "slideLayout")
    content = None if name is None else package.xml(name).find(f"{P}cSld")
    return None if content is None else content.get("name") or None


def _notes(package: Package, slide: str) -> str | None:
    name = package.related(slide, "notesSlide")
    if name is None:
        return None
    pieces = [run.text for run in package.xml(name).iter(f"{A}t") if run.text]
    return " ".join(pieces).strip() or None


def _hash(package: Package, name: str) -> str:
    """Return the digest of a part as python-pptx holds it: without whitespace between elements."""
    parser = etree.XMLParser(remove_blank_text=True, resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(package.read(name), parser)
    except etree.XMLSyntaxError as error:
        raise DeckError(f"the part {name!r} is no XML: {error}") from error
    blob = etree.tostring(root, encoding="UTF-8", standalone=True)
    return hashlib.sha256(blob).hexdigest()


def _transition(element: _Element, slide_id: str) -> SlideTransition:
    names = [etree.QName(child).localname for child in element]
    directions = [child.get("dir") for child in element if child.get("dir")]
    try:
        duration = float(element.get("dur") or _DEFAULT_MSEC) / 1000
    except ValueError as error:
        raise DeckError(f"a transition lasts {element.get('dur')!r}") from error
    return SlideTransition(
        slide_id=slide_id,
        transition_type=next((name for name in names if name != "soundAc"), "none"),
        duration=duration,
        direction=directions[0] if directions else None,
    )


def _form(element: _Element) -> tuple[object, ...]:
    """Return an element as nested dictionaries, which keep order only among equal tags."""
    groups: dict[str, list[object]] = {}
    pieces = [element.text or ""]
    for child in element:
        groups.setdefault(_name(child), []).append(_form(child))
        pieces.append(child.tail or "")
    parent = element.getparent()
    inherited = {} if parent is None else parent.nsmap
    attributes = {str(name): str(value) for name, value in element.attrib.items()}
    attributes |= {
        f"xmlns:{prefix}": uri
        for prefix, uri in element.nsmap.items()
        if inherited.get(prefix) != uri
    }
    children = frozenset((name, tuple(forms)) for name, forms in groups.items())
    text = re.sub(r"^\s+|\s+$", "", "".join(pieces))
    return frozenset(attributes.items()), text, children


def _name(element: _Element) -> str:
    return f"{element.prefix}:{etree.QName(element).localname}"
