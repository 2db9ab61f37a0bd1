"""The running score of one turn of an episode."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

from pptarena.decks.package.files import DeckFile, file_bytes
from pptarena.envs.baseline import Baseline, BaselineStore
from pptarena.envs.image_office import save_in_image
from pptarena.envs.judging import Judging, office_renderer
from pptarena.envs.machines.base import NO_FILES, Files
from pptarena.envs.programs.runner import PythonLeaves
from pptarena.envs.targets import TurnTargets
from pptarena.envs.turn_start import begin_turn
from pptarena.errors import (
    DeckError,
    MachineError,
    MachineOverloadedError,
    PPTArenaError,
    TaskError,
)
from pptarena.rewards import Deck, Rubric, Scope, ScoredNode, read_deck, score
from pptarena.rewards.context import CollectedFiles, TurnContext
from pptarena.rewards.judges.protocol import LeafRunner
from pptarena.rewards.scope.scope import ScopePart
from pptarena.rewards.scored_tree import ALMOST_ONE
from pptarena.tasks import Task
from pptarena.tasks.scorer import Scorer, Services, has_programs
from pptarena.tasks.task import INTACT_RUBRIC
from pptarena.vm_images.office import shared_office

__all__ = ["Grader", "GraderSettings", "infeasible_score", "score_without_damage"]

_log = logging.getLogger(__name__)

_UNRESTRICTED = Scope(
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
        renders: Whether slides are rendered at an episode's last step.
        leaf_runner: Creates the runner of Python leaves; arguments are those of `PythonLeaves`.
        office: Whether an office application saves the decks.
        strategy: Strategy that replaces those of rubrics; empty for their own.
        penalty: Lambda that replaces that of rubrics; None for their own.
    """

    baselines: BaselineStore
    judging: Judging | None = None
    judge_when: str = "end"
    renders: bool = False
    leaf_runner: Callable[..., AbstractContextManager[LeafRunner]] = PythonLeaves
    office: bool = False
    strategy: str = ""
    penalty: float | None = None


