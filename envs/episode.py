"""One episode of one task on one machine."""

import copy
import dataclasses
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Self

from pptarena.envs.action import Action
from pptarena.envs.action_space import as_action
from pptarena.envs.decoding import decode
from pptarena.envs.elements import COLUMNS, ElementTable, a11y_json, find_elements
from pptarena.envs.graded_episode import ERRORS, GradedEpisode
from pptarena.envs.grading import Grading
from pptarena.envs.machines.base import (
    MACHINE_PARTS,
    NO_FILES,
    Files,
    Machine,
    MachineObservation,
    Tree,
)
from pptarena.envs.observations import make_observation
from pptarena.envs.pixels import PixelTree
from pptarena.envs.resolved_command import resolve_command
from pptarena.envs.scene import set_scene
from pptarena.envs.turn_grader import TurnGrader
from pptarena.errors import ActionError, DeckError, MachineError
from pptarena.rewards import read_deck
from pptarena.tasks import Task

__all__ = ["Episode", "EpisodeState"]

_log = logging.getLogger(__name__)

_HARMLESS_OPS = ("observe", "wait")  # they send nothing to the application


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class EpisodeState:
    """The complete state of an episode without its machine, at one moment.

    Attributes:
        task: The task.
        grader: Snapshot of the grader; read-only.
        elements: The elements of the last observation.
        observation_id: The id of the last observation.
        steps: Number of steps taken.
        command: The command that the last action resolved to.
        scored_revision: The revision of the document that was scored.
        touched: Whether any action could have changed the document.
    """

    task: Task
    grader: TurnGrader
    elements: ElementTable
    observation_id: int
    steps: int
    command: Mapping[str, Any]
    scored_revision: int
    touched: bool


