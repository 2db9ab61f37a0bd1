"""The dialect `compact`: one short call per line, for small language models."""

from typing import Any

from pptarena.agents.dialects.action_builder import MAX_ACTIONS
from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, reply_text
from pptarena.agents.dialects.call_lines import parse_lines, render_line
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["CompactDialect"]

_PROMPT = """\
Answer with one call a line and nothing else. Elements have numbers.
click(element=7), double_click(element=7), right_click(element=7), scroll(element=7, amount=3),
type(text="Hello"), key(keys="ctrl+a"), wait(amount=1), done() when the task is finished,
fail() if it cannot be done."""


class CompactDialect(PlainDialect):
    """The actions of the environment as calls, ``click(element=7)``."""

    name = "compact"
    api = "chat"
    see = "text"

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of all lines that are calls."""
        calls = parse_lines(reply_text(reply))
        if len(calls) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        return [
            Action.from_json({"kind": name, **_without_nulls(arguments)})
            for name, arguments in calls
        ]

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as a line."""
        arguments = action.to_json()
        arguments.pop("observation_id", None)
        line = render_line(str(arguments.pop("kind")), arguments)
        return Reply(f"{thought}\n{line}" if thought else line)


def _without_nulls(arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in arguments.items() if value is not None and name != "kind"
    }
