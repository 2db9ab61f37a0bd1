"""`Task`: one editing task."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pptarena.errors import TaskError
from pptarena.rewards import Rubric, Scope, load_rubric
from pptarena.tasks.answers import Answer
from pptarena.tasks.deck_source import DeckSource, deck_label, file_name, read_source
from pptarena.tasks.demonstration import DemoStep
from pptarena.tasks.dialogue import Exchange
from pptarena.tasks.macros import MacroCall
from pptarena.tasks.task_files import TaskFile, read_files, require_collected, require_files
from pptarena.tasks.turn import Turn

__all__ = [
    "DIFFICULTIES",
    "EDIT_TYPES",
    "GOLD_RUBRIC",
    "INTACT_RUBRIC",
    "LEVELS",
    "MAX_STEPS",
    "Task",
]

DIFFICULTIES = ("easy", "medium", "hard")
"""By the steps of a skilled user: up to five, five to ten, more."""

LEVELS = ("L1", "L2", "L3", "L4")
"""Capability levels after ProSoftArena: one operation; several operations in the application; data
of another application as well (an attached workbook, CSV or text); open-ended creation."""

EDIT_TYPES = (
    "text",
    "shapes",
    "images",
    "tables",
    "charts",
    "diagrams",
    "media",
    "arrangement",
    "layouts",
    "themes",
    "masters",
    "animations",
    "transitions",
    "hyperlinks",
    "slides",
    "accessibility",
)
"""The sixteen kinds of edits of the PPTArena editing benchmark, table 1.

