"""OSWorld's actions (arXiv 2404.07972) as code: with pixels, or with the tags of Set-of-Marks."""

from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, reply_text
from pptarena.agents.dialects.coordinates import Pixels
from pptarena.agents.dialects.opencua import parse_code
from pptarena.agents.dialects.pyautogui_writer import PyautoguiWriter
from pptarena.envs.actions import Action

__all__ = ["OsworldPyautogui", "OsworldSom"]

_PROMPT = """\
Answer with what you see and think in a few words, and then with code in a block:
```python
{example}
```
Only calls of pyautogui are carried out: click, doubleClick, tripleClick, rightClick, middleClick,
moveTo, dragTo, scroll, hscroll, write, press, hotkey, keyDown, keyUp. No variables, loops or other
modules; time.sleep(seconds) waits. {points}
Instead of code, a block may hold WAIT, DONE when the task is finished, or FAIL when it cannot be
done."""


class OsworldPyautogui(PlainDialect):
    """Code with points in pixels of the screenshot."""

    name = "osworld-pyautogui"
    api = "chat"
    see = "screenshot,window,slide"
    _writer = PyautoguiWriter(Pixels(), other=None, ends={"done": "DONE", "fail": "FAIL"})
    _example = "pyautogui.click(640, 360)\npyautogui.write('Hello')"
    _points = "Points are pixels of the screenshot."

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT.replace("{example}", self._example).replace("{points}", self._points)

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the code."""
        return parse_code(reply_text(reply), Pixels(), screen)

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as code."""
        code = f"```python\n{self._writer.code(action, screen)}\n```"
        return Reply(f"{thought}\n{code}" if thought else code)


class OsworldSom(OsworldPyautogui):
    """Like `OsworldPyautogui`, with ``tag_<number>`` for the center of an element."""

    name = "osworld-som"
    see = "marks,window,slide"
    _writer = PyautoguiWriter(
        Pixels(), other=None, ends={"done": "DONE", "fail": "FAIL"}, tags=True
    )
    _example = "pyautogui.click(tag_7)\npyautogui.write('Hello')"
    _points = "tag_7 is the middle of the element with the number 7; pixels may be given, too."
