"""OpenCUA (arXiv 2508.09123) and AgentNet, its data: reasoning, an action in words, and code."""

from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, Size, reply_text
from pptarena.agents.dialects.code import code_blocks, read_calls, text_outside_code
from pptarena.agents.dialects.coordinates import Fractions, Grid, Pixels, smart_resize
from pptarena.agents.dialects.pyautogui_reader import PyautoguiReader
from pptarena.agents.dialects.pyautogui_writer import PyautoguiWriter
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["AgentNet", "OpenCua", "parse_code"]

_PROMPT = """\
You are a GUI agent. You see a task, what was done so far and a screenshot, and do the next step.

Answer in this form:
## Thought:
What you see, what was done and what comes next.
## Action:
The next step in one sentence.
## Code:
```python
pyautogui.click(x=640, y=360)
```

The code is calls of pyautogui alone: click, doubleClick, rightClick, middleClick, moveTo, dragTo,
scroll, hscroll, write, press, hotkey, keyDown, keyUp; and of these: computer.triple_click(x, y),
computer.wait(), and computer.terminate(status="success") when the task is done,
computer.terminate(status="failure") when it cannot be done. {points}"""


class AgentNet(PlainDialect):
    """The code of AgentNet: points as fractions of the screen. It can express every action."""

    name = "agentnet"
    api = "chat"
    see = "screenshot,window,slide"
    _grid: Grid = Fractions()
    _points = "Points are shares of the screen from 0 to 1: x=0.5, y=0.25."

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT.replace("{points}", self._points)

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the code."""
        text = reply_text(reply)
        code_section = text.rpartition("## Code:")[2] or text
        return parse_code(code_section, self._grid, screen, text_outside_code(text))

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as code."""
        code = self.code(action, screen)
        reasoning = f"## Thought:\n{thought}\n" if thought else ""
        return Reply(f"{reasoning}## Code:\n```python\n{code}\n```")

    def code(self, action: Action, screen: Screen) -> str:
        """Return only the code of an action."""
        pointers = {"triple_click": "computer.triple_click({at})"}
        return PyautoguiWriter(self._grid, pointers=pointers).code(action, screen)


class OpenCua(AgentNet):
    """OpenCUA-7B and 32B: points in pixels of the picture after scaling by their processor."""

    name = "opencua"
    _grid = Pixels()
    _points = "Points are pixels of the screenshot."

    def picture_size(self, size: Size) -> Size:
        """Return the size that the models' processor produces."""
        return smart_resize(size, 28, 3136, 12_845_056)


def parse_code(text: str, grid: Grid, screen: Screen, question: str = "") -> list[Action]:
    """Return the actions of the code in a text: in fences, or the entire text.

    Args:
        text: The text.
        grid: The coordinate system.
        screen: The screen that the model received.
        question: The text that ``call_user()`` sends to the user.

    Raises:
        ActionError: If there is no code, or it contains anything but known calls.
    """
    code = "\n".join(content for _, content in code_blocks(text))
    calls = read_calls(code)
    if not calls:
        raise DialectError("expected calls of pyautogui, got none")
    return PyautoguiReader(grid, screen, question).actions(calls)
