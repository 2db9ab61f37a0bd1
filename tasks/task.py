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
    "LEVEL_STEPS",
    "MAX_STEPS",
    "Task",
]

DIFFICULTIES = ("easy", "medium", "hard")
"""By the number of steps of a skilled user: up to 5, 5 to 10, more than 10."""

LEVELS = ("L1", "L2", "L3", "L4")
"""Capability levels of ProSoftArena, section 3.1.

- L1, interface: basic operations that carry out a single function of the application. The same
  operation with the same value on several named slides or shapes is still one function.
- L2, features: a series of operations in the application. The agent has to find the targets, to
  combine functions, or to work out values.
- L3, several programs: data of another application, such as an attached workbook or CSV file.
- L4, open-ended: the result is the agent's own design or text.
"""

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
"""The sixteen edit types of the PPTArena editing benchmark, table 1.

``arrangement`` is alignment, distribution, grouping and z-order; ``slides`` is slides, sections,
their order, numbers, footers and notes; ``accessibility`` is alt text, reading order and comments.
"""

LEVEL_STEPS: Mapping[str, int] = {"L1": 35, "L2": 55, "L3": 100, "L4": 55}
"""Step budgets of ProSoftArena by level, used by environments with ``budget="level"``."""

MAX_STEPS = 30
"""Default step budget of a task."""

GOLD_RUBRIC = load_rubric(
    {
        "version": 1,
        "root": {"name": "as in the gold deck", "critical": True, "check": "gold_match"},
    }
)
"""Rubric of a task that has a gold deck but no rubric."""

INTACT_RUBRIC = load_rubric(
    {"version": 1, "root": {"name": "the deck is as it was", "check": "nothing_else_changed"}}
)
"""Rubric of an infeasible task without a rubric."""


