"""Tool calls in the text of a reply, for models and trainers that only pass text."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.agents.dialects.json_text import json_objects
from pptarena.envs.document import ToolCall
from pptarena.errors import DialectError

__all__ = ["MAX_CALLS", "parse_calls", "system_prompt"]

MAX_CALLS = 20
"""The most calls of one reply; each is a step of the episode."""

_INTRODUCTION = """\
You edit a presentation by calling tools. Slides and shapes go by their ids. Answer with a short
thought and then one call, or several, each as a JSON object:
<tool_call>{"name": "set_text", "arguments": {"slide": 256, "shape": 2, "text": "Hello"}}</tool_call>
Call done when the task is finished, or fail if it cannot be done. The tools:
"""  # noqa: E501 - a call must be on one line


def system_prompt(tools: Sequence[Mapping[str, Any]]) -> str:
    """Return the system prompt, with the schema of every tool.

    Args:
        tools: The result of `PPTArenaDocEnv.tools`, or a part of it.
    """
    return _INTRODUCTION + "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)


def parse_calls(text: str) -> list[ToolCall]:
    """Return the calls in a reply, in order.

    Objects with ``name`` (the format of Hermes and Qwen) or ``tool`` are calls; text before
    ``</think>`` is ignored.

    Raises:
        DialectError: If there are no calls, or too many.
    """
    calls = [_parse_call(value) for value in json_objects(text.rpartition("</think>")[2])]
    if len(calls) > MAX_CALLS:
        raise DialectError(f"expected at most {MAX_CALLS} calls in one answer, got {len(calls)}")
    return calls


def _parse_call(value: Mapping[str, Any]) -> ToolCall:
    name = value.get("name", value.get("tool"))
    arguments = value.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, Mapping):
        raise DialectError(
            'expected a call {"name": tool, "arguments": {...}}, '
            f"got {json.dumps(value, ensure_ascii=False)[:80]}"
        )
    return ToolCall(name, arguments)
