"""Setup clicks of OSWorld's task files as the scene of a task."""

import ast
from collections.abc import Iterator
from typing import Any, Final

__all__ = ["scene_of"]

_CENTER_PX: Final = (960, 540)  # of the benchmark's screen, 1920 by 1080: the middle of the slide
_SLIDE: Final = {"role": "document presentation"}
_CLICKS: Final = {"pyautogui.click": "click", "pyautogui.doubleClick": "double_click"}
# The button is pressed and released at the point of the last click, which changes nothing more.
_IGNORED: Final = ("time.sleep", "pyautogui.mouseDown", "pyautogui.mouseUp")


def scene_of(command: Any) -> list[dict[str, Any]] | None:
    """Return the scene of an ``execute`` step of the setup.

    Clicks in the middle of the screen become clicks in the middle of the slide. Other points depend
    on the benchmark's screen and window, so they have no counterpart here.

    Args:
        command: The command of the step, such as ``["python", "-c", "import pyautogui; ..."]``.

    Returns:
        Steps of the field ``scene`` of a task file; None if the step does anything else.
    """
    if not isinstance(command, list) or command[:2] != ["python", "-c"] or len(command) != 3:
        return None
    try:
        return list(_steps(str(command[2])))
    except (SyntaxError, ValueError):
        return None


def _steps(code: str) -> Iterator[dict[str, Any]]:
    for line in ast.parse(code).body:
        if isinstance(line, ast.Import):
            continue
        if not isinstance(line, ast.Expr) or not isinstance(line.value, ast.Call):
            raise ValueError("a statement that is no call")
        call = line.value
        name = ast.unparse(call.func)
        if name in _IGNORED:
            continue
        if name not in _CLICKS:
            raise ValueError(f"a call of {name}")
        given = {each.arg: each.value for each in call.keywords}
        values = call.args or [given[axis] for axis in ("x", "y") if axis in given]
        if tuple(ast.literal_eval(each) for each in values) != _CENTER_PX:
            raise ValueError("a point that depends on the screen")
        yield {"kind": _CLICKS[name], "target": _SLIDE}
