"""The interface of a dialect: it translates a model's output into actions, and back."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pptarena.envs.action_space import TEXT_MAX
from pptarena.envs.actions import Action
from pptarena.errors import DialectError
from pptarena.models import Call, Reply

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
    "question_of",
    "text_of",
]

Point = tuple[float, float]
Size = tuple[int, int]

INFEASIBLE = "[INFEASIBLE]"
"""The text for an infeasible task in dialects that have no term for it."""

MAX_REPLY_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen that a model's reply refers to.

    Attributes:
        shown: Width and height of the picture that the model received, in pixels.
        centres: Center of each element in [0, 1]; the first is that of element 1.
        pointer: Position of the mouse pointer, in [0, 1]; None if unknown.
    """

    shown: Size = (1280, 720)
    centres: Sequence[Point] = field(default=())
    pointer: Point | None = None

    def target(self, action: Action) -> Point:
        """Return the target point of a pointer action, in [0, 1].

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
    """An action format that models were trained on.

    Attributes:
        name: Its name in the registry.
        api: The service it requires: ``"chat"``, ``"responses"``, ``"anthropic"`` or ``"gemini"``.
        see: What its models are shown, see `pptarena.sources.read_sources`.
    """

    name: str
    api: str
    see: str

    def prompt(self) -> str:
        """Return the system prompt, which describes the format of a reply."""
        ...

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the tools in the format of the service."""
        ...

    def picture_size(self, size: Size) -> Size:
        """Return the size to which the model's processor scales a screenshot."""
        ...

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of a model's reply, at least one.

        Raises:
            ActionError: If it contains none; the message is sent to the model.
        """
        ...

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action in the format of the model.

        Raises:
            DialectError: If the dialect cannot express it.
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
    """Return the text of a reply without its reasoning.

    Raises:
        DialectError: If the text is empty, or far too long.
    """
    if len(reply.text) > MAX_REPLY_CHARS:
        raise DialectError(
            f"expected an answer of at most {MAX_REPLY_CHARS} characters, got {len(reply.text)}"
        )
    text = reply.text.rpartition("</think>")[2].strip()
    if not text:
        raise DialectError("expected an answer, got an empty one")
    return text


def question_of(text: str) -> str:
    """Return the text of a reply as a question to the user; of a long text, the end."""
    asked = " ".join(text.split())
    return asked if len(asked) <= TEXT_MAX else "…" + asked[1 - TEXT_MAX :]


def end_of(reply: Reply) -> Action:
    """Return the action of a reply without a tool call: the model stops here.

    Raises:
        DialectError: If the reply is empty.
    """
    return Action("fail" if INFEASIBLE in text_of(reply) else "done")
