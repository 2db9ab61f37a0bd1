"""Score stored decks as an episode that ended with them: one deck at the end of each turn."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pptarena.envs.baseline import FixedBaseline
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
        deck: The .pptx file; None if no deck can be opened, which ends the episode.
        infeasible: Whether the turn was declared infeasible.
        is_rendered: Whether its slides are rendered for the score.
        files: Files next to the deck.
    """

    deck: bytes | None
    infeasible: bool = False
    is_rendered: bool = True
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
        strategy: Strategy that overrides the rubrics' own; empty for no override.
        penalty: Lambda that overrides the rubrics' own; None for no override.

    Raises:
        DeckError: If the original cannot be read.
        MachineOverloadedError: If a later deck cannot be read.
        MachineError: If slides cannot be rendered.
        TaskError: If the task's gold deck cannot be read.
    """
    renders = any(turn_end.is_rendered for turn_end in ends)
    grading = Grading(
        FixedBaseline(original),
        judging,
        "end",
        renders,
        office=office,
        strategy=strategy,
        penalty=penalty,
    )
    grader = grading.grader(task, task.deck_bytes(), "", lambda: original)
    for number, turn_end in enumerate(ends, 1):
        if turn_end.deck is None:
            grader.grade_after_failure(None, turn_end.files)
            return grader
        grader.grade(
            turn_end.deck, turn_end.files, is_last=turn_end.is_rendered or judging is not None
        )
        grader.end_turn(infeasible=turn_end.infeasible)
        if number < len(ends):
            grader.next_turn()
    return grader
