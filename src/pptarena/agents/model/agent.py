"""`ModelAgent`: a language or vision-language model that acts through a dialect."""

import dataclasses
import json
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pptarena.agents.dialects import get_dialect
from pptarena.agents.dialects.base import question_text
from pptarena.agents.dialects.code import code_blocks
from pptarena.agents.model.knowledge import read_cards, select_cards
from pptarena.agents.model.observer import Observer, ScreenView, make_turn
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
    """A reply: its turn, its actions or error, and the screen to which it refers."""

    turn: Turn
    answer: Answer
    outcome: list[Action] | ActionError
    view: ScreenView


class ModelAgent:
    """Asks a model for actions, in the action format that the model was trained on.

    A reply may contain several actions. They are executed in order; the next request follows when
    all are done or an action is refused. A reply without a valid action is a refused step: the
    model receives the reason, and the reply counts. After several such replies in a row, the agent
    gives up.

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
        self._start_episode("", "")

    def _start_episode(self, task: str, instruction: str) -> None:
        self._task, self._instruction = task, instruction
        self._observer = Observer(self._see, self._dialect.picture_size, self._settings.text_tokens)
        self._memory = ""
        self._turns: list[Turn] = []
        self._pending: deque[Action] = deque()
        self._messages: list[dict[str, Any]] = []
        self._bad_answers = 0
        self._options: list[_Option] = []
        self.usage = Usage()
        """The usage of this episode so far."""

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode; the seed is not used, since models do not take it."""
        self._start_episode(str(info["task_id"]), str(info["instruction"]))

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return the next `Action`, or the `ActionError` of a reply without a valid action.

        Raises:
            AgentError: If too many replies in a row had no valid action.
            EndpointError: If the service does not answer.
        """
        (action,) = self.propose(observation, info, 1)
        self.choose(0)
        return action

    def propose(
        self, observation: Mapping[str, Any], info: Mapping[str, Any], count: int
    ) -> list[Any]:
        """Send the same request several times; a planned action is returned alone.

        Raises:
            AgentError: If too many replies in a row had no valid action.
            EndpointError: If the service does not answer.
        """
        self._options = []
        self._observer.record_step(observation, info)
        problem = info["action_error"]
        if (
            info["instruction"] != self._instruction
            or info["command"].get("answer")
            or info.get("hint")
        ):
            self._pending.clear()  # planned without this information
        if problem and self._pending:
            problem += f"; nor were the {len(self._pending)} actions after it"
            self._pending.clear()
        elif self._pending:
            return [self._pending.popleft()]
        self._require_valid_replies(problem)
        view = self._observer.observe(observation, info)
        text = self._user_text(view, problem, info)
        self._options = [self._ask(view, text) for _ in range(count)]
        return [
            option.outcome if isinstance(option.outcome, ActionError) else option.outcome[0]
            for option in self._options
        ]

    def choose(self, index: int) -> None:
        """Keep one reply of `propose`, and drop the others; their cost still counts."""
        if not self._options:
            return
        option = self._options[index]
        self._options = []
        self._turns.append(option.turn)
        self._update_memory(option.answer.reply.text)
        self._record_message(option.turn.text, option.answer, option.outcome)
        is_invalid = isinstance(option.outcome, ActionError)
        self._bad_answers = self._bad_answers + 1 if is_invalid else 0
        if not isinstance(option.outcome, ActionError):
            later_actions = option.outcome[1:]
            self._pending.extend(_with_positions(action, option.view) for action in later_actions)

    def _update_memory(self, text: str) -> None:
        """Replace the memory with the memory block of a reply, if it has one."""
        blocks = [content for name, content in code_blocks(text) if name == "memory"]
        if blocks:
            self._memory = "\n".join(blocks).strip()

    def _require_valid_replies(self, problem: str | None) -> None:
        if self._bad_answers >= self._settings.bad_answers:
            raise AgentError(f"{self._bad_answers} answers in a row had no valid action: {problem}")

    def record(self) -> Mapping[str, bytes]:
        """Return the conversation, one line per reply, and its cost."""
        messages = (json.dumps(message, ensure_ascii=False) + "\n" for message in self._messages)
        settings = self._settings
        record = {
            "model": settings.model,
            "dialect": settings.dialect,
            "see": self._recorded_see or ",".join(read_sources(self._see)),
            "system": self._system(),
            "usage": self.usage.to_json(),
            "cost_usd": self.cost_usd,
            "settings": dataclasses.asdict(settings),
        }
        text = json.dumps(record, ensure_ascii=False, indent=1)
        return {
            "messages.jsonl": "".join(messages).encode("utf-8", "replace"),
            "model.json": f"{text}\n".encode("utf-8", "replace"),
        }

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation of this episode, one entry per reply."""
        return list(self._messages)

    @property
    def cost_usd(self) -> float:
        """The cost of this episode so far at the given prices."""
        return round(self.usage.cost_usd(self._settings), 6)

    def close(self) -> None:
        """Close all connections."""
        self._service.close()

    def _system(self) -> str:
        return f"{self._prompt()}\n\nTask: {self._instruction}{self._extra_prompt()}"

    def _prompt(self) -> str:
        return self._dialect.prompt()

    def _earlier_turns(self) -> list[Turn]:
        """Return the earlier turns of a request."""
        return self._turns[-self._settings.history :] if self._settings.history else []

    def _extra_prompt(self) -> str:
        """Return the text that the settings add to the task."""
        settings = self._settings
        text = f"\n\n{settings.prompt}" if settings.prompt else ""
        if settings.knowledge:
            cards = read_cards(settings.knowledge)
            selected = select_cards(cards, self._instruction, settings.knowledge_cards)
            text += f"\n\nHow the application is used:\n\n{selected}" if selected else ""
        return text

    def _updates(self, problem: str | None, info: Mapping[str, Any]) -> list[str]:
        """Return the news for the model in addition to the screen."""
        instruction, answer = str(info["instruction"]), info["command"].get("answer")
        lines = [f"That was not done: {problem}"] if problem else []
        if instruction != self._instruction:  # the next turn of a multi-turn task has started
            self._instruction = instruction
            lines.append(f"Next task, on the same deck: {instruction}")
        if answer:
            lines.append(f"The answer to your question: {answer}")
        if hint := info.get("hint"):
            lines.append(f"A note from the user: {hint}")
        return lines

    def _user_text(self, view: ScreenView, problem: str | None, info: Mapping[str, Any]) -> str:
        lines = self._updates(problem, info)
        if not self._turns:
            lines.append(f"Task: {self._instruction}")
        if view.text:
            lines.append(view.text)
        if self._memory:
            lines.append(f"your memory:\n{self._memory}")
        return "\n".join(lines)

    def _ask(self, view: ScreenView, text: str) -> "_Option":
        self._budget.require_remaining()
        turn = make_turn(text, *view.pictures)
        turns = _keep_last_pictures([*self._earlier_turns(), turn], self._settings.pictures)
        start_sec = time.perf_counter()
        answer = self._service.ask(Request(self._system(), turns, self._dialect.tools(view.screen)))
        outcome = self._parse_answer(answer, view)
        self._count_usage(answer, outcome, time.perf_counter() - start_sec)
        return _Option(dataclasses.replace(turn, answer=answer), answer, outcome, view)

    def _parse_answer(self, answer: Answer, view: ScreenView) -> list[Action] | ActionError:
        if answer.problem:
            return self._answer_error(answer)
        try:
            actions = self._dialect.parse(answer.reply, view.screen)
        except ActionError as error:
            return error
        return [_add_question(action, answer.thought) for action in actions]

    def _answer_error(self, answer: Answer) -> DialectError:
        limit = self._settings.max_output_tokens
        return DialectError(_PROBLEMS[answer.problem].format(limit=limit))

    def _count_usage(self, answer: Answer, outcome: object, duration_sec: float) -> None:
        usage = Usage(
            requests=1,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            malformed=int(isinstance(outcome, ActionError)),
            cut_off=int(answer.problem == "cut off"),
            refused=int(answer.problem == "refused"),
            model_sec=duration_sec,
        )
        self.usage += usage
        self._budget.add(usage)

    def _record_message(
        self,
        text: str,
        answer: Answer,
        outcome: "Sequence[Action | ToolCall] | ActionError",
        **extra: str | int,
    ) -> None:
        error = outcome if isinstance(outcome, ActionError) else None
        self._messages.append(
            {
                "shown": text,
                "thought": answer.thought,
                "text": answer.reply.text,
                "calls": [
                    {"name": call.name, "arguments": _to_json(call.arguments)}
                    for call in answer.reply.calls
                ],
                "actions": [
                    action.to_json()
                    for action in ([] if isinstance(outcome, ActionError) else outcome)
                ],
                "error": None if error is None else str(error),
                "input_tokens": answer.input_tokens,
                "output_tokens": answer.output_tokens,
                **extra,
            }
        )


def _keep_last_pictures(turns: list[Turn], count: int) -> list[Turn]:
    """Return the turns without pictures, except for the last `count` turns."""
    older_turns = turns[:-count]
    return [*(turn.without_pictures() for turn in older_turns), *turns[-count:]]


def _add_question(action: Action, thought: str) -> Action:
    # Some services return the reasoning, which contains the question, separately from the reply.
    if action.kind != "ask" or action.text:
        return action
    return dataclasses.replace(action, text=question_text(thought))


def _with_positions(action: Action, view: ScreenView) -> Action:
    # Element numbers change with every step, so an old reply is rendered with positions.
    if not action.element or action.kind == "copy_image":
        return action
    centers = view.screen.centers
    if action.element > len(centers):
        return action
    return dataclasses.replace(action, element=0, xy=centers[action.element - 1])


def _to_json(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
