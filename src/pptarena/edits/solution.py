"""A solution is a list of edits as data; the file executor applies it to a deck."""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.registry import EDITS, Edit, get_edit
from pptarena.errors import EditError

__all__ = [
    "Solution",
    "apply_edit",
    "apply_solution",
    "bind_entry",
    "check_solution",
    "edit_presentation",
]


Solution = Sequence[Mapping[str, Any]]
"""Edits as data, in the order in which they are made."""


def check_solution(
    value: Any, place: str = "solution", vocabulary: Mapping[str, Edit] = EDITS
) -> tuple[dict[str, Any], ...]:
    """Return a solution whose entries are edits with arguments that fit.

    An entry is ``{"edit": "set_text", "slide": 3, "shape": "@title", "text": "..."}``. In place of
    ``slide``, ``slides`` may list several slides, or be ``"all"``: the edit is made on each.

    Args:
        value: The data.
        place: Location of the data, for messages.
        vocabulary: The edits that entries may name.

    Raises:
        EditError: If an entry is invalid; the message lists all invalid entries, each on a line
            such as ``"solution/2: set_text.text: the argument is missing"``.
    """
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise EditError(f"{place}: expected a list of edits, got {value!r}"[:500])
    problems = []
    for number, entry in enumerate(value):
        try:
            bind_entry(entry, [1], vocabulary)
        except EditError as error:
            problems.append(f"{place}/{number}: {error}")
    if problems:
        raise EditError("\n".join(problems))
    return tuple(dict(entry) for entry in value)


def edit_presentation(
    presentation: Any,
    solution: Solution,
    files: Mapping[str, bytes] = MappingProxyType({}),
    vocabulary: Mapping[str, Edit] = EDITS,
) -> None:
    """Make the edits of a solution on an open python-pptx presentation.

    Args:
        presentation: The presentation.
        solution: The edits.
        files: Attachments by name, for edits that insert one.
        vocabulary: The edits that entries may name.

    Raises:
        EditError: If an edit does not fit; the message names its entry.
    """
    deck = OpenDeck(presentation, files)
    for number, entry in enumerate(solution):
        try:
            slides = range(1, len(presentation.slides) + 1)
            for edit, arguments in bind_entry(entry, slides, vocabulary):
                apply_edit(edit, arguments, deck)
        except EditError as error:
            raise EditError(f"solution/{number}: {error}") from error


def apply_solution(
    deck: bytes,
    solution: Solution,
    files: Mapping[str, bytes] = MappingProxyType({}),
    vocabulary: Mapping[str, Edit] = EDITS,
) -> bytes:
    """Return a deck after the edits of a solution.

    Args:
        deck: The .pptx file.
        solution: The edits.
        files: Attachments by name, for edits that insert one.
        vocabulary: The edits that entries may name.

    Raises:
        DeckError: If the deck cannot be opened.
        EditError: If an edit does not fit; the message names its entry, such as
            ``"solution/0: set_text: no slide 9: the deck has 8 slides"``.

    Example:
        >>> from pptarena.tasks import get_task
        >>> deck = get_task("meridian-hide-backup").deck_bytes()
        >>> edited = apply_solution(deck, [{"edit": "hide_slide", "slide": 17}])
    """
    presentation = open_presentation(deck)
    checked = check_solution(solution, vocabulary=vocabulary)
    edit_presentation(presentation, checked, files, vocabulary)
    return save_presentation(presentation)


def bind_entry(
    entry: Any, all_slides: Iterable[int], vocabulary: Mapping[str, Edit] = EDITS
) -> list[tuple[Edit, dict[str, Any]]]:
    """Return the edit of an entry with its arguments, once for each slide that it names.

    Args:
        entry: An entry of a solution.
        all_slides: The positions, from 1, that ``"all"`` stands for.
        vocabulary: The edits that the entry may name.

    Raises:
        EditError: If there is no such edit, or the arguments do not fit.
    """
    if not isinstance(entry, Mapping) or not isinstance(entry.get("edit"), str):
        raise EditError(f"expected an object with the name of an 'edit', got {repr(entry)[:80]}")
    edit = get_edit(entry["edit"], vocabulary)
    arguments = {str(name): value for name, value in entry.items() if name != "edit"}
    if "slides" not in arguments:
        return [(edit, _read(edit, arguments))]
    slides = arguments.pop("slides")
    if slides == "all":
        slides = all_slides
    elif not isinstance(slides, list | tuple) or not slides:
        raise EditError(f"{edit.name}.slides: expected a list of slides or 'all', got {slides!r}")
    return [(edit, _read(edit, {**arguments, "slide": slide})) for slide in slides]


def _read(edit: Edit, arguments: Mapping[str, Any]) -> dict[str, Any]:
    try:
        text = json.dumps(arguments, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise EditError(f"{edit.name}: expected arguments as in JSON: {error}") from error
    return edit.bind(text)


def apply_edit(edit: Edit, arguments: Mapping[str, Any], deck: OpenDeck) -> Any:
    """Make an edit and return what it returns; see `Edit`.

    Raises:
        EditError: If it does not fit the deck; the message begins with the name of the edit.
    """
    try:
        return edit.apply(deck, arguments)
    except EditError as error:
        raise EditError(f"{edit.name}: {error}") from error
    except Exception as error:
        # python-pptx fails on decks that lack what an edit relies on.
        message = f"{edit.name}: the deck does not allow it: {error!r}"
        raise EditError(message[:500]) from error
