"""The HTTP client under the vendors' clients: limits of time and size, redirects, and redaction."""

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any

from pptarena.models.endpoint import Endpoint

__all__ = ["RequestError", "guarded_client", "redacted"]

_MAX_REDIRECTS = 5
_SECRET_CHARS = 8
"""Minimum length of a key that is removed from replies; shorter ones are placeholders, and could be
words of a reply."""
_RETRYABLE_STATUSES = frozenset((408, 409, 429))
_ENCODING_HEADERS = frozenset(
    ("content-encoding", "content-length", "content-type", "transfer-encoding")
)


class RequestError(Exception):
    """A request failed.

    Attributes:
        status: The HTTP status of the response; None if it is not the reason.
        is_retryable: Whether a retry may succeed.
        wait_sec: Wait before a retry that the service requests.
    """

    def __init__(
        self,
        message: str,
        status: int | None = None,
        is_retryable: bool = True,
        wait_sec: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.status, self.is_retryable, self.wait_sec = status, is_retryable, wait_sec


def guarded_client(base: Any, endpoint: Endpoint, key: str) -> Any:
    """Return an HTTP client for the client of a vendor.

    The client enforces the endpoint's limits of time and size, even if the service sends slowly or
    compresses its reply. It follows redirects only to the same host and port, because the vendors'
    headers contain the key. It accepts only JSON, and removes the key from replies that repeat it.

    Args:
        base: The class ``Client`` of httpx, of a fork of it, or a subclass.
        endpoint: The service.
        key: The API key, or an empty text.
    """
    secret = key if len(key) >= _SECRET_CHARS else ""

    def send(client: Any, request: Any, **options: Any) -> Any:
        options |= {"stream": True, "follow_redirects": False}
        deadline = time.monotonic() + endpoint.timeout_sec
        response = base.send(client, request, **options)
        for _ in range(_MAX_REDIRECTS):
            if response.next_request is None:
                break
            response.close()
            _require_same_service(request.url, response.next_request.url)
            response = base.send(client, response.next_request, **options)
        body = _read(response, endpoint, deadline)
        text = _normal_json(body)
        if not response.is_success:
            raise _refusal(response, redacted(text or body.decode("utf-8", "replace"), key))
        if text is None:
            raise RequestError("the reply is not JSON")
        headers = [
            (name, value)
            for name, value in response.headers.items()
            if name.lower() not in _ENCODING_HEADERS
        ]
        return type(response)(
            response.status_code,
            headers=[*headers, ("content-type", "application/json")],
            content=redacted(text, secret).encode("utf-8", "replace"),
            request=response.request,
        )

    return type("GuardedClient", (base,), {"send": send})()


def redacted(text: str, key: str) -> str:
    """Return a text, or JSON, without the key."""
    if not key:
        return text
    return text.replace(key, "[key]").replace(json.dumps(key)[1:-1], "[key]")


def _require_same_service(url: Any, other: Any) -> None:
    is_same_host = (url.host, url.port) == (other.host, other.port)
    if not is_same_host or other.scheme not in (url.scheme, "https"):
        target = other.copy_with(username=None, password=None, query=None, fragment=None)
        raise RequestError(
            f"the service redirects to another address, {target}", is_retryable=False
        )


def _read(response: Any, endpoint: Endpoint, deadline: float) -> bytes:
    body = bytearray()
    try:
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > endpoint.max_reply_bytes:
                limit = endpoint.max_reply_bytes
                raise RequestError(f"the reply has more than {limit} bytes", is_retryable=False)
            if time.monotonic() > deadline:
                raise TimeoutError
    finally:
        response.close()
    return bytes(body)


def _normal_json(body: bytes) -> str | None:
    """Return JSON with as few escapes as possible, or None."""
    try:
        return json.dumps(json.loads(body), ensure_ascii=False)
    except (ValueError, RecursionError):
        return None


def _refusal(response: Any, text: str) -> RequestError:
    status, headers = response.status_code, response.headers
    is_retryable = status in _RETRYABLE_STATUSES or status >= 500
    if (advice := headers.get("x-should-retry")) in ("true", "false"):
        is_retryable = advice == "true"
    return RequestError(f"status {status}: {text}", status, is_retryable, _retry_after(headers))


def _retry_after(headers: Any) -> float:
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            return float(milliseconds) / 1000
        return float(headers.get("retry-after") or 0)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time()
    except (ValueError, LookupError):
        return 0.0