``arrangement`` is alignment, distribution, grouping and z-order; ``slides`` is slides, sections,
their order, numbers, footers and notes; ``accessibility`` is alt text, reading order and comments.
"""

MAX_STEPS = 30
"""Step budget of a task whose file names none."""

GOLD_RUBRIC = load_rubric(
    {
        "version": 1,
        "root": {"name": "as in the gold deck", "critical": True, "check": "gold_match"},
    }
)
"""Rubric of a task that has a gold deck and none of its own."""

INTACT_RUBRIC = load_rubric(
    {"version": 1, "root": {"name": "the deck is as it was", "check": "nothing_else_changed"}}
)
"""Rubric of a task that cannot be done and has none of its own."""


@dataclass(frozen=True)
class Task:
    """One task: an instruction on a deck, and what tells whether it was carried out.

    Attributes:
        id: Lower-case words joined by ``-``; part of a gymnasium id.
        suite: Name of the set of tasks it belongs to.
        difficulty: One of `DIFFICULTIES`.
        level: One of `LEVELS`.
        edit_types: Some of `EDIT_TYPES`, perhaps none.
        deck: The deck it starts from: a packaged one's name, the path of a .pptx file, or bytes.
        instruction: What the agent is asked to do.
        max_steps: Steps after which an episode is truncated.
        rubric: Scores the edited deck; by default, how much of what the gold deck changes is done.
        scope: The part of the deck that the task may touch. None is what the gold deck changes;
            without a gold deck it is for tasks made in code: nothing may be touched, and damage is
            not measured.
        feasible: Whether it can be done; of an infeasible task, the right end is ``fail``.
        demonstration: The actions of one way to do it.
        macros: One way to do it, as the agent ``macro`` plays it; empty where none is known.
        gold: The deck with the goal reached, like `deck`; None if there is none.
        solution: Edits as data that carry out the first turn; empty where none are known. See
            `pptarena.edits`.
        paraphrases: Other wordings of the instruction. An episode shows `instruction`; to use
            another one, ``dataclasses.replace(task, instruction=task.paraphrases[0])``.
        source: Where the task comes from, such as an address or a person; for readers.
        kept: Whether what the first of several turns asks for must hold at the very end, too.
        turns: What is asked for after that, one after the other: ``done`` or ``fail`` begins the
            next, the last one's ends the episode. The task's own fields are the first turn, but for
            the budget, the demonstration and the macros, which are for all of them.
        files: What lies beside the deck in the machine's Documents; at most `MAX_FILES`.
        answers: What the action ``ask`` is answered with, in any turn.
        dialogue: What was asked for and carried out before, where the task goes on from that.
        grown: What a generated task was made of; empty for others.
        place: The path of the file, or of the folder of tasks, that it was read from, with which
            `pptarena.tasks.find_task` finds it again. Empty for tasks of packages and tasks made in
            code.
        before: The turn before, where this is a later turn of a task; see `at`.

    Raises:
        TaskError: If it has neither a rubric nor a gold deck, or files that no machine takes.
    """

    id: str
    suite: str
    difficulty: str
    level: str
    edit_types: tuple[str, ...]
    deck: DeckSource
    instruction: str
    max_steps: int
    rubric: Rubric = GOLD_RUBRIC
    scope: Scope | None = None
    feasible: bool = True
    demonstration: tuple[DemoStep, ...] = ()
    macros: tuple[MacroCall, ...] = ()
    gold: DeckSource | None = None
    solution: tuple[Mapping[str, Any], ...] = ()
    paraphrases: tuple[str, ...] = ()
    source: str = ""
    kept: bool = True
    turns: tuple[Turn, ...] = ()
    files: tuple[TaskFile, ...] = ()
    answers: tuple[Answer, ...] = ()
    dialogue: tuple[Exchange, ...] = ()
    grown: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""
    before: "Task | None" = None

    def __post_init__(self) -> None:
        if self.rubric is GOLD_RUBRIC and self.gold is None:
            raise TaskError(f"{self.id}: expected a rubric or a gold deck, got neither")
        require_files(self.files, self.file_name)
        require_collected(self.collected, self.file_name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.suite}/{self.id})"

    def deck_bytes(self) -> bytes:
        """Return the .pptx file the task starts from.

        Raises:
            TaskError: If there is no such deck; the message names the file.
        """
        return read_source(self.deck, "deck")

    def gold_bytes(self) -> bytes | None:
        """Return the .pptx file with the goal reached, None if the task has none.

        Raises:
            TaskError: If there is no such deck; the message names the file.
        """
        return None if self.gold is None else read_source(self.gold, "gold")

    def files_bytes(self) -> Mapping[str, bytes]:
        """Return what lies beside the deck, by the names that it has in the machine.

        Raises:
            TaskError: If a file cannot be read, or they are too large together.
        """
        return read_files(self.files)

    @property
    def collected(self) -> tuple[str, ...]:
        """The names of the files beside the deck that some leaf of some turn is about."""
        rubrics = (self.rubric, *(turn.rubric for turn in self.turns))
        return tuple(sorted(frozenset().union(*(rubric.root.files() for rubric in rubrics))))

    def at(self, turn: int) -> "Task":
        """Return one turn, counted from 1, as a task of its own; the first if it has only one.

        Its deck is still the one that the first turn starts from.
        """
        if turn == 1:
            return replace(self, turns=()) if self.turns else self
        now = self.turns[turn - 2]
        return replace(
            self,
            instruction=now.instruction,
            rubric=now.rubric,
            scope=now.scope,
            gold=now.gold,
            solution=now.solution,
            feasible=now.feasible,
            kept=now.kept,
            turns=(),
            before=self.at(turn - 1),
        )

    @property
    def turn_number(self) -> int:
        """Which turn of a task this is, from 1."""
        return 1 if self.before is None else self.before.turn_number + 1

    @property
    def file_name(self) -> str:
        """The name that the deck's file gets inside a machine."""
        return file_name(self.deck)

    def to_json(self) -> dict[str, Any]:
        """Return what describes the task to a reader: no rubric, no demonstration, no macros."""
        return {
            "id": self.id,
            "suite": self.suite,
            "difficulty": self.difficulty,
            "level": self.level,
            "edit_types": list(self.edit_types),
            "deck": deck_label(self.deck),
            "instruction": self.instruction,
            **({"files": [file.name for file in self.files]} if self.files else {}),
            **({"turns": [turn.instruction for turn in self.turns]} if self.turns else {}),
        }
