"""Settings of a judge: endpoint, retries, budget and recording."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pptarena.errors import ConfigError

__all__ = ["JudgeConfig", "require_service_url"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeConfig:
    """Settings of a judge behind an OpenAI-compatible chat completions endpoint.

    The API key is not a setting: it is read from the environment when needed, and never stored.

    Attributes:
        model: Name of the model at the endpoint.
        base_url: URL of the endpoint, up to ``/v1``; None for OpenAI.
        api_key_env: Environment variable that holds the key. With a `base_url` it may be unset, for
            servers without authentication.
        temperature: Sampling temperature; None omits it, for models that reject it.
        max_output_tokens: Maximum length of a reply.
        token_limit_field: Name of that limit in requests; newer OpenAI models require
            ``max_completion_tokens``.
        json_mode: Whether to request JSON mode, which not every server supports.
        timeout_sec: Maximum duration of one request, from its start to the last byte of the reply.
        transport_retries: Maximum number of retries of a request after a transport error.
        backoff_sec: Wait before the first retry. It doubles with each retry, up to 30 s. A longer
            Retry-After of the server is respected, up to the same bound.
        repair_retries: Maximum number of times a malformed reply is sent back for correction.
        max_calls: Maximum number of requests, including retries, over the lifetime of a client.
        max_tokens: Maximum number of input and output tokens over the lifetime of a client.
        cache: Whether to cache replies on disk, under ``$PPTARENA_HOME/judges``.
        mode: ``live``; ``record``, which also appends every reply to `records`; or ``replay``,
            which reads replies only from `records` and needs neither network nor key.
        records: A JSONL file.
    """

    model: str
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    max_output_tokens: int = 1024
    token_limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    json_mode: bool = False
    timeout_sec: float = 60.0
    transport_retries: int = 4
    backoff_sec: float = 0.5
    repair_retries: int = 2
    max_calls: int = 500
    max_tokens: int = 2_000_000
    cache: bool = True
    mode: Literal["live", "record", "replay"] = "live"
    records: Path | None = None

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ConfigError("model: expected the name of a model, got an empty text")
        for name, known in (
            ("token_limit_field", ("max_tokens", "max_completion_tokens")),
            ("mode", ("live", "record", "replay")),
        ):
            if getattr(self, name) not in known:
                wanted = " or ".join(known)
                raise ConfigError(f"{name}: expected {wanted}, got {getattr(self, name)!r}")
        for name in ("timeout_sec", "max_output_tokens", "max_calls", "max_tokens"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name}: expected more than 0, got {getattr(self, name)}")
        for name in ("transport_retries", "repair_retries", "backoff_sec"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        if (self.mode == "live") != (self.records is None):
            raise ConfigError("records: expected a file with mode record or replay, and only then")
        if self.base_url is not None:
            require_service_url(self.base_url, self.api_key_env)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "JudgeConfig | None":
        """Return the settings from environment variables, or None if no judge is configured.

        ``PPTARENA_JUDGE_MODEL`` is the model; without it there is no judge. ``PPTARENA_JUDGE_URL``
        is the endpoint. ``PPTARENA_JUDGE_RECORD`` or ``PPTARENA_JUDGE_REPLAY`` is a file of
        records.

        Raises:
            ConfigError: If the variables contradict each other.
        """
        model = environment.get("PPTARENA_JUDGE_MODEL", "").strip()
        if not model:
            return None
        record = environment.get("PPTARENA_JUDGE_RECORD")
        replay = environment.get("PPTARENA_JUDGE_REPLAY")
        if record and replay:
            raise ConfigError("expected one of PPTARENA_JUDGE_RECORD and PPTARENA_JUDGE_REPLAY")
        return cls(
            model=model,
            base_url=environment.get("PPTARENA_JUDGE_URL") or None,
            mode="record" if record else "replay" if replay else "live",
            records=Path(record or replay or "") if record or replay else None,
        )


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
