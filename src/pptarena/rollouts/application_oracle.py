"""Prove tasks solvable by editing the deck inside the office application.

A task's macros are translated to UNO edits. The office application of the machine image opens the
deck, applies them and saves. The proof is independent of python-pptx, which builds the target decks
in ``tasks/goals``, and of the mouse, which drives the demonstrations: a score of 1 shows that the
application itself can reach and write the target. For a task with a gold deck instead of macros,
every property that differs from the gold deck is set on the document.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pptarena.agents.macros.slide_roll import SlideRoll
from pptarena.decks import Deck, read_deck
from pptarena.decks.selectors import find_shape
from pptarena.envs.gold_deck import gold_deck
from pptarena.envs.programs.score import score_imported
from pptarena.envs.targets import target_decks
from pptarena.errors import DeckError, MachineError, MacroError, TaskError
from pptarena.rewards import ScoredNode
from pptarena.tasks import MacroCall, Task
from pptarena.tasks.solution_macros import has_macros, macros_of

__all__ = [
    "NOTHING",
    "NO_EDIT",
    "OracleProof",
    "application_edits",
    "gold_edits",
    "prove_in_application",
]

_Result = bytes | DeckError | MachineError

_SAME = 1e-6
_TRIES = 3
NOTHING = frozenset(("show_slide", "select_shape"))
"""Macros that do not change the deck."""
NO_EDIT = frozenset((
    "advance", "animation", "background", "change_layout", "chart_axis", "chart_labels",
    "chart_legend", "chart_titles", "chart_type", "chart_value", "connector", "crop",
    "delete_column", "delete_paragraph", "group", "insert_layout_slide", "insert_media",
    "insert_row", "insert_series", "insert_shape", "insert_table", "link", "menu", "next_turn",
    "outline", "paragraph_direction", "paragraph_level", "picture_color", "remove_series",
    "replace_picture", "script", "series_color", "slide_boxes", "slide_link", "stamp_layout",
    "theme_color", "typeface",
))  # fmt: skip
"""Macros without a counterpart inside the application."""


class Office(Protocol):
    """Edits and saves decks in the office application."""

    def save_all(self, decks: Sequence[bytes]) -> Sequence[_Result]:
        """Return the decks as the application saves them, or why it cannot."""

    def edit_all(
        self, jobs: Sequence[tuple[bytes, Sequence[Mapping[str, Any]]]]
    ) -> Sequence[_Result]:
        """Return the decks after edits in the application, or why it cannot."""


@dataclass(frozen=True, slots=True)
class OracleProof:
    """The result of solving one task inside the application.

    Attributes:
        task: Task id.
        score: Score of the saved deck; None if it was not scored.
        reason: Why the score is missing or below 1; empty otherwise.
        has_macros: Whether there was anything to apply.
    """

    task: str
    score: float | None
    reason: str = ""
    has_macros: bool = True

    @property
    def ok(self) -> bool:
        """Whether the target was reached."""
        return self.score is not None and self.score >= 1 - _SAME

    def to_json(self) -> dict[str, Any]:
        """Return the proof as a JSON object."""
        return {"task": self.task, "ok": self.ok, "score": self.score, "reason": self.reason}


def application_edits(task: Task) -> list[dict[str, Any]]:
    """Return the edits for the application, with shapes addressed by name and index.

    Raises:
        TaskError: If a macro has no edit or addresses a shape that does not exist.
    """
    deck = read_deck(task.deck_bytes())
    roll = SlideRoll(len(deck.slides))
    edits = []
    for number, call in enumerate(macros_of(task), start=1):
        if call.name in NOTHING:
            continue
        if call.name in NO_EDIT:
            raise TaskError(f"macro {number} ({call.name}) has no edit inside the application yet")
        try:
            edits.append({"edit": call.name, "arguments": _arguments(deck, roll, call)})
            _follow(roll, call)
        except MacroError as error:
            raise TaskError(f"macro {number} ({call.name}): {error}") from error
    return edits


def gold_edits(task: Task) -> list[dict[str, Any]]:
    """Return the edit that turns the document into the task's gold deck.

    Raises:
        DeckError: If a deck cannot be read.
        TaskError: If the task has no gold deck, or has several turns with one gold deck each.
    """
    if task.turns:
        raise TaskError(f"expected a task of one turn, got one of {len(task.turns) + 1}")
    gold = task.gold_bytes()
    if gold is None:
        raise TaskError("the task has no gold deck")
    masters = read_deck(task.deck_bytes()).masters != read_deck(gold).masters
    deck = base64.b64encode(gold).decode()
    return [{"edit": "become", "arguments": {"deck": deck, "masters": masters}}]


def prove_in_application(
    office: Office, tasks: Sequence[Task], *, by_gold: bool = False
) -> Iterator[OracleProof]:
    """Apply the macros of tasks inside the application and score the saved decks.

    Args:
        office: The application, such as `pptarena.vm_images.office.Office`.
        tasks: The tasks.
        by_gold: Whether to set the properties of the gold decks instead of applying macros.

    Raises:
        HostError: If bubblewrap is missing or not allowed to create namespaces.
        ImageError: If no machine image is installed.
        MachineError: If the application fails or takes too long.
    """
    for task in tasks:
        yield _prove(office, task, by_gold)


def _prove(office: Office, task: Task, by_gold: bool) -> OracleProof:
    if not (by_gold or has_macros(task)):
        return OracleProof(task.id, None, "the task has no macros", has_macros=False)
    try:
        edits = gold_edits(task) if by_gold else application_edits(task)
        deck = task.deck_bytes()
    except (DeckError, TaskError) as error:
        return OracleProof(task.id, None, str(error))
    original = office.save_all([deck])[0]
    for _ in range(_TRIES):  # LibreOffice 25.2 sometimes crashes when it saves a new table
        (edited,) = office.edit_all([(deck, edits)])
        if not isinstance(edited, MachineError):
            break
    return _scored(task, original, edited)


def _scored(
    task: Task,
    original: _Result,
    edited: _Result,
) -> OracleProof:
    try:
        if isinstance(original, Exception):
            raise original
        if isinstance(edited, Exception):
            raise edited
        gold, targets = gold_deck(task, saved=True), target_decks(task, saved=True)
        found = score_imported(
            task.rubric, original, edited, scope=task.scope, gold=gold, targets=targets
        )
    except (DeckError, MachineError, TaskError) as error:
        return OracleProof(task.id, None, str(error))
    if found.score is None or found.score < 1 - _SAME:
        return OracleProof(task.id, found.score, _missing(found))
    return OracleProof(task.id, found.score)


def _arguments(deck: Deck, roll: SlideRoll, call: MacroCall) -> dict[str, Any]:
    arguments = dict(call.arguments)
    if "shape" in arguments:
        arguments["shape"] = _shape(deck, roll, arguments["slide"], arguments["shape"])
    return arguments


def _shape(deck: Deck, roll: SlideRoll, slide: int, words: str) -> Mapping[str, Any]:
    origin = roll.origin(slide)
    if origin is None:
        raise TaskError(f"slide {slide} is new: its shapes cannot be addressed by {words!r}")
    shapes = deck.slides[origin].shapes
    shape = find_shape(deck.slides[origin], words)
    if shape is None:
        raise TaskError(f"expected a shape {words!r} on slide {origin + 1} of the deck")
    if shape.group is not None:
        raise TaskError(f"{shape.label} is a member of a group; only whole groups have edits")
    whole = [each for each in shapes if each.group is None]
    return {"name": shape.name, "place": whole.index(shape)}


def _follow(roll: SlideRoll, call: MacroCall) -> None:
    """Track inserted, deleted and moved slides."""
    given = call.arguments
    if call.name == "delete_slide":
        roll.delete(given["slide"])
    elif call.name == "duplicate_slide":
        roll.insert(given["slide"], copy=True)
    elif call.name == "insert_slide":
        roll.insert(given["after"])
    elif call.name == "move_slide":
        roll.move(given["slide"], given["to"])


def _missing(node: ScoredNode) -> str:
    leaves = [each for _, each in node.walk() if not each.children]
    worst = min(leaves, key=lambda leaf: -1.0 if leaf.score is None else leaf.score)
    return f"{worst.name}: {worst.reason}"
