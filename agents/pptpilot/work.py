"""What the parts of PPTPilot pass on to each other, and what each part is."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, TypeVar

from numpy.typing import NDArray
from pydantic import BaseModel

from pptarena.agents.model.observing import Picture
from pptarena.agents.model.service import Turn
from pptarena.agents.model.slide_sheet import pictures_of
from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError

__all__ = [
    "Asker",
    "Calls",
    "Checker",
    "Edit",
    "Editor",
    "Plan",
    "Planner",
    "Playing",
    "Route",
    "Router",
    "Said",
    "Seen",
    "Verdict",
    "Work",
]

Route = Literal["program", "xml"]
"""How an edit is carried out."""

_T = TypeVar("_T")
_Form = TypeVar("_Form", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a plan, or what a judge wants mended.

    Attributes:
        what: In words.
        kind: One of `pptarena.tasks.task.EDIT_TYPES`; empty if nobody said.
        slides: Ids of the slides it is about, as far as that is known.
    """

    what: str
    kind: str = ""
    slides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done.

    Attributes:
        edits: In this order.
        impossible: Why the task cannot be carried out; empty if it can.
    """

    edits: tuple[Edit, ...]
    impossible: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judges say of the deck as it stands.

    Attributes:
        problems: What is to be mended; none if the deck is as it should be.
        scores: From 0 to 5, by what was judged.
    """

    problems: tuple[Edit, ...]
    scores: Mapping[str, int] = field(default_factory=dict)


class Seen:
    """What the environment showed after a call.

    Attributes:
        outline: The deck in short.
        result: What the call said.
        problem: Why it was refused; empty if it was not.
        instruction: What is asked for now.
        revision: How often the deck was changed.
        changed: Ids of the slides that look otherwise since, where slides are shown.
        pictures: Of the slides shown, by their ids.
    """

    def __init__(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        self.outline = str(observation["outline"])
        self.result = str(observation["result"])
        self.problem = str(info["action_error"] or "")
        self.instruction = str(info["instruction"])
        self.revision = int(info["document"]["revision"])
        self.changed: tuple[int, ...] = tuple(info.get("slides", {}).get("changed", ()))
        self.pictures: dict[int, NDArray[Any]] = {
            int(name.rpartition(" ")[2]): pixels for name, pixels in pictures_of(observation)
        }

    @cached_property
    def blocks(self) -> dict[int, str]:
        """The outline of each slide by its id."""
        return dict(_blocks(self.outline))


class Work:
    """One turn of a task: what is known before the first edit, and now.

    Attributes:
        instruction: What is asked for.
        begun: What was seen before the first edit.
        now: What was seen last.
        facts_before: What was read of slides before the first edit, by their ids.
        facts: What was read of slides last.
        pictures_before: Of slides, as far as they were seen before the first edit.
        pictures: As they were seen last.
        said: What the calls of the last round said.
    """

    def __init__(self, seen: Seen) -> None:
        self.instruction = seen.instruction
        self.begun = self.now = seen
        self.facts_before: dict[int, str] = {}
        self.facts: dict[int, str] = {}
        self.pictures_before = dict(seen.pictures)
        self.pictures = dict(seen.pictures)
        self.said: list[str] = []
        self._looks_changed: dict[int, None] = {}

    def see(self, seen: Seen) -> None:
        """Go on from what was seen."""
        if seen.revision == self.begun.revision:
            for slide, pixels in seen.pictures.items():
                self.pictures_before.setdefault(slide, pixels)
        if seen.revision != self.now.revision:
            self.facts.clear()
        for slide in seen.changed:
            self._looks_changed[slide] = None
            self.pictures.pop(slide, None)
        self.pictures |= seen.pictures
        self.now = seen

    @property
    def touched(self) -> tuple[int, ...]:
        """Ids of the slides that are otherwise than before the first edit, or new."""
        before, now = self.begun.blocks, self.now.blocks
        words = [each for each in now if now[each] != before.get(each)]
        return tuple(each for each in dict.fromkeys((*words, *self._looks_changed)) if each in now)


@dataclass(frozen=True, slots=True)
class Said:
    """An answer of the model.

    Attributes:
        calls: What it wants called.
        turn: Question and answer, to be sent along with the next question.
    """

    calls: Sequence[ToolCall]
    turn: Turn


class Asker(Protocol):
    """Asks the model; PPTPilot does, and counts, notes and bounds what it takes."""

    def fill(
        self, role: str, system: str, words: str, form: type[_Form], picture: Picture | None = None
    ) -> _Form:
        """Return an answer of a form; one that does not fit is told and asked for again.

        Raises:
            AgentError: If too many answers in a row did not fit.
            EndpointError: If the service does not answer.
        """
        ...

    def call(
        self,
        role: str,
        system: str,
        earlier: Sequence[Turn],
        words: str,
        tools: Sequence[Mapping[str, Any]],
        picture: Picture | None = None,
    ) -> Said | ActionError:
        """Return the calls of an answer, or the error of one that means none.

        Raises:
            AgentError: If too many answers in a row meant none.
            EndpointError: If the service does not answer.
        """
        ...

    def outline(self, seen: Seen) -> str:
        """Return the outline, as long as the settings allow."""
        ...


Calls = ToolCall | ActionError
Playing = Generator[Calls, Seen, _T]
"""Yields calls, is sent what was seen after each, and returns what came of it."""


class Planner(Protocol):
    """Says what is to be done."""

    def plan(self, ask: Asker, work: Work) -> Plan:
        """Return the edits that carry out the instruction."""
        ...


class Router(Protocol):
    """Says how an edit is carried out."""

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the way of one edit."""
        ...


class Editor(Protocol):
    """Carries edits out."""

    def edit(self, ask: Asker, work: Work, edits: Sequence[Edit], route: Route) -> Playing[str]:
        """Change the deck by calls; return ``"fail"`` if the task cannot be carried out."""
        ...


class Checker(Protocol):
    """Judges the deck as it stands."""

    def check(self, ask: Asker, work: Work) -> Verdict:
        """Return what is left to be mended."""
        ...


def _blocks(outline: str) -> Iterator[tuple[int, str]]:
    block: list[str] = []
    slide = 0
    for line in (*outline.split("\n"), "slide 0, id 0, "):
        head, _, rest = line.partition(", id ")
        number = rest.partition(",")[0]
        if head.startswith("slide ") and number.isdigit():
            if slide:
                yield slide, "\n".join(block)
            # Its position is no matter: all others move when one goes.
            slide, block = int(number), [rest]
        else:
            block.append(line)
