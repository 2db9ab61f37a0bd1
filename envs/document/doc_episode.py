"""One attempt at one task on one document."""

import json
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from pptarena.decks import read_deck
from pptarena.decks.outline import slide_list
from pptarena.decks.package.parts import DeckFile, file_bytes
from pptarena.envs.document.call import as_call
from pptarena.envs.document.document import Document, Step
from pptarena.envs.document.jail import Jail
from pptarena.envs.document.observation import View, outline_text
from pptarena.envs.document.saver import Saver
from pptarena.envs.document.slide_pictures import Shown, SlidePictures, SlideView
from pptarena.envs.document.tool import Tool
from pptarena.envs.grading import Grading
from pptarena.envs.turn_grader import TurnGrader
from pptarena.errors import ActionError, ConfigError, DeckError, MachineOverloadedError
from pptarena.suggestions import not_found
from pptarena.tasks import Task

__all__ = ["DocEpisode", "DocEpisodeState"]

_ERRORS = ("infra_error", "action_error", "overload")
_FACTS_MAX = 4_000_000
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, eq=False)
class DocEpisodeState:
    """All of an episode at one moment.

    Attributes:
        task: The task.
        file: The file that the document was opened from.
        since: The calls carried out on it since.
        grader: The score and where it came from; nobody grades with this one.
        steps: Steps taken.
        result: What the last call said.
        revision: How often the document was changed.
        scored_revision: The revision that was scored.
        shown: What was shown of the slides.
    """

    task: Task
    file: bytes
    since: tuple[Step, ...]
    grader: TurnGrader
    steps: int
    result: str
    revision: int
    scored_revision: int
    shown: Shown


