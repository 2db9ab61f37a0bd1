"""PPTPilot's requests to its model: counted, recorded, limited, repeated after invalid replies."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pptarena.agents.dialects.json_text import json_objects
from pptarena.agents.model.document_agent import DocumentModelAgent, of_known_tools
from pptarena.agents.model.document_calls import system_prompt
from pptarena.agents.model.observing import Picture, make_turn
from pptarena.agents.model.slide_sheet import short_outline
from pptarena.agents.pptpilot.settings import PilotSettings
from pptarena.agents.pptpilot.work import Said, Seen
from pptarena.errors import ActionError, DialectError
from pptarena.models import Answer, Request, Turn

__all__ = ["AskingAgent", "SpentError"]

_Form = TypeVar("_Form", bound=BaseModel)


class SpentError(Exception):
    """The episode's limit of tokens, money or time is reached; the message names it."""


class AskingAgent(DocumentModelAgent):
    """Asks a model in several roles; see `pptarena.agents.pptpilot.work.Asker`."""

    _pilot: PilotSettings
    _sources = ()

    def _begin(self, task: str, instruction: str) -> None:
        super()._begin(task, instruction)
        self._began = time.monotonic()
        self._steps = 0
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
            answer, seconds = self._asked(role, system, turns, [])
            found = self._filled(answer, form)
            self._count(answer, found, seconds)
            nothing: list[Any] = []
            error = found if isinstance(found, ActionError) else nothing
            self._note(turns[-1].text, answer, error, role=role, step=self._steps, meant=0)
            if not isinstance(found, ActionError):
                self._bad_answers = 0
                return found
            self._bad_answers += 1
            self._require_sense(str(found))
            again = f"That answer cannot be used: {found}. Answer again, in the form asked for."
            turns = [make_turn(words, picture, answer=answer), make_turn(again)]

    def call(
        self,
        role: str,
        system: str,
        earlier: Sequence[Turn],
        words: str,
        tools: Sequence[Mapping[str, Any]],
        picture: Picture | None = None,
    ) -> Said | ActionError:
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
        answer, seconds = self._asked(role, system, turns, functions)
        found = of_known_tools(self._meant(answer), tools)
        self._count(answer, found, seconds)
        meant = 1 if isinstance(found, ActionError) else len(found)
        self._note(words, answer, found, role=role, step=self._steps, meant=meant)
        if not isinstance(found, ActionError):
            self._bad_answers = 0
            return Said(found, make_turn(words, answer=answer))
        self._bad_answers += 1
        self._require_sense(str(found))
        return found

    def outline(self, seen: Seen) -> str:
        """Return the outline, truncated to the limit of the settings."""
        return short_outline(seen.outline, self._settings.text_tokens)

    def _system(self) -> str:
        return "each question has a system prompt of its own; pilot.json has them"

    def _asked(
        self, role: str, system: str, turns: Sequence[Turn], functions: list[dict[str, Any]]
    ) -> tuple[Answer, float]:
        self._budget.require_left()
        self._require_room()
        system += self._more()
        self._systems[role] = system
        begin = time.perf_counter()
        answer = self._service.ask(Request(system, turns, functions))
        return answer, time.perf_counter() - begin

    def _require_room(self) -> None:
        used, pilot = self.usage, self._pilot
        for name, spent, most in (
            ("tokens", used.input_tokens + used.output_tokens, pilot.pilot_tokens),
            ("USD", used.cost_usd(self._settings), pilot.pilot_cost_usd),
            ("seconds", time.monotonic() - self._began, pilot.pilot_sec),
        ):
            if most is not None and spent >= most:
                raise SpentError(f"{spent:.6g} of {most:g} {name} are spent")

    def _filled(self, answer: Answer, form: type[_Form]) -> _Form | DialectError:
        if answer.problem:
            return self._problem(answer)
        try:
            values = json_objects(answer.reply.text.rpartition("</think>")[2])
        except DialectError as error:
            return error
        problem = ""
        for value in reversed(values):  # reasoning comes first
            try:
                return form.model_validate(value)
            except ValidationError as error:
                first = error.errors(include_url=False, include_context=False)[0]
                place = ".".join(map(str, first["loc"]))
                problem = problem or f"{place}: {first['msg']}, got {repr(first['input'])[:80]}"
        return DialectError(problem)
