"""`DocumentModelAgent`: a language model that edits decks by calling tools."""

import time
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pptarena.agents.model.agent import ModelAgent
from pptarena.agents.model.compact_calls import COMPACT, compact_calls, compact_prompt
from pptarena.agents.model.document_calls import MAX_CALLS, calls_in, system_prompt
from pptarena.agents.model.observing import make_turn
from pptarena.agents.model.settings import ModelSettings
from pptarena.agents.model.slide_sheet import pictures_of, short_outline, slide_sheet
from pptarena.agents.model.usage import RunBudget
from pptarena.envs.document import ToolCall
from pptarena.envs.document.toolbox import ASK, FAMILIES, toolbox
from pptarena.errors import ActionError, ConfigError, DialectError
from pptarena.models import Answer, Request, Service
from pptarena.sources import read_sources
from pptarena.suggestions import not_found

__all__ = ["DocumentModelAgent", "of_known_tools"]

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
        if refused := [source for source in sources if source not in self._sources]:
            raise ConfigError(f"--env doc: this agent shows no {', '.join(refused)}: leave out see")
        self._recorded_see = ",".join((self._recorded_see, *sources))
        self._own_tools = self._tools = [tool.to_json() for tool in toolbox(tools).values()]
        super().__init__(settings, budget, service, key)

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode, with the tool ``ask`` if the task has it."""
        asking = [tool.to_json() for tool in toolbox((ASK,)).values() if tool.name == ASK]
        known = ASK in [tool["name"] for tool in self._own_tools]
        self._tools = [*self._own_tools, *(asking if info.get("may_ask") and not known else [])]
        super().reset(info, seed)

    def _begin(self, task: str, instruction: str) -> None:
        super()._begin(task, instruction)
        self._calls: deque[ToolCall] = deque()
        self._said: list[str] = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return the next `ToolCall`, or the `ActionError` of a reply without a valid call.

        Raises:
            AgentError: If too many replies in a row had no valid call.
            EndpointError: If the service does not answer.
        """
        problem = info["action_error"]
        if self._turns:
            self._said.append(f"refused: {problem}" if problem else str(observation["result"]))
        if info["instruction"] != self._instruction:
            self._calls.clear()  # planned without that result
        if problem and self._calls:
            self._said.append(f"nor were the {len(self._calls)} calls after it carried out")
            self._calls.clear()
        elif self._calls:
            return self._calls.popleft()
        self._require_sense(problem)
        return self._ask_for_calls(self._told(info), observation)

    def _system(self) -> str:
        prompts = {"json": system_prompt, COMPACT: compact_prompt}
        prompt = prompts.get(self._settings.dialect)
        how = _INTRODUCTION if prompt is None else prompt(self._tools)
        return f"{how}\n\nTask: {self._instruction}{self._more()}"

    def _told(self, info: Mapping[str, Any]) -> str:
        words, self._said = self._said, []
        instruction = str(info["instruction"])
        if instruction != self._instruction:  # the next turn of a multi-turn task has started
            self._instruction = instruction
            words.append(f"Next task, on the same deck: {instruction}")
        if not self._turns:
            for each in info["dialogue"]:
                words.append(f"Asked before: {each['user']}\nThat was done by: {each['assistant']}")
            words.append(f"Task: {instruction}")
        if self._settings.see:
            words.append(f"steps left: {info['steps_left']}")
        return "\n".join(words)

    def _ask_for_calls(self, words: str, observation: Mapping[str, Any]) -> ToolCall | ActionError:
        self._budget.require_left()
        outline = short_outline(str(observation["outline"]), self._settings.text_tokens)
        picture = slide_sheet(pictures_of(observation)[: self._settings.slides or 0])
        now = make_turn(f"{words}\n\nThe deck now:\n{outline}", picture)
        begin = time.perf_counter()
        answer = self._service.ask(
            Request(self._system(), [*self._earlier(), now], self._functions())
        )
        self._turns.append(make_turn(words, answer=answer))
        found = of_known_tools(self._meant(answer), self._tools)
        self._count(answer, found, time.perf_counter() - begin)
        self._note(now.text, answer, found)
        if isinstance(found, ActionError):
            self._bad_answers += 1
            return found
        self._bad_answers = 0
        self._calls.extend(found[1:])
        return found[0]

    def _functions(self) -> list[dict[str, Any]]:
        if self._settings.dialect != "tools":
            return []
        return [{"type": "function", "function": tool} for tool in self._tools]

    def _meant(self, answer: Answer) -> list[ToolCall] | ActionError:
        if answer.problem:
            return self._problem(answer)
        calls = answer.reply.calls
        if len(calls) > MAX_CALLS:
            return DialectError(f"expected at most {MAX_CALLS} calls, got {len(calls)}")
        if calls:
            return [ToolCall(call.name, call.arguments) for call in calls]
        try:  # some servers leave a model's calls in its text
            parse = compact_calls if self._settings.dialect == COMPACT else calls_in
            return parse(answer.reply.text)
        except ActionError as error:
            return error


def of_known_tools(
    found: list[ToolCall] | ActionError, tools: Sequence[Mapping[str, Any]]
) -> list[ToolCall] | ActionError:
    """Return the calls of a reply, or a `DialectError` if the first one names an unknown tool."""
    names = [str(tool["name"]) for tool in tools]
    if isinstance(found, ActionError) or not found or found[0].tool in names:
        return found
    return DialectError(not_found("tool", found[0].tool[:80], names))
