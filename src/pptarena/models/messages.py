"""Requests to models and their replies, independent of the service."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

from pptarena.untrusted import utf8_safe_text

__all__ = [
    "Answer",
    "Call",
    "Caption",
    "Reply",
    "Request",
    "Service",
    "Turn",
    "as_base64",
    "data_url",
]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool.

    Attributes:
        name: Name of the tool.
        arguments: Its arguments, as JSON.
        id: The service's id of the call; the result must repeat it.
    """

    name: str
    arguments: Mapping[str, Any]
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of a model, independent of the service: text and tool calls."""

    text: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply of a service.

    Attributes:
        reply: The reply of the model.
        raw: The reply in the form that the service expects in the next request.
        thought: The reasoning of the model, if the service returns it separately.
        input_tokens, output_tokens: Its cost.
        problem: ``"cut off"`` or ``"refused"``; empty for a complete reply.
    """

    reply: Reply
    raw: Any = None
    thought: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    problem: str = ""

    @property
    def tokens(self) -> int:
        """Input and output tokens; 0 if the service does not count them."""
        return self.input_tokens + self.output_tokens


class Caption(str):
    """Text that describes the next picture of a turn; omitted with the picture."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A message to a model and its reply.

    Attributes:
        parts: Contents in order: text, or the bytes of a PNG file. The last picture is that of the
            screen. Unpaired surrogates are replaced, because requests must be valid UTF-8.
        answer: The reply of the model; None for the turn that is requested.
    """

    parts: tuple[str | bytes, ...]
    answer: Answer | None = None

    def __post_init__(self) -> None:
        parts = (
            type(part)(utf8_safe_text(part)) if isinstance(part, str) else part
            for part in self.parts
        )
        object.__setattr__(self, "parts", tuple(parts))

    @property
    def text(self) -> str:
        """The texts without captions, separated by empty lines."""
        texts = (part for part in self.parts if isinstance(part, str))
        return "\n\n".join(part for part in texts if not isinstance(part, Caption))

    @property
    def pictures(self) -> tuple[bytes, ...]:
        """The PNG files."""
        return tuple(part for part in self.parts if isinstance(part, bytes))

    def without_pictures(self) -> Self:
        """Return this turn with its text only."""
        return replace(self, parts=(self.text or "(no longer shown)",))

    def without_screen(self) -> Self:
        """Return this turn without its last picture and the caption of that picture."""
        parts = list(self.parts)
        if self.pictures:
            last = max(index for index, part in enumerate(parts) if isinstance(part, bytes))
            first = last - 1 if last and isinstance(parts[last - 1], Caption) else last
            del parts[first : last + 1]
        return replace(self, parts=tuple(parts))


@dataclass(frozen=True, slots=True)
class Request:
    """A complete request to a service.

    Attributes:
        system: The system prompt.
        turns: Earlier turns and, last, the current one.
        tools: Declarations of tools.
    """

    system: str
    turns: Sequence[Turn]
    tools: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "system", utf8_safe_text(self.system))


class Service(Protocol):
    """A service that runs models."""

    def ask(self, request: Request) -> Answer:
        """Return the next reply.

        Raises:
            EndpointError: If there is none after all retries.
            EndpointClosedError: If later requests will fail too.
        """
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


def as_base64(png: bytes) -> str:
    """Return a file as base64."""
    return base64.b64encode(png).decode("ascii")


def data_url(png: bytes) -> str:
    """Return a PNG file as a data URL."""
    return f"data:image/png;base64,{as_base64(png)}"
