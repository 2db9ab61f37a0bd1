"""Score stored decks as an episode that ended with them: one deck at the end of each turn."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pptarena.envs.baseline import KnownBaseline
from pptarena.envs.grading import Grading
from pptarena.envs.judging import Judging
from pptarena.envs.machines.base import Files
from pptarena.envs.turn_grader import TurnGrader
from pptarena.tasks import Task

__all__ = ["TurnEnd", "grade_decks"]


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The state at the end of a turn.

    Attributes:
        deck: The .pptx file; None if there is none that can be opened, which ends the episode.
        infeasible: Whether the turn was declared infeasible.
        looked: Whether its slides are rendered for the score.
        files: Files next to the deck.
    """

    deck: bytes | None
    infeasible: bool = False
    looked: bool = True
    files: Files = field(default_factory=dict)


def grade_decks(
    task: Task,
    original: bytes,
    ends: Sequence[TurnEnd],
    *,
    office: bool,
    judging: Judging | None = None,
    strategy: str = "",
    penalty: float | None = None,
) -> TurnGrader:
    """Return the grader of an episode after its last turn.

    Args:
        task: The task.
        original: The .pptx file at the start, as the application saves it unchanged.
        ends: The state at the end of each turn that was played, at least one.
        office: Whether an office application saved the decks.
        judging: The judge; without it, judged leaves are unscored.
        strategy: Strategy that replaces those of rubrics; empty for their own.
        penalty: Lambda that replaces that of rubrics; None for their own.

    Raises:
        DeckError: If the original cannot be read.
        MachineOverloadedError: If a later deck cannot be read.
        MachineError: If slides cannot be rendered.
        TaskError: If the task's gold deck cannot be read.
    """
    looks = any(each.looked for each in ends)
    grading = Grading(
        KnownBaseline(original),
        judging,
        "end",
        looks,
        office=office,
        strategy=strategy,
        penalty=penalty,
    )
    grader = grading.grader(task, task.deck_bytes(), "", lambda: original)
    for number, each in enumerate(ends, 1):
        if each.deck is None:
            grader.grade_remains(None, each.files)
            return grader
        grader.grade(each.deck, each.files, is_last=each.looked or judging is not None)
        grader.end_turn(infeasible=each.infeasible)
        if number < len(ends):
            grader.next_turn()
    return grader
