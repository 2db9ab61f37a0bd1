"""`ToolCall`: one action on a document, and the action space that holds it as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from gymnasium import spaces

from pptarena.envs.charset import text_space
from pptarena.envs.wide_text import WideText
from pptarena.errors import ActionError

__all__ = ["ACTION_MAX", "CALL_MAX", "ToolCall", "action_space", "as_call"]

ACTION_MAX = 4096
"""Most characters of an action that is drawn at random."""

CALL_MAX = 262_144
"""Most characters of a call as JSON; `step` takes longer ones than the action space draws."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool.

    Attributes:
        tool: Its name.
        arguments: By name, as JSON has them.
    """

    tool: str
    arguments: Mapping[str, Any]

    @classmethod
    def of(cls, tool: str, **arguments: Any) -> Self:
        """Return a call; ``ToolCall.of("hide_slide", slide=256)``."""
        return cls(tool, arguments)

    def to_json(self) -> dict[str, Any]:
        """Return it as a dict of its own."""
        return {"tool": self.tool, "arguments": dict(self.arguments)}


class CallSpace(WideText):
    """Texts of a call as JSON: any up to `CALL_MAX` characters belongs to it.

    Samples are short texts that mean no call; they are refused steps.
    """

    def contains(self, x: Any) -> bool:
        """Return whether a value is a text that `step` reads."""
        return isinstance(x, str) and len(x) <= CALL_MAX

    def __repr__(self) -> str:
        return f"CallSpace({CALL_MAX})"


def action_space() -> spaces.Text:
    """Return a new action space: a call as JSON, ``{"tool": name, "arguments": {...}}``."""
    # The tables of characters are those of all texts, shared; only `contains` differs.
    space = text_space(ACTION_MAX)
    space.__class__ = CallSpace
    return space


def as_call(action: object) -> tuple[str, str]:
    """Return the name of a tool and its arguments as JSON.

    Args:
        action: A `ToolCall`, the dict of one, or its JSON. An `ActionError` stands for an answer
            that means no call.

    Raises:
        ActionError: If it is none of these, is too long, or the error itself.
    """
    if isinstance(action, ActionError):
        raise action
    if isinstance(action, ToolCall):
        action = {"tool": action.tool, "arguments": action.arguments}
    if isinstance(action, str):
        action = _parsed(action)
    if not isinstance(action, Mapping) or not set(action) <= {"tool", "arguments"}:
        raise ActionError(
            f'expected a call {{"tool": name, "arguments": {{...}}}}, got {repr(action)[:80]}'
        )
    tool, arguments = action.get("tool"), action.get("arguments", {})
    if not isinstance(tool, str) or not isinstance(arguments, Mapping):
        raise ActionError("expected tool to be a text and arguments to be an object")
    return tool, _written(arguments)


def _parsed(text: str) -> object:
    if len(text) > CALL_MAX:
        raise ActionError(f"expected a call of at most {CALL_MAX} characters, got {len(text)}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ActionError(f"expected a call as JSON: {error}") from error


def _written(arguments: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(dict(arguments), allow_nan=False, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError as error:
        half = f"U+{ord(error.object[error.start]):04X}"
        raise ActionError(
            f"the arguments contain {half}, half of a surrogate pair: send the whole character "
            "instead"
        ) from error
    except (TypeError, ValueError, RecursionError) as error:
        raise ActionError(f"expected arguments that JSON can hold: {error}") from error
    if len(text) > 2 * CALL_MAX:
        raise ActionError(f"expected arguments of at most {CALL_MAX} characters, got more")
    return text
