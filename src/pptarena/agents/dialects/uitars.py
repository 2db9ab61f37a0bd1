"""UI-TARS 1.0 and 1.5 (arXiv 2501.12326): reasoning, then ``Action: click(point='...')``."""

import re

from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, Size, text_of
from pptarena.agents.dialects.code import CodeCall, read_calls
from pptarena.agents.dialects.coordinates import Grid, Pixels, Thousandths, smart_resize
from pptarena.agents.dialects.hand import Hand
from pptarena.agents.dialects.uitars_actions import do_uitars, say_uitars
from pptarena.agents.dialects.values import text as text_argument
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["UiTars", "UiTars15"]

_PROMPT = """\
You are a GUI agent. You are given a task and your action history, with screenshots. You need to
perform the next action to complete the task.

## Output Format
Thought: ...
Action: ...

## Action Space
click(point='<point>x1 y1</point>')
left_double(point='<point>x1 y1</point>')
right_single(point='<point>x1 y1</point>')
drag(start_point='<point>x1 y1</point>', end_point='<point>x2 y2</point>')
hotkey(key='ctrl c')
type(content='xxx')
scroll(point='<point>x1 y1</point>', direction='down or up or right or left')
wait()
finished(content='xxx')
call_user()

## Note
- hotkey: names in lower case with a space between, at most 3 keys.
- type: write \\' for ', \\" for " and \\n for a line end, which presses Enter.
- wait: 5 seconds.
- finished: the task is done; with the content [INFEASIBLE] if it cannot be done.
- call_user: the Thought is a question to the user; the answer comes with the next screenshot.
- Thought: a short plan and the next action in one sentence."""

_ACTION = re.compile(r"Action:\s*(.*)", re.DOTALL)
# A model writes quotes and line breaks unescaped into a text, which is not valid Python.
_TEXT = re.compile(r"(type|finished)\(content=(['\"])(.*)\2\)", re.DOTALL)
_WITH_CONTENT = ("type", "finished", "call_user")
_ESCAPES = re.compile(r"\\(n|t|'|\"|\\)")
_ESCAPED = {"n": "\n", "t": "\t"}


class UiTars(PlainDialect):
    """UI-TARS 1.0 and Doubao's models: points in thousandths of the screen."""

    name = "uitars"
    api = "chat"
    see = "screenshot,window,slide"
    _grid: Grid = Thousandths()

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions after ``Action:``, one per line."""
        text = text_of(reply)
        found = _ACTION.search(text)
        if found is None:
            raise DialectError("expected 'Thought: ...' and then 'Action: ...'")
        hand, thought = Hand(screen), text[: found.start()].strip().removeprefix("Thought:")
        for call in _calls(found[1].strip()):
            given = call.arguments("content" if call.name in _WITH_CONTENT else "point")
            texts = {name: text_argument(given, name, "") for name in given}
            do_uitars(call.name, texts, hand, self._grid, screen, thought)
        return hand.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action in one line, after a line of reasoning."""
        said = say_uitars(action, self._grid, screen, pointer_kinds=False)
        lines = "\n".join(f"{name}({_written(given)})" for name, given in said)
        if action.kind == "ask":  # the call has no argument for the question
            thought = "\n".join(filter(None, (thought, action.text)))
        return Reply(f"Thought: {thought}\nAction: {lines}")


class UiTars15(UiTars):
    """UI-TARS-1.5-7B: points in pixels of the picture after scaling by its processor."""

    name = "uitars-1.5"
    _grid = Pixels()

    def picture_size(self, size: Size) -> Size:
        """Return the size that the model's processor produces."""
        return smart_resize(size, 28, 3136, 2_116_800)


def _calls(action: str) -> list[CodeCall]:
    found = _TEXT.fullmatch(action)
    if found is not None and f"\n{found[1]}(" not in action:
        content = _ESCAPES.sub(lambda each: _ESCAPED.get(each[1], each[1]), found[3])
        return [CodeCall(found[1], (), {"content": content})]
    return read_calls("\n".join(line.strip() for line in action.split("\n")))


def _written(given: dict[str, str]) -> str:
    return ", ".join(f"{name}={_value(name, value)}" for name, value in given.items())


def _value(name: str, value: str) -> str:
    if name.endswith("point"):
        return f"'<point>{value}</point>'"
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')
    return "'" + escaped.replace("\n", "\\n").replace("\t", "\\t") + "'"
