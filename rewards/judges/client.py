"""Settings and client of a judge, which sends prompts within a budget and validates replies."""

import fcntl
import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import TypeAdapter

from pptarena.closeable import Closeable
from pptarena.errors import ConfigError, EndpointError, JudgeBudgetError, JudgeError
from pptarena.files import atomic_write, read_text
from pptarena.models import (
    KEY_NAMES,
    Endpoint,
    ModelService,
    Request,
    Turn,
    open_service,
    read_key,
    require_service_url,
)
from pptarena.models import Answer as ModelAnswer
from pptarena.paths import cache_home
from pptarena.rewards.judges.protocol import Prompt
from pptarena.rewards.judges.replies import ReplyError, read_json

__all__ = [
    "Budget",
    "JudgeClient",
    "JudgeConfig",
    "read_records",
]


_MAX_REPLY_BYTES = 4 * 2**20
_API_BY_PROVIDER: Final = {"openai": "chat", "anthropic": "anthropic", "gemini": "gemini"}


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
        for name, choices in (
            ("provider", tuple(_API_BY_PROVIDER)),
            ("token_limit_field", ("max_tokens", "max_completion_tokens")),
            ("mode", ("live", "record", "replay")),
        ):
            if getattr(self, name) not in choices:
                expected = " or ".join(choices)
                raise ConfigError(f"{name}: expected {expected}, got {getattr(self, name)!r}")
        for name in ("timeout_sec", "max_output_tokens", "max_calls", "max_tokens"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name}: expected more than 0, got {getattr(self, name)}")
        for name in ("transport_retries", "repair_retries", "backoff_sec"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        if (self.mode == "live") != (self.records is None):
            raise ConfigError(
                "records: modes record and replay require a file, and mode live takes none"
            )
        if self.json_mode and self.provider == "anthropic":
            raise ConfigError("json_mode: provider anthropic does not support it")
        if self.base_url is not None:
            require_service_url(self.base_url, self.key_name)

    @property
    def key_name(self) -> str:
        """The environment variable with the key."""
        return self.api_key_env or KEY_NAMES[_API_BY_PROVIDER[self.provider]]

    @property
    def endpoint(self) -> Endpoint:
        """The model and its service."""
        return Endpoint(
            api=_API_BY_PROVIDER[self.provider],
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


_MAX_RECORDS_BYTES = 512 * 2**20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's valid reply to one prompt.

    Attributes:
        key: Digest of the prompt and the settings.
        model: Name of the model.
        reply: The text.
        tokens: Input and output tokens.
    """

    key: str
    model: str
    reply: str
    tokens: int

    def to_line(self) -> str:
        """Return the answer as a line of JSON."""
        return json.dumps(asdict(self), sort_keys=True) + "\n"


_ANSWER = TypeAdapter(Answer)


class AnswerCache:
    """Cache of replies by key, one file each, in a folder per endpoint.

    Damaged files count as missing. If the folder cannot be written, a warning is logged.

    Args:
        base_url: URL of the service; two services may serve different models under one name.
        provider: The provider.
    """

    def __init__(self, base_url: str | None, provider: str) -> None:
        service = base_url or "openai"
        if provider != "openai":
            service = f"{provider} {base_url or ''}"
        endpoint = hashlib.sha256(service.encode()).hexdigest()[:12]
        self.folder = cache_home() / "judges" / endpoint

    def find(self, key: str) -> Answer | None:
        """Return the answer for a key, or None."""
        try:
            answer = _ANSWER.validate_json(self._file(key).read_bytes())
        except (OSError, ValueError):
            return None
        return answer if answer.key == key else None

    def store(self, answer: Answer) -> None:
        """Store an answer."""
        file = self._file(answer.key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(file) as out:
                out.write(answer.to_line().encode())
        except OSError as error:
            _log.warning("the judge's answer could not be stored: %s", error)

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def start_records(file: Path) -> None:
    """Create a file of records, and its folder, if missing.

    Raises:
        ConfigError: If it cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    except OSError as error:
        raise ConfigError(f"records: cannot write {file}: {error}") from error


def append_record(file: Path, answer: Answer) -> None:
    """Append an answer to a JSONL file; several processes may share it."""
    with open(file, "a", encoding="utf-8") as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        out.write(answer.to_line())


def read_records(file: Path) -> dict[str, Answer]:
    """Return the answers of a JSONL file by key; the last one of each key counts.

    Raises:
        ConfigError: If it cannot be read; the message names the line.
    """
    try:
        lines = read_text(file, _MAX_RECORDS_BYTES).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"records: cannot read {file}: {error}; record one with mode='record'"
        ) from error
    answers: dict[str, Answer] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                answer = _ANSWER.validate_json(line)
            except ValueError as error:
                expected = "expected key, model, reply and tokens"
                raise ConfigError(
                    f"records: {file}, line {number}: {expected}, got {line}"
                ) from error
            answers[answer.key] = answer
    return answers


_T = TypeVar("_T")
_LOCKS = 64


class JudgeClient(Closeable):
    """Queries a model and returns only valid replies; thread-safe.

    A reply comes from the records (mode ``replay``), else from the cache, else from the service.
    An invalid reply is sent back to the model with the problem, up to ``repair_retries`` times.

    Args:
        config: Settings.
        budget: May be shared with other clients; by default a new budget with the limits of
            `config`.

    Raises:
        ConfigError: If the package of the service, the key or the file of records is missing, or
            the proxy set in the environment is unusable.
    """

    def __init__(self, config: JudgeConfig, budget: Budget | None = None) -> None:
        self.config = config
        self.budget = budget or Budget(config.max_calls, config.max_tokens)
        self._cache = AnswerCache(config.base_url, config.provider) if config.cache else None
        self._records: dict[str, Answer] = {}
        self._service: ModelService | None = None
        self._locks = tuple(threading.Lock() for _ in range(_LOCKS))
        if config.records is not None and config.mode == "replay":
            self._records = read_records(config.records)
            return
        key = read_key(config.key_name, config.base_url)
        extra = "judge" if config.provider == "openai" else "models"
        self._service = open_service(config.endpoint, key, "a judge", extra)
        if config.records is not None:
            start_records(config.records)

    def close(self) -> None:
        """Close all connections."""
        if self._service is not None:
            self._service.close()

    def ask(self, prompt: Prompt, parse: Callable[[object], _T]) -> _T:
        """Return the parsed reply to a prompt.

        Args:
            prompt: The prompt.
            parse: Converts the reply's JSON; raises ReplyError with the problem to fix.

        Raises:
            JudgeBudgetError: If the budget is spent.
            JudgeError: If there is no valid reply.
        """
        expected_form = "the JSON object that was described and nothing else"
        return self._answer(prompt, lambda reply: read_json(reply, parse), expected_form)

    def ask_text(self, prompt: Prompt) -> str:
        """Return the reply to a prompt as plain text, for prompts that define their own format.

        Raises:
            JudgeBudgetError: If the budget is spent.
            JudgeError: If there is no reply, or JSON mode is on.
        """
        if self.config.json_mode:
            raise JudgeError("free-text replies require json_mode=False")
        return self._answer(prompt, str, "the requested reply")

    def _answer(self, prompt: Prompt, read: Callable[[str], _T], expected_form: str) -> _T:
        settings = ("model", "temperature", "max_output_tokens", "json_mode")
        key = prompt.digest(**{name: getattr(self.config, name) for name in settings})
        if self._service is None:
            return self._from_records(key, read)
        with self._locks[int(key[:8], 16) % _LOCKS]:  # equal prompts share one request
            answer_and_value = self._from_cache(key, read)
            if answer_and_value is None:
                answer_and_value = self._request(self._service, key, prompt, read, expected_form)
                if self._cache is not None:
                    self._cache.store(answer_and_value[0])
            if self.config.records is not None:
                append_record(self.config.records, answer_and_value[0])
            return answer_and_value[1]

    def _from_records(self, key: str, read: Callable[[str], _T]) -> _T:
        if key not in self._records:
            raise JudgeError(
                f"no record of question {key[:12]} in {self.config.records}: the decks, the "
                "rubric, the prompts or the settings differ from those that were recorded; "
                "record again with mode='record'"
            )
        try:
            return read(self._records[key].reply)
        except ReplyError as error:
            raise JudgeError(f"the record of question {key[:12]}: {error}") from error

    def _from_cache(self, key: str, read: Callable[[str], _T]) -> tuple[Answer, _T] | None:
        answer = self._cache.find(key) if self._cache is not None else None
        try:
            return None if answer is None else (answer, read(answer.reply))
        except ReplyError:
            return None

    def _request(
        self,
        service: ModelService,
        key: str,
        prompt: Prompt,
        read: Callable[[str], _T],
        expected_form: str,
    ) -> tuple[Answer, _T]:
        turns = [Turn(prompt.parts)]
        reserved = prompt.estimated_tokens() + self.config.max_output_tokens
        attempts = self.config.repair_retries + 1
        tokens, problem = 0, ""
        for _ in range(attempts):
            try:
                answer = service.ask(Request(prompt.system, turns), self.budget, reserved)
            except EndpointError as error:
                raise JudgeError(str(error)) from None
            tokens += answer.tokens
            try:
                value = _parse_answer(answer, read)
            except ReplyError as error:
                problem = str(error)
                turns = [
                    *turns[:-1],
                    replace(turns[-1], answer=answer),
                    _correction_turn(problem, expected_form),
                ]
                reserved += len(answer.reply.text.encode("utf-8", "replace")) + 200
                continue
            return Answer(key, self.config.model, answer.reply.text, tokens), value
        raise JudgeError(f"no valid answer in {attempts} tries; the last: {problem}")


def _parse_answer(answer: ModelAnswer, read: Callable[[str], _T]) -> _T:
    if answer.problem == "cut off":
        raise ReplyError("the answer was cut off for its length; be brief")
    if not answer.reply.text.strip():
        raise ReplyError("the answer is empty")
    return read(answer.reply.text)


def _correction_turn(problem: str, expected_form: str) -> Turn:
    problem = f"Your answer cannot be used: {problem}."
    return Turn((f"{problem} Answer again with {expected_form}. Judge as before.",))
