"""`GoalAgent`: carries out the edits of a task's solution as typed calls."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from pptarena.decks.presentation import open_presentation
from pptarena.edits import Edit, OpenDeck, Solution
from pptarena.edits.signature import address_in
from pptarena.edits.solution import apply_edit, bind_entry
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError, DeckError, EditError
from pptarena.tasks import Task
from pptarena.tasks.turn import Turn

__all__ = ["GoalAgent", "goal_calls"]

# Arguments that name a shape on a different slide, with the argument that names the slide.
_OTHER_SLIDE = MappingProxyType(
    {("add_table_like", "like"): "like_slide", ("copy_image", "shape"): "from_slide"}
)


def goal_calls(task: Task) -> list[ToolCall]:
    """Return the typed calls for the edits of a task, or of its first turn if it has several.

    Raises:
        AgentError: If the task has no solution, or its deck cannot be edited.
    """
    return next(_calls_by_turn(task))


class GoalAgent:
    """Carries out the edits of each turn, then calls `done`; calls `fail` on infeasible turns.

    Args:
        tasks: The tasks to play.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._calls: list[ToolCall] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode.

        Raises:
            AgentError: If a turn of the task has no solution.
        """
        task = self._tasks[info["task_id"]]
        self._calls = []
        for turn, calls in zip(_all_turns(task), _calls_by_turn(task), strict=True):
            self._calls += [*calls, ToolCall.of("done" if turn.feasible else "fail")]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return the next call.

        Raises:
            AgentError: If the previous call was refused; the message states the reason.
        """
        if info["action_error"]:
            raise AgentError(f"the call was refused: {info['action_error']}")
        return self._calls.pop(0)


def _all_turns(task: Task) -> tuple[Task | Turn, ...]:
    return task, *task.turns


def _calls_by_turn(task: Task) -> Iterator[list[ToolCall]]:
    """Yield the calls of each turn; infeasible turns have none."""
    try:
        deck = OpenDeck(open_presentation(task.deck_bytes()), task.files_bytes())
        for number, turn in enumerate(_all_turns(task), 1):
            if turn.feasible and not turn.solution:
                turn_note = f" for turn {number}" if task.turns else ""
                raise AgentError(f"{task.id}: the task has no solution{turn_note}")
            yield list(_calls(deck, turn.solution)) if turn.feasible else []
    except (DeckError, EditError) as error:
        raise AgentError(f"{task.id}: {error}") from error


def _calls(deck: OpenDeck, solution: Solution) -> Iterator[ToolCall]:
    for entry in solution:
        slides = range(1, len(deck.presentation.slides) + 1)
        for edit, arguments in bind_entry(entry, slides):
            yield _typed_call(deck, edit, arguments)
            apply_edit(edit, arguments, deck)  # later calls need the ids of new objects


def _typed_call(deck: OpenDeck, edit: Edit, arguments: Mapping[str, Any]) -> ToolCall:
    call_arguments = {}
    for parameter in edit.signature.parameters:
        value, address = arguments[parameter.name], address_in(parameter.annotation)
        if value != parameter.default:
            slide = arguments.get(_OTHER_SLIDE.get((edit.name, parameter.name), "slide"))
            call_arguments[parameter.name] = (
                _to_json(value) if address is None else _id(deck, slide, address.to, value)
            )
    return ToolCall(edit.name, call_arguments)


def _id(deck: OpenDeck, slide: Any, kind: str, address: Any) -> Any:
    """Return the id of a slide or of a shape on a slide."""
    if isinstance(address, list):
        return [_id(deck, slide, kind, item) for item in address]
    if kind == "shape":
        return int(deck.shape(slide, address).shape_id)
    return int(deck.slide(address).slide_id)


def _to_json(value: Any) -> Any:
    """Return an argument as a JSON value."""
    if isinstance(value, list):
        return [_to_json(item) for item in value]
    return value.model_dump() if isinstance(value, BaseModel) else value
