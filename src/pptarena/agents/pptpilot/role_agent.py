"""`RoleAgent`: counts, records, limits and repeats PPTPilot's requests to its model."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pptarena.agents.dialects.json_text import json_objects
from pptarena.agents.model.document_agent import DocumentModelAgent, require_known_tool
from pptarena.agents.model.document_calls import system_prompt
from pptarena.agents.model.observer import Picture, make_turn
from pptarena.agents.model.slide_sheet import short_outline
from pptarena.agents.pptpilot.settings import PilotSettings
from pptarena.agents.pptpilot.work import CallReply, Response
from pptarena.errors import ActionError, DialectError
from pptarena.models import Answer, Request, Turn

__all__ = ["RoleAgent", "SpentError"]

_Form = TypeVar("_Form", bound=BaseModel)


class SpentError(Exception):
    """A limit of the episode on tokens, cost or time is reached; the message names the limit."""


class RoleAgent(DocumentModelAgent):
    """Asks a model in several roles; see `pptarena.agents.pptpilot.work.Asker`."""

    _pilot: PilotSettings
    _sources = ()

    def _start_episode(self, task: str, instruction: str) -> None:
        super()._start_episode(task, instruction)
        self._started_sec = time.monotonic()
        self._step_count = 0
        self._systems: dict[str, str] = {}

    def fill(
        self, role: str, system: str, words: str, form: type[_Form], picture: Picture | None = None
    ) -> _Form:
        """Return a structured reply; an invalid one is returned with the error and requested again.

        Raises:
            AgentError: If too many replies in a row were invalid.
            EndpointError: If the service does not answer.
            SpentError: If a limit of the episode is reached.
        """
        turns = [make_turn(words, picture)]
        while True:
            answer, seconds = self._request(role, system, turns, [])
            outcome = self._parse_form(answer, form)
            self._count_usage(answer, outcome, seconds)
            nothing: list[Any] = []
            error = outcome if isinstance(outcome, ActionError) else nothing
            self._record_message(
                turns[-1].text, answer, error, role=role, step=self._step_count, meant=0
            )
            if not isinstance(outcome, ActionError):
                self._bad_answers = 0
                return outcome
            self._bad_answers += 1
            self._require_valid_replies(str(outcome))
            error_prompt = (
                f"That answer cannot be used: {outcome}. Answer again, in the form asked for."
            )
            turns = [make_turn(words, picture, answer=answer), make_turn(error_prompt)]

    def call(
        self,
        role: str,
        system: str,
        earlier: Sequence[Turn],
        words: str,
        tools: Sequence[Mapping[str, Any]],
        picture: Picture | None = None,
    ) -> CallReply | ActionError:
        """Return the calls of a reply, or the error of a reply without a valid call.

        Raises:
            AgentError: If too many replies in a row had no valid call.
            EndpointError: If the service does not answer.
            SpentError: If a limit of the episode is reached.
        """
        functions: list[dict[str, Any]] = []
        if self._settings.dialect == "json":
            system = f"{system}\n\n{system_prompt(tools)}"
        else:
            functions = [{"type": "function", "function": dict(tool)} for tool in tools]
        turns = [*earlier, make_turn(words, picture)]
        answer, seconds = self._request(role, system, turns, functions)
        outcome = require_known_tool(self._parse_calls(answer), tools)
        self._count_usage(answer, outcome, seconds)
        call_count = 1 if isinstance(outcome, ActionError) else len(outcome)
        self._record_message(
            words, answer, outcome, role=role, step=self._step_count, meant=call_count
        )
        if not isinstance(outcome, ActionError):
            self._bad_answers = 0
            return CallReply(outcome, make_turn(words, answer=answer))
        self._bad_answers += 1
        self._require_valid_replies(str(outcome))
        return outcome

    def outline(self, response: Response) -> str:
        """Return the outline, truncated to the limit of the settings."""
        return short_outline(response.outline, self._settings.text_tokens)

    def _system(self) -> str:
        return "each question has a system prompt of its own; pilot.json has them"

    def _request(
        self, role: str, system: str, turns: Sequence[Turn], functions: list[dict[str, Any]]
    ) -> tuple[Answer, float]:
        self._budget.require_remaining()
        self._require_remaining_limits()
        system += self._extra_prompt()
        self._systems[role] = system
        start_sec = time.perf_counter()
        answer = self._service.ask(Request(system, turns, functions))
        return answer, time.perf_counter() - start_sec

    def _require_remaining_limits(self) -> None:
        usage, pilot = self.usage, self._pilot
        for unit, amount, limit in (
            ("tokens", usage.input_tokens + usage.output_tokens, pilot.pilot_tokens),
            ("USD", usage.cost_usd(self._settings), pilot.pilot_cost_usd),
            ("seconds", time.monotonic() - self._started_sec, pilot.pilot_sec),
        ):
            if limit is not None and amount >= limit:
                raise SpentError(f"{amount:.6g} of {limit:g} {unit} are used")

    def _parse_form(self, answer: Answer, form: type[_Form]) -> _Form | DialectError:
        if answer.problem:
            return self._answer_error(answer)
        try:
            values = json_objects(answer.reply.text.rpartition("</think>")[2])
        except DialectError as error:
            return error
        problem = ""
        for value in reversed(values):  # the reply ends with its result
            try:
                return form.model_validate(value)
            except ValidationError as error:
                first = error.errors(include_url=False, include_context=False)[0]
                path = ".".join(map(str, first["loc"]))
                problem = problem or f"{path}: {first['msg']}, got {repr(first['input'])[:80]}"
        return DialectError(problem)
