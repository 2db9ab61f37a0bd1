"""A solution is a list of edits as data; the file executor applies it to a deck."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.registry import Edit, get_edit
from pptarena.errors import EditError

__all__ = ["Call", "Solution", "apply_solution", "load_solution"]

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Call:
    """An edit with its arguments.

    Attributes:
        edit: The edit.
        arguments: As the data has them; defaults are left out.
    """

    edit: Edit
    arguments: Mapping[str, Any]

    def apply(self, deck: OpenDeck) -> Any:
        """Edit a deck; see `Edit.function`.

        Raises:
            EditError: If the edit does not fit the deck.
        """
        bound = self.edit.bind(json.dumps(dict(self.arguments)))
        try:
            return self.edit.apply(deck, bound)
        except EditError as error:
            raise EditError(f"{self.edit.name}: {error}") from error
        except Exception as error:
            # python-pptx fails on decks that lack what an edit relies on.
            message = f"{self.edit.name}: the deck does not allow it: {error!r}"
            raise EditError(message[:500]) from error

    def to_json(self) -> dict[str, Any]:
        """Return the call as data."""
        return {"edit": self.edit.name, **self.arguments}


Solution = tuple[Call, ...]
"""Edits in the order in which they are made."""


def load_solution(value: Any, place: str = "solution") -> Solution:
    """Return a solution from data: ``[{"edit": "set_text", "slide": 3, ...}, ...]``.

    Args:
        value: The data.
        place: Where the data stand, for messages.

    Raises:
        EditError: If an entry is not an edit with arguments that fit; the message lists every
            such entry, such as ``"solution/2: set_text.text: the argument is missing"``.
    """
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise EditError(f"{place}: expected a list of edits, got {type(value).__name__}")
    calls, problems = [], []
    for number, entry in enumerate(value):
        try:
            calls.append(_call(entry))
        except EditError as error:
            problems.append(f"{place}/{number}: {error}")
    if problems:
        raise EditError("\n".join(problems))
    return tuple(calls)


def apply_solution(
    deck: bytes,
    solution: Solution | Sequence[Mapping[str, Any]],
    files: Mapping[str, bytes] = MappingProxyType({}),
) -> bytes:
    """Return a deck after the edits of a solution; equal input gives equal bytes.

    Args:
        deck: The .pptx file.
        solution: The edits, as data or loaded.
        files: Attachments by name, for edits that insert one.

    Raises:
        DeckError: If the deck cannot be opened.
        EditError: If an edit does not fit; the message names its entry, such as
            ``"solution/0: set_text: no slide 9: the deck has 8 slides"``.

    Example:
        >>> from pptarena.tasks import get_task
        >>> task = get_task("meridian-hide-backup")
        >>> edited = apply_solution(task.deck_bytes(), [{"edit": "hide_slide", "slide": 17}])
    """
    calls = [each for each in solution if isinstance(each, Call)]
    if len(calls) != len(solution):
        calls = list(load_solution(solution))
    opened = OpenDeck(open_presentation(deck), files)
    for number, call in enumerate(calls):
        try:
            call.apply(opened)
        except EditError as error:
            raise EditError(f"solution/{number}: {error}") from error
    return _with_fixed_dates(save_presentation(opened.presentation))


def _call(entry: Any) -> Call:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("edit"), str):
        raise EditError(f"expected an object with the name of an 'edit', got {repr(entry)[:80]}")
    edit = get_edit(entry["edit"])
    arguments = {str(name): value for name, value in entry.items() if name != "edit"}
    try:
        text = json.dumps(arguments, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise EditError(f"{edit.name}: expected arguments as in JSON: {error}") from error
    edit.bind(text)
    return Call(edit, MappingProxyType(arguments))


def _with_fixed_dates(file: bytes) -> bytes:
    """Return a zip file whose entries have no time of day."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as old, zipfile.ZipFile(stream, "w") as new:
        for entry in old.infolist():
            info = zipfile.ZipInfo(entry.filename, _FIRST_DAY)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(entry))
    return stream.getvalue()
