"""UI-TARS 1.0 and 1.5 (arXiv 2501.12326): reasoning, then ``Action: click(point='...')``."""

import re

from pptarena.agents.dialects.action_builder import ActionBuilder
from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, Size, reply_text
from pptarena.agents.dialects.code import CodeCall, read_calls
from pptarena.agents.dialects.coordinates import Grid, Pixels, Thousandths, smart_resize
from pptarena.agents.dialects.uitars_actions import decode_uitars, encode_uitars
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
# Models write unescaped quotes and line breaks into texts, which is not valid Python.
_TEXT = re.compile(r"(type|finished)\(content=(['\"])(.*)\2\)", re.DOTALL)
_CONTENT_FUNCTIONS = ("type", "finished", "call_user")
_ESCAPES = re.compile(r"\\(n|t|'|\"|\\)")
_ESCAPE_CHARACTERS = {"n": "\n", "t": "\t"}


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
        text = reply_text(reply)
        match = _ACTION.search(text)
        if match is None:
            raise DialectError("expected 'Thought: ...' and then 'Action: ...'")
        builder, thought = (
            ActionBuilder(screen),
            text[: match.start()].strip().removeprefix("Thought:"),
        )
        for call in _parse_calls(match[1].strip()):
            arguments = call.arguments("content" if call.name in _CONTENT_FUNCTIONS else "point")
            texts = {name: text_argument(arguments, name, "") for name in arguments}
            decode_uitars(call.name, texts, builder, self._grid, screen, thought)
        return builder.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action in one line, after a line of reasoning."""
        encoded = encode_uitars(action, self._grid, screen, pointer_kinds=False)
        lines = "\n".join(f"{name}({_format_arguments(arguments)})" for name, arguments in encoded)
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


def _parse_calls(action: str) -> list[CodeCall]:
    match = _TEXT.fullmatch(action)
    if match is not None and f"\n{match[1]}(" not in action:
        content = _ESCAPES.sub(
            lambda escape: _ESCAPE_CHARACTERS.get(escape[1], escape[1]), match[3]
        )
        return [CodeCall(match[1], (), {"content": content})]
    return read_calls("\n".join(line.strip() for line in action.split("\n")))


def _format_arguments(arguments: dict[str, str]) -> str:
    return ", ".join(f"{name}={_format_value(name, value)}" for name, value in arguments.items())


def _format_value(name: str, value: str) -> str:
    if name.endswith("point"):
        return f"'<point>{value}</point>'"
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')
    return "'" + escaped.replace("\n", "\\n").replace("\t", "\\t") + "'"
