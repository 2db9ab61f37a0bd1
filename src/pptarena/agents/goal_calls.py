"""Build the target deck of a task with typed calls of the document environment.

`GoalAgent` writes the changed parts of the file in one program, which models cannot learn from.
`CallingGoalAgent` makes the edits of the task's solution with the calls that a model would use.
"""

import inspect
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from pptarena.decks.presentation import open_presentation
from pptarena.edits import OpenDeck, edit_presentation, get_edit
from pptarena.edits.signature import address_in
from pptarena.envs.document import ToolCall
from pptarena.envs.document.edit_tools import EDIT_TOOLS
from pptarena.errors import AgentError, DeckError, EditError
from pptarena.tasks import Task

__all__ = ["CallingGoalAgent", "goal_calls"]

# Edits without a tool, by the tool that has the same effect on an entire shape.
_TOOLS = MappingProxyType({"set_text_link": "set_link"})
# Arguments that tools lack and rubrics do not require.
_DISPENSABLE = frozenset(("without", "wrap", "start_side", "end_side", "color", "width_pt"))


def goal_calls(task: Task) -> list[ToolCall]:
    """Return the typed calls that make the edits of a task's solution.

    Raises:
        AgentError: If the task has no solution, or an edit has no typed call.
    """
    if not task.solution:
        raise AgentError(f"{task.id}: the task has no solution; use --agent goal")
    try:
        deck = OpenDeck(open_presentation(task.deck_bytes()), task.files_bytes())
        calls = []
        for entry in task.solution:
            calls.append(_call(deck, entry))
            edit_presentation(deck.presentation, [entry], deck.files)  # later calls need new ids
    except (DeckError, EditError) as error:
        raise AgentError(f"{task.id}: {error}") from error
    return calls


class CallingGoalAgent:
    """Makes the edits of generated tasks with typed calls, then calls `done`.

    Args:
        tasks: The tasks to play.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._calls: list[ToolCall] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode.

        Raises:
            AgentError: If an edit has no typed call.
        """
        self._calls = [*goal_calls(self._tasks[info["task_id"]]), ToolCall.of("done")]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return the next call.

        Raises:
            AgentError: If the previous call was refused; the message has the reason.
        """
        if info["action_error"]:
            raise AgentError(f"the call was refused: {info['action_error']}")
        return self._calls.pop(0)


def _call(deck: OpenDeck, entry: Mapping[str, Any]) -> ToolCall:
    name = _TOOLS.get(entry["edit"], entry["edit"])
    known = inspect.signature(EDIT_TOOLS[name]).parameters if name in EDIT_TOOLS else {}
    kinds = {each.name: each.annotation for each in get_edit(entry["edit"]).signature.parameters}
    arguments = {}
    for key, value in entry.items():
        if key == "edit" or (key in _DISPENSABLE and key not in known):
            continue
        if key not in known:
            raise AgentError(f"no typed call for the edit {dict(entry)}")
        address = address_in(kinds[key])
        arguments[key] = value if address is None else _id(deck, entry, address.to, value)
    return ToolCall(name, arguments)


def _id(deck: OpenDeck, entry: Mapping[str, Any], kind: str, address: Any) -> Any:
    """Return the id of a slide or of a shape on the slide of an edit."""
    if isinstance(address, list):
        return [_id(deck, entry, kind, each) for each in address]
    if kind == "shape":
        return int(deck.shape(entry["slide"], address).shape_id)
    return int(deck.slide(address).slide_id)
