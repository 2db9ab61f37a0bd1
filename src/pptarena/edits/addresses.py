"""Resolve the addresses of slides and shapes in an open deck."""

import re
from collections.abc import Sequence
from typing import Any

from pptx.shapes.shapetree import SlideShapeFactory

from pptarena.decks import Slide, read_deck
from pptarena.decks.presentation import save_presentation
from pptarena.decks.read.context import placeholder_key
from pptarena.decks.selectors import PLACEHOLDERS, find_shape, require_spec
from pptarena.decks.slide_variants import shape_elements
from pptarena.decks.text_match import normalize_caseless
from pptarena.errors import EditError

__all__ = ["resolve_shape", "resolve_slide", "shown"]

_ID = re.compile(r"id:([0-9]{1,10})")
_KIND = re.compile(r"@([a-z]+)(?::([1-9][0-9]*))?")
_MAX_LISTED = 40


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
            raise EditError(f"no slide has the id {match[1]}; the slides are {_join_names(ids)}")
        return ids.index(int(match[1]))
    titles = [_title(slide) for slide in presentation.slides]
    matches = [
        index
        for index, title in enumerate(titles)
        if normalize_caseless(title) == normalize_caseless(address)
    ]
    if len(matches) != 1:
        raise EditError(
            f"{len(matches)} slides have the title {address!r}; give the position of the slide"
            if matches
            else f"no slide has the title {address!r}; the titles are "
            f"{_join_names([repr(title) for title in titles if title])}"
        )
    return matches[0]


def resolve_shape(presentation: Any, index: int, address: str) -> Any:
    """Return a python-pptx shape of a slide; members of groups are shapes too.

    Args:
        presentation: An open deck.
        index: Index of the slide, from 0.
        address: ``"id:5"``, or a selector as in rubrics; see `pptarena.decks.selectors`.

    Raises:
        EditError: If the slide has no such shape.
    """
    slide = presentation.slides[index]
    elements = shape_elements(slide._element)
    if match := _ID.fullmatch(address):
        element = _find_by_id(elements, int(match[1]), slide.slide_id)
    else:
        element = _find_by_name(elements, address)
        if element is None:
            element = _find_by_selector(presentation, index, elements, address)
    return SlideShapeFactory(element, slide.shapes)


def shown(address: int | str) -> str:
    """Return the form of an address for messages."""
    if isinstance(address, int):
        return str(address)
    match = _ID.fullmatch(address)
    return match[1] if match else repr(address)


def _find_by_id(elements: Sequence[Any], number: int, slide_id: int) -> Any:
    ids = [_id(element) for element in elements]
    matches = [
        element for element, shape_id in zip(elements, ids, strict=True) if shape_id == number
    ]
    if len(matches) > 1:
        raise EditError(f"slide {slide_id} has {len(matches)} shapes with the id {number}")
    if not matches:
        raise EditError(
            f"slide {slide_id} has no shape with the id {number}; its shapes are {_join_names(ids)}"
        )
    return matches[0]


def _find_by_name(elements: Sequence[Any], address: str) -> Any:
    """Return a shape by its placeholder type or exact name, without reading the deck."""
    if match := _KIND.fullmatch(address):
        types = PLACEHOLDERS.get(match[1], ())
        keys = [(element, placeholder_key(element)) for element in elements]
        candidates = [
            element for element, key in keys if key is not None and (key.type or "body") in types
        ]
        position = int(match[2] or 1) - 1
        return candidates[position] if position < len(candidates) else None
    return next((element for element in elements if _name(element) == address), None)


def _find_by_selector(presentation: Any, index: int, elements: Sequence[Any], address: str) -> Any:
    try:
        require_spec(address)
    except ValueError as error:
        raise EditError(f"shape: {error}") from error
    slide: Slide = read_deck(save_presentation(presentation)).slides[index]
    shape = find_shape(slide, address)
    if shape is None:
        names = _join_names([repr(other.name) for other in slide.shapes])
        raise EditError(f"slide {index + 1} has no shape {address!r}; its shapes are {names}")
    return elements[shape.index]


def _name_element(element: Any) -> Any:
    properties = next(iter(element), ())
    return next((child for child in properties if _is_name_element(child)), None)


def _is_name_element(element: Any) -> bool:
    return str(element.tag).endswith("}cNvPr")


def _id(element: Any) -> int:
    properties = _name_element(element)
    try:
        return int("" if properties is None else properties.get("id", ""))
    except ValueError:
        return 0


def _name(element: Any) -> str:
    properties = _name_element(element)
    return "" if properties is None else str(properties.get("name", ""))


def _title(slide: Any) -> str:
    title = slide.shapes.title
    return "" if title is None else str(title.text_frame.text).strip()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _join_names(items: Sequence[object]) -> str:
    text = ", ".join(map(str, items[:_MAX_LISTED]))
    remaining = len(items) - _MAX_LISTED
    return f"{text} and {remaining} more" if remaining > 0 else text or "none"
