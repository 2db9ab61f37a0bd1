"""One attempt at one task on one machine."""

import dataclasses
import time
from collections.abc import Mapping
from typing import Any, Self

from pptarena.envs.action import Action
from pptarena.envs.action_space import from_space
from pptarena.envs.decoding import decode
from pptarena.envs.elements import COLUMNS, ElementTable, a11y_json, find_elements
from pptarena.envs.grading import Grader, Grading
from pptarena.envs.machines.base import Machine, Observed
from pptarena.envs.observations import make_observation
from pptarena.errors import ActionError
from pptarena.tasks import Task

__all__ = ["Episode", "EpisodeState"]

_MACHINE_PARTS = ("action", "settle", "screenshot", "tree")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class EpisodeState:
    """All of an episode but its machine, at one moment.

    Attributes:
        task: The task.
        grader: The score and where it came from; nobody grades with this one.
        elements: The elements of the last observation.
        observation_id: The number of it.
        steps: Steps taken.
        scored_revision: The revision of the document that was scored.
    """

    task: Task
    grader: Grader
    elements: ElementTable
    observation_id: int
    steps: int
    scored_revision: int


class Episode:
    """Carries actions out, keeps what was seen last and the score.

    Use `begin` or `resume` to make one.

    Attributes:
        task: The task.
        observed: What the machine showed last.
        elements: The elements of it.
        observation_id: Its number.
        newest_id: The largest number of an observation so far.
        steps: Steps taken so far, those with an action error included.
        timing: Seconds by part of the last step, and as text what ended the settling.
        errors: The ``infra_error`` and ``action_error`` of the last step, None for none.
    """

    def __init__(self, machine: Machine, task: Task, observed: Observed, newest_id: int) -> None:
        self._machine = machine
        self.task = task
        self.newest_id = newest_id
        self.observation_id: int
        self.steps = 0
        self.observed: Observed
        self.elements: ElementTable
        self.timing = _no_timing()
        self.errors: dict[str, str | None] = {"infra_error": None, "action_error": None}
        self._grader: Grader
        self._see(observed)
        self._scored_revision = observed.document.revision

    @classmethod
    def begin(cls, machine: Machine, task: Task, grading: Grading, newest_id: int) -> Self:
        """Load the task's deck and score it.

        Args:
            machine: Where it happens; it is started if need be.
            task: What is to be done.
            grading: How it is scored.
            newest_id: The largest number of an observation so far.

        Raises:
            DeckError: If the application cannot open the task's deck.
            MachineError: If the machine does not come up.
        """
        deck = task.deck_bytes()
        episode = cls(machine, task, machine.load(deck, f"{task.deck}.pptx"), newest_id)
        started = time.perf_counter()
        episode._grader = grading.grader(task, deck, machine.application_version, episode._save)
        episode.timing["score"] = time.perf_counter() - started - episode.timing["save"]
        return episode

    @classmethod
    def resume(
        cls,
        machine: Machine,
        state: EpisodeState,
        observed: Observed,
        newest_id: int,
        *,
        known: bool,
    ) -> Self:
        """Go on from a kept state.

        Args:
            machine: A machine in the state that belongs to it.
            state: The state, as `state` returned it.
            observed: What the machine shows now.
            newest_id: The largest number of an observation so far.
            known: Whether the state's number of the observation means the same here. Then it is
                used again, unless what can be clicked is not the same.
        """
        episode = cls(machine, state.task, observed, newest_id)
        if known and _same_targets(state.elements, episode.elements):
            episode.observation_id, episode.newest_id = state.observation_id, newest_id
        episode.steps = state.steps
        episode._grader = state.grader.copy()
        episode._scored_revision = state.scored_revision
        return episode

    def state(self) -> EpisodeState:
        """Return the state; what happens in the episode later does not change it."""
        return EpisodeState(
            task=self.task,
            grader=self._grader.copy(),
            elements=self.elements,
            observation_id=self.observation_id,
            steps=self.steps,
            scored_revision=self._scored_revision,
        )

    @property
    def score(self) -> float:
        """The last known score, in [0, 1]."""
        return self._grader.score

    def act(self, action: Action | Mapping[str, Any]) -> str:
        """Carry one action out and observe.

        Returns:
            The kind of the action.

        Raises:
            ActionError: If it cannot be carried out; nothing was done, the step counts.
            MachineError: If the machine failed.
        """
        self.steps += 1
        self.timing = _no_timing()
        action = action if isinstance(action, Action) else from_space(action)
        if action.observation_id not in (0, self.observation_id):
            raise ActionError(
                f"stale: the action was chosen on observation {action.observation_id}, "
                f"the last one is {self.observation_id}"
            )
        height, width = self.observed.screenshot.shape[:2]
        command = decode(action, self.elements, width, height)
        self._see(self._machine.perform(command))
        return action.kind

    def grade(self) -> None:
        """Score the document if it changed and no text edit is open.

        Raises:
            MachineError: If the machine failed, or saved a deck that cannot be read.
        """
        document = self.observed.document
        if document.open and not document.editing and document.revision != self._scored_revision:
            self._grade(commit_edit=False, is_last=False)

    def grade_finally(self, *, infeasible: bool) -> None:
        """Score the document for good; an open text edit is ended first, so that it counts.

        Args:
            infeasible: Whether the agent said that the task cannot be done.

        Raises:
            MachineError: If the machine failed, or saved a deck that cannot be read.
        """
        document = self.observed.document
        changed = document.editing or document.revision != self._scored_revision
        pending = changed or self._grader.has_questions
        if document.open and pending:  # a document that was closed keeps its last known score
            self._grade(commit_edit=document.editing, is_last=True)
        if infeasible:
            self._grader.declare_infeasible()

    def observation(self) -> dict[str, Any]:
        """Return the last observation, in memory of its own."""
        return make_observation(self.observed.screenshot, self.elements, self.task.instruction)

    def info(self) -> dict[str, Any]:
        """Return ``info``, in memory of its own."""
        return {
            "task_id": self.task.id,
            "instruction": self.task.instruction,
            "score": self.score,
            "rubric": self._grader.rubric(),
            "a11y": a11y_json(self.observed.tree, self.elements),
            "observation_id": self.observation_id,
            "window_titles": list(self.observed.window_titles),
            "clipboard": self.observed.clipboard,
            "document": dataclasses.asdict(self.observed.document),
            "timing": dict(self.timing),
            **self.errors,
        }

    def _see(self, observed: Observed) -> None:
        height, width = observed.screenshot.shape[:2]
        self.observed = observed
        self.elements = find_elements(observed.tree, width, height)
        self.newest_id += 1
        self.observation_id = self.newest_id
        for part in _MACHINE_PARTS:
            self.timing[part] = float(observed.timing.get(part, 0.0))
        self.timing["settled_by"] = str(observed.timing.get("settled_by", ""))

    def _grade(self, *, commit_edit: bool, is_last: bool) -> None:
        saved = self._save(commit_edit=commit_edit)
        started = time.perf_counter()
        self._grader.grade(saved, is_last=is_last)
        self._scored_revision = self.observed.document.revision
        self.timing["score"] += time.perf_counter() - started

    def _save(self, *, commit_edit: bool = False) -> bytes:
        started = time.perf_counter()
        try:
            return self._machine.save(commit_edit=commit_edit)
        finally:
            self.timing["save"] += time.perf_counter() - started


def _no_timing() -> dict[str, Any]:
    parts = (*_MACHINE_PARTS, "save", "score", "total")
    return {**dict.fromkeys(parts, 0.0), "settled_by": "nothing was done"}


def _same_targets(before: ElementTable, after: ElementTable) -> bool:
    """Whether every element number stands for a thing of the same role at the same place."""
    role = COLUMNS.index("role")
    return before.boxes == after.boxes and bool(
        (before.features[:, role] == after.features[:, role]).all()
    )
