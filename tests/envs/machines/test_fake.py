from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.base import MachineObservation, Node
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.machines.fake.layout import BUTTONS
from pptarena.errors import (
    ActionError,
    ConfigError,
    MachineError,
    MachineLostError,
    MachineStartError,
    MachineTimeoutError,
)
from pptarena.vm_images.guest.protocol import Command


class Driver:
    """Drives a fake machine that shows a deck."""

    def __init__(self, deck: bytes) -> None:
        self.machine = FakeMachine()
        self.observation = self.machine.load(deck, "garden.pptx")

    def act_on(self, name: str, op: str = "click", **arguments: Any) -> MachineObservation:
        node = [n for n in self.observation.tree.nodes if name in (n.name, n.text)][-1]
        left, top, width, height = node.box
        return self.perform(op, x=left + width // 2, y=top + height // 2, **arguments)

    def click_slide(self, number: int) -> MachineObservation:
        """Click a slide in the panel, counted from 1 among the visible ones."""
        left, top, width, height = self.panel()[number - 1].box
        return self.perform("click", x=left + width // 2, y=top + height // 2)

    def panel(self) -> list[Node]:
        nodes = self.observation.tree.nodes
        panel = next(node.index for node in nodes if node.name == "Slides View")
        return [node for node in nodes if node.parent == panel]

    def perform(self, op: str, **arguments: Any) -> MachineObservation:
        self.observation = self.machine.perform(Command(op, **arguments))
        return self.observation

    def key(self, *keys: str, times: int = 1) -> MachineObservation:
        return self.perform("key", keys=keys, amount=times)

    def states(self, name: str) -> frozenset[str]:
        return next(node.states for node in self.observation.tree.nodes if node.name == name)

    def slides(self) -> list[Any]:
        return list(Presentation(BytesIO(self.machine.save())).slides)

    def titles(self) -> list[str]:
        return [slide.shapes.title.text for slide in self.slides()]

    def title_run(self) -> Any:
        return self.slides()[0].shapes.title.text_frame.paragraphs[0].runs[0]


@pytest.fixture
def driver(deck: bytes) -> Driver:
    return Driver(deck)


def test_screen_shows_buttons_slides_and_shapes(driver: Driver) -> None:
    nodes = driver.observation.tree.nodes
    assert [n.name for n in nodes if n.role in ("button", "toggle button")] == list(BUTTONS)
    assert [n.name for n in driver.panel()] == ["Harvest", "Orchard", "Cellar"]
    page = next(n.index for n in nodes if n.role == "document presentation")
    assert [(n.role, n.name) for n in nodes if n.parent == page] == [
        ("panel", "PageShape: Harvest"),
        ("panel", "Title 1"),
        ("panel", "Content Placeholder 2"),
    ]
    assert [(nodes[n.parent].name, n.text) for n in nodes if n.role == "paragraph"] == [
        ("Title 1", "Harvest"),
        ("Content Placeholder 2", "Point 1"),
        ("Content Placeholder 2", "Second point"),
    ]


@pytest.mark.parametrize(("button", "letter"), [("Bold", "b"), ("Italic", "i"), ("Underline", "u")])
def test_format_by_button_and_by_keyboard(driver: Driver, button: str, letter: str) -> None:
    driver.act_on("Harvest")
    driver.act_on(button)
    assert getattr(driver.title_run().font, button.lower()) is True
    assert "pressed" in driver.states(button)
    driver.key("Control_L", letter)
    assert getattr(driver.title_run().font, button.lower()) is False
    assert "pressed" not in driver.states(button)


def test_format_without_a_selection_changes_nothing(driver: Driver) -> None:
    before = driver.observation.document.revision
    assert driver.act_on("Bold").document.revision == before


def test_font_size_steps(driver: Driver) -> None:
    driver.act_on("Harvest")
    driver.act_on("Increase")
    assert driver.title_run().font.size.pt == 20
    driver.act_on("Decrease")
    assert driver.title_run().font.size.pt == 18


def test_double_click_opens_a_text_edit(driver: Driver) -> None:
    assert driver.act_on("Harvest", "double_click").document.editing
    driver.perform("type", text=" 2")
    driver.key("BackSpace")
    driver.key("Shift_R", "q")
    with pytest.raises(ActionError, match="text edit is open"):
        driver.titles()
    assert not driver.click_slide(1).document.editing
    assert driver.titles()[0] == "Harvest Q"


def test_select_all_and_paragraphs(driver: Driver) -> None:
    driver.act_on("Second point", "double_click")
    driver.key("Control_L", "a")
    driver.perform("type", text="One\nTwo\nThree")
    driver.key("Escape")
    body = driver.slides()[0].placeholders[1].text_frame
    assert [paragraph.text for paragraph in body.paragraphs] == ["One", "Two", "Three"]
    driver.act_on("Two", "triple_click")
    driver.key("Delete")
    driver.perform("type", text="Last")
    driver.key("Escape")
    # As in LibreOffice, three clicks select one paragraph.
    assert driver.slides()[0].placeholders[1].text_frame.text == "One\nLast\nThree"


def test_typing_keeps_the_format(driver: Driver) -> None:
    driver.act_on("Harvest")
    driver.key("Control_L", "b")
    driver.perform("type", text="!")
    driver.key("Escape")
    assert (driver.title_run().text, driver.title_run().font.bold) == ("Harvest!", True)


def test_undo_and_redo(driver: Driver) -> None:
    assert "enabled" not in driver.states("Undo")
    driver.act_on("Harvest")
    driver.key("Delete")
    assert [len(list(slide.shapes)) for slide in driver.slides()] == [1, 2, 2]
    driver.act_on("Undo")
    assert driver.titles()[0] == "Harvest"
    driver.key("Control_L", "y")
    assert [len(list(slide.shapes)) for slide in driver.slides()] == [1, 2, 2]
    driver.key("Control_L", "z", times=5)
    assert driver.titles() == ["Harvest", "Orchard", "Cellar"]


@pytest.mark.slow
def test_slides_are_added_duplicated_and_deleted(driver: Driver) -> None:
    driver.click_slide(2)
    driver.act_on("Duplicate Slide")
    assert driver.titles() == ["Harvest", "Orchard", "Orchard", "Cellar"]
    assert driver.observation.document.slide == 3
    assert driver.key("Control_L", "m").document.slide == 4
    assert driver.titles() == ["Harvest", "Orchard", "Orchard", "", "Cellar"]
    driver.click_slide(1)
    driver.key("Delete")
    driver.act_on("Delete Slide")
    assert driver.titles() == ["Orchard", "", "Cellar"]
    driver.click_slide(1)
    driver.act_on("New Slide")
    driver.act_on("Duplicate Slide")
    assert driver.titles() == ["Orchard", "", "", "", "Cellar"]
    for _ in range(5):
        driver.act_on("Delete Slide")
    assert len(driver.slides()) == 1


def test_duplicated_slide_shows_editable_text(driver: Driver) -> None:
    driver.act_on("Duplicate Slide")
    node = [node for node in driver.observation.tree.nodes if node.text == "Harvest"][-1]
    assert node.role == "paragraph"
    driver.perform("triple_click", x=node.box[0] + 5, y=node.box[1] + 5)
    driver.perform("type", text="Vineyard")
    driver.key("Escape")
    assert driver.titles() == ["Harvest", "Vineyard", "Orchard", "Cellar"]


def test_duplicated_slide_keeps_its_picture() -> None:

    picture = BytesIO()
    Image.new("RGB", (4, 4), (200, 0, 0)).save(picture, "PNG")
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_picture(picture, Inches(1), Inches(1))
    stream = BytesIO()
    presentation.save(stream)
    driver = Driver(stream.getvalue())
    driver.act_on("Duplicate Slide")
    assert [slide.shapes[0].image.blob for slide in driver.slides()] == [picture.getvalue()] * 2


def test_dragging_moves_a_shape(driver: Driver) -> None:
    before = driver.slides()[0].shapes.title
    node = [node for node in driver.observation.tree.nodes if node.text == "Harvest"][-1]
    x, y = node.box[0] + 5, node.box[1] + 5
    driver.perform("drag", x=x, y=y, end_x=x + 81, end_y=y + 81)
    after = driver.slides()[0].shapes.title
    tenth = Inches(1)  # the slide is 10 inches wide and drawn 812 pixels wide
    assert after.left - before.left == pytest.approx(tenth, rel=0.02)
    assert after.top - before.top == pytest.approx(tenth, rel=0.02)
    assert after.width == before.width
    driver.perform("mouse_down", x=x + 81, y=y + 81)
    driver.perform("mouse_up", x=x, y=y)
    assert driver.slides()[0].shapes.title.left == pytest.approx(before.left, abs=9000)


def test_wheel_and_keys_change_the_slide(driver: Driver) -> None:
    assert driver.perform("scroll", x=600, y=300, amount=2).document.slide == 3
    assert driver.perform("scroll", x=600, y=300, amount=-9).document.slide == 1
    assert driver.key("Page_Down", times=9).document.slide == 3


def test_arrows_change_the_slide_if_the_slide_panel_has_focus(driver: Driver) -> None:
    assert driver.key("Down").document.slide == 1, "the slide has the focus"
    first = driver.panel()[0].box
    driver.perform("click", x=first[0] + 5, y=first[1] + 5)
    assert driver.key("Down", times=2).document.slide == 3
    assert driver.key("Up").document.slide == 2


def test_copy_and_paste(driver: Driver) -> None:
    driver.act_on("Harvest")
    assert driver.key("Control_L", "c").clipboard == "Harvest"
    driver.act_on("Second point", "triple_click")
    driver.perform("paste")
    driver.key("Escape")
    assert driver.slides()[0].placeholders[1].text_frame.text == "Point 1\nHarvest"


def test_slide_panel_scrolls_to_the_current_slide() -> None:
    presentation = Presentation()
    for _ in range(30):
        presentation.slides.add_slide(presentation.slide_layouts[6])
    stream = BytesIO()
    presentation.save(stream)
    driver = Driver(stream.getvalue())
    driver.key("Page_Down", times=20)
    items = driver.panel()
    assert "Slide 21" in [node.name for node in items]
    assert all(node.box[1] + node.box[3] <= 700 for node in items)


@pytest.mark.slow
def test_equal_commands_give_equal_screens(deck: bytes) -> None:
    def play() -> list[MachineObservation]:
        driver = Driver(deck)
        return [
            driver.act_on("Harvest", "double_click"),
            driver.perform("type", text="é漢\U0001f600"),
            driver.act_on("Bold"),
            driver.act_on("New Slide"),
            driver.key("Control_L", "z"),
        ]

    for first, second in zip(play(), play(), strict=True):
        assert np.array_equal(first.screenshot, second.screenshot)
        assert first.tree == second.tree
        assert first.document == second.document


def test_node_limit_is_enforced(deck: bytes) -> None:
    machine = FakeMachine(MachineConfig(max_nodes=5))
    tree = machine.load(deck, "garden.pptx").tree
    assert (len(tree.nodes), tree.degraded, tree.reason) == (5, True, "more than 5 nodes")


def test_point_off_the_screen_is_rejected(driver: Driver) -> None:
    with pytest.raises(ActionError, match="not on the screen"):
        driver.perform("click", x=1280, y=10)


@pytest.mark.parametrize(
    ("failure", "kind"),
    [("lost", MachineLostError), ("timeout", MachineTimeoutError), ("start", MachineStartError)],
)
def test_simulated_failures(deck: bytes, failure: str, kind: type[MachineError]) -> None:
    machine = FakeMachine()
    machine.fail_next(failure, on="load", times=2)
    for _ in range(2):
        with pytest.raises(kind, match=f"simulates a failure .{failure} on load"):
            machine.load(deck, "garden.pptx")
    machine.load(deck, "garden.pptx")
    machine.fail_next(failure)
    with pytest.raises(kind):
        machine.perform(Command("observe"))
    with pytest.raises(MachineLostError, match="down after a failure"):
        machine.save()
    assert machine.load(deck, "garden.pptx").document.open


def test_simulated_garbage(driver: Driver, deck: bytes) -> None:
    driver.machine.fail_next("garbage", on="save")
    assert driver.machine.save() == b"no deck"
    assert driver.titles() == ["Harvest", "Orchard", "Cellar"]


@pytest.mark.parametrize(
    ("failure", "operation"), [("fire", "load"), ("lost", "sleep"), ("garbage", "load")]
)
def test_unknown_failures_are_rejected(failure: str, operation: str) -> None:
    with pytest.raises(ConfigError, match=f"cannot fail with '{failure}' on '{operation}'"):
        FakeMachine().fail_next(failure, on=operation)
