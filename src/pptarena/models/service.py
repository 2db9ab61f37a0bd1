"""Base class of model services: retries, charges and errors."""

import random
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from pptarena.closeable import Closeable
from pptarena.errors import (
    EndpointClosedError,
    EndpointError,
    EndpointUnreachableError,
    PPTArenaError,
)
from pptarena.models.connection import (
    causes,
    connection_failure,
    find_proxy,
    public_address,
)
from pptarena.models.endpoint import Endpoint
from pptarena.models.http import RequestError, redacted
from pptarena.models.messages import Answer, Request

__all__ = ["NO_KEY", "Meter", "ModelService"]

_CLOSED = frozenset((401, 403, 404))
_MAX_BACKOFF_SEC, _MAX_WAIT_SEC = 30.0, 60.0
_TIMEOUT_ERRORS = frozenset(
    ("TimeoutException", "TimeoutError")
)  # of httpx or a fork, and of Python
_MAX_MESSAGE_CHARS = 300
_T = TypeVar("_T")

NO_KEY = "none"  # the vendors' clients require a text, even if the service needs no key


class Meter(Protocol):
    """Counts requests and tokens; every retry counts."""

    def reserve(self, tokens: int) -> None:
        """Reserve one request and its estimated tokens, or raise a `PPTArenaError`."""
        ...

    def settle(self, reserved: int, used: int) -> None:
        """Replace the reserved tokens of a request by its actual usage."""
        ...


class ModelService(Closeable):
    """A service that runs models, behind the client of its vendor; thread-safe.

    Subclasses translate requests and replies. Retries, limits and errors are the same for all; the
    vendors' own retries are not used, because a `Meter` could not count them.

    Args:
        endpoint: The service.
        key: The API key, or an empty text.
    """

    _client: Any
    _address: object

    def __init__(self, endpoint: Endpoint, key: str) -> None:
        self._endpoint, self._key = endpoint, key

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def ask(self, request: Request, meter: Meter | None = None, reserved: int = 0) -> Answer:
        """Return the next reply.

        Args:
            request: The request.
            meter: Charged for every try.
            reserved: Upper estimate of the tokens of one try; charged if the service does not
                count them.

        Raises:
            EndpointError: If there is no reply after all retries, or the service refuses.
            EndpointClosedError: If later requests will fail too.
            EndpointUnreachableError: If the service cannot be reached.
        """

        def send_metered() -> Answer:
            if meter is None:
                return self._send(request)
            meter.reserve(reserved)
            used = 0
            try:
                answer = self._send(request)
                used = answer.tokens or reserved
                return answer
            finally:
                meter.settle(reserved, used)

        return self._retry(send_metered)

    @abstractmethod
    def _send(self, request: Request) -> Answer:
        """Send a request once.

        Raises:
            Exception: If it fails, or the reply has an unexpected form.
        """

    def _retry(self, send: Callable[[], _T]) -> _T:
        tries = self._endpoint.retries + 1
        for count in range(tries):
            try:
                return send()
            except PPTArenaError:
                raise
            except Exception as error:  # noqa: BLE001 - of the HTTP library that a client uses
                wait = self._wait(error, count, tries)
            time.sleep(wait)
        raise AssertionError("unreachable: the last try returns or raises")

    def _wait(self, error: Exception, count: int, tries: int) -> float:
        """Return how long to wait before a retry, or raise if there is none."""
        reason = connection_failure(error, str(self._address).rstrip("/"))
        failure = self._failure(error, reason)
        if failure.is_retryable and count + 1 < tries:
            backoff = min(self._endpoint.backoff_sec * 2**count, _MAX_BACKOFF_SEC)
            backoff *= 1 - random.random() / 4  # concurrent episodes must not retry simultaneously
            return float(min(max(backoff, failure.wait_sec), _MAX_WAIT_SEC))
        text = " ".join(redacted(str(failure), self._key).split())[:_MAX_MESSAGE_CHARS]
        if reason:
            text += f" ({tries} tries)" if tries > 1 else ""
            raise EndpointUnreachableError(text) from None
        failure_text = "the service refused the request"
        if failure.is_retryable:
            failure_text = "the service did not answer" + (
                f" in {tries} tries" if tries > 1 else ""
            )
        error_type = EndpointClosedError if failure.status in _CLOSED else EndpointError
        raise error_type(
            redacted(f"{failure_text}: {text}{self._address_note()}", self._key)
        ) from None

    def _failure(self, error: Exception, reason: str) -> RequestError:
        chain = list(causes(error))
        for cause in chain:
            if isinstance(cause, RequestError):
                return cause
        names = {base.__name__ for cause in chain for base in type(cause).__mro__}
        if not reason and names & _TIMEOUT_ERRORS:
            reason = f"no complete answer within {self._endpoint.timeout_sec:g} s"
        return RequestError(reason or f"{type(error).__name__}: {error}")

    def _address_note(self) -> str:
        url = str(self._address).rstrip("/")
        proxy = find_proxy(url)
        return f" ({public_address(url)}{f' through the proxy {proxy}' if proxy else ''})"
