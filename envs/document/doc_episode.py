"""One episode of one task on one document."""

import json
import time
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

from pptarena.decks import read_deck
from pptarena.decks.outline import slide_list
from pptarena.decks.package.files import DeckFile, file_bytes
from pptarena.envs.document.call import as_call
from pptarena.envs.document.document import Document, Step
from pptarena.envs.document.observation import View, outline_text
from pptarena.envs.document.saver import Saver
from pptarena.envs.document.slide_images import SlideImages, SlideImagesState, SlideView
from pptarena.envs.document.tool import Tool
from pptarena.envs.document.toolbox import ASK
from pptarena.envs.graded_episode import ERRORS, GradedEpisode
from pptarena.envs.grading import Grading
from pptarena.envs.programs.programs import Programs
from pptarena.envs.turn_grader import TurnGrader
from pptarena.errors import ActionError, ConfigError, DeckError, MachineOverloadedError
from pptarena.suggestions import not_found
from pptarena.tasks import Task

__all__ = ["DocEpisode", "DocEpisodeState"]

_FACTS_MAX = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class DocEpisodeState:
    """The complete state of an episode at one moment.

    Attributes:
        task: The task.
        file: The file that the document was opened from.
        calls: The calls applied to the file so far.
        grader: Snapshot of the grader; read-only.
        steps: Number of steps taken.
        result: Result of the last call.
        revision: Number of changes of the document.
        scored_revision: The revision that was scored.
        images: The last slide images.
    """

    task: Task
    file: bytes
    calls: tuple[Step, ...]
    grader: TurnGrader
    steps: int
    result: str
    revision: int
    scored_revision: int
    images: SlideImagesState


class DocEpisode(GradedEpisode):
    """Executes calls and tracks the last result and the score.

    Attributes:
        result: Result of the last call.
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
        super().__init__(task, _no_timing())
        self.result = ""
        self._command: dict[str, Any] = {}
        self._document = document
        self._tools = tools
        self._saver = saver
        self._view = view
        self._slides = slides
        self._revision = self._scored_revision = 0

    @classmethod
    def begin(
        cls,
        task: Task,
        grading: Grading,
        tools: Mapping[str, Tool],
        saver: Saver,
        programs: Programs,
        view: View,
        images: SlideImages | None,
    ) -> Self:
        """Open the task's deck and score it.

        Raises:
            ConfigError: If the rubric has leaves about files next to the deck.
            DeckError: If the deck cannot be read.
            MachineError: If the application that saves fails.
        """
        if task.collected:
            raise ConfigError(
                f"{task.id} requires {', '.join(task.collected)} next to the deck, which the "
                "document environment cannot create; use PPTArena-v0 for this task"
            )
        deck = task.deck_bytes()
        document = Document(deck, programs, files=task.files_bytes())
        episode = cls(task, document, tools, saver, view, SlideView(images, task.deck_bytes))
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
        programs: Programs,
        view: View,
        images: SlideImages | None,
    ) -> Self:
        """Continue from a saved state."""
        document = Document(state.file, programs, state.calls, state.task.files_bytes())
        slides = SlideView(images, state.task.deck_bytes, state.images)
        episode = cls(state.task, document, tools, saver, view, slides)
        episode._grader = state.grader.copy()
        episode.steps, episode.result = state.steps, state.result
        episode._revision, episode._scored_revision = state.revision, state.scored_revision
        slides.render_if_resized(episode._document, episode._revision)
        return episode

    def state(self) -> DocEpisodeState:
        """Return a snapshot of the state."""
        file, calls = self._document.snapshot()
        return DocEpisodeState(
            task=self.task,
            file=file,
            calls=calls,
            grader=self._grader.copy(),
            steps=self.steps,
            result=self.result,
            revision=self._revision,
            scored_revision=self._scored_revision,
            images=self._slides.current,
        )

    def act(self, action: object) -> str:
        """Execute one call.

        Returns:
            The name of the tool.

        Raises:
            ActionError: If the call is invalid; nothing was changed, but the step counts.
            MachineError: If the program sandbox cannot be started.
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

    @property
    def question(self) -> str:
        """The question of the last call, which was ``ask``."""
        return str(self._command["arguments"]["question"])

    def record_answer(self, answer: str) -> None:
        """Record the answer to the question of the last call."""
        self.result = answer

    @property
    def _has_changed(self) -> bool:
        return self._revision != self._scored_revision

    def grade_after_failure(self) -> None:
        """Score 0, since the document can no longer be read."""
        self._timed("score", lambda: self._grader.grade_after_failure(None))

    def prepare_observation(self) -> None:
        """Render the slides that the observation shows, if any.

        Raises:
            MachineError: If slides cannot be rendered.
        """
        slide_id = self._command.get("arguments", {}).get("slide")
        self._timed("draw", lambda: self._slides.render(self._document, self._revision, slide_id))

    def to_bytes(self) -> bytes:
        """Return the document as a .pptx file."""
        return self._document.to_bytes()

    def outline(self) -> str:
        """Return the outline of the deck, with the ids of slides and shapes."""
        return outline_text(self._document)

    def observation(self) -> dict[str, Any]:
        """Return the last observation."""
        text = self._view.observation(self.instruction, self._document, self.result)
        return text | self._slides.observation()

    def info(self, *, facts: bool) -> dict[str, Any]:
        """Return a new ``info`` dict; only the immutable facts are shared.

        Args:
            facts: Whether to include the facts of all slides.
        """
        slide_facts = {"facts": self._facts()} if facts else {}
        return {
            "task_id": self.task.id,
            "instruction": self.instruction,
            "wording": self.task.wording,
            "may_ask": ASK in self._tools,
            "dialogue": [turn.to_json() for turn in self.task.dialogue],
            "score": self.score,
            "rubric": self._grader.rubric(),
            "result": self.result,
            "document": {"revision": self._revision, "slides": len(self._document.slide_ids())},
            "timing": dict(self.timing),
            "command": deepcopy(self._command),
            **dict.fromkeys(ERRORS),
            **self.errors,
            **slide_facts,
            **self._slides.info(),
        }

    def _run(self, tool: Tool, values: dict[str, Any]) -> str:
        if not tool.changes:
            try:
                return tool.run(self._document, values)
            except DeckError as error:
                raise ActionError(f"the deck cannot be read: {error}") from error
        result = self._document.apply(lambda document: tool.run(document, values))
        self._revision += 1
        return result

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


def _no_timing() -> dict[str, float]:
    return dict.fromkeys(("call", "save", "score", "draw", "total"), 0.0)