class Episode(GradedEpisode):
    """Executes actions and tracks the last observation and the score.

    Create one with `begin` or `resume`.

    Attributes:
        observed: The last observation of the machine, with the tree that the agent observes.
        elements: The elements of the last observation.
        observation_id: Id of the last observation.
        newest_id: The largest observation id issued so far.
        command: The command that the last action resolved to; empty if there is none or it was
            refused.
    """

    def __init__(
        self,
        machine: Machine,
        task: Task,
        observed: MachineObservation,
        newest_id: int,
        pixel_tree: PixelTree | None = None,
    ) -> None:
        super().__init__(task, _no_timing())
        self._machine = machine
        self._pixel_tree = pixel_tree
        self.newest_id = newest_id
        self.observation_id: int
        self.observed: MachineObservation
        self.elements: ElementTable
        self._numbered_tree: Tree | None = None  # the tree of these elements
        self.command: Mapping[str, Any] = {}
        self._set_observed(observed)
        self._scored_revision = observed.document.revision
        self._touched = False

    @classmethod
    def begin(
        cls,
        machine: Machine,
        task: Task,
        grading: Grading,
        newest_id: int,
        pixel_tree: PixelTree | None = None,
    ) -> Self:
        """Load the task's deck, score it and set the task's scene.

        Args:
            machine: The machine; it is started if necessary.
            task: The task.
            grading: Creates the grader.
            newest_id: The largest observation id issued so far.
            pixel_tree: Detects elements in screenshots; None takes them from the tree alone.

        Raises:
            DeckError: If the application cannot open the task's deck.
            MachineError: If the machine does not start.
            TaskError: If an action of the task's scene is not possible or changes the document.
        """
        deck = task.deck_bytes()
        observed = _load(machine, task, deck)
        episode = cls(machine, task, observed, newest_id, pixel_tree)
        started = time.perf_counter()
        episode._grader = grading.grader(task, deck, machine.application_version, episode._save)
        if episode.timing["save"] > 0:
            # Saving a new deck's baseline leaves traces (LibreOffice has something to undo then).
            # Episodes must not differ depending on the cache.
            observed = _load(machine, task, deck)
        episode._set_observed(set_scene(machine, task, observed))
        # The observations before were never returned.
        episode.newest_id = episode.observation_id = newest_id + 1
        episode._scored_revision = episode.observed.document.revision
        episode.timing["score"] = time.perf_counter() - started - episode.timing["save"]
        return episode

    @classmethod
    def resume(
        cls,
        machine: Machine,
        state: EpisodeState,
        observed: MachineObservation,
        newest_id: int,
        *,
        keep_id: bool,
        pixel_tree: PixelTree | None = None,
    ) -> Self:
        """Continue from a saved state.

        Args:
            machine: A machine in the matching state.
            state: The state, as returned by `state`.
            observed: The machine's current observation.
            newest_id: The largest observation id issued so far.
            keep_id: Whether the state's observation id is valid here. If so, it is kept unless the
                elements differ.
            pixel_tree: As for `begin`.
        """
        episode = cls(machine, state.task, observed, newest_id, pixel_tree)
        if keep_id and _same_targets(state.elements, episode.elements):
            episode.observation_id, episode.newest_id = state.observation_id, newest_id
        episode.steps = state.steps
        episode.command = state.command
        episode._grader = state.grader.copy()
        episode._scored_revision = state.scored_revision
        episode._touched = state.touched
        return episode

    def state(self) -> EpisodeState:
        """Return a snapshot of the state."""
        return EpisodeState(
            task=self.task,
            grader=self._grader.copy(),
            elements=self.elements,
            observation_id=self.observation_id,
            steps=self.steps,
            command=self.command,
            scored_revision=self._scored_revision,
            touched=self._touched,
        )

    def original_deck(self) -> bytes:
        """Return the deck at the start of the turn; see `Grader.original_file`."""
        return self._grader.original_file()

    def act(self, action: Action | Mapping[str, Any]) -> str:
        """Execute one action and observe.

        Returns:
            The kind of the action.

        Raises:
            ActionError: If the action is invalid; nothing was done, but the step counts.
            MachineOverloadedError: If the action broke the application.
            MachineError: If the machine failed.
        """
        self.steps += 1
        self.timing = _no_timing()
        self.command = {}
        action = as_action(action)
        if action.observation_id not in (0, self.observation_id):
            raise ActionError(
                f"stale: the action was chosen on observation {action.observation_id}, "
                f"the last one is {self.observation_id}"
            )
        height, width = self.observed.screenshot.shape[:2]
        command = decode(action, self.elements, width, height)
        self.command = resolve_command(action, command, self.elements, self.observed.tree)
        self._touched |= command.op not in _HARMLESS_OPS
        self._set_observed(self._machine.perform(command))
        return action.kind

    @property
    def question(self) -> str:
        """The question of the last action, which was ``ask``."""
        return str(self.command["text"])

    def record_answer(self, answer: str) -> None:
        """Record the answer to the question of the last action."""
        self.command = {**self.command, "answer": answer}

    @property
    def _has_changed(self) -> bool:
        document = self.observed.document
        return not document.editing and document.revision != self._scored_revision

    @property
    def _may_have_changed(self) -> bool:
        """Whether the document may have changed; the application does not report every change."""
        return self._touched or self.observed.document.revision != self._scored_revision

    def next_turn(self, *, infeasible: bool) -> None:
        """Score the current turn and start the next one; see `GradedEpisode.next_turn`."""
        super().next_turn(infeasible=infeasible)
        self._touched = False

    def grade_after_failure(self) -> None:
        """Score the file on disk, if any, after the application broke.

        The score never exceeds the last known one.
        """
        saved = None
        try:
            saved = self._timed("save", self._machine.saved_file)
        except MachineError as error:
            _log.info("the document could not be recovered: %s", error)
        collected: Files = NO_FILES
        try:
            collected = self._timed("save", self._collect)
        except MachineError as error:
            _log.info("the files next to the document could not be recovered: %s", error)
        self._timed("score", lambda: self._grader.grade_after_failure(saved, collected))

    def observation(self) -> dict[str, Any]:
        """Return the last observation in new arrays."""
        return make_observation(self.observed.screenshot, self.elements, self.instruction)

    def info(self) -> dict[str, Any]:
        """Return a new ``info`` dict."""
        return {
            "task_id": self.task.id,
            "instruction": self.instruction,
            "wording": self.task.wording,
            "score": self.score,
            "rubric": self._grader.rubric(),
            "a11y": a11y_json(self.observed.tree, self.elements),
            "observation_id": self.observation_id,
            "window_titles": list(self.observed.window_titles),
            "clipboard": self.observed.clipboard,
            "document": dataclasses.asdict(self.observed.document),
            "timing": dict(self.timing),
            "command": copy.deepcopy(dict(self.command)),
            **dict.fromkeys(ERRORS),
            **self.errors,
        }

    def _set_observed(self, observed: MachineObservation) -> None:
        height, width = observed.screenshot.shape[:2]
        if self._pixel_tree is not None:
            tree = self._pixel_tree.tree(observed.screenshot, observed.tree)
            observed = dataclasses.replace(observed, tree=tree)
        if observed.tree is not self._numbered_tree:
            self._numbered_tree = observed.tree
            self.elements = find_elements(observed.tree, width, height)
        self.observed = observed
        self.newest_id += 1
        self.observation_id = self.newest_id
        for name in MACHINE_PARTS:
            self.timing[name] = float(observed.timing.get(name, 0.0))
        self.timing["settled_by"] = str(observed.timing.get("settled_by", ""))

    def _grade(self, *, is_last: bool) -> None:
        try:
            saved = self._save(commit_edit=is_last)
        except ActionError:  # not at the last step, which commits the edit
            return  # a text edit was opened after the observation
        collected = self._timed("save", self._collect)
        self._timed("score", lambda: self._grader.grade(saved, collected, is_last=is_last))
        self._scored_revision = self.observed.document.revision

    def _collect(self) -> Files:
        names = self.task.collected
        return self._machine.collect(names) if names else NO_FILES

    def _save(self, *, commit_edit: bool = True) -> bytes:
        return self._timed("save", lambda: self._machine.save(commit_edit=commit_edit))


def _load(machine: Machine, task: Task, deck: bytes) -> MachineObservation:
    """Open a deck; if a readable deck is refused, the machine is at fault, not the deck."""
    try:
        return machine.load(deck, task.file_name, task.files_bytes())
    except DeckError as error:
        with suppress(DeckError):
            read_deck(deck)
            raise MachineError(f"the machine cannot open a valid deck: {error}") from error
        raise


def _no_timing() -> dict[str, Any]:
    parts = (*MACHINE_PARTS, "save", "score", "total")
    return {**dict.fromkeys(parts, 0.0), "settled_by": "nothing was done"}


def _same_targets(before: ElementTable, after: ElementTable) -> bool:
    """Whether every element number refers to the same role at the same position."""
    role = COLUMNS.index("role")
    return before.boxes == after.boxes and bool(
        (before.features[:, role] == after.features[:, role]).all()
    )
