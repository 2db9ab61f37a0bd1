"""The table of what each dialect can say, found by saying it.

``python -m pptarena.agents.dialects.reference > docs/reference/dialects.md`` writes it anew.
"""

import sys
import textwrap
from collections.abc import Mapping
from contextlib import suppress

from pptarena.agents.dialects.base import Dialect, Screen
from pptarena.agents.dialects.registry import dialect_names, get_dialect
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["dialects_reference"]

_HEAD = """\
# Dialects

How models say actions, for `pptarena run --agent model --dialect NAME` ([models](../guides/models.md)) and
for exports. Written by `python -m pptarena.agents.dialects.reference > docs/reference/dialects.md` from the
code, so change it there.

Each dialect goes both ways: an answer of a model becomes actions, and an action becomes what the
model would have said. Code of models is read as a list of known calls with plain values, and never
run. What means no action is a refused step: the model reads why, and it is counted.

| dialect | for | service | shown | coordinates |
|---|---|---|---|---|
"""
_FOR: Mapping[str, tuple[str, str]] = {
    "json": ("any language model; our own actions as JSON", "element numbers, or 0 to 1"),
    "tools": ("any model that calls functions; our own actions", "element numbers, or 0 to 1"),
    "compact": ("small language models; our own actions, a call a line", "element numbers"),
    "anthropic-20250124": ("Claude, tool `computer_20250124`", "pixels"),
    "anthropic-20251124": ("Claude, tool `computer_20251124`", "pixels"),
    "anthropic-20260801": ("Claude, `computer_toolset_20260801`", "pixels"),
    "openai-computer": ("OpenAI's tool `computer`, in batches", "pixels"),
    "gemini-computer": ("Gemini's tool `computer_use`", "0 to 999"),
    "uitars": ("UI-TARS 1.0, Doubao", "0 to 1000"),
    "uitars-1.5": ("UI-TARS-1.5-7B", "pixels of the resized picture"),
    "uitars-2": ("UI-TARS-2, Seed 1.6 and later", "0 to 1000"),
    "opencua": ("OpenCUA-7B and 32B", "pixels of the resized picture"),
    "agentnet": ("the data of AgentNet", "0 to 1"),
    "qwen2.5-vl": ("Qwen2.5-VL", "pixels of the resized picture"),
    "qwen3-vl": ("Qwen3-VL and later", "0 to 1000"),
    "scalecua": ("ScaleCUA", "0 to 1"),
    "osworld-computer13": ("agents of OSWorld, `computer_13`", "pixels"),
    "osworld-pyautogui": ("agents of OSWorld, code", "pixels"),
    "osworld-som": ("agents of OSWorld, code with marks", "element numbers, or pixels"),
    "waa": ("agents of WindowsAgentArena", "element numbers, or 0 to 1"),
}
_SAID = """
## What each can say

{all}

| dialect | has no words for |
|---|---|
"""
_WORDS = (
    "Of these: {all}. For what stands in the right column there are no words: a model cannot ask "
    "for it, and it cannot be said in a text to train on."
)
_NOTES = """
## What is not one to one

- Key names of all conventions are understood; they are kept as X keysyms with the short names of
  modifiers, such as `ctrl+Page_Down`. Scrolling sideways is the wheel with Shift.
- A wheel turns 1 to 20 clicks: 120 pixels of OpenAI's, 100 of Gemini's and Qwen's are one; UI-TARS
  and WindowsAgentArena name no amount, it is 5.
- Gestures of one answer are put together: move and press, a key held during a click, the same key
  several times, a double click and one more, are one action each. A key that is held at the end of
  an answer is an error.
- Of a drag along a path the first and the last point count. `hold_key` is a key press.
- Asking for a screenshot, or for the place of the pointer, waits 0 seconds: one comes with every
  step. Anthropic's zoom is not offered.
- Waiting takes whole seconds, at most 20; `time.sleep` between two calls is passed over.
- `opencua`, `agentnet` and `scalecua` have calls such as `computer.paste()` for what their models
  were never taught, so that every record can be exported.
- A model that answers without a call ends the episode in the dialects of Anthropic, OpenAI and
  Gemini: done, or failed where it says `[INFEASIBLE]`.
"""
_AT = (0.5, 0.5)
_SAMPLES: Mapping[str, tuple[Action, ...]] = {
    "click": (actions.click(xy=_AT),),
    "double click": (actions.double_click(xy=_AT),),
    "triple click": (actions.triple_click(xy=_AT),),
    "right click": (actions.right_click(xy=_AT),),
    "middle click": (actions.middle_click(xy=_AT),),
    "click with keys held": (actions.click(xy=_AT, keys="ctrl"),),
    "move": (actions.move(xy=_AT),),
    "press and release the button": (actions.mouse_down(xy=_AT),),
    "drag": (actions.drag(xy=_AT, end_xy=(0.6, 0.6)),),
    "scroll": (actions.scroll(5, xy=_AT),),
    "scroll sideways": (actions.scroll(5, xy=_AT, keys="shift"),),
    "keys": (actions.key("ctrl+b"),),
    "type": (actions.type_text("x"),),
    # Some say it only for as long as they always wait.
    "wait": tuple(actions.wait(seconds) for seconds in (5, 2, 1)),
    "copy and paste": (actions.paste(),),
    "open a program or switch windows": (actions.open_program("x"),),
    "ask the user": (actions.ask("x"),),
    "done": (actions.done(),),
    "fail": (actions.fail(),),
}


def dialects_reference() -> str:
    """Return a Markdown page: what dialects there are, and what each can say."""
    dialects = [get_dialect(name) for name in dialect_names()]
    rows = "".join(_row(dialect) for dialect in dialects)
    said = _SAID.replace("{all}", textwrap.fill(_WORDS.format(all=", ".join(_SAMPLES)), 100))
    return f"{_HEAD}{rows}{said}{''.join(_lacking(each) for each in dialects)}{_NOTES}"


def _row(dialect: Dialect) -> str:
    purpose, coordinates = _FOR[dialect.name]
    cells = (f"`{dialect.name}`", purpose, dialect.api, dialect.view, coordinates)
    return f"| {' | '.join(cells)} |\n"


def _lacking(dialect: Dialect) -> str:
    lacking = [name for name, samples in _SAMPLES.items() if not _can_say(dialect, samples)]
    return f"| `{dialect.name}` | {', '.join(lacking) or 'nothing'} |\n"


def _can_say(dialect: Dialect, samples: tuple[Action, ...]) -> bool:
    for action in samples:
        with suppress(DialectError):
            return bool(dialect.render(action, Screen()))
    return False


if __name__ == "__main__":
    sys.stdout.write(dialects_reference())
