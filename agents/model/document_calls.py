"""Calls of tools in the text of an answer, for models and trainers that pass nothing but text."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.agents.dialects.json_text import json_objects
from pptarena.envs.document import ToolCall
from pptarena.errors import DialectError

__all__ = ["MAX_CALLS", "calls_in", "system_prompt"]

MAX_CALLS = 20
"""Most calls of one answer; each is a step of the episode."""

_HOW = """\
You edit a presentation by calling tools. Slides and shapes go by their ids. Answer with a short
thought and then one call, or several, each as a JSON object:
<tool_call>{"name": "set_text", "arguments": {"slide": 256, "shape": 2, "text": "Hello"}}</tool_call>
Call done when the task is finished, or fail if it cannot be done. The tools:
"""  # noqa: E501 - one line of it is a whole call


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
    if len(found) > MAX_CALLS:
        raise DialectError(f"expected at most {MAX_CALLS} calls in one answer, got {len(found)}")
    return found


def _call(value: Mapping[str, Any]) -> ToolCall:
    name = value.get("name", value.get("tool"))
    arguments = value.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, Mapping):
        raise DialectError(
            'expected a call {"name": tool, "arguments": {...}}, '
            f"got {json.dumps(value, ensure_ascii=False)[:80]}"
        )
    return ToolCall(name, arguments)
