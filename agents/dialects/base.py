"""What a dialect is: the way from a model's words to actions, and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = [
    "INFEASIBLE",
    "Call",
    "Dialect",
    "PlainDialect",
    "Point",
    "Reply",
    "Screen",
    "Size",
    "end_of",
    "text_of",
]

Point = tuple[float, float]
Size = tuple[int, int]

INFEASIBLE = "[INFEASIBLE]"
"""What a model writes when a task cannot be done, in dialects that have no word for it."""

MAX_REPLY_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool.

    Attributes:
        name: Name of the tool.
        arguments: Its arguments, as JSON.
        id: How the service names the call; its result must name it, too.
    """

    name: str
    arguments: Mapping[str, Any]
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a model, whatever service it came from: words and calls of tools."""

    text: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Screen:
    """What a model was shown, as far as its words refer to it.

    Attributes:
        shown: Width and height of the picture as the model got it, in its pixels.
        centres: Centre of each element in [0, 1], the first of element 1.
        pointer: Where the mouse pointer is, in [0, 1]; None if it is not known.
    """

    shown: Size = (1280, 720)
    centres: Sequence[Point] = field(default=())
    pointer: Point | None = None

    def target(self, action: Action) -> Point:
        """Return the point in [0, 1] that a pointer action aims at.

        Raises:
            DialectError: If it has no target, or its element is not on the screen.
        """
        if not action.element:
            if action.xy is None:
                raise DialectError(f"expected a target for {action.kind}, got none")
            return action.xy
        if not 1 <= action.element <= len(self.centres):
            raise DialectError(
                f"expected an element from 1 to {len(self.centres)}, got {action.element}"
            )
        return self.centres[action.element - 1]


class Dialect(Protocol):
    """A language of actions that models were trained on.

    Attributes:
        name: Its name in the registry.
        api: The service that it needs: ``"chat"``, ``"responses"``, ``"anthropic"`` or
            ``"gemini"``.
        view: What its models are shown: ``"screenshot"``, ``"marks"``, ``"text"`` or ``"both"``.
    """

    name: str
    api: str
    view: str

    def prompt(self) -> str:
        """Return the system prompt: how to answer."""
        ...

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the tools as the service wants them declared."""
        ...

    def picture_size(self, size: Size) -> Size:
        """Return the size to which the model's own rule scales a screenshot."""
        ...

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return what a model's answer means: one action or more.

        Raises:
            ActionError: If it means none; the message is for the model.
        """
        ...

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return how a model would say an action.

        Raises:
            DialectError: If the dialect has no words for it.
        """
        ...


class PlainDialect:
    """A dialect without declared tools whose models take a screenshot as it is."""

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return no tools: the prompt describes the actions."""
        return []

    def picture_size(self, size: Size) -> Size:
        """Return the size unchanged."""
        return size


def text_of(reply: Reply) -> str:
    """Return the words of an answer without its thinking.

    Raises:
        DialectError: If there are none, or far too many.
    """
    if len(reply.text) > MAX_REPLY_CHARS:
        raise DialectError(
            f"expected an answer of at most {MAX_REPLY_CHARS} characters, got {len(reply.text)}"
        )
    text = reply.text.rpartition("</think>")[2].strip()
    if not text:
        raise DialectError("expected an answer, got an empty one")
    return text


def end_of(reply: Reply) -> Action:
    """Return what an answer without a call of a tool means: the model stops here.

    Raises:
        DialectError: If it says nothing at all.
    """
    return Action("fail" if INFEASIBLE in text_of(reply) else "done")
