"""`ToolCall`, one action on a document, and the action space of its JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from gymnasium import spaces

from pptarena.envs.charset import text_space
from pptarena.envs.wide_text import WideText
from pptarena.errors import ActionError

__all__ = ["ACTION_MAX", "CALL_MAX", "CallSpace", "ToolCall", "action_space", "as_call"]

ACTION_MAX = 4096
"""Most characters of a sampled action."""

CALL_MAX = 262_144
"""Most characters of a call as JSON; samples of the space are shorter."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call.

    Attributes:
        tool: Name of the tool.
        arguments: Arguments by name, JSON values.
    """

    tool: str
    arguments: Mapping[str, Any]

    @classmethod
    def of(cls, tool: str, **arguments: Any) -> Self:
        """Return a call, such as ``ToolCall.of("hide_slide", slide=256)``."""
        return cls(tool, arguments)

    def to_json(self) -> dict[str, Any]:
        """Return the call as a new dict."""
        return {"tool": self.tool, "arguments": dict(self.arguments)}


class CallSpace(WideText):
    """The space of tool calls as JSON; contains every text of up to `CALL_MAX` characters.

    Samples are short random texts; `step` refuses them as calls.
    """

    def contains(self, x: Any) -> bool:
        """Return whether a value is a text that `step` accepts."""
        return isinstance(x, str) and len(x) <= CALL_MAX

    def __repr__(self) -> str:
        return f"CallSpace({CALL_MAX})"


def action_space() -> spaces.Text:
    """Return a new action space: a call as JSON, ``{"tool": name, "arguments": {...}}``."""
    # Shares the character tables with all other text spaces; only `contains` differs.
    space = text_space(ACTION_MAX)
    space.__class__ = CallSpace
    return space


def as_call(action: object) -> tuple[str, str]:
    """Return the name of a tool and its arguments as JSON.

    Args:
        action: A `ToolCall`, its dict or its JSON. An `ActionError` represents a reply that could
            not be parsed.

    Raises:
        ActionError: If `action` is none of these or too long, or the given error itself.
    """
    if isinstance(action, ActionError):
        raise action
    if isinstance(action, ToolCall):
        action = {"tool": action.tool, "arguments": action.arguments}
    if isinstance(action, str):
        action = _parse_call(action)
    if not isinstance(action, Mapping) or not set(action) <= {"tool", "arguments"}:
        raise ActionError(
            f'expected a call {{"tool": name, "arguments": {{...}}}}, got {repr(action)[:80]}'
        )
    tool, arguments = action.get("tool"), action.get("arguments", {})
    if not isinstance(tool, str) or not isinstance(arguments, Mapping):
        raise ActionError("expected tool to be a text and arguments to be an object")
    return tool, _serialize(arguments)


def _parse_call(text: str) -> object:
    if len(text) > CALL_MAX:
        raise ActionError(f"expected a call of at most {CALL_MAX} characters, got {len(text)}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ActionError(f"expected a call as JSON: {error}") from error


def _serialize(arguments: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(dict(arguments), allow_nan=False, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError as error:
        surrogate = f"U+{ord(error.object[error.start]):04X}"
        raise ActionError(
            f"the arguments contain {surrogate}, half of a surrogate pair: send the whole "
            "character instead"
        ) from error
    except (TypeError, ValueError, RecursionError) as error:
        raise ActionError(f"expected arguments that JSON can hold: {error}") from error
    if len(text) > 2 * CALL_MAX:
        raise ActionError(f"expected arguments of at most {CALL_MAX} characters, got more")
    return text
