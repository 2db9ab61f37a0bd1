"""Actions as text of other formats."""

from typing import Any

from tests.each_case import each_case

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.rollouts.aim import Aim
from pptarena.rollouts.episode import StepRecord
from pptarena.rollouts.exporters.action_text import call_text, operation_text, pyautogui_code

SCREEN = (1280, 720)
BUTTON = {"role": "button", "name": "Bold", "box": [600, 350, 80, 20]}
AT = Aim((640, 360), None, BUTTON)
FROM_TO = Aim((0, 0), (1279, 719), None)


def _step(action: Action, aim: Aim) -> StepRecord:
    return StepRecord(
        step=0, action=action, aim=aim, action_timestamp="", reward=0.0, score=0.0,
        terminated=False, truncated=False, action_error=None, observation_id=1,
        screenshot_file="", a11y_file="", slide=None,
    )  # fmt: skip


CASES: list[tuple[Action, Aim, str, str, str]] = [
    (
        actions.click(element=7),
        AT,
        "pyautogui.click(x=0.5004, y=0.5007)",
        "click(x=0.5004, y=0.5007)",
        "Click the button 'Bold'.",
    ),
    (
        actions.click(element=7, keys="ctrl"),
        AT,
        'pyautogui.keyDown("ctrl")\npyautogui.click(x=0.5004, y=0.5007)\npyautogui.keyUp("ctrl")',
        'keyDown("ctrl")\nclick(x=0.5004, y=0.5007)\nkeyUp("ctrl")',
        "Click the button 'Bold'.",
    ),
    (
        actions.drag(xy=(0, 0), end_xy=(1, 1)),
        FROM_TO,
        "pyautogui.moveTo(x=0.0004, y=0.0007)\npyautogui.dragTo(x=0.9996, y=0.9993)",
        "dragTo(from_coord=[0.0004, 0.0007], to_coord=[0.9996, 0.9993])",
        "Drag.",
    ),
    (
        actions.scroll(3, xy=(0, 0)),
        Aim((0, 0)),
        "pyautogui.moveTo(x=0.0004, y=0.0007)\npyautogui.scroll(-3)",
        "scroll(x=0.0004, y=0.0007, clicks=-3)",
        "Scroll.",
    ),
    (
        actions.key("ctrl+b"),
        Aim(),
        'pyautogui.hotkey("ctrl", "b")',
        'hotkey(["ctrl", "b"])',
        "Press ctrl+b.",
    ),
    (
        actions.key("Page_Down", 2),
        Aim(),
        'pyautogui.press("pagedown", presses=2)',
        'press(keys=["pagedown"], presses=2)',
        "Press Page_Down 2 times.",
    ),
    (
        actions.type_text('Say "hi"\n'),
        Aim(),
        r'pyautogui.write(message="Say \"hi\"\n")',
        r'write(message="Say \"hi\"\n")',
        r'Type "Say \"hi\"\n".',
    ),
    (
        actions.done(),
        Aim(),
        'computer.terminate(status="success")',
        'terminate(status="success")',
        "Done.",
    ),
    (
        actions.fail(),
        Aim(),
        'computer.terminate(status="failure")',
        'terminate(status="failure")',
        "Fail.",
    ),
    (actions.wait(2), Aim(), "computer.wait(2)", "wait(seconds=2)", "Wait."),
]


@each_case("action, aim, code, call, operation", CASES)
def test_action_as_code_call_and_operation(
    action: Action, aim: Aim, code: str, call: str, operation: str
) -> None:
    step = _step(action, aim)
    assert pyautogui_code(step, SCREEN) == code
    assert call_text(step, SCREEN) == call
    assert operation_text(step) == operation


@each_case("kind", actions.KINDS)
def test_code_of_every_action_kind_is_valid_python(kind: str) -> None:
    aim = FROM_TO if kind in ("drag", "copy_image") else AT
    fields: dict[str, Any] = {"keys": "ctrl+b"} if kind == "key" else {"text": "x"}
    step = _step(Action(kind, **fields), aim)
    for text in (pyautogui_code(step, SCREEN), call_text(step, SCREEN)):
        compile(text, "code", "exec")
    assert operation_text(step).endswith(".")
