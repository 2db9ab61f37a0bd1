"""Resolve the addresses of slides and shapes in an open deck."""

import re
from collections.abc import Sequence
from typing import Any

from pptx.shapes.shapetree import SlideShapeFactory

from pptarena.decks import Slide, read_deck
from pptarena.decks.edits import shape_elements
from pptarena.decks.presentation import save_presentation
from pptarena.decks.read.context import placeholder_key
from pptarena.decks.selectors import PLACEHOLDERS, find_shape, require_spec
from pptarena.decks.text_match import folded
from pptarena.errors import EditError

__all__ = ["resolve_shape", "resolve_slide", "shown"]

_ID = re.compile(r"id:([0-9]{1,10})")
_KIND = re.compile(r"@([a-z]+)(?::([1-9][0-9]*))?")
_MOST_LISTED = 40


def resolve_slide(presentation: Any, address: int | str) -> int:
    """Return the index, from 0, of a slide.

    Args:
        presentation: An open deck.
        address: A position from 1, ``"last"``, ``"id:257"``, or a title that only one slide has.

    Raises:
        EditError: If the deck has no such slide.
    """
    ids = [int(entry.get("id")) for entry in presentation.slides._sldIdLst]
    if isinstance(address, int):
        if not 1 <= address <= len(ids):
            raise EditError(f"no slide {address}: the deck has {_count(len(ids), 'slide')}")
        return address - 1
    if address == "last":
        if not ids:
            raise EditError("no last slide: the deck has no slides")
        return len(ids) - 1
    if match := _ID.fullmatch(address):
        if int(match[1]) not in ids:
            raise EditError(f"no slide has the id {match[1]}; the slides are {_listed(ids)}")
        return ids.index(int(match[1]))
    titles = [_title(slide) for slide in presentation.slides]
    found = [index for index, title in enumerate(titles) if folded(title) == folded(address)]
    if len(found) != 1:
        raise EditError(
            f"{len(found)} slides have the title {address!r}; give the position of the slide"
            if found
            else f"no slide has the title {address!r}; the titles are "
            f"{_listed([repr(title) for title in titles if title])}"
        )
    return found[0]


def resolve_shape(presentation: Any, index: int, address: str) -> Any:
    """Return a shape of a slide as python-pptx has it; members of groups are shapes too.

    Args:
        presentation: An open deck.
        index: Index of the slide, from 0.
        address: ``"id:5"``, or what a rubric would write; see `pptarena.decks.selectors`.

    Raises:
        EditError: If the slide has no such shape.
    """
    slide = presentation.slides[index]
    elements = shape_elements(slide._element)
    if match := _ID.fullmatch(address):
        element = _by_id(elements, int(match[1]), slide.slide_id)
    else:
        element = _by_name(elements, address)
        if element is None:
            element = _by_facts(presentation, index, elements, address)
    return SlideShapeFactory(element, slide.shapes)


def shown(address: int | str) -> str:
    """Return how a message names an address."""
    if isinstance(address, int):
        return str(address)
    match = _ID.fullmatch(address)
    return match[1] if match else repr(address)


def _by_id(elements: Sequence[Any], number: int, slide_id: int) -> Any:
    ids = [_id(each) for each in elements]
    found = [each for each, own in zip(elements, ids, strict=True) if own == number]
    if len(found) > 1:
        raise EditError(f"slide {slide_id} has {len(found)} shapes with the id {number}")
    if not found:
        raise EditError(
            f"slide {slide_id} has no shape with the id {number}; its shapes are {_listed(ids)}"
        )
    return found[0]


def _by_name(elements: Sequence[Any], address: str) -> Any:
    """Return a shape by its placeholder or its exact name, which needs no reading of the deck."""
    if match := _KIND.fullmatch(address):
        types = PLACEHOLDERS.get(match[1], ())
        keys = [(each, placeholder_key(each)) for each in elements]
        found = [each for each, key in keys if key is not None and (key.type or "body") in types]
        at = int(match[2] or 1) - 1
        return found[at] if at < len(found) else None
    return next((each for each in elements if _name(each) == address), None)


def _by_facts(presentation: Any, index: int, elements: Sequence[Any], address: str) -> Any:
    try:
        require_spec(address)
    except ValueError as error:
        raise EditError(f"shape: {error}") from error
    slide: Slide = read_deck(save_presentation(presentation)).slides[index]
    shape = find_shape(slide, address)
    if shape is None:
        names = _listed([repr(each.name) for each in slide.shapes])
        raise EditError(f"slide {index + 1} has no shape {address!r}; its shapes are {names}")
    return elements[shape.index]


def _named(element: Any) -> Any:
    first = next(iter(element), None)
    return None if first is None else next((each for each in first if _is_named(each)), None)


def _is_named(element: Any) -> bool:
    return str(element.tag).endswith("}cNvPr")


def _id(element: Any) -> int:
    named = _named(element)
    try:
        return int("" if named is None else named.get("id", ""))
    except ValueError:
        return 0


def _name(element: Any) -> str:
    named = _named(element)
    return "" if named is None else str(named.get("name", ""))


def _title(slide: Any) -> str:
    title = slide.shapes.title
    return "" if title is None else str(title.text_frame.text).strip()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(items: Sequence[object]) -> str:
    text = ", ".join(map(str, items[:_MOST_LISTED]))
    more = len(items) - _MOST_LISTED
    return f"{text} and {more} more" if more > 0 else text or "none"
