"""The interface of a model service: it receives turns and returns the next reply."""

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


@dataclass(frozen=True, slots=True)
class Turn:
    """An observation for a model and its reply; None for the turn that is requested.

    Attributes:
        text: Text sent to the model. Line separators other than line feeds and invisible characters
            are escaped, so that text of a deck cannot start a line or hide anything.
        picture: The screen; None if it is not part of the observation or no longer sent.
        answer: The reply of the model.
    """

    text: str
    picture: Picture | None = None
    answer: Answer | None = None

    def __post_init__(self) -> None:
        """Escape invisible characters."""
        object.__setattr__(self, "text", visible(self.text))


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


def require_package(module: str, package: str) -> None:
    """Raise if a package is not installed.

    Raises:
        ConfigError: If it is missing; the message contains the command to install it.
    """
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is missing too
        found = False
    if not found:
        raise missing_package("this dialect", package, "models")


def endpoint_error(
    error: Exception, status: int | None, key: str, address: object
) -> EndpointError:
    """Return the `EndpointError` for a client's error, without the key, which a service may echo.

    Args:
        error: The error.
        status: The HTTP status of the answer; None if there was no answer.
        key: The API key.
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
