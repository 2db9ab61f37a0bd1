"""Client of a judge: sends prompts within a budget, validates replies, and stores them."""

import fcntl
import hashlib
import json
import logging
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from pptarena.closing import Closing
from pptarena.errors import ConfigError, EndpointError, JudgeBudgetError, JudgeError
from pptarena.files import read_text, replacing
from pptarena.models import Answer as ModelAnswer
from pptarena.models import ModelService, Request, Turn, open_service, read_key
from pptarena.paths import cache_home
from pptarena.rewards.judges.config import JudgeConfig
from pptarena.rewards.judges.prompt import Prompt
from pptarena.rewards.judges.replies import ReplyError, read_json

__all__ = ["Budget", "JudgeClient", "read_records"]


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
        place = base_url or "openai"
        if provider != "openai":
            place = f"{provider} {base_url or ''}"
        endpoint = hashlib.sha256(place.encode()).hexdigest()[:12]
        self.folder = cache_home() / "judges" / endpoint

    def find(self, key: str) -> Answer | None:
        """Return the answer for a key, or None."""
        try:
            found = _ANSWER.validate_json(self._file(key).read_bytes())
        except (OSError, ValueError):
            return None
        return found if found.key == key else None

    def keep(self, answer: Answer) -> None:
        """Store an answer."""
        file = self._file(answer.key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as out:
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
    found: dict[str, Answer] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                answer = _ANSWER.validate_json(line)
            except ValueError as error:
                wanted = "expected key, model, reply and tokens"
                raise ConfigError(
                    f"records: {file}, line {number}: {wanted}, got {line}"
                ) from error
            found[answer.key] = answer
    return found


_T = TypeVar("_T")
_LOCKS = 64


class JudgeClient(Closing):
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
        wanted = "the JSON object that was described and nothing else"
        return self._answer(prompt, lambda reply: read_json(reply, parse), wanted)

    def ask_text(self, prompt: Prompt) -> str:
        """Return the reply to a prompt as plain text, for prompts that define their own format.

        Raises:
            JudgeBudgetError: If the budget is spent.
            JudgeError: If there is no reply, or JSON mode is on.
        """
        if self.config.json_mode:
            raise JudgeError("answers in free text cannot be had with json_mode=True")
        return self._answer(prompt, str, "what was asked for")

    def _answer(self, prompt: Prompt, read: Callable[[str], _T], wanted: str) -> _T:
        settings = ("model", "temperature", "max_output_tokens", "json_mode")
        key = prompt.digest(**{name: getattr(self.config, name) for name in settings})
        if self._service is None:
            return self._recorded(key, read)
        with self._locks[int(key[:8], 16) % _LOCKS]:  # equal prompts share one request
            found = self._cached(key, read)
            if found is None:
                found = self._fresh(self._service, key, prompt, read, wanted)
                if self._cache is not None:
                    self._cache.keep(found[0])
            if self.config.records is not None:
                append_record(self.config.records, found[0])
            return found[1]

    def _recorded(self, key: str, read: Callable[[str], _T]) -> _T:
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

    def _cached(self, key: str, read: Callable[[str], _T]) -> tuple[Answer, _T] | None:
        answer = self._cache.find(key) if self._cache is not None else None
        try:
            return None if answer is None else (answer, read(answer.reply))
        except ReplyError:
            return None

    def _fresh(
        self,
        service: ModelService,
        key: str,
        prompt: Prompt,
        read: Callable[[str], _T],
        wanted: str,
    ) -> tuple[Answer, _T]:
        turns = [Turn(prompt.parts)]
        reserved = prompt.estimated_tokens() + self.config.max_output_tokens
        tries = self.config.repair_retries + 1
        tokens, problem = 0, ""
        for _ in range(tries):
            try:
                answer = service.ask(Request(prompt.system, turns), self.budget, reserved)
            except EndpointError as error:
                raise JudgeError(str(error)) from None
            tokens += answer.tokens
            try:
                value = _value(answer, read)
            except ReplyError as error:
                problem = str(error)
                turns = [*turns[:-1], replace(turns[-1], answer=answer), _repair(problem, wanted)]
                reserved += len(answer.reply.text.encode("utf-8", "replace")) + 200
                continue
            return Answer(key, self.config.model, answer.reply.text, tokens), value
        raise JudgeError(f"no valid answer in {tries} tries; the last: {problem}")


def _value(answer: ModelAnswer, read: Callable[[str], _T]) -> _T:
    if answer.problem == "cut off":
        raise ReplyError("the answer was cut off for its length; be brief")
    if not answer.reply.text.strip():
        raise ReplyError("the answer is empty")
    return read(answer.reply.text)


def _repair(problem: str, wanted: str) -> Turn:
    asked = f"Your answer cannot be used: {problem}. Answer again with {wanted}. Judge as before."
    return Turn((asked,))
