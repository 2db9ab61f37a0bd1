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
    "end_action",
    "question_text",
    "reply_text",
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
        image_size: Width and height of the image that the model received, in pixels.
        centers: Center of each element in [0, 1], from element 1.
        pointer: Position of the mouse pointer, in [0, 1]; None if unknown.
    """

    image_size: Size = (1280, 720)
    centers: Sequence[Point] = field(default=())
    pointer: Point | None = None

    def target(self, action: Action) -> Point:
        """Return the target point of a pointer action, in [0, 1].

        Raises:
            DialectError: If the action has no target, or its element is not on the screen.
        """
        if not action.element:
            if action.xy is None:
                raise DialectError(f"expected a target for {action.kind}, got none")
            return action.xy
        if not 1 <= action.element <= len(self.centers):
            raise DialectError(
                f"expected an element from 1 to {len(self.centers)}, got {action.element}"
            )
        return self.centers[action.element - 1]


class Dialect(Protocol):
    """An action format that models were trained on.

    Attributes:
        name: Its name in the registry.
        api: The service it requires: ``"chat"``, ``"responses"``, ``"anthropic"`` or ``"gemini"``.
        see: The sources that its models receive, see `pptarena.sources.read_sources`.
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
            ActionError: If the reply contains no valid action; the message is sent to the model.
        """
        ...

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action in the format of the model.

        Raises:
            DialectError: If the dialect cannot express it.
        """
        ...


class PlainDialect:
    """A dialect without declared tools whose models do not scale screenshots."""

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return no tools: the prompt describes the actions."""
        return []

    def picture_size(self, size: Size) -> Size:
        """Return the size unchanged."""
        return size


def reply_text(reply: Reply) -> str:
    """Return the text of a reply without its reasoning.

    Raises:
        DialectError: If the text is empty or too long.
    """
    if len(reply.text) > MAX_REPLY_CHARS:
        raise DialectError(
            f"expected an answer of at most {MAX_REPLY_CHARS} characters, got {len(reply.text)}"
        )
    text = reply.text.rpartition("</think>")[2].strip()
    if not text:
        raise DialectError("expected an answer, got an empty one")
    return text


def question_text(text: str) -> str:
    """Return a text as a question to the user; only the end of a long text."""
    question = " ".join(text.split())
    return question if len(question) <= TEXT_MAX else "…" + question[1 - TEXT_MAX :]


def end_action(reply: Reply) -> Action:
    """Return the action of a reply without a tool call, which ends the episode.

    Raises:
        DialectError: If the reply is empty.
    """
    return Action("fail" if INFEASIBLE in reply_text(reply) else "done")
