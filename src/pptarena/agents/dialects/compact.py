"""The dialect `compact`: one short call per line, for small language models."""

from typing import Any

from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, text_of
from pptarena.agents.dialects.call_lines import parse_lines, render_line
from pptarena.agents.dialects.hand import MAX_ACTIONS
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["CompactDialect"]

_HOW = """\
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
        return _HOW

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of all lines that are calls."""
        found = parse_lines(text_of(reply))
        if len(found) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        return [Action.from_json({"kind": name, **_given(arguments)}) for name, arguments in found]

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as a line."""
        value = action.to_json()
        value.pop("observation_id", None)
        line = render_line(str(value.pop("kind")), value)
        return Reply(f"{thought}\n{line}" if thought else line)


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in arguments.items() if each is not None and name != "kind"}
