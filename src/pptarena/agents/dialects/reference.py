"""Generate the page on dialects, with a table of the actions that each dialect cannot express.

Usage: ``python -m pptarena.agents.dialects.reference > docs/reference/dialects.md``
"""

import sys
import textwrap
from collections.abc import Mapping
from contextlib import suppress

from pptarena.agents.dialects.base import Dialect, Screen
from pptarena.agents.dialects.registry import describe_dialect, dialect_names, get_dialect
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["dialects_reference"]

_HEAD = """\
# Dialects

The action formats of models, for `pptarena run --agent model --dialect NAME`
([models](../guides/models.md)) and for exports. "Shown" is the default of `--see`.
`python -m pptarena.agents.dialects.reference > docs/reference/dialects.md` generates this page.

A dialect converts both ways: a model's reply becomes actions, and an action becomes the text
that the model would have written. Code is parsed as a list of known calls with literal
arguments and never run. A reply without a valid action is a refused step: the model reads the
reason, and the step counts.

| dialect | for | service | shown | coordinates |
|---|---|---|---|---|
"""
_COVERAGE = """
## Coverage

Each dialect expresses these actions:

{all}

{note}

| dialect | cannot express |
|---|---|
"""
_COVERAGE_NOTE = (
    "Exceptions are in the right column: a model cannot request them, and they cannot be exported "
    "as training text."
)
_NOTES = """
## Conversions

- Key names of all conventions are accepted and stored as X keysyms with short names of
  modifiers, such as `ctrl+Page_Down`. Horizontal scrolling is the wheel with Shift.
- The wheel turns 1 to 20 clicks. One click is 120 pixels of OpenAI's, 100 of Gemini's and
  Qwen's dialects; UI-TARS and WindowsAgentArena specify no amount and use 5.
- Gestures of one reply are merged into one action: move and press, a key held during a click,
  the same key several times, a double click and another click. A key still held at the end of a
  reply is an error.
- Of a drag along a path, the first and last points count. `hold_key` is a key press.
- `call_user()` of UI-TARS, OpenCUA and ScaleCUA asks the user the reasoning of the reply. Of a
  longer text, the last 511 characters are asked.
- `waa` also reads calls of `pyautogui` with plain values, with points in pixels of the screen.
- Requests for a screenshot or the pointer position wait 0 seconds, since every step returns a
  screenshot. Anthropic's zoom is not offered.
- Waiting takes whole seconds, at most 20; `time.sleep` between two calls is ignored.
- `opencua`, `agentnet` and `scalecua` have additional calls such as `computer.paste()`, so that
  every record can be exported.
- In the dialects of Anthropic, OpenAI and Gemini, a reply without a call ends the episode:
  done, or failed if it contains `[INFEASIBLE]`.
"""
_CENTER = (0.5, 0.5)
_SAMPLES: Mapping[str, tuple[Action, ...]] = {
    "click": (actions.click(xy=_CENTER),),
    "double click": (actions.double_click(xy=_CENTER),),
    "triple click": (actions.triple_click(xy=_CENTER),),
    "right click": (actions.right_click(xy=_CENTER),),
    "middle click": (actions.middle_click(xy=_CENTER),),
    "click with keys held": (actions.click(xy=_CENTER, keys="ctrl"),),
    "move": (actions.move(xy=_CENTER),),
    "press and release the button": (actions.mouse_down(xy=_CENTER),),
    "drag": (actions.drag(xy=_CENTER, end_xy=(0.6, 0.6)),),
    "scroll": (actions.scroll(5, xy=_CENTER),),
    "scroll sideways": (actions.scroll(5, xy=_CENTER, keys="shift"),),
    "keys": (actions.key("ctrl+b"),),
    "type": (actions.type_text("x"),),
    # Some dialects have one fixed waiting time.
    "wait": tuple(actions.wait(seconds) for seconds in (5, 2, 1)),
    "copy and paste": (actions.paste(),),
    "open a program or switch windows": (actions.open_program("x"),),
    "ask the user": (actions.ask("x"),),
    "done": (actions.done(),),
    "fail": (actions.fail(),),
}


def dialects_reference() -> str:
    """Return a Markdown page with all dialects and the actions that each cannot express."""
    dialects = [get_dialect(name) for name in dialect_names()]
    rows = "".join(_row(dialect) for dialect in dialects)
    coverage = _COVERAGE.format(all=_action_list(), note=textwrap.fill(_COVERAGE_NOTE, 100))
    return (
        f"{_HEAD}{rows}{coverage}{''.join(_coverage_row(dialect) for dialect in dialects)}{_NOTES}"
    )


def _action_list() -> str:
    """Return a list of all actions, those with a position on the screen first."""
    pointer = [name for name, samples in _SAMPLES.items() if samples[0].xy is not None]
    other = [name for name in _SAMPLES if name not in pointer]
    items = (f"- pointer: {', '.join(pointer)}", f"- other: {', '.join(other)}")
    return "\n".join(textwrap.fill(item, 100, subsequent_indent="  ") for item in items)


def _row(dialect: Dialect) -> str:
    purpose, coordinates = describe_dialect(dialect.name)
    cells = (f"`{dialect.name}`", purpose, dialect.api, f"`{dialect.see}`", coordinates)
    return f"| {' | '.join(cells)} |\n"


def _coverage_row(dialect: Dialect) -> str:
    missing = [name for name, samples in _SAMPLES.items() if not _can_express(dialect, samples)]
    return f"| `{dialect.name}` | {', '.join(missing) or 'nothing'} |\n"


def _can_express(dialect: Dialect, samples: tuple[Action, ...]) -> bool:
    for action in samples:
        with suppress(DialectError):
            return bool(dialect.render(action, Screen()))
    return False


if __name__ == "__main__":
    sys.stdout.write(dialects_reference())