@dataclass(frozen=True)
class Task:
    """A task: an instruction about a deck, and the rubric that scores the result.

    Attributes:
        id: Lower-case words joined by ``-``; part of a Gymnasium id.
        suite: Name of its suite.
        difficulty: One of `DIFFICULTIES`.
        level: One of `LEVELS`.
        edit_types: Some of `EDIT_TYPES`, possibly none.
        deck: The initial deck: a packaged deck's name, the path of a .pptx file, or bytes.
        instruction: The request to the agent.
        max_steps: Number of steps after which an episode is truncated.
        rubric: Scores the edited deck. The default scores how much of the gold deck's changes is
            done.
        scope: The part of the deck that the task may touch. None stands for the changes of the gold
            deck. For tasks created in code without a gold deck, None allows no change and damage is
            not measured.
        feasible: Whether the task can be done; the correct end of an infeasible task is ``fail``.
        demonstration: Actions that solve the task.
        macros: Macros for the agent ``macro``; empty if it cannot solve the task. By default they
            follow from the solutions; see `pptarena.tasks.solution_macros`.
        gold: The target deck, like `deck`; None if there is none.
        solution: Edits that carry out the first turn; empty if none are known. See
            `pptarena.edits`.
        paraphrases: Alternative wordings of the instruction, which ask for exactly the same. An
            episode shows `instruction`; `worded` returns the task with another wording.
        source: Origin of the task, such as a URL or a person; for readers.
        labels: Values by name with which its benchmark groups tasks, such as
            ``{"category": ("Content", "Layout")}``. The values are `tags`.
        kept: Whether the result of the first of several turns must still hold at the end.
        turns: Later turns. ``done`` or ``fail`` begins the next turn; in the last turn it ends the
            episode. The task's own fields are the first turn, except for the budget, the
            demonstration and the macros, which cover all turns.
        files: Attachments, placed next to the deck in the machine's Documents; at most `MAX_FILES`.
        answers: Replies to the action ``ask``, in any turn.
        scene: Actions on the screen before an episode begins, which show a slide, a panel or
            another program. They leave the document unchanged and cost no steps; the document
            environment ignores them.
        dialogue: Earlier exchanges that the task continues from.
        grown: Origin of a generated task; empty for others.
        place: Path of the file or of the folder of tasks that it was read from, used by
            `pptarena.tasks.find_task`. Empty for packaged tasks and tasks created in code.
        before: The previous turn, if this is a later turn of a task; see `at`.
        wording: Number of the wording that `instruction` is, from 1; see `worded`.

    Raises:
        TaskError: If it has neither a rubric nor a gold deck, or its attachments are not allowed.
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
    macros: tuple[MacroCall, ...] | None = None
    gold: DeckSource | None = None
    solution: tuple[Mapping[str, Any], ...] = ()
    paraphrases: tuple[str, ...] = ()
    source: str = ""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kept: bool = True
    turns: tuple[Turn, ...] = ()
    files: tuple[TaskFile, ...] = ()
    answers: tuple[Answer, ...] = ()
    scene: tuple[DemoStep, ...] = ()
    dialogue: tuple[Exchange, ...] = ()
    grown: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""
    before: "Task | None" = None
    wording: int = 1

    def __post_init__(self) -> None:
        if self.rubric is GOLD_RUBRIC and self.gold is None:
            raise TaskError(f"{self.id}: expected a rubric or a gold deck, got neither")
        require_files(self.files, self.file_name)
        require_collected(self.collected, self.file_name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.suite}/{self.id})"

    def deck_bytes(self) -> bytes:
        """Return the initial .pptx file.

        Raises:
            TaskError: If the deck does not exist; the message names the file.
        """
        return read_source(self.deck, "deck")

    def gold_bytes(self) -> bytes | None:
        """Return the target .pptx file, or None if the task has none.

        Raises:
            TaskError: If the deck does not exist; the message names the file.
        """
        return None if self.gold is None else read_source(self.gold, "gold")

    def files_bytes(self) -> Mapping[str, bytes]:
        """Return the attachments by their names in the machine.

        Raises:
            TaskError: If a file cannot be read, or the total size is too large.
        """
        return read_files(self.files)

    @property
    def collected(self) -> tuple[str, ...]:
        """Names of the attachments that any leaf of any turn checks."""
        rubrics = (self.rubric, *(turn.rubric for turn in self.turns))
        return tuple(sorted(frozenset().union(*(rubric.root.files() for rubric in rubrics))))

    @property
    def tags(self) -> frozenset[str]:
        """Names that select the task from a suite, as in ``bench#charts``.

        These are its suite, difficulty, level, edit types and the values of its labels; ``turns``
        if it has several, and ``infeasible`` if it cannot be done.
        """
        tags = {self.suite, self.difficulty, self.level, *self.edit_types}
        tags.update(*self.labels.values())
        flags = {"turns": bool(self.turns), "infeasible": not self.feasible}
        return frozenset(tags | {name for name, is_so in flags.items() if is_so})

    def at(self, turn: int) -> "Task":
        """Return one turn (1-based) as a task of its own.

        Its deck is still the initial deck of the first turn.
        """
        if turn == 1:
            return replace(self, turns=()) if self.turns else self
        later = self.turns[turn - 2]
        return replace(
            self,
            instruction=later.instruction,
            rubric=later.rubric,
            scope=later.scope,
            gold=later.gold,
            solution=later.solution,
            paraphrases=later.paraphrases,
            feasible=later.feasible,
            kept=later.kept,
            turns=(),
            before=self.at(turn - 1),
        )

    def worded(self, number: int) -> "Task":
        """Return the task with another wording of its instructions.

        Args:
            number: 1 for the instruction of the task file, 2 for its first paraphrase, and so on. A
                turn without that many paraphrases keeps its instruction.

        Raises:
            TaskError: If the first turn has no such wording.
        """
        if not 1 <= number <= self.wordings:
            raise TaskError(f"{self.id}: no wording {number}: the task has {self.wordings}")
        if number == self.wording:
            return self
        # Swapping twice restores the first wording.
        first = self if self.wording == 1 else self._swap_wording(self.wording)
        return first if number == 1 else first._swap_wording(number)

    def _swap_wording(self, number: int) -> "Task":
        turns = tuple(replace(turn, **_swap_wording(turn, number)) for turn in self.turns)
        wording = 1 if self.wording == number else number
        return replace(self, turns=turns, wording=wording, **_swap_wording(self, number))

    @property
    def wordings(self) -> int:
        """Number of wordings: the instruction and its paraphrases."""
        return 1 + len(self.paraphrases)

    @property
    def turn_number(self) -> int:
        """Number of this turn within its task, from 1."""
        return 1 if self.before is None else self.before.turn_number + 1

    @property
    def file_name(self) -> str:
        """Name of the deck's file inside a machine."""
        return file_name(self.deck)

    def to_json(self) -> dict[str, Any]:
        """Return a description for readers, without rubric, demonstration and macros."""
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


def _swap_wording(part: Task | Turn, number: int) -> dict[str, Any]:
    """Return the fields of a task or turn with the instruction and one paraphrase exchanged."""
    if number > 1 + len(part.paraphrases):
        return {}
    paraphrases = list(part.paraphrases)
    instruction, paraphrases[number - 2] = paraphrases[number - 2], part.instruction
    return {"instruction": instruction, "paraphrases": tuple(paraphrases)}
