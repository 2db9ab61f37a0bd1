"""`DocumentModelAgent`: a language model that edits decks by calling tools."""

import time
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pptarena.agents.model.agent import ModelAgent
from pptarena.agents.model.compact_calls import COMPACT, compact_prompt, parse_compact_calls
from pptarena.agents.model.document_calls import MAX_CALLS, parse_calls, system_prompt
from pptarena.agents.model.observer import make_turn
from pptarena.agents.model.settings import ModelSettings
from pptarena.agents.model.slide_sheet import short_outline, slide_pictures, slide_sheet
from pptarena.agents.model.usage import RunBudget
from pptarena.envs.document import ToolCall
from pptarena.envs.document.toolbox import ASK, FAMILIES, toolbox
from pptarena.errors import ActionError, ConfigError, DialectError
from pptarena.models import Answer, Request, Service
from pptarena.sources import read_sources
from pptarena.suggestions import not_found

__all__ = ["DocumentModelAgent", "require_known_tool"]

_DIALECTS = ("tools", "json", COMPACT)
_INTRODUCTION = (
    "You edit a presentation by calling tools. Refer to slides and shapes by the ids in the "
    "outline of the deck. Call done when the task is finished, or fail if it cannot be done."
)


class DocumentModelAgent(ModelAgent):
    """Asks a model for calls of the document environment's tools.

    The model receives the current outline of the deck, with ``slides`` also pictures of some
    slides, and the results of its last calls; of earlier turns, only the text. The dialect
    ``tools`` uses function calls. ``json`` and ``compact`` write calls as text, for models without
    function calling: ``json`` as JSON with the schemas of the tools, ``compact`` as one short call
    per line with their signatures, for small models. Limits, retries, costs and the record are
    those of `ModelAgent`.

    Args:
        settings: The model and the settings of its requests; ``text_tokens`` limits the outline,
            and ``see="budget"`` adds the number of steps left.
        budget: The budget of the run, shared with other agents; by default a separate one.
        service: The service that answers; by default the one of the settings.
        key: The API key; by default it is read from the environment.
        tools: Families of tools, those of the environment.

    Raises:
        ConfigError: If the dialect or a source of `see` is for screens, or the package of the
            service or the key is missing.
    """

    _recorded_see = "outline"
    _sources: Collection[str] = ("budget",)

    def __init__(
        self,
        settings: ModelSettings,
        budget: RunBudget | None = None,
        service: Service | None = None,
        key: str | None = None,
        tools: Sequence[str] = FAMILIES,
    ) -> None:
        if settings.dialect not in _DIALECTS:
            raise ConfigError(
                f"--env doc: expected a dialect of {', '.join(_DIALECTS)}, got {settings.dialect!r}"
            )
        sources = read_sources(settings.see) if settings.see else ()
        if unsupported := [source for source in sources if source not in self._sources]:
            raise ConfigError(
                f"--env doc: this agent cannot show {', '.join(unsupported)}: leave out see"
            )
        self._recorded_see = ",".join((self._recorded_see, *sources))
        self._base_tools = self._tools = [tool.to_json() for tool in toolbox(tools).values()]
        super().__init__(settings, budget, service, key)

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode, with the tool ``ask`` if the task has it."""
        ask_tool = [tool.to_json() for tool in toolbox((ASK,)).values() if tool.name == ASK]
        has_ask = ASK in [tool["name"] for tool in self._base_tools]
        self._tools = [
            *self._base_tools,
            *(ask_tool if info.get("may_ask") and not has_ask else []),
        ]
        super().reset(info, seed)

    def _start_episode(self, task: str, instruction: str) -> None:
        super()._start_episode(task, instruction)
        self._calls: deque[ToolCall] = deque()
        self._results: list[str] = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return the next `ToolCall`, or the `ActionError` of a reply without a valid call.

        Raises:
            AgentError: If too many replies in a row had no valid call.
            EndpointError: If the service does not answer.
        """
        problem = info["action_error"]
        if self._turns:
            self._results.append(f"refused: {problem}" if problem else str(observation["result"]))
        if info["instruction"] != self._instruction:
            self._calls.clear()  # planned for the previous instruction
        if problem and self._calls:
            self._results.append(f"nor were the {len(self._calls)} calls after it carried out")
            self._calls.clear()
        elif self._calls:
            return self._calls.popleft()
        self._require_valid_replies(problem)
        return self._request_calls(self._request_text(info), observation)

    def _system(self) -> str:
        prompts = {"json": system_prompt, COMPACT: compact_prompt}
        prompt = prompts.get(self._settings.dialect)
        introduction = _INTRODUCTION if prompt is None else prompt(self._tools)
        return f"{introduction}\n\nTask: {self._instruction}{self._extra_prompt()}"

    def _request_text(self, info: Mapping[str, Any]) -> str:
        lines, self._results = self._results, []
        instruction = str(info["instruction"])
        if instruction != self._instruction:  # the next turn of a multi-turn task has started
            self._instruction = instruction
            lines.append(f"Next task, on the same deck: {instruction}")
        if not self._turns:
            for exchange in info["dialogue"]:
                lines.append(
                    f"Asked before: {exchange['user']}\nThat was done by: {exchange['assistant']}"
                )
            lines.append(f"Task: {instruction}")
        if self._settings.see:
            lines.append(f"steps left: {info['steps_left']}")
        return "\n".join(lines)

    def _request_calls(self, text: str, observation: Mapping[str, Any]) -> ToolCall | ActionError:
        self._budget.require_remaining()
        outline = short_outline(str(observation["outline"]), self._settings.text_tokens)
        picture = slide_sheet(slide_pictures(observation)[: self._settings.slides or 0])
        turn = make_turn(f"{text}\n\nThe deck now:\n{outline}", picture)
        start_sec = time.perf_counter()
        answer = self._service.ask(
            Request(self._system(), [*self._earlier_turns(), turn], self._functions())
        )
        self._turns.append(make_turn(text, answer=answer))
        outcome = require_known_tool(self._parse_calls(answer), self._tools)
        self._count_usage(answer, outcome, time.perf_counter() - start_sec)
        self._record_message(turn.text, answer, outcome)
        if isinstance(outcome, ActionError):
            self._bad_answers += 1
            return outcome
        self._bad_answers = 0
        self._calls.extend(outcome[1:])
        return outcome[0]

    def _functions(self) -> list[dict[str, Any]]:
        if self._settings.dialect != "tools":
            return []
        return [{"type": "function", "function": tool} for tool in self._tools]

    def _parse_calls(self, answer: Answer) -> list[ToolCall] | ActionError:
        if answer.problem:
            return self._answer_error(answer)
        calls = answer.reply.calls
        if len(calls) > MAX_CALLS:
            return DialectError(f"expected at most {MAX_CALLS} calls, got {len(calls)}")
        if calls:
            return [ToolCall(call.name, call.arguments) for call in calls]
        try:  # some servers return the calls as text
            parse = parse_compact_calls if self._settings.dialect == COMPACT else parse_calls
            return parse(answer.reply.text)
        except ActionError as error:
            return error


def require_known_tool(
    outcome: list[ToolCall] | ActionError, tools: Sequence[Mapping[str, Any]]
) -> list[ToolCall] | ActionError:
    """Return the calls of a reply, or a `DialectError` if the first one names an unknown tool."""
    names = [str(tool["name"]) for tool in tools]
    if isinstance(outcome, ActionError) or not outcome or outcome[0].tool in names:
        return outcome
    return DialectError(not_found("tool", outcome[0].tool[:80], names))