class DocEpisode:
    """Carries calls out, keeps what the last one said and the score.

    Attributes:
        task: The task.
        steps: Steps taken so far, refused ones included.
        result: What the last call said.
        timing: Seconds by part of the last step.
        errors: What went wrong in the last step: ``infra_error``, ``action_error``, ``overload``.
    """

    def __init__(
        self,
        task: Task,
        document: Document,
        tools: Mapping[str, Tool],
        saver: Saver,
        view: View,
        slides: SlideView,
    ) -> None:
        self.task = task
        self.steps = 0
        self.result = ""
        self.timing: dict[str, float] = _no_timing()
        self.errors: Mapping[str, str] = {}
        self._command: dict[str, Any] = {}
        self._document = document
        self._tools = tools
        self._saver = saver
        self._view = view
        self._slides = slides
        self._grader: TurnGrader
        self._revision = self._scored_revision = 0

    @classmethod
    def begin(
        cls,
        task: Task,
        grading: Grading,
        tools: Mapping[str, Tool],
        saver: Saver,
        jail: Jail,
        view: View,
        pictures: SlidePictures | None,
    ) -> Self:
        """Open the task's deck and score it.

        Raises:
            ConfigError: If leaves are about files beside the deck.
            DeckError: If it cannot be read.
            MachineError: If the application that saves fails.
        """
        if task.collected:
            raise ConfigError(
                f"{task.id} asks for {', '.join(task.collected)} beside the deck, and nothing here "
                "makes such files; play it on a machine"
            )
        deck = task.deck_bytes()
        document = Document(deck, jail, files=task.files_bytes())
        episode = cls(task, document, tools, saver, view, SlideView(pictures, task.deck_bytes))
        started = time.perf_counter()
        episode._grader = grading.grader(
            task, deck, saver.version, lambda: file_bytes(episode._save())
        )
        episode.timing["score"] = time.perf_counter() - started - episode.timing["save"]
        return episode

    @classmethod
    def resume(
        cls,
        state: DocEpisodeState,
        tools: Mapping[str, Tool],
        saver: Saver,
        jail: Jail,
        view: View,
        pictures: SlidePictures | None,
    ) -> Self:
        """Go on from a kept state."""
        document = Document(state.file, jail, state.since, state.task.files_bytes())
        slides = SlideView(pictures, state.task.deck_bytes, state.shown)
        episode = cls(state.task, document, tools, saver, view, slides)
        episode._grader = state.grader.copy()
        episode.steps, episode.result = state.steps, state.result
        episode._revision, episode._scored_revision = state.revision, state.scored_revision
        slides.look_again(episode._document, episode._revision)
        return episode

    def state(self) -> DocEpisodeState:
        """Return the state; what happens in the episode later does not change it."""
        file, since = self._document.kept()
        return DocEpisodeState(
            task=self.task,
            file=file,
            since=since,
            grader=self._grader.copy(),
            steps=self.steps,
            result=self.result,
            revision=self._revision,
            scored_revision=self._scored_revision,
            shown=self._slides.shown,
        )

    def turn_decks(self) -> tuple[bytes, ...]:
        """Return the decks that earlier turns have left; see `TurnGrader.ended_files`."""
        return self._grader.ended_files()

    @property
    def score(self) -> float:
        """The last known score, in [0, 1]."""
        return self._grader.score

    @property
    def instruction(self) -> str:
        """What the agent is asked to do in this turn."""
        return self._grader.instruction

    @property
    def is_last_turn(self) -> bool:
        """Whether the episode ends with ``done`` or ``fail``; else the next turn begins."""
        return self._grader.is_last_turn

    def act(self, action: object) -> str:
        """Carry one call out.

        Returns:
            The name of the tool.

        Raises:
            ActionError: If it cannot be carried out; nothing was changed, the step counts.
            MachineError: If no program can be run here.
        """
        self.steps += 1
        self.timing = _no_timing()
        self._command = {}
        try:
            name, arguments = as_call(action)
            tool = self._tools.get(name)
            if tool is None:
                raise ActionError(not_found("tool", name[:80], self._tools))
            values = tool.bind(arguments)
            self._command = {"tool": name, "arguments": json.loads(arguments)}
            self.result = self._timed("call", lambda: self._run(tool, values))
        except ActionError as error:
            self.result, self._command = f"refused: {error}", {}
            raise
        return name

    def grade(self) -> None:
        """Score the document if it changed.

        Raises:
            MachineOverloadedError: If it cannot be saved, or not so that it can be read.
            MachineError: If the application that saves failed.
        """
        if self._revision != self._scored_revision:
            self._grade(is_last=False)

    def grade_finally(self, *, infeasible: bool) -> None:
        """Score the document for good.

        Args:
            infeasible: Whether the agent said that the task cannot be done.

        Raises:
            MachineOverloadedError: If it cannot be saved, or not so that it can be read.
            MachineError: If the application that saves failed.
        """
        changed = self._revision != self._scored_revision
        if changed or self._grader.has_questions:
            self._grade(is_last=True)
        self._grader.end_turn(infeasible=infeasible)

    def next_turn(self, *, infeasible: bool) -> None:
        """Score what the agent says is done, and ask for what comes next; see `grade_finally`."""
        self.grade_finally(infeasible=infeasible)
        self._grader.next_turn()

    def grade_remains(self) -> None:
        """Score what is left of a document that cannot be read any more: nothing."""
        self._timed("score", lambda: self._grader.grade_remains(None))

    def look(self) -> None:
        """Draw the slides that are to be shown, if any are.

        Raises:
            MachineError: If nothing can be drawn here.
        """
        named = self._command.get("arguments", {}).get("slide")
        self._timed("draw", lambda: self._slides.look(self._document, self._revision, named))

    def to_bytes(self) -> bytes:
        """Return the document as a .pptx file."""
        return self._document.to_bytes()

    def outline(self) -> str:
        """Return the deck in short, with the ids of slides and shapes."""
        return outline_text(self._document)

    def observation(self) -> dict[str, Any]:
        """Return the last observation."""
        words = self._view.observation(self.instruction, self._document, self.result)
        return words | self._slides.observation()

    def info(self, *, facts: bool) -> dict[str, Any]:
        """Return ``info``, in memory of its own but for facts, which cannot be changed.

        Args:
            facts: Whether what is on all slides is among it.
        """
        known = {"facts": self._facts()} if facts else {}
        return {
            "task_id": self.task.id,
            "instruction": self.instruction,
            "dialogue": [each.to_json() for each in self.task.dialogue],
            "score": self.score,
            "rubric": self._grader.rubric(),
            "result": self.result,
            "document": {"revision": self._revision, "slides": len(self._document.slide_ids())},
            "timing": dict(self.timing),
            "command": deepcopy(self._command),
            **dict.fromkeys(_ERRORS),
            **self.errors,
            **known,
            **self._slides.info(),
        }

    def _run(self, tool: Tool, values: dict[str, Any]) -> str:
        if not tool.changes:
            try:
                return tool.run(self._document, values)
            except DeckError as error:
                raise ActionError(f"the deck cannot be read: {error}") from error
        said = self._document.do(lambda document: tool.run(document, values))
        self._revision += 1
        return said

    def _facts(self) -> list[dict[str, Any]]:
        try:
            return slide_list(read_deck(self._document.parts()).slides, _FACTS_MAX)
        except DeckError as error:
            return [{"unreadable": str(error)}]

    def _grade(self, *, is_last: bool) -> None:
        try:
            saved = self._save()
        except DeckError as error:
            raise MachineOverloadedError(f"the application refuses the deck: {error}") from error
        self._timed("score", lambda: self._grader.grade(saved, is_last=is_last))
        self._scored_revision = self._revision

    def _save(self) -> DeckFile:
        return self._timed("save", lambda: self._saver.save(self._document.parts()))

    def _timed(self, part: str, work: Callable[[], _Result]) -> _Result:
        started = time.perf_counter()
        try:
            return work()
        finally:
            self.timing[part] += time.perf_counter() - started


def _no_timing() -> dict[str, float]:
    return dict.fromkeys(("call", "save", "score", "draw", "total"), 0.0)
