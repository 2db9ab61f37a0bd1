"""The running score of one turn of an episode."""

import logging
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from typing import Any, Self

from pptarena.decks.package.parts import DeckFile, file_bytes
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.judging import Judging, office_renderer
from pptarena.envs.machines.base import NO_FILES, Files
from pptarena.envs.programs.runner import PythonLeaves
from pptarena.envs.python_checks import MakeLeafRunner, has_programs, running
from pptarena.envs.targets import TurnTargets
from pptarena.envs.turn_start import start_of_turn
from pptarena.errors import (
    DeckError,
    MachineError,
    MachineOverloadedError,
    PPTArenaError,
)
from pptarena.rewards import Deck, Rubric, Scope, ScoredNode, read_deck, score
from pptarena.rewards.collected import CollectedFiles
from pptarena.rewards.looks import Looks
from pptarena.rewards.scope.scope import ScopePart
from pptarena.rewards.scored import ALMOST_ONE
from pptarena.rewards.turns import TurnContext
from pptarena.tasks import Task
from pptarena.tasks.task import INTACT_RUBRIC
from pptarena.vm_images.office import shared_office

__all__ = ["Grader", "GraderSettings", "looks_of", "paid_for_intact", "score_held"]

_log = logging.getLogger(__name__)

_ANYTHING = Scope(
    slides="all",
    new_slides=True,
    parts=(ScopePart(slides="all", aspects=("sections", "properties", "other")),),
)


@dataclass(frozen=True, slots=True)
class GraderSettings:
    """Settings and services shared by the graders of an environment.

    Attributes:
        baselines: Baselines of decks.
        judging: Asks the judge model; if None, judged leaves are unscored.
        judge_when: One of `pptarena.envs.config.JUDGE_WHEN`.
        looks: Whether slides are rendered with an episode's last step.
        leaf_runner: Creates the runner of Python leaves.
        office: Whether an office application saves the decks.
        strategy: Strategy that replaces those of rubrics; empty for their own.
        penalty: Lambda that replaces that of rubrics; None for their own.
    """

    baselines: BaselineStore
    judging: Judging | None = None
    judge_when: str = "end"
    looks: bool = False
    leaf_runner: MakeLeafRunner = PythonLeaves
    office: bool = False
    strategy: str = ""
    penalty: float | None = None


def score_held(
    rubric: Rubric,
    original: Deck,
    deck: Deck,
    files: CollectedFiles | None = None,
    turn: TurnContext | None = None,
) -> float | None:
    """Return the score of a deck without the scope's damage penalty; None if unscored."""
    return score(rubric, original, deck, _ANYTHING, files=files, turn=turn).score


