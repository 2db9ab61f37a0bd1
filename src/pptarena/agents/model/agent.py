"""`ModelAgent`: a language or vision-language model that acts through a dialect."""

import dataclasses
import json
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pptarena.agents.dialects import get_dialect
from pptarena.agents.dialects.base import question_of
from pptarena.agents.dialects.code import code_blocks
from pptarena.agents.model.knowledge import chosen_cards, read_cards
from pptarena.agents.model.observing import Observer, Sight, make_turn
from pptarena.agents.model.services import make_service
from pptarena.agents.model.settings import ModelSettings
from pptarena.agents.model.usage import RunBudget, Usage
from pptarena.envs.actions import Action
from pptarena.errors import ActionError, AgentError, ConfigError, DialectError
from pptarena.models import Answer, Request, Service, Turn
from pptarena.sources import read_sources

if TYPE_CHECKING:
    from pptarena.envs.document import ToolCall

__all__ = ["ModelAgent"]

_PROBLEMS = {
    "cut off": "your answer was cut off at {limit} tokens; answer more briefly",
    "refused": "no answer came: it was refused",
}


@dataclasses.dataclass(frozen=True, slots=True)
class _Option:
    """One reply: the turn it belongs to, its actions, and the screen it refers to."""

    turn: Turn
    answer: Answer
    found: list[Action] | ActionError
    sight: Sight


