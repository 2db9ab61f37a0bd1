import json
from typing import Any

from tests.each_case import each_case

from pptarena.envs import PPTArenaEnv, actions
from pptarena.envs.actions import Action
from pptarena.envs.decoding import decode
from pptarena.envs.elements import find_elements
from pptarena.envs.machines.base import Node, Tree
from pptarena.envs.resolved_command import resolve_command
from pptarena.tasks import Task

SCREEN = (640, 360)
TREE = Tree(
    (
        Node(0, -1, "frame", "", "", "", (0, 0, 640, 360), frozenset({"showing", "visible"})),
        Node(1, 0, "button", "Bold", "", "", (-10, 20, 40, 41), frozenset({"showing", "visible"})),
    )
)
TABLE = find_elements(TREE, *SCREEN)
BOLD = {"role": "button", "name": "Bold", "box": [-10, 20, 40, 41]}


@each_case(
    "action, value",
    [
        (
            actions.click(element=1, keys="ctrl"),
            {"kind": "click", "x_px": 15, "y_px": 40, "keys": ["Control_L"], "target": BOLD},
        ),
        (actions.move(xy=(0.5, 0.5)), {"kind": "move", "x_px": 320, "y_px": 180, "keys": []}),
        (
            actions.drag(xy=(0.5, 0.5), end_xy=(1.0, 0.25)),
            {"kind": "drag", "x_px": 320, "y_px": 180, "end_x_px": 639, "end_y_px": 90, "keys": []},
        ),
        (
            actions.scroll(-3, xy=(0.5, 0.5)),
            {"kind": "scroll", "x_px": 320, "y_px": 180, "keys": [], "amount": -3},
        ),
        (actions.key("ctrl+b"), {"kind": "key", "keys": ["Control_L", "b"], "amount": 1}),
        (actions.type_text("ab"), {"kind": "type", "text": "ab"}),
        (actions.copy_image(1), {"kind": "copy_image", "box_px": [0, 20, 30, 41], "target": BOLD}),
        (actions.open_program(" impress "), {"kind": "open_program", "text": "impress"}),
        (actions.wait(2), {"kind": "wait", "amount": 2}),
        (actions.paste(), {"kind": "paste"}),
        (actions.done(), {"kind": "done"}),
        (Action("key", element=9, keys="a"), {"kind": "key", "keys": ["a"], "amount": 1}),
    ],
)
def test_actions_are_resolved_to_commands(action: Action, value: dict[str, Any]) -> None:
    command = resolve_command(action, decode(action, TABLE, *SCREEN), TABLE, TREE)
    assert command == value
    assert json.loads(json.dumps(command)) == value


def test_info_has_the_command_of_the_last_step_unless_rejected(retitle_task: Task) -> None:
    env = PPTArenaEnv(retitle_task, machine="fake", look="never")
    assert env.reset()[1]["command"] == {}
    info = env.step(actions.key("ctrl+b"))[4]
    assert info["command"] == {"kind": "key", "keys": ["Control_L", "b"], "amount": 1}
    info["command"]["keys"].clear()
    assert env.last()[1]["command"]["keys"] == ["Control_L", "b"]
    info = env.step(actions.click(element=256))[4]
    assert info["action_error"]
    assert info["command"] == {}
    assert env.reset()[1]["command"] == {}
    env.close()