class Grader:
    """Tracks the last known score of a turn and the scored rubric behind it.

    If the root of a rubric is unscored, the score is kept and the rubric's ``"score"`` is None. An
    infeasible task scores 0 until the agent declares it infeasible, and then 1 if nothing outside
    the scope was changed, else 0.

    Attributes:
        task: The task, or the turn of one.
        score: The last known score, in [0, 1].
        current: The deck that was graded last.
        files: The files next to the deck.
        targets: The targets of the turn; None if it has none.
        start: The state at the start of the turn.
    """

    def __init__(
        self,
        task: Task,
        opened: bytes,
        original: Deck,
        grading: GraderSettings,
        file: Callable[[], bytes],
        gold: Deck | None = None,
        files: Files = NO_FILES,
        targets: TurnTargets | None = None,
    ) -> None:
        self.task = task
        # Not the task's: a task with another rubric has no targets.
        self._task_rubric = task.rubric.scored_by(grading.strategy, grading.penalty)
        self._opened = opened
        self._original = original
        self._grading = grading
        self._file = file
        self._gold = gold
        self.targets = targets
        self.start = start_of_turn(task, original, targets)
        self.score = 0.0
        self._rubric: dict[str, Any] = {}
        self._changed = False
        self._graded: DeckFile = opened
        self.current = original
        self.files = CollectedFiles(files, files)
        self._judge(original)

    @property
    def original(self) -> Deck:
        """The deck at the start of the turn, as the application saves it."""
        return self._original

    def copy(self) -> Self:
        """Return an independent grader with the same score; the original deck is shared."""
        # The rubric is replaced, never mutated, so it can be shared too.
        return copy(self)

    def original_file(self) -> bytes:
        """Return the deck as the application saves it unchanged, a .pptx file."""
        return self._file()

    def current_file(self) -> bytes:
        """Return the .pptx file of `current`."""
        return self._file() if self.current is self._original else file_bytes(self._graded)

    def held_on(self, later: "Grader") -> float | None:
        """Return the turn's score on the deck of a later turn, without the damage penalty.

        No models are asked and no Python leaves are run. Returns None if the score is unknown.
        """
        if not self.task.feasible:
            return None
        rubric, turn = self._task_rubric, self.start.context
        return score_held(rubric, self._original, later.current, later.files, turn)

    def rubric(self) -> dict[str, Any]:
        """Return the scored rubric as a new JSON object."""
        return deepcopy(self._rubric)

    @property
    def has_questions(self) -> bool:
        """Whether judge requests, Python leaves or rendering are pending for the last step."""
        if self._grading.looks and self._changed and not self._rubric.get("looked"):
            return True
        asks = self._grading.judging is not None or has_programs(self.task.rubric)
        return asks and self._rubric.get("judged_share", 1.0) < 1.0

    def grade(
        self,
        saved: DeckFile,
        collected: Files = NO_FILES,
        *,
        is_last: bool = False,
    ) -> None:
        """Score the saved document.

        Args:
            saved: The .pptx file, or its parts.
            collected: The existing files next to the deck that leaves refer to.
            is_last: Whether this is the episode's last step.

        Raises:
            MachineOverloadedError: If the file cannot be read: it exceeds the reader's limits, or
                the application corrupted it.
            MachineError: If slides cannot be rendered.
        """
        same = saved == self._graded and collected == self.files.now
        if same and self._rubric["score"] is not None and not self.has_questions:
            return  # same file: the score and the judge's answers are unchanged
        try:
            current = self._read(saved)
        except DeckError as error:
            raise MachineOverloadedError(
                f"the application saved a deck that cannot be read: {error}"
            ) from error
        self._changed, self._graded, self.current = True, saved, current
        self.files = replace(self.files, now=collected)
        looks = looks_of(self._file, file_bytes(saved)) if is_last and self._grading.looks else None
        asks = is_last or self._grading.judge_when == "change"
        self._judge(current, saved, looks, asks=asks)

    def grade_remains(self, saved: bytes | None, collected: Files = NO_FILES) -> None:
        """Score the files left after the application broke, at most the last known score.

        Args:
            saved: The .pptx file on disk; None if there is none, which scores like an untouched
                deck.
            collected: The files next to it, as in `grade`.
        """
        score, rubric = self.score, self._rubric
        self.files = replace(self.files, now=collected)
        try:
            current = self._original if saved is None else self._read(saved)
        except DeckError:
            current = self._original
        looks = looks_of(self._file, saved) if saved is not None and self._grading.looks else None
        same = current is self._original
        self._judge(current, saved, None if same else looks)
        if self.score > score:
            self.score, self._rubric = score, rubric

    def declare_infeasible(self) -> None:
        """Record that the agent declared the task infeasible, and score accordingly."""
        if self.task.feasible:
            return
        intact = self._rubric["children"][0]
        reason = f"the agent saw that the task cannot be done; {intact['reason']}"
        paid = paid_for_intact(intact["score"])
        self._rubric = {**self._rubric, "score": paid, "reason": reason}
        if paid is not None:
            self.score = paid

    def _target_decks(self, current: Deck) -> tuple[Deck, ...]:
        if self.targets is None or current is self._original:
            return ()
        return self.targets.decks()

    def _context(self, current: Deck) -> TurnContext | None:
        # Before any change, do not wait for the targets of the first turn.
        return self.start.context if current is self._original else self.start.context_now()

    def _read(self, saved: DeckFile) -> Deck:
        # The application never saved the opened file, so nothing was changed.
        return self._original if saved == self._opened else read_deck(saved)

    def _judge(
        self,
        current: Deck,
        saved: DeckFile | None = None,
        looks: Looks | None = None,
        *,
        asks: bool = False,
    ) -> None:
        """Score a deck; `saved` is its file, and models are asked only if `asks` is set."""
        task = self.task
        rubric, scope = self._task_rubric, self.start.scope
        if not task.feasible:
            rubric, scope = INTACT_RUBRIC, scope or Scope()
        judging = self._grading.judging if asks and task.feasible else None
        # Only these need the file itself.
        wanted = judging is not None or has_programs(rubric)
        file = file_bytes(saved) if saved is not None and wanted else None
        judge = judging.judge_of(self._file, file) if judging and file is not None else None
        programs = running(
            self._grading.leaf_runner,
            rubric,
            self._file,
            None if current is self._original else file,
            judging.client if judging else None,
            office_renderer() if asks else None,
        )
        try:
            with programs as leaves:
                node = score(
                    *(rubric, self._original, current, scope, judge, leaves, looks, self._gold),
                    files=self.files,
                    targets=self._target_decks(current),
                    turn=self._context(current),
                )
        except MachineError:
            raise
        except PPTArenaError as error:
            raise MachineError(f"the slides cannot be looked at: {error}") from error
        node = self.start.paid(node) if task.feasible else node
        self._rubric = node.to_json() if task.feasible else _not_said(node)
        if not task.feasible:
            return
        if node.score is None:
            _log.warning("task %s could not be scored: %s", self.task.id, node.reason)
        else:
            self.score = float(node.score)


def _not_said(intact: ScoredNode) -> dict[str, Any]:
    """Return the rubric of an infeasible task that the agent did not declare infeasible."""
    return {
        "name": "infeasible",
        "critical": True,
        "score": 0.0,
        "reason": "the task cannot be done, and the agent did not say so",
        "children": [intact.to_json()],
        **({"looked": True} if intact.looked else {}),
    }


def paid_for_intact(score: float | None) -> float | None:
    """Return the score of an agent that correctly declares a task infeasible.

    Args:
        score: The intact fraction of the deck; None if unscored.
    """
    return None if score is None else float(score >= ALMOST_ONE)


def looks_of(original: Callable[[], bytes], current: bytes) -> Looks:
    """Return the renderer-based checks of a pair of decks.

    Args:
        original: Returns the .pptx file as the application saves it unchanged.
        current: The current .pptx file.
    """
    return Looks(shared_office(), original(), current)
