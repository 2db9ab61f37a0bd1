"""Actions in the words of other formats; points are shares of the screen, from 0 to 1."""

import json
from dataclasses import dataclass

from pptarena.envs.actions import Action
from pptarena.rollouts.episode import StepRecord

__all__ = ["call_text", "operation_text", "pyautogui_code"]

_CLICKS = {
    "click": "pyautogui.click({at})",
    "double_click": "pyautogui.doubleClick({at})",
    "triple_click": "computer.triple_click({at})",
    "right_click": "pyautogui.rightClick({at})",
    "middle_click": "pyautogui.middleClick({at})",
    "move": "pyautogui.moveTo({at})",
    "mouse_down": "pyautogui.mouseDown({at})",
    "mouse_up": "pyautogui.mouseUp({at})",
}
_CALLS = {
    "click": "click({at})",
    "double_click": "click({at}, clicks=2)",
    "triple_click": "click({at}, clicks=3)",
    "right_click": 'click({at}, button="right")',
    "middle_click": 'click({at}, button="middle")',
    "move": "moveTo({at})",
    "mouse_down": "mouseDown({at})",
    "mouse_up": "mouseUp({at})",
}
_MAX_REPEATS = 1000  # a record may say anything
_ENDS = {"done": "success", "fail": "failure"}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an action aims, ready to be put into a call."""

    at: str
    end: str


def pyautogui_code(step: StepRecord, screen: tuple[int, int]) -> str:
    """Return an action as AgentNet's code: pyautogui and ``computer`` calls, points from 0 to 1.

    Source: the AgentNet data of OpenCUA (arXiv 2508.09123). The wheel turns the other way there:
    positive is up. What has no call of its own there becomes a ``computer`` call of that name.

    Args:
        step: A stored action.
        screen: Width and height in pixels.
    """
    action, place = step.action, _place(step, screen)
    if action.kind in _CLICKS:
        return _held(action.keys, _CLICKS[action.kind].format(at=place.at))
    match action.kind:
        case "drag":
            lines = (f"pyautogui.moveTo({place.at})", f"pyautogui.dragTo({place.end})")
            return _held(action.keys, "\n".join(lines))
        case "scroll":
            code = f"pyautogui.moveTo({place.at})\npyautogui.scroll({-action.amount})"
            return _held(action.keys, code)
        case "key":
            return _key_code(action)
        case "type":
            return f"pyautogui.write(message={_quoted(action.text)})"
        case "wait":
            return f"computer.wait({action.amount or 1})"
        case "done" | "fail":
            return f"computer.terminate(status={_quoted(_ENDS[action.kind])})"
    return f"computer.{action.kind}({_quoted(action.text) if action.text else ''})"


def call_text(step: StepRecord, screen: tuple[int, int]) -> str:
    """Return an action as one call of ScaleCUA's (arXiv 2509.15221), points from 0 to 1.

    Args:
        step: A stored action.
        screen: Width and height in pixels.
    """
    action, place = step.action, _place(step, screen)
    if action.kind in _CALLS:
        return _CALLS[action.kind].format(at=place.at)
    match action.kind:
        case "drag":
            return f"dragTo(from_coord=[{_bare(place.at)}], to_coord=[{_bare(place.end)}])"
        case "scroll":
            return f"scroll({place.at}, clicks={-action.amount})"
        case "key":
            keys = ", ".join(_quoted(each) for each in _keys(action))
            return f"hotkey([{keys}])" if "+" in action.keys else f"press(keys=[{keys}])"
        case "type":
            return f"write(message={_quoted(action.text)})"
        case "wait":
            return f"wait(seconds={action.amount or 1})"
        case "done" | "fail":
            return f"terminate(status={_quoted(_ENDS[action.kind])})"
    return f"{action.kind}({_quoted(action.text) if action.text else ''})"


def operation_text(step: StepRecord) -> str:
    """Return an action in words, such as ``Click the button 'Bold'.``."""
    action, target = step.action, step.aim.target
    words = action.kind.replace("_", " ").capitalize()
    if target is not None:
        name = " ".join(str(target["name"]).split())
        return f"{words} the {target['role']}" + (f" '{name}'." if name else ".")
    if action.kind == "key":
        return f"Press {action.keys}" + (f" {action.amount} times." if action.amount > 1 else ".")
    if action.text:
        return f"{words} {_quoted(action.text)}."
    return f"{words}."


def _place(step: StepRecord, screen: tuple[int, int]) -> _Place:
    return _Place(_point(step.aim.point, screen), _point(step.aim.end, screen))


def _point(pixel: tuple[int, int] | None, screen: tuple[int, int]) -> str:
    if pixel is None:
        return ""
    x, y = ((part + 0.5) / size for part, size in zip(pixel, screen, strict=True))
    return f"x={x:.4f}, y={y:.4f}"


def _bare(point: str) -> str:
    return point.replace("x=", "").replace("y=", "")


def _keys(action: Action) -> list[str]:
    # "ctrl++" is the key plus with ctrl.
    parts = action.keys.replace("++", "+plus").split("+") if action.keys != "+" else ["plus"]
    return [part.replace("_", "").lower() for part in parts]


def _key_code(action: Action) -> str:
    keys = _keys(action)
    if len(keys) > 1:
        line = f"pyautogui.hotkey({', '.join(_quoted(key) for key in keys)})"
        return "\n".join([line] * min(max(action.amount, 1), _MAX_REPEATS))
    times = f", presses={action.amount}" if action.amount > 1 else ""
    return f"pyautogui.press({_quoted(keys[0])}{times})"


def _held(keys: str, code: str) -> str:
    held = [key for key in keys.split("+") if key]
    down = [f"pyautogui.keyDown({_quoted(key)})" for key in held]
    up = [f"pyautogui.keyUp({_quoted(key)})" for key in reversed(held)]
    return "\n".join([*down, code, *up])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
