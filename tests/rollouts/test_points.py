import pytest

from pptarena.envs import actions
from pptarena.envs.action_space import MAX_ELEMENTS
from pptarena.envs.decoding import decode
from pptarena.envs.elements import a11y_json, find_elements
from pptarena.envs.machines.base import Node, Tree
from pptarena.rollouts.points import Aim, aim_of, without_element

SCREEN = (640, 360)
BOXES = ((10, 20, 31, 15), (-5, -7, 20, 20), (620, 350, 50, 50), (0, 0, 640, 360), (3, 3, 1, 1))


def tree() -> Tree:
    states = frozenset({"showing", "visible"})
    nodes = (
        Node(i, -1, "push button", f"b{i}", "", "", box, states) for i, box in enumerate(BOXES)
    )
    return Tree(tuple(nodes))


TABLE = find_elements(tree(), *SCREEN)
NODES = a11y_json(tree(), TABLE)["nodes"]


@pytest.mark.parametrize("element", range(1, len(BOXES) + 1))
def test_an_aim_is_the_pixel_the_environment_aims_at(element: int) -> None:
    action = actions.click(element=element)
    command = decode(action, TABLE, *SCREEN)
    assert aim_of(action, NODES, SCREEN).point == (command.x, command.y)


@pytest.mark.parametrize("element", range(1, len(BOXES) + 1))
@pytest.mark.parametrize("screen", [SCREEN, (1280, 720), (1919, 1081)])
def test_without_its_element_an_action_aims_at_the_same_pixel(
    element: int, screen: tuple[int, int]
) -> None:
    table = find_elements(tree(), *screen)
    nodes = a11y_json(tree(), table)["nodes"]
    action = actions.drag(element=element, end_xy=(0.25, 0.75), keys="ctrl")
    bare = without_element(action, aim_of(action, nodes, screen), screen)
    assert bare.element == 0
    assert decode(bare, table, *screen) == decode(action, table, *screen)


def test_every_pixel_survives_the_way_through_normalised_coordinates() -> None:
    for screen in ((1280, 720), (1919, 1081), (3840, 2160)):
        for x in range(screen[0]):
            aim = Aim(point=(x, x % screen[1]))
            bare = without_element(actions.click(element=1), aim, screen)
            assert aim_of(bare, [], screen).point == aim.point


def test_an_aim_names_the_element() -> None:
    target = aim_of(actions.click(element=1), NODES, SCREEN).target
    assert target == {"role": "push button", "name": "b0", "box": [10, 20, 31, 15]}


def test_a_stale_element_has_no_point_and_stays() -> None:
    action = actions.click(element=MAX_ELEMENTS)
    aim = aim_of(action, NODES, SCREEN)
    assert aim == Aim()
    assert without_element(action, aim, SCREEN) == action


def test_a_key_aims_at_nothing() -> None:
    assert aim_of(actions.key("ctrl+b"), NODES, SCREEN) == Aim()


def test_a_copied_region_is_kept_whole() -> None:
    action = actions.copy_image(element=1)
    bare = without_element(action, aim_of(action, NODES, SCREEN), SCREEN)
    assert decode(bare, TABLE, *SCREEN).box == decode(action, TABLE, *SCREEN).box


def test_a_point_off_the_screen_is_no_pixel() -> None:
    assert aim_of(actions.click(xy=(1.5, 0.5)), NODES, SCREEN).point is None
