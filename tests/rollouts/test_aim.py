import math
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.envs import actions
from pptarena.envs.action_space import MAX_ELEMENTS
from pptarena.envs.actions import Action
from pptarena.envs.decoding import decode
from pptarena.envs.elements import ElementTable, a11y_json, find_elements
from pptarena.envs.machines.base import Node, Tree
from pptarena.envs.resolved_command import resolve_command
from pptarena.rollouts.aim import Aim, aim_of, planned_aim, without_element

SCREEN = (640, 360)
BOXES = ((10, 20, 31, 15), (-5, -7, 20, 20), (620, 350, 50, 50), (0, 0, 640, 360), (3, 3, 1, 1))


def tree() -> Tree:
    states = frozenset({"showing", "visible"})
    nodes = (
        Node(i, -1, "push button", f"b{i}", "", "", box, states) for i, box in enumerate(BOXES)
    )
    return Tree(tuple(nodes))


TABLE = find_elements(tree(), *SCREEN)


def command_of(
    action: Action, table: ElementTable = TABLE, screen: tuple[int, int] = SCREEN
) -> dict[str, Any]:
    return resolve_command(action, decode(action, table, *screen), table, tree())


@each_case("element", range(1, len(BOXES) + 1))
@each_case("screen", [SCREEN, (1280, 720), (1919, 1081)])
def test_action_without_element_aims_at_the_same_pixel(
    element: int, screen: tuple[int, int]
) -> None:
    table = find_elements(tree(), *screen)
    action = actions.drag(element=element, end_xy=(0.25, 0.75), keys="ctrl")
    without = without_element(action, aim_of(command_of(action, table, screen)), screen)
    assert without.element == 0
    assert decode(without, table, *screen) == decode(action, table, *screen)


@pytest.mark.slow
def test_normalized_coordinates_keep_every_pixel() -> None:
    for screen in ((1280, 720), (1919, 1081), (3840, 2160)):
        for x in range(screen[0]):
            point = (x, x % screen[1])
            bare = without_element(actions.click(element=1), Aim(point=point), screen)
            command = decode(bare, TABLE, *screen)
            assert (command.x, command.y) == point


def test_aim_has_the_pixels_and_the_element_of_the_command() -> None:
    aim = aim_of(command_of(actions.drag(element=1, end_xy=(0.5, 0.5))))
    target = {"role": "push button", "name": "b0", "box": [10, 20, 31, 15]}
    assert aim == Aim((25, 27), (320, 180), target)


def test_refused_actions_and_keys_have_no_aim() -> None:
    action = actions.click(element=MAX_ELEMENTS)
    assert aim_of({}) == Aim()
    assert without_element(action, aim_of({}), SCREEN) == action
    assert aim_of(command_of(actions.key("ctrl+b"))) == Aim()


def test_copied_region_keeps_its_box() -> None:
    action = actions.copy_image(element=1)
    bare = without_element(action, aim_of(command_of(action)), SCREEN)
    assert decode(bare, TABLE, *SCREEN).box == decode(action, TABLE, *SCREEN).box


@pytest.mark.parametrize(
    "action",
    [
        actions.click(element=1),
        actions.click(xy=(0.5, 1.0)),
        actions.drag(element=1, end_xy=(0.5, 0.5)),
        actions.key("ctrl+b"),
    ],
)
def test_planned_aim_equals_the_executed_one(action: Action) -> None:
    nodes = a11y_json(tree(), TABLE)["nodes"]
    assert planned_aim(action, nodes, SCREEN) == aim_of(command_of(action))


@pytest.mark.parametrize(
    "action",
    [actions.click(element=99), actions.click(xy=(2.0, 0.5)), actions.click(xy=(math.nan, 0)),
     "no action", None],
)  # fmt: skip
def test_invalid_actions_have_no_planned_aim(action: object) -> None:
    assert planned_aim(action, a11y_json(tree(), TABLE)["nodes"], SCREEN) == Aim()
