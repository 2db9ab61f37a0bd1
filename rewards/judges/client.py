"""Client of a judge: sends prompts, validates replies, and caches them."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from pptarena.closing import Closing
from pptarena.errors import EndpointError, JudgeError
from pptarena.models import Answer as ModelAnswer
from pptarena.models import ModelService, Request, Turn, open_service, read_key
from pptarena.rewards.judges.budget import Budget
from pptarena.rewards.judges.config import JudgeConfig
from pptarena.rewards.judges.prompt import Prompt
from pptarena.rewards.judges.records import (
    Answer,
    AnswerCache,
    append_record,
    read_records,
    start_records,
)
from pptarena.rewards.judges.replies import ReplyError, read_json

__all__ = ["JudgeClient"]

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