def score_without_damage(
    rubric: Rubric,
    original: Deck,
    deck: Deck,
    files: CollectedFiles | None = None,
    turn: TurnContext | None = None,
) -> float | None:
    """Return the score of a deck without the scope's damage penalty; None if unscored."""
    return score(rubric, original, deck, _UNRESTRICTED, files=files, turn=turn).score


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
        targets: The targets of the turn.
        start: The state at the start of the turn.
    """

    def __init__(
        self,
        task: Task,
        opened: bytes,
        original: Baseline,
        grading: GraderSettings,
        files: Files,
        targets: TurnTargets,
    ) -> None:
        self.task = task
        # The task itself keeps its rubric: a task with another one has no targets.
        self._task_rubric = task.rubric.with_strategy(grading.strategy, grading.penalty)
        self._opened_file = opened
        self._original = original.deck
        self._grading = grading
        self.targets = targets
        self.start = begin_turn(task, original.deck, targets)
        scope = self.start.scope
        self._scorer = Scorer(
            task,
            Services(save=save_in_image if grading.office else None),
            original=original.file,
            facts=original.deck,
            rubric=self._task_rubric if task.feasible else INTACT_RUBRIC,
            scope=scope if task.feasible else scope or Scope(),
            targets=targets.decks,
        )
        self.score = 0.0
        self._rubric: dict[str, Any] = {}
        self._changed = False
        self._graded_file: DeckFile = opened
        self.current = original.deck
        self.files = CollectedFiles(files, files)
        self._score_deck(self.current, original.file)

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
        return self._scorer.original_file

    def current_file(self) -> bytes:
        """Return the .pptx file of `current`."""
        is_original = self.current is self._original
        return self._scorer.original_file if is_original else file_bytes(self._graded_file)

    def retained_score(self, later: "Grader") -> float | None:
        """Return the turn's score on the deck of a later turn, without the damage penalty.

        No models are asked and no Python leaves are run. Returns None if the score is unknown.
        """
        if not self.task.feasible:
            return None
        rubric, turn = self._task_rubric, self.start.context
        return score_without_damage(rubric, self._original, later.current, later.files, turn)

    def rubric(self) -> dict[str, Any]:
        """Return the scored rubric as a new JSON object."""
        return deepcopy(self._rubric)

    @property
    def has_pending_checks(self) -> bool:
        """Whether judge requests, Python leaves or rendering are pending for the last step."""
        if self._grading.renders and self._changed and not self._rubric.get("looked"):
            return True
        can_ask = self._grading.judging is not None or has_programs(self.task.rubric)
        return can_ask and self._rubric.get("judged_share", 1.0) < 1.0

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
        is_unchanged = saved == self._graded_file and collected == self.files.now
        if is_unchanged and self._rubric["score"] is not None and not self.has_pending_checks:
            return  # same file: the score and the judge's answers are unchanged
        try:
            current = self._read(saved)
        except DeckError as error:
            raise MachineOverloadedError(
                f"the application saved a deck that cannot be read: {error}"
            ) from error
        self._changed, self._graded_file, self.current = True, saved, current
        self.files = replace(self.files, now=collected)
        ask = is_last or self._grading.judge_when == "change"
        self._score_deck(current, saved, render=is_last, ask=ask)

    def grade_after_failure(self, saved: bytes | None, collected: Files = NO_FILES) -> None:
        """Score the files left after the application broke, at most the last known score.

        Args:
            saved: The .pptx file on disk; None if there is none, which scores like an untouched
                deck.
            collected: The files next to it, as in `grade`.
        """
        previous_score, previous_rubric = self.score, self._rubric
        self.files = replace(self.files, now=collected)
        try:
            current = self._original if saved is None else self._read(saved)
        except DeckError:
            current = self._original
        file = self._scorer.original_file if saved is None else saved
        self._score_deck(current, file, render=current is not self._original)
        if self.score > previous_score:
            self.score, self._rubric = previous_score, previous_rubric

    def declare_infeasible(self) -> None:
        """Record that the agent declared the task infeasible, and score accordingly."""
        if self.task.feasible:
            return
        intact = self._rubric["children"][0]
        reason = f"the agent recognized that the task cannot be done; {intact['reason']}"
        score = infeasible_score(intact["score"])
        self._rubric = {**self._rubric, "score": score, "reason": reason}
        if score is not None:
            self.score = score

    def _context(self, current: Deck) -> TurnContext | None:
        # Before any change, do not wait for the targets of the first turn.
        return self.start.context if current is self._original else self.start.wait_for_context()

    def _read(self, saved: DeckFile) -> Deck:
        # The application never saved the opened file, so nothing was changed.
        return self._original if saved == self._opened_file else read_deck(saved)

    def _score_deck(
        self, current: Deck, file: DeckFile, *, render: bool = False, ask: bool = False
    ) -> None:
        """Score a deck; slides are rendered and models asked only if the flags are set."""
        task, grading = self.task, self._grading
        judging = grading.judging if ask and task.feasible else None
        services = Services(
            renderer=shared_office() if render and grading.renders else None,
            judge=judging.judge if judging else None,
            programs=partial(
                grading.leaf_runner,
                model=judging.client if judging else None,
                renderer=office_renderer() if ask else None,
            ),
        )
        context = self._context(current)
        try:
            node = self._scorer.score(
                file, deck=current, services=services, files=self.files, turn=context
            )
        except (MachineError, TaskError):
            raise
        except PPTArenaError as error:
            raise MachineError(f"the slides cannot be rendered: {error}") from error
        node = self.start.without_unearned(node) if task.feasible else node
        self._rubric = node.to_json() if task.feasible else _undeclared_rubric(node)
        if not task.feasible:
            return
        if node.score is None:
            _log.warning("task %s could not be scored: %s", self.task.id, node.reason)
        else:
            self.score = float(node.score)


def _undeclared_rubric(intact: ScoredNode) -> dict[str, Any]:
    """Return the rubric of an infeasible task that the agent did not declare infeasible."""
    return {
        "name": "infeasible",
        "critical": True,
        "score": 0.0,
        "reason": "the task cannot be done, and the agent did not declare it infeasible",
        "children": [intact.to_json()],
        **({"looked": True} if intact.looked else {}),
    }


def infeasible_score(score: float | None) -> float | None:
    """Return the score of an agent that correctly declares a task infeasible.

    Args:
        score: The intact fraction of the deck; None if unscored.
    """
    return None if score is None else float(score >= ALMOST_ONE)
