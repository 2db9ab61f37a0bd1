"""Prompts and replies of small models for documents: short prompts, one call per line."""

from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.agents.dialects.call_lines import parse_lines, render_line
from pptarena.agents.model.document_calls import MAX_CALLS
from pptarena.envs.document import ToolCall
from pptarena.errors import DialectError

__all__ = ["COMPACT", "compact_prompt", "first_messages", "parse_compact_calls", "render_calls"]

COMPACT = "compact"
"""The name of the dialect."""

_INTRODUCTION = """\
You edit a presentation by calling tools. Slides and shapes have the ids in the outline. Answer \
with one call per line and nothing else, ending with done(), for example:
set_text(slide=256, shape=2, text="Hello")
done()
The tools; arguments with ? are optional:
"""


def compact_prompt(tools: Sequence[Mapping[str, Any]]) -> str:
    """Return the system prompt, with one line for every tool.

    Args:
        tools: The result of `PPTArenaDocEnv.tools`, or a part of it.
    """
    return _INTRODUCTION + "\n".join(map(_signature, tools))


def parse_compact_calls(text: str) -> list[ToolCall]:
    """Return the calls of a reply, in order.

    Raises:
        DialectError: If there are no calls, or too many.
    """
    calls = parse_lines(text.rpartition("</think>")[2])
    if len(calls) > MAX_CALLS:
        raise DialectError(f"expected at most {MAX_CALLS} calls in one answer, got {len(calls)}")
    return [ToolCall(name, arguments) for name, arguments in calls]


def render_calls(calls: Sequence[ToolCall]) -> str:
    """Return calls in the form of a reply."""
    return "\n".join(render_line(call.tool, call.arguments) for call in calls)


def first_messages(
    tools: Sequence[Mapping[str, Any]], instruction: str, outline: str
) -> list[dict[str, str]]:
    """Return the first request that `DocumentModelAgent` sends in this dialect.

    Args:
        tools: The result of `PPTArenaDocEnv.tools`.
        instruction: The instruction of the task.
        outline: The outline of the first observation.
    """
    return [
        {"role": "system", "content": f"{compact_prompt(tools)}\n\nTask: {instruction}"},
        {"role": "user", "content": f"Task: {instruction}\n\nThe deck now:\n{outline}"},
    ]


def _signature(tool: Mapping[str, Any]) -> str:
    parameters = tool.get("parameters", {})
    required = parameters.get("required", ())
    names = [name if name in required else f"{name}?" for name in parameters.get("properties", ())]
    return f"{tool['name']}({', '.join(names)})"