class ModelAgent:
    """Asks a model for actions, in the action format that the model was trained on.

    A reply may contain several actions. They are executed one after the other; the next request
    follows when all are done or one was refused. A reply without a valid action is a refused step:
    the model receives the reason, and the reply is counted. After several of them in a row the
    agent gives up.

    Args:
        settings: The model and the settings of its requests.
        budget: The budget of the run, shared with other agents; by default a separate one.
        service: The service that answers; by default the one that the dialect requires.
        key: The API key; by default it is read from the environment.

    Raises:
        ConfigError: If the package of the service or the key is missing.
    """

    _recorded_see = ""  # observations other than sources of a screen

    def __init__(
        self,
        settings: ModelSettings,
        budget: RunBudget | None = None,
        service: Service | None = None,
        key: str | None = None,
    ) -> None:
        if settings.slides and not self._recorded_see:
            raise ConfigError("slides: a screen shows no pictures of slides; use --env doc")
        self._settings, self._budget = settings, budget or RunBudget(settings)
        self._dialect = get_dialect(settings.dialect)
        self._service = service or make_service(
            settings, self._dialect, settings.key() if key is None else key
        )
        self._see = settings.see or self._dialect.see
        self._begin("", "")

    def _begin(self, task: str, instruction: str) -> None:
        self._task, self._instruction = task, instruction
        self._observer = Observer(self._see, self._dialect.picture_size, self._settings.text_tokens)
        self._memory = ""
        self._turns: list[Turn] = []
        self._waiting: deque[Action] = deque()
        self._lines: list[dict[str, Any]] = []
        self._bad_answers = 0
        self._options: list[_Option] = []
        self.usage = Usage()
        """The usage of this episode so far."""

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode; the seed is not used, since models do not take it."""
        self._begin(str(info["task_id"]), str(info["instruction"]))

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return the next `Action`, or the `ActionError` of a reply without a valid action.

        Raises:
            AgentError: If too many replies in a row had no valid action.
            EndpointError: If the service does not answer.
        """
        (only,) = self.propose(observation, info, 1)
        self.choose(0)
        return only

    def propose(
        self, observation: Mapping[str, Any], info: Mapping[str, Any], count: int
    ) -> list[Any]:
        """Send the same request several times; actions that are already planned are returned alone.

        Raises:
            AgentError: If too many replies in a row had no valid action.
            EndpointError: If the service does not answer.
        """
        self._options = []
        self._observer.note(observation, info)
        problem = info["action_error"]
        if (
            info["instruction"] != self._instruction
            or info["command"].get("answer")
            or info.get("hint")
        ):
            self._waiting.clear()  # planned without that result
        if problem and self._waiting:
            problem += f"; nor were the {len(self._waiting)} actions after it"
            self._waiting.clear()
        elif self._waiting:
            return [self._waiting.popleft()]
        self._require_sense(problem)
        sight = self._observer.see(observation, info)
        words = self._words(sight, problem, info)
        self._options = [self._ask(sight, words) for _ in range(count)]
        return [
            option.found if isinstance(option.found, ActionError) else option.found[0]
            for option in self._options
        ]

    def choose(self, index: int) -> None:
        """Keep one reply of `propose`, and drop the others except for their cost."""
        if not self._options:
            return
        option = self._options[index]
        self._options = []
        self._turns.append(option.turn)
        self._remember(option.answer.reply.text)
        self._note(option.turn.text, option.answer, option.found)
        bad = isinstance(option.found, ActionError)
        self._bad_answers = self._bad_answers + 1 if bad else 0
        if not isinstance(option.found, ActionError):
            later = option.found[1:]
            self._waiting.extend(_without_elements(action, option.sight) for action in later)

    def _remember(self, text: str) -> None:
        """Keep the memory block of a reply; it replaces the one before."""
        blocks = [content for name, content in code_blocks(text) if name == "memory"]
        if blocks:
            self._memory = "\n".join(blocks).strip()

    def _require_sense(self, problem: str | None) -> None:
        if self._bad_answers >= self._settings.bad_answers:
            raise AgentError(f"{self._bad_answers} answers in a row had no valid action: {problem}")

    def record(self) -> Mapping[str, bytes]:
        """Return the conversation, one line per reply, and its cost."""
        lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in self._lines)
        settings = self._settings
        facts = {
            "model": settings.model,
            "dialect": settings.dialect,
            "see": self._recorded_see or ",".join(read_sources(self._see)),
            "system": self._system(),
            "usage": self.usage.to_json(),
            "cost_usd": self.cost_usd,
            "settings": dataclasses.asdict(settings),
        }
        text = json.dumps(facts, ensure_ascii=False, indent=1)
        return {
            "messages.jsonl": "".join(lines).encode("utf-8", "replace"),
            "model.json": f"{text}\n".encode("utf-8", "replace"),
        }

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation of this episode, one entry per reply."""
        return list(self._lines)

    @property
    def cost_usd(self) -> float:
        """The cost of this episode so far at the given prices."""
        return round(self.usage.cost_usd(self._settings), 6)

    def close(self) -> None:
        """Close all connections."""
        self._service.close()

    def _system(self) -> str:
        return f"{self._prompt()}\n\nTask: {self._instruction}{self._more()}"

    def _prompt(self) -> str:
        return self._dialect.prompt()

    def _earlier(self) -> list[Turn]:
        """Return the earlier turns of a request."""
        return self._turns[-self._settings.history :] if self._settings.history else []

    def _more(self) -> str:
        """Return the text that the settings add to the task."""
        settings = self._settings
        more = f"\n\n{settings.prompt}" if settings.prompt else ""
        if settings.knowledge:
            cards = read_cards(settings.knowledge)
            found = chosen_cards(cards, self._instruction, settings.knowledge_cards)
            more += f"\n\nHow the application is used:\n\n{found}" if found else ""
        return more

    def _news(self, problem: str | None, info: Mapping[str, Any]) -> list[str]:
        """Return what the model is given besides the screen."""
        instruction, answer = str(info["instruction"]), info["command"].get("answer")
        words = [f"That was not done: {problem}"] if problem else []
        if instruction != self._instruction:  # the next turn of a multi-turn task has started
            self._instruction = instruction
            words.append(f"Next task, on the same deck: {instruction}")
        if answer:
            words.append(f"The answer to your question: {answer}")
        if hint := info.get("hint"):
            words.append(f"A note from the user: {hint}")
        return words

    def _words(self, sight: Sight, problem: str | None, info: Mapping[str, Any]) -> str:
        words = self._news(problem, info)
        if not self._turns:
            words.append(f"Task: {self._instruction}")
        if sight.text:
            words.append(sight.text)
        if self._memory:
            words.append(f"your memory:\n{self._memory}")
        return "\n".join(words)

    def _ask(self, sight: Sight, words: str) -> "_Option":
        self._budget.require_left()
        turn = make_turn(words, *sight.pictures)
        asked = _with_pictures([*self._earlier(), turn], self._settings.pictures)
        begin = time.perf_counter()
        answer = self._service.ask(
            Request(self._system(), asked, self._dialect.tools(sight.screen))
        )
        found = self._understood(answer, sight)
        self._count(answer, found, time.perf_counter() - begin)
        return _Option(dataclasses.replace(turn, answer=answer), answer, found, sight)

    def _understood(self, answer: Answer, sight: Sight) -> list[Action] | ActionError:
        if answer.problem:
            return self._problem(answer)
        try:
            found = self._dialect.parse(answer.reply, sight.screen)
        except ActionError as error:
            return error
        return [_with_question(action, answer.thought) for action in found]

    def _problem(self, answer: Answer) -> DialectError:
        limit = self._settings.max_output_tokens
        return DialectError(_PROBLEMS[answer.problem].format(limit=limit))

    def _count(self, answer: Answer, found: object, seconds: float) -> None:
        used = Usage(
            requests=1,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            malformed=int(isinstance(found, ActionError)),
            cut_off=int(answer.problem == "cut off"),
            refused=int(answer.problem == "refused"),
            model_sec=seconds,
        )
        self.usage += used
        self._budget.add(used)

    def _note(
        self,
        words: str,
        answer: Answer,
        found: "Sequence[Action | ToolCall] | ActionError",
        **more: str | int,
    ) -> None:
        error = found if isinstance(found, ActionError) else None
        self._lines.append(
            {
                "shown": words,
                "thought": answer.thought,
                "text": answer.reply.text,
                "calls": [
                    {"name": call.name, "arguments": _plain(call.arguments)}
                    for call in answer.reply.calls
                ],
                "actions": [
                    action.to_json() for action in ([] if isinstance(found, ActionError) else found)
                ],
                "error": None if error is None else str(error),
                "input_tokens": answer.input_tokens,
                "output_tokens": answer.output_tokens,
                **more,
            }
        )


def _with_pictures(turns: list[Turn], count: int) -> list[Turn]:
    """Return turns in which only the last pictures are kept."""
    old = turns[:-count]
    return [*(turn.without_pictures() for turn in old), *turns[-count:]]


def _with_question(action: Action, thought: str) -> Action:
    # Some services return the reasoning apart from the reply, and with it the question.
    if action.kind != "ask" or action.text:
        return action
    return dataclasses.replace(action, text=question_of(thought))


def _without_elements(action: Action, sight: Sight) -> Action:
    # Element numbers change with every step, so an old reply is rendered with positions.
    if not action.element or action.kind == "copy_image":
        return action
    centres = sight.screen.centres
    if action.element > len(centres):
        return action
    return dataclasses.replace(action, element=0, xy=centres[action.element - 1])


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
