"""The actions of the environment as JSON with element numbers; works for text-only models."""

import json
from collections.abc import Mapping
from typing import Any

from pptarena.agents.dialects.action_builder import MAX_ACTIONS
from pptarena.agents.dialects.base import Call, PlainDialect, Reply, Screen, reply_text
from pptarena.agents.dialects.json_text import json_objects
from pptarena.agents.dialects.values import short_repr
from pptarena.envs.actions import KINDS, POINTER_KINDS, Action
from pptarena.errors import DialectError

__all__ = ["JsonDialect", "ToolsDialect"]

_ELEMENT_KINDS = sorted(
    (kind for kind in POINTER_KINDS if kind not in ("drag", "scroll")),
    key=lambda kind: kind in ("move", "mouse_down", "mouse_up"),
)
_ACTIONS_PROMPT = f"""\
Elements have numbers, which change from step to step. Kinds of action:
{", ".join(_ELEMENT_KINDS)} need
"element" and may have "keys" (modifiers held, such as "ctrl"); instead of "element" a point
"xy": [x, y] may be given, in shares of the screen from 0 to 1. drag needs "element" or "xy", and
"end_xy". scroll needs a place and "amount" (wheel clicks, positive is down). key needs "keys"
("ctrl+b", "Return", "Page_Down") and may have "amount" (times). type and copy_text need "text".
copy_image needs "element" and may have "text", a description; paste nothing; open_program and
switch_window "text"; wait "amount" (seconds). ask needs "text", a question to the user; the answer
comes with the next screen. done: the task is finished. fail: it cannot be done."""


class JsonDialect(PlainDialect):
    """One JSON object per action, in the text of the reply."""

    name = "json"
    api = "chat"
    see = "text"

    def prompt(self) -> str:
        """Return the system prompt."""
        return (
            "Answer with a short thought and then one action as a JSON object, for example\n"
            '{"kind": "click", "element": 7}\n{"kind": "type", "text": "Hello"}\n'
            '{"kind": "key", "keys": "ctrl+a"}\n{"kind": "done"}\n' + _ACTIONS_PROMPT
        )

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of all objects with a kind, also in ``action`` or ``actions``."""
        parsed: list[Action] = []
        for value in json_objects(reply_text(reply)):
            content = value.get("actions", value.get("action", value))
            for item in content if isinstance(content, list) else [content]:
                parsed.append(_parse_action(item))
                if len(parsed) > MAX_ACTIONS:
                    raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        if not parsed:
            raise DialectError("expected at least one action, got none")
        return parsed

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as JSON."""
        encoded = json.dumps(_to_json(action), ensure_ascii=False)
        return Reply(f"{thought}\n{encoded}" if thought else encoded)


class ToolsDialect(JsonDialect):
    """Actions as function calls, for models trained to call tools."""

    name = "tools"
    see = "both"

    def prompt(self) -> str:
        """Return the system prompt."""
        return "Call the function computer for every action.\n" + _ACTIONS_PROMPT

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the function."""
        point = {"type": "array", "items": {"type": "number"}}
        properties: dict[str, Any] = {
            "kind": {"type": "string", "enum": list(KINDS)},
            "element": {"type": "integer"},
            "xy": point,
            "end_xy": point,
            "keys": {"type": "string"},
            "text": {"type": "string"},
            "amount": {"type": "integer"},
        }
        schema = {"type": "object", "properties": properties, "required": ["kind"]}
        function = {
            "name": "computer",
            "description": "Do one thing with mouse or keyboard, or end the task.",
            "parameters": schema,
        }
        return [{"type": "function", "function": function}]

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of all calls."""
        if len(reply.calls) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        for call in reply.calls:
            if call.name != "computer":
                raise DialectError(f"expected the function computer, got {short_repr(call.name)}")
        if not reply.calls:
            raise DialectError("expected a call of the function computer; kind done ends the task")
        return [_parse_action(call.arguments) for call in reply.calls]

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as a call."""
        return Reply(thought, (Call("computer", _to_json(action)),))


def _to_json(action: Action) -> dict[str, Any]:
    fields = action.to_json()
    fields.pop("observation_id", None)
    return fields


def _parse_action(value: object) -> Action:
    if not isinstance(value, Mapping) or not isinstance(value.get("kind"), str):
        raise DialectError(f'expected an object with a "kind", got {short_repr(value)}')
    fields = {name: field for name, field in value.items() if name not in ("thought", "intent")}
    fields.pop("observation_id", None)  # the last result that the model received
    return Action.from_json({name: field for name, field in fields.items() if field is not None})
