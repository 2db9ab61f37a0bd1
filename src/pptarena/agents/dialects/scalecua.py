"""ScaleCUA (arXiv 2509.15221): an operation in words and calls without a module, 0 to 1."""

import re

from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, reply_text
from pptarena.agents.dialects.coordinates import Fractions
from pptarena.agents.dialects.key_names import pyautogui_names
from pptarena.agents.dialects.opencua import parse_code
from pptarena.agents.dialects.pyautogui_reader import quote
from pptarena.agents.dialects.pyautogui_writer import PyautoguiWriter
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["ScaleCua"]

_ACTION = re.compile(r"<action>(.*?)(?:</action>|$)", re.DOTALL)
_TAGS = re.compile(r"</?(?:think|operation)>")
_POINTERS = {
    "double_click": "click({at}, clicks=2)",
    "triple_click": "click({at}, clicks=3)",
    "right_click": 'click({at}, button="right")',
    "middle_click": 'click({at}, button="middle")',
}
_PROMPT = """\
You are an autonomous GUI agent on Linux. You see the task, the previous operations and a
screenshot, and do the next step.

Calls: click(x, y, clicks=1, button="left"), doubleClick(x, y), rightClick(x, y), moveTo(x, y),
dragTo(x, y), scroll(clicks, x, y), press(keys, presses=1), hotkey("ctrl", "b"), keyDown(key),
keyUp(key), write(message), wait(seconds=3), response(answer), and
terminate(status="success" or "failure"). x and y are shares of the screen from 0 to 1; a positive
scroll is up.

Answer in this form:
<think>
why
</think>
<operation>
the next operation in words
</operation>
<action>
click(x=0.5, y=0.25)
</action>"""


class _Writer(PyautoguiWriter):
    """Uses named arguments, as the data does."""

    def _drag(self, action: Action, screen: Screen) -> str:
        start, end = screen.target(action), action.end_xy or (0.0, 0.0)
        (x, y), (end_x, end_y) = (self.grid.write(point, screen) for point in (start, end))
        return f"dragTo(from_coord=[{x:.4f}, {y:.4f}], to_coord=[{end_x:.4f}, {end_y:.4f}])"

    def _wheel(self, name: str, clicks: int, target: str) -> str:
        return f"{name}({target}, clicks={clicks})"

    def _key(self, action: Action) -> str:
        names = pyautogui_names(action.keys)
        keys = ", ".join(map(quote, names))
        if len(names) > 1:
            return "\n".join([f"hotkey([{keys}])"] * max(action.amount, 1))
        return f"press(keys=[{keys}]" + (
            f", presses={action.amount})" if action.amount > 1 else ")"
        )

    def _command(self, action: Action, screen: Screen) -> str:
        if action.kind == "wait":
            return f"wait(seconds={action.amount})"
        return super()._command(action, screen)


class ScaleCua(PlainDialect):
    """Calls such as ``click(x=0.3674, y=0.9192)``. It can express every action."""

    name = "scalecua"
    api = "chat"
    see = "screenshot,window,slide"
    _writer = _Writer(Fractions(), library="", other="", pointers=_POINTERS)

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the calls."""
        text = reply_text(reply)
        actions = _ACTION.findall(text)
        if "<operation>" in text and not actions:
            raise DialectError("expected calls between <action> and </action>")
        question = _TAGS.sub(" ", _ACTION.sub("", reply.text)) if actions else ""
        return parse_code("\n".join(actions) if actions else text, Fractions(), screen, question)

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as a call."""
        reasoning = f"<think>\n{thought}\n</think>\n" if thought else ""
        return Reply(f"{reasoning}<action>\n{self.code(action, screen)}\n</action>")

    def code(self, action: Action, screen: Screen) -> str:
        """Return only the calls of an action."""
        return self._writer.code(action, screen)
