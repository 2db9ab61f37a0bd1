import numpy as np
import pytest
from tests.each_case import each_case

from pptarena.envs import actions
from pptarena.envs.action import POINTER_KINDS, Action
from pptarena.envs.decoding import decode
from pptarena.envs.elements import ElementTable
from pptarena.errors import ActionError
from pptarena.vm_images.guest.protocol import Command

TABLE = ElementTable(
    nodes=(4, 6), boxes=((10, 20, 30, 41), (0, 0, 1, 1)), features=np.zeros((256, 12), np.float32)
)


def run(action: Action) -> Command:
    return decode(action, TABLE, 1280, 720)


@each_case("kind", POINTER_KINDS)
def test_element_is_clicked_at_its_center(kind: str) -> None:
    command = run(Action(kind, element=1, end_xy=(0.5, 0.5), amount=1, keys="ctrl"))
    assert (command.op, command.x, command.y) == (kind, 25, 40)
    assert command.keys == ("Control_L",)


@pytest.mark.parametrize(
    ("xy", "pixel"), [((0.0, 0.0), (0, 0)), ((1.0, 1.0), (1279, 719)), ((0.5, 0.5), (640, 360))]
)
def test_points_map_to_screen_pixels(xy: tuple[float, float], pixel: tuple[int, int]) -> None:
    command = run(actions.click(xy=xy))
    assert (command.x, command.y) == pixel


@each_case(
    "action, command",
    [
        (actions.drag(1, end_xy=(0.5, 1.0)), Command("drag", 25, 40, 640, 719)),
        (actions.scroll(-3, element=2), Command("scroll", 0, 0, amount=-3)),
        (actions.key("ctrl+b"), Command("key", keys=("Control_L", "b"), amount=1)),
        (actions.key("Down", repeat=4), Command("key", keys=("Down",), amount=4)),
        (actions.type_text("a\n\té"), Command("type", text="a\n\té")),
        (actions.type_text(" "), Command("type", text=" ")),
        (actions.copy_text("x"), Command("copy_text", text="x")),
        (actions.copy_image(1), Command("copy_image", box=(10, 20, 30, 41))),
        (
            actions.copy_image(xy=(0.5, 0.5), end_xy=(0.0, 0.0)),
            Command("copy_image", box=(0, 0, 640, 360)),
        ),
        (actions.paste(), Command("paste")),
        (actions.open_program(" impress "), Command("open_program", text="impress")),
        (actions.switch_window("Deck"), Command("switch_window", text="Deck")),
        (actions.wait(3), Command("wait", amount=3)),
        (actions.click(xy=(0.0, 0.0)), Command("click")),
        (actions.done(), Command("observe")),
        (actions.fail(), Command("observe")),
    ],
)
def test_actions_decode_to_commands(action: Action, command: Command) -> None:
    assert run(action) == command


@each_case(
    "action, message",
    [
        (actions.click(element=3), "element from 1 to 2 of the last observation, got 3"),
        (actions.copy_image(element=3), "element from 1 to 2"),
        (actions.click(xy=(1.01, 0.0)), "xy to lie in"),
        (actions.click(xy=(float("nan"), 0.0)), "xy to lie in"),
        (actions.drag(1, end_xy=(0.0, 2.0)), "end_xy to lie in"),
        (actions.click(1, keys="b"), "only ctrl, shift, alt or super"),
        (actions.click(), "expected a target for click, an element from 1 or a point xy"),
        (actions.scroll(1), "expected a target for scroll"),
        (actions.drag(1), "expected end_xy, the point where drag ends, got none"),
        (actions.drag(end_xy=(0.5, 0.5)), "expected a target for drag"),
        (Action.from_json({"kind": "move"}), "expected a target for move"),
        (actions.scroll(0, element=1), "a scroll of 1 or more clicks"),
        (actions.key("ctrl+nokey"), "unknown key 'nokey'"),
        (actions.key("a", repeat=-1), "0 or more repeats"),
        (actions.type_text(""), "expected a text to type"),
        (actions.type_text("a\x1bb"), r"text cannot be typed: U\+001B"),
        (actions.copy_text(""), "expected a text to copy_text"),
        (actions.open_program("  "), "expected a name for open_program"),
        (actions.switch_window(""), "expected a name for switch_window"),
        (actions.wait(-1), "expected 0 to 20 seconds"),
        (actions.copy_image(), "expected a target for copy_image"),
        (actions.copy_image(xy=(0.5, 0.5)), "expected end_xy"),
        (actions.copy_image(xy=(0.5, 0.5), end_xy=(0.5, 1.0)), "a region with an area"),
        (actions.ask(" "), "expected a question"),
    ],
)
def test_invalid_actions_are_rejected(action: Action, message: str) -> None:
    with pytest.raises(ActionError, match=message):
        run(action)
