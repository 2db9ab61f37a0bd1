"""Endpoint of a judge: sends chat completion requests, with retries."""

import json
import os
import threading
import time
from dataclasses import dataclass
from typing import Any

from pptarena.errors import ConfigError, JudgeBudgetError, JudgeError, missing_package
from pptarena.rewards.judges.config import JudgeConfig
from pptarena.rewards.judges.connection import clear_proxy_errors, refused_connection
from pptarena.rewards.judges.prompt import whole_text

__all__ = ["Budget", "Completion", "Endpoint"]

_LONGEST_WAIT_SEC = 30.0
_OPENAI = "https://api.openai.com/v1"
_MAX_REPLY_BYTES = 4 * 2**20
_TRY_AGAIN = frozenset((408, 409, 429))
_NO_KEY = "none"  # the client requires a text, even if the server needs no key


class Budget:
    """Counts requests and tokens; thread-safe.

    Tokens are reserved before a request by an upper estimate, and corrected afterwards by the
    endpoint's count. Concurrent requests therefore cannot overspend.
    """

    def __init__(self, max_calls: int, max_tokens: int) -> None:
        self.max_calls = max_calls
        self.max_tokens = max_tokens
        self.calls = 0
        self.tokens = 0
        self._lock = threading.Lock()

    def reserve(self, tokens: int) -> None:
        """Reserve one request and its estimated tokens.

        Raises:
            JudgeBudgetError: If the budget is exceeded; nothing is reserved then.
        """
        with self._lock:
            if self.calls >= self.max_calls:
                raise JudgeBudgetError(
                    f"the judge's budget of {self.max_calls} calls is spent; raise max_calls"
                )
            if self.tokens + tokens > self.max_tokens:
                raise JudgeBudgetError(
                    f"the judge's budget of {self.max_tokens} tokens is spent: {self.tokens} are "
                    f"used and the next call may need {tokens}; raise max_tokens"
                )
            self.calls += 1
            self.tokens += tokens

    def settle(self, reserved: int, used: int) -> None:
        """Replace the reserved tokens of a request by its actual usage."""
        with self._lock:
            self.tokens += used - reserved


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply.

    Attributes:
        text: The content; empty if the model refused to reply.
        cut_off: Whether the reply reached the limit of its length.
        tokens: Input and output tokens.
    """

    text: str
    cut_off: bool
    tokens: int


class _TransportError(Exception):
    """A request failed in transport; a retry may succeed."""

    def __init__(self, message: str, wait_sec: float = 0.0) -> None:
        super().__init__(message)
        self.wait_sec = wait_sec


class Endpoint:
    """An OpenAI-compatible chat completions endpoint, accessed with the ``openai`` client.

    Args:
        config: Settings.
        budget: Budget that requests are charged to.

    Raises:
        ConfigError: If the ``openai`` package or the key is missing, or the proxy set in the
            environment is unusable.
    """

    def __init__(self, config: JudgeConfig, budget: Budget) -> None:
        try:
            from openai import OpenAI
        except ImportError as error:
            raise missing_package("a judge", "openai", "judge") from error
        self._key = os.environ.get(config.api_key_env, "")
        if not self._key and config.base_url is None:
            raise ConfigError(
                f"a judge needs a key in the environment variable {config.api_key_env}, "
                "or a base_url that wants none"
            )
        self._config = config
        self._budget = budget
        # The client's own retries would not be counted.
        with clear_proxy_errors():
            self._client = OpenAI(
                api_key=self._key or _NO_KEY,
                base_url=config.base_url or _OPENAI,
                timeout=config.timeout_sec,
                max_retries=0,
            )

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def complete(self, messages: list[dict[str, Any]], estimated_tokens: int) -> Completion:
        """Return the model's reply to messages.

        Args:
            messages: OpenAI chat messages.
            estimated_tokens: Upper estimate of the input tokens.

        Raises:
            JudgeBudgetError: If the budget is spent.
            JudgeError: If the endpoint refuses, or all retries fail.
        """
        tries = self._config.transport_retries + 1
        reserved = estimated_tokens + self._config.max_output_tokens
        for count in range(tries):
            self._budget.reserve(reserved)
            used = 0
            try:
                completion = self._send(messages)
                used = completion.tokens or reserved
                return completion
            except _TransportError as error:
                if count + 1 == tries:
                    raise JudgeError(f"no answer in {tries} tries; the last: {error}") from error
                wait = max(self._config.backoff_sec * 2**count, error.wait_sec)
            finally:
                self._budget.settle(reserved, used)
            time.sleep(min(wait, _LONGEST_WAIT_SEC))
        raise AssertionError("unreachable: the last try returns or raises")

    def _send(self, messages: list[dict[str, Any]]) -> Completion:
        import openai

        request = self._request(messages)
        deadline = time.monotonic() + self._config.timeout_sec
        try:
            completions = self._client.chat.completions.with_streaming_response
            with completions.create(**request) as response:
                body = _read(response, deadline)
        except openai.APIStatusError as error:
            message = self._redacted(f"status {error.status_code}: {error.message}")
            if error.status_code in _TRY_AGAIN or error.status_code >= 500:
                raise _TransportError(message, _retry_after(error)) from None
            raise JudgeError(f"the endpoint refused the request: {message}") from None
        except (openai.APITimeoutError, TimeoutError):
            late = f"no whole answer within {self._config.timeout_sec:g} s"
            raise _TransportError(late) from None
        except (_TransportError, JudgeError):
            raise
        except Exception as error:  # noqa: BLE001 - see below
            # If the connection breaks during a reply, the exception is one of the HTTP library that
            # this version of the client uses.
            reason = refused_connection(error, self._config.base_url or _OPENAI)
            text = self._redacted(reason or f"{type(error).__name__}: {error}")
            raise _TransportError(text) from None
        return self._completion(body)

    def _request(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        config = self._config
        request: dict[str, Any] = {"model": config.model, "messages": messages}
        request[config.token_limit_field] = config.max_output_tokens
        if config.temperature is not None:
            request["temperature"] = config.temperature
        if config.json_mode:
            request["response_format"] = {"type": "json_object"}
        return request

    def _completion(self, body: bytes) -> Completion:
        try:
            found = json.loads(body)
            choice = found["choices"][0]
            text = choice["message"].get("content") or ""
            if not isinstance(text, str):
                raise TypeError("the content is not text")
            usage = found.get("usage") or {}
            tokens = int(usage.get("total_tokens") or 0)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise _TransportError("the endpoint did not answer as chat completions do") from None
        text = self._redacted(whole_text(text))
        return Completion(text, choice.get("finish_reason") == "length", tokens)

    def _redacted(self, text: str) -> str:
        """Return a text without the key, which an endpoint may repeat in errors and replies."""
        return text.replace(self._key, "[key]") if self._key else text


def _read(response: Any, deadline: float) -> bytes:
    """Read a response to its end within the deadline, even if the server sends slowly."""
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > _MAX_REPLY_BYTES:
            raise JudgeError(f"the endpoint sent more than {_MAX_REPLY_BYTES} bytes")
        if time.monotonic() > deadline:
            raise TimeoutError
    return bytes(body)


def _retry_after(error: Any) -> float:
    try:
        return max(0.0, float(error.response.headers.get("retry-after") or 0))
    except ValueError:  # a date: the default wait is used
        return 0.0
