"""Data exchanged by PPTPilot's components, and the interface of each component."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, TypeVar

from numpy.typing import NDArray
from pydantic import BaseModel

from pptarena.agents.model.observer import Picture
from pptarena.agents.model.slide_sheet import slide_pictures
from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError
from pptarena.models import Turn

__all__ = [
    "Asker",
    "CallReply",
    "Calls",
    "Checker",
    "Edit",
    "Editor",
    "Plan",
    "Planner",
    "Response",
    "Route",
    "Router",
    "Steps",
    "Verdict",
    "Work",
]

Route = Literal["program", "xml"]
"""The technique that executes an edit."""

_T = TypeVar("_T")
_Form = TypeVar("_Form", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a plan, or a problem found by a judge.

    Attributes:
        what: Description of the edit.
        kind: One of `pptarena.tasks.task.EDIT_TYPES`; empty if unknown.
        slides: Ids of the slides concerned, if known.
    """

    what: str
    kind: str = ""
    slides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The edits to make.

    Attributes:
        edits: The edits in order.
        impossible: Why the task is infeasible; empty if it is feasible.
    """

    edits: tuple[Edit, ...]
    impossible: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judges' verdict on the current deck.

    Attributes:
        problems: Problems to fix; empty if the deck is correct.
        scores: Scores from 0 to 5 by criterion.
    """

    problems: tuple[Edit, ...]
    scores: Mapping[str, int] = field(default_factory=dict)


class Response:
    """The environment's response to a call.

    Attributes:
        outline: The outline of the deck.
        result: The result of the call.
        problem: Why the call was refused; empty if it was accepted.
        instruction: The current instruction.
        revision: Number of changes of the deck.
        changed: Ids of the slides whose rendering changed, if slides are rendered.
        pictures: Rendered slides by id.
    """

    def __init__(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        self.outline = str(observation["outline"])
        self.result = str(observation["result"])
        self.problem = str(info["action_error"] or "")
        self.instruction = str(info["instruction"])
        self.revision = int(info["document"]["revision"])
        self.changed: tuple[int, ...] = tuple(info.get("slides", {}).get("changed", ()))
        self.pictures: dict[int, NDArray[Any]] = {
            int(name.rpartition(" ")[2]): pixels for name, pixels in slide_pictures(observation)
        }

    @cached_property
    def blocks(self) -> dict[int, str]:
        """The outline of each slide by its id."""
        return dict(_blocks(self.outline))


class Work:
    """A turn of a task, with its state before the first edit and its current state.

    Attributes:
        instruction: The instruction of the turn.
        begun: The response before the first edit.
        now: The last response.
        facts_before: Slide contents read before the first edit, by slide id.
        facts: Slide contents last read.
        pictures_before: Rendered slides before the first edit, if available.
        pictures: The last rendered slides.
        results: Results of the calls of the last round.
    """

    def __init__(self, response: Response) -> None:
        self.instruction = response.instruction
        self.begun = self.now = response
        self.facts_before: dict[int, str] = {}
        self.facts: dict[int, str] = {}
        self.pictures_before = dict(response.pictures)
        self.pictures = dict(response.pictures)
        self.results: list[str] = []
        self._rerendered: dict[int, None] = {}

    def see(self, response: Response) -> None:
        """Update the state with a response."""
        if response.revision == self.begun.revision:
            for slide, pixels in response.pictures.items():
                self.pictures_before.setdefault(slide, pixels)
        if response.revision != self.now.revision:
            self.facts.clear()
        for slide in response.changed:
            self._rerendered[slide] = None
            self.pictures.pop(slide, None)
        self.pictures |= response.pictures
        self.now = response

    @property
    def touched(self) -> tuple[int, ...]:
        """Ids of the slides that are new or changed since before the first edit."""
        before, now = self.begun.blocks, self.now.blocks
        reworded = [slide for slide in now if now[slide] != before.get(slide)]
        return tuple(
            slide for slide in dict.fromkeys((*reworded, *self._rerendered)) if slide in now
        )


@dataclass(frozen=True, slots=True)
class CallReply:
    """A reply of the model.

    Attributes:
        calls: The calls of the reply.
        turn: Request and reply, as part of the next request.
    """

    calls: Sequence[ToolCall]
    turn: Turn


class Asker(Protocol):
    """Sends requests to the model. PPTPilot's implementation counts, records and limits them."""

    def fill(
        self, role: str, system: str, words: str, form: type[_Form], picture: Picture | None = None
    ) -> _Form:
        """Return a structured reply; an invalid one is returned with the error and requested again.

        Raises:
            AgentError: If too many replies in a row were invalid.
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
    ) -> CallReply | ActionError:
        """Return the calls of a reply, or the error of a reply without a valid call.

        Raises:
            AgentError: If too many replies in a row had no valid call.
            EndpointError: If the service does not answer.
        """
        ...

    def outline(self, response: Response) -> str:
        """Return the outline, truncated to the limit of the settings."""
        ...


Calls = ToolCall | ActionError
Steps = Generator[Calls, Response, _T]
"""A generator that yields calls, receives the response to each, and returns a result."""


class Planner(Protocol):
    """Plans the edits."""

    def plan(self, ask: Asker, work: Work) -> Plan:
        """Return the edits that carry out the instruction."""
        ...


class Router(Protocol):
    """Chooses the route of an edit."""

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the route of one edit."""
        ...


class Editor(Protocol):
    """Executes edits."""

    def edit(self, ask: Asker, work: Work, edits: Sequence[Edit], route: Route) -> Steps[str]:
        """Change the deck by calls; return ``"fail"`` if the task is infeasible."""
        ...


class Checker(Protocol):
    """Judges the current deck."""

    def check(self, ask: Asker, work: Work) -> Verdict:
        """Return the remaining problems."""
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
            # Positions are ignored: deleting a slide changes those of all later ones.
            slide, block = int(number), [rest]
        else:
            block.append(line)
