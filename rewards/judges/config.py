"""Settings of a judge: service, retries, budget and recording."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pptarena.errors import ConfigError
from pptarena.models import KEY_NAMES, Endpoint, require_service_url

__all__ = ["JudgeConfig"]

_MAX_REPLY_BYTES = 4 * 2**20
_APIS: Final = {"openai": "chat", "anthropic": "anthropic", "gemini": "gemini"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeConfig:
    """Settings of a judge.

    The API key is not a setting: it is read from the environment when needed, and never stored.

    Attributes:
        model: Name of the model at the service.
        provider: ``openai`` for OpenAI and all servers with its chat completions, ``anthropic``, or
            ``gemini``.
        base_url: URL of the service, for chat completions up to ``/v1``; None for the provider's.
        api_key_env: Environment variable that holds the key; empty for the provider's. With a
            `base_url` it may be unset, for servers without authentication.
        temperature: Sampling temperature; None omits it, for models that reject it.
        max_output_tokens: Maximum length of a reply.
        token_limit_field: Name of that limit in requests; newer OpenAI models require
            ``max_completion_tokens``.
        json_mode: Whether to request JSON mode, which not every server supports, and Anthropic does
            not.
        timeout_sec: Maximum duration of one request, from its start to the last byte of the reply.
        transport_retries: Maximum number of retries of a request after a transport error.
        backoff_sec: Wait before the first retry. It doubles with each retry, up to 30 s. A longer
            Retry-After of the server is respected, up to 60 s.
        repair_retries: Maximum number of times a malformed reply is sent back for correction.
        max_calls: Maximum number of requests, including retries, over the lifetime of a client.
        max_tokens: Maximum number of input and output tokens over the lifetime of a client.
        cache: Whether to cache replies on disk, under ``$PPTARENA_HOME/judges``.
        mode: ``live``; ``record``, which also appends every reply to `records`; or ``replay``,
            which reads replies only from `records` and needs neither network nor key.
        records: A JSONL file.
    """

    model: str
    provider: Literal["openai", "anthropic", "gemini"] = "openai"
    base_url: str | None = None
    api_key_env: str = ""
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
            ("provider", tuple(_APIS)),
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
        if self.json_mode and self.provider == "anthropic":
            raise ConfigError("json_mode: provider anthropic has none")
        if self.base_url is not None:
            require_service_url(self.base_url, self.key_name)

    @property
    def key_name(self) -> str:
        """The environment variable with the key."""
        return self.api_key_env or KEY_NAMES[_APIS[self.provider]]

    @property
    def endpoint(self) -> Endpoint:
        """The model and its service."""
        return Endpoint(
            api=_APIS[self.provider],
            model=self.model,
            base_url=self.base_url,
            temperature=self.temperature,
            max_output_tokens=self.max_output_tokens,
            token_limit_field=self.token_limit_field,
            json_mode=self.json_mode,
            timeout_sec=self.timeout_sec,
            retries=self.transport_retries,
            backoff_sec=self.backoff_sec,
            max_reply_bytes=_MAX_REPLY_BYTES,
        )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "JudgeConfig | None":
        """Return the settings from environment variables, or None if no judge is configured.

        ``PPTARENA_JUDGE_MODEL`` is the model; without it there is no judge.
        ``PPTARENA_JUDGE_PROVIDER`` is the provider, ``PPTARENA_JUDGE_URL`` the URL of the service.
        ``PPTARENA_JUDGE_RECORD`` or ``PPTARENA_JUDGE_REPLAY`` is a file of records.

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
        provider = environment.get("PPTARENA_JUDGE_PROVIDER", "").strip() or "openai"
        return cls(
            model=model,
            # Anthropic's client no longer has the parameter.
            temperature=None if provider == "anthropic" else 0.0,
            provider=provider,  # type: ignore[arg-type]
            base_url=environment.get("PPTARENA_JUDGE_URL") or None,
            mode="record" if record else "replay" if replay else "live",
            records=Path(record or replay or "") if record or replay else None,
        )
