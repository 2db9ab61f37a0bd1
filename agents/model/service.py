"""What a service of models is: it takes turns and gives the next answer."""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pptarena.agents.dialects import Reply
from pptarena.agents.model.observing import Picture
from pptarena.errors import (
    EndpointClosedError,
    EndpointError,
    EndpointUnreachableError,
    missing_package,
)
from pptarena.rewards.judges.connection import (
    proxy_of,
    refused_connection,
    shown_address,
)
from pptarena.untrusted import visible

__all__ = [
    "Answer",
    "Request",
    "Service",
    "Turn",
    "endpoint_error",
    "require_package",
]

_CLOSED = frozenset((401, 403, 404))
_MAX_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a service.

    Attributes:
        reply: What the model said.
        raw: The answer as the service wants to get it back with the next request.
        thought: What the model thought, where the service gives that apart.
        input_tokens, output_tokens: What it cost.
        problem: ``"cut off"`` or ``"refused"``, empty for a whole answer.
    """

    reply: Reply
    raw: Any = None
    thought: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model was shown, and its answer; None for the turn that is asked about.

    Attributes:
        text: Text sent to the model. Line separators other than line feeds and invisible
            characters are escaped, so that text of a deck cannot begin a line or hide anything.
        picture: The screen, None where it is not shown or no longer sent.
        answer: What the model answered.
    """

    text: str
    picture: Picture | None = None
    answer: Answer | None = None

    def __post_init__(self) -> None:
        """Escape invisible characters."""
        object.__setattr__(self, "text", visible(self.text))


@dataclass(frozen=True, slots=True)
class Request:
    """All that a service is asked.

    Attributes:
        system: The system prompt.
        turns: Earlier turns and, last, the present one.
        tools: Declarations of tools.
    """

    system: str
    turns: Sequence[Turn]
    tools: list[dict[str, Any]] = field(default_factory=list)


class Service(Protocol):
    """A service of models."""

    def ask(self, request: Request) -> Answer:
        """Return the next answer.

        Raises:
            EndpointError: If there is none, after all retries.
            EndpointClosedError: If there will be none to later requests, either.
        """
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


def require_package(module: str, package: str) -> None:
    """Refuse to go on without a package.

    Raises:
        ConfigError: If it is not installed; the message says how to.
    """
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package above it
        found = False
    if not found:
        raise missing_package("this dialect", package, "models")


def endpoint_error(
    error: Exception, status: int | None, key: str, address: object
) -> EndpointError:
    """Return what an error of a client means, without the key, which a service may repeat.

    Args:
        error: The error.
        status: The HTTP status of the answer; None if there was no answer.
        key: The key.
        address: The address of the service.
    """
    url = str(address).rstrip("/")
    if status is None and (reason := refused_connection(error, url)):
        return EndpointUnreachableError(reason.replace(key, "[key]") if key else reason)
    words = f"{type(error).__name__}: {error}"
    words = words.replace(key, "[key]") if key else words
    proxy = proxy_of(url)
    at = f" ({shown_address(url)}{f' through the proxy {proxy}' if proxy else ''})"
    words = f"the service did not answer: {' '.join(words.split())[:_MAX_MESSAGE]}{at}"
    return (EndpointClosedError if status in _CLOSED else EndpointError)(words)
