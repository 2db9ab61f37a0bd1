"""Settings of a model service."""

import os
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pptarena.errors import ConfigError

__all__ = ["KEY_NAMES", "Endpoint", "read_key", "require_service_url"]

KEY_NAMES: Final = {
    "chat": "OPENAI_API_KEY",
    "responses": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "gemini": "GEMINI_API_KEY",
}
"""The environment variable with the key, by API."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model at a service. The key is not part of it.

    Attributes:
        api: One of `KEY_NAMES`.
        model: Name of the model.
        base_url: Address of the service; None for that of the API's vendor.
        temperature: Sampling temperature; None omits it.
        top_p: Probability mass that tokens are sampled from; None omits it.
        max_output_tokens: Maximum length of a reply.
        token_limit_field: Name of that limit in chat completions.
        json_mode: Whether to request JSON; only chat completions and Gemini support it.
        beta: The beta header of Anthropic that a tool requires; None for none.
        timeout_sec: Maximum duration of one request, from its start to the last byte of the reply.
        retries: Maximum number of retries of a request that failed in transport.
        backoff_sec: Wait before the first retry. It doubles with each retry, up to 30 s. A longer
            Retry-After of the service is respected, up to 60 s.
        max_reply_bytes: Maximum size of a reply.
    """

    api: str
    model: str
    base_url: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_output_tokens: int = 4096
    token_limit_field: str = "max_tokens"
    json_mode: bool = False
    beta: str | None = None
    timeout_sec: float = 120.0
    retries: int = 4
    backoff_sec: float = 0.5
    max_reply_bytes: int = 64 * 2**20


def read_key(name: str, base_url: str | None) -> str:
    """Return the API key; empty if the service needs none.

    Args:
        name: Environment variable that holds it.
        base_url: Address of the service; None for that of the vendor, which requires a key.

    Raises:
        ConfigError: If there is no key, and no address of a service that may need none.
    """
    key = os.environ.get(name, "")
    if not key and base_url is None:
        raise ConfigError(
            f"no key: set the environment variable {name}, or give the base_url of a service that "
            "needs none"
        )
    return key


def require_service_url(url: str, key_name: str) -> None:
    """Reject a service URL that is malformed or contains a secret.

    Args:
        url: The URL, up to ``/v1``.
        key_name: Environment variable that should hold the key.

    Raises:
        ConfigError: If the URL is rejected.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"base_url: expected http(s)://HOST[:PORT]/v1, got {url!r}")
    if parts.username or parts.password or parts.query:
        # The URL is not shown, because it may contain a secret.
        raise ConfigError(
            "base_url: expected no user, password or query in it; "
            f"put the key in the environment variable {key_name}"
        )
