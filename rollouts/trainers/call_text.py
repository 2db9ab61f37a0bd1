"""Calls of tools in the text of an answer, for trainers that pass nothing but text."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.agents.dialects.json_text import json_objects
from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError, DialectError
from pptarena.rollouts.trainers.doc_session import DocSession

__all__ = ["calls_in", "carry_out", "system_prompt"]

_HOW = """\
You edit a presentation by calling tools. Slides and shapes go by their ids. Answer with a short
thought and then one call, or several, each as a JSON object:
<tool_call>{"name": "set_text", "arguments": {"slide": 256, "shape": 2, "text": "Hello"}}</tool_call>
Call done when the task is finished, or fail if it cannot be done. The tools:
"""  # noqa: E501 - one line of it is a whole call
_MAX_CALLS = 20


def system_prompt(tools: Sequence[Mapping[str, Any]]) -> str:
    """Return how to answer, with the schema of every tool.

    Args:
        tools: What `PPTArenaDocEnv.tools` returns, or some of them.
    """
    return _HOW + "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)


def calls_in(text: str) -> list[ToolCall]:
    """Return the calls that an answer holds, in order.

    Objects with ``name`` (as Hermes and Qwen write it) or ``tool`` are calls; what stands before
    ``</think>`` is not looked at.

    Raises:
        DialectError: If there is none, or there are too many.
    """
    found = [_call(each) for each in json_objects(text.rpartition("</think>")[2])]
    if len(found) > _MAX_CALLS:
        raise DialectError(f"expected at most {_MAX_CALLS} calls in one answer, got {len(found)}")
    return found


def carry_out(session: DocSession, answer: str) -> tuple[str, float]:
    """Carry out the calls of an answer, up to the first that is refused.

    An answer without any call is a refused step.

    Returns:
        What the model reads next, and the reward of the whole answer.

    Raises:
        MachineError: If the infrastructure failed: this episode has no score.
    """
    before = len(session.steps)
    results: list[str] = []
    try:
        for call in _read(answer):
            results.append(session.act(call))
            if session.over:
                break
    except ActionError as error:
        results.append(f"refused: {error}")
    return "\n".join(results), sum(step.reward for step in session.steps[before:])


def _read(answer: str) -> Sequence[ToolCall | ActionError]:
    try:
        return calls_in(answer)
    except ActionError as error:
        return [error]


def _call(value: Mapping[str, Any]) -> ToolCall:
    name = value.get("name", value.get("tool"))
    arguments = value.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, Mapping):
        raise DialectError(
            'expected a call {"name": tool, "arguments": {...}}, '
            f"got {json.dumps(value, ensure_ascii=False)[:80]}"
        )
    return ToolCall(name, arguments)
