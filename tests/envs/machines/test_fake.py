from io import BytesIO
from typing import Any

import numpy as np
import pytest
from pptx import Presentation
from pptx.util import Inches

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.base import Node, Observed
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


class Hands:
    """A fake machine with a deck, and short ways to use it."""

    def __init__(self, deck: bytes) -> None:
        self.machine = FakeMachine()
        self.seen = self.machine.load(deck, "garden.pptx")

    def on(self, name: str, op: str = "click", **more: Any) -> Observed:
        node = [n for n in self.seen.tree.nodes if name in (n.name, n.text)][-1]
        left, top, width, height = node.box
        return self.do(op, x=left + width // 2, y=top + height // 2, **more)

    def on_slide(self, number: int) -> Observed:
        """Click the slide of that number, from 1, among those that the panel shows."""
        left, top, width, height = self.panel()[number - 1].box
        return self.do("click", x=left + width // 2, y=top + height // 2)

    def panel(self) -> list[Node]:
        nodes = self.seen.tree.nodes
        panel = next(node.index for node in nodes if node.name == "Slides View")
        return [node for node in nodes if node.parent == panel]

    def do(self, op: str, **more: Any) -> Observed:
        self.seen = self.machine.perform(Command(op, **more))
        return self.seen

    def key(self, *keys: str, times: int = 1) -> Observed:
        return self.do("key", keys=keys, amount=times)

    def states(self, name: str) -> frozenset[str]:
        return next(node.states for node in self.seen.tree.nodes if node.name == name)

    def slides(self) -> list[Any]:
        return list(Presentation(BytesIO(self.machine.save())).slides)

    def titles(self) -> list[str]:
        return [slide.shapes.title.text for slide in self.slides()]

    def title_run(self) -> Any:
        return self.slides()[0].shapes.title.text_frame.paragraphs[0].runs[0]


@pytest.fixture
def hands(deck: bytes) -> Hands:
    return Hands(deck)


def test_the_screen_shows_buttons_slides_and_shapes(hands: Hands) -> None:
    nodes = hands.seen.tree.nodes
    assert [n.name for n in nodes if n.role in ("button", "toggle button")] == list(BUTTONS)
    assert [n.name for n in hands.panel()] == ["Harvest", "Orchard", "Cellar"]
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
def test_format_by_button_and_by_keyboard(hands: Hands, button: str, letter: str) -> None:
    hands.on("Harvest")
    hands.on(button)
    assert getattr(hands.title_run().font, button.lower()) is True
    assert "pressed" in hands.states(button)
    hands.key("Control_L", letter)
    assert getattr(hands.title_run().font, button.lower()) is False
    assert "pressed" not in hands.states(button)


def test_format_without_a_selection_changes_nothing(hands: Hands) -> None:
    before = hands.seen.document.revision
    assert hands.on("Bold").document.revision == before


def test_font_size_steps(hands: Hands) -> None:
    hands.on("Harvest")
    hands.on("Increase")
    assert hands.title_run().font.size.pt == 20
    hands.on("Decrease")
    assert hands.title_run().font.size.pt == 18


def test_a_double_click_opens_the_text(hands: Hands) -> None:
    assert hands.on("Harvest", "double_click").document.editing
    hands.do("type", text=" 2")
    hands.key("BackSpace")
    hands.key("Shift_R", "q")
    with pytest.raises(ActionError, match="text edit is open"):
        hands.titles()
    assert not hands.on_slide(1).document.editing
    assert hands.titles()[0] == "Harvest Q"


def test_select_all_and_paragraphs(hands: Hands) -> None:
    hands.on("Second point", "double_click")
    hands.key("Control_L", "a")
    hands.do("type", text="One\nTwo\nThree")
    hands.key("Escape")
    body = hands.slides()[0].placeholders[1].text_frame
    assert [paragraph.text for paragraph in body.paragraphs] == ["One", "Two", "Three"]
    hands.on("Two", "triple_click")
    hands.key("Delete")
    hands.do("type", text="Last")
    hands.key("Escape")
    # As in LibreOffice, three clicks select one paragraph.
    assert hands.slides()[0].placeholders[1].text_frame.text == "One\nLast\nThree"


def test_typing_keeps_the_format(hands: Hands) -> None:
    hands.on("Harvest")
    hands.key("Control_L", "b")
    hands.do("type", text="!")
    hands.key("Escape")
    assert (hands.title_run().text, hands.title_run().font.bold) == ("Harvest!", True)


def test_undo_and_redo(hands: Hands) -> None:
    assert "enabled" not in hands.states("Undo")
    hands.on("Harvest")
    hands.key("Delete")
    assert [len(list(slide.shapes)) for slide in hands.slides()] == [1, 2, 2]
    hands.on("Undo")
    assert hands.titles()[0] == "Harvest"
    hands.key("Control_L", "y")
    assert [len(list(slide.shapes)) for slide in hands.slides()] == [1, 2, 2]
    hands.key("Control_L", "z", times=5)
    assert hands.titles() == ["Harvest", "Orchard", "Cellar"]


@pytest.mark.slow
def test_slides_are_added_copied_and_deleted(hands: Hands) -> None:
    hands.on_slide(2)
    hands.on("Duplicate Slide")
    assert hands.titles() == ["Harvest", "Orchard", "Orchard", "Cellar"]
    assert hands.seen.document.slide == 3
    assert hands.key("Control_L", "m").document.slide == 4
    assert hands.titles() == ["Harvest", "Orchard", "Orchard", "", "Cellar"]
    hands.on_slide(1)
    hands.key("Delete")
    hands.on("Delete Slide")
    assert hands.titles() == ["Orchard", "", "Cellar"]
    hands.on_slide(1)
    hands.on("New Slide")
    hands.on("Duplicate Slide")
    assert hands.titles() == ["Orchard", "", "", "", "Cellar"]
    for _ in range(5):
        hands.on("Delete Slide")
    assert len(hands.slides()) == 1


def test_a_copied_slide_shows_its_text_and_takes_another(hands: Hands) -> None:
    hands.on("Duplicate Slide")
    node = [node for node in hands.seen.tree.nodes if node.text == "Harvest"][-1]
    assert node.role == "paragraph"
    hands.do("triple_click", x=node.box[0] + 5, y=node.box[1] + 5)
    hands.do("type", text="Vineyard")
    hands.key("Escape")
    assert hands.titles() == ["Harvest", "Vineyard", "Orchard", "Cellar"]


def test_a_copied_slide_keeps_its_picture() -> None:
    from PIL import Image

    picture = BytesIO()
    Image.new("RGB", (4, 4), (200, 0, 0)).save(picture, "PNG")
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_picture(picture, Inches(1), Inches(1))
    stream = BytesIO()
    presentation.save(stream)
    hands = Hands(stream.getvalue())
    hands.on("Duplicate Slide")
    assert [slide.shapes[0].image.blob for slide in hands.slides()] == [picture.getvalue()] * 2


def test_dragging_moves_a_shape(hands: Hands) -> None:
    before = hands.slides()[0].shapes.title
    node = [node for node in hands.seen.tree.nodes if node.text == "Harvest"][-1]
    x, y = node.box[0] + 5, node.box[1] + 5
    hands.do("drag", x=x, y=y, end_x=x + 81, end_y=y + 81)
    after = hands.slides()[0].shapes.title
    tenth = Inches(1)  # the slide is 10 inches wide and drawn 812 pixels wide
    assert after.left - before.left == pytest.approx(tenth, rel=0.02)
    assert after.top - before.top == pytest.approx(tenth, rel=0.02)
    assert after.width == before.width
    hands.do("mouse_down", x=x + 81, y=y + 81)
    hands.do("mouse_up", x=x, y=y)
    assert hands.slides()[0].shapes.title.left == pytest.approx(before.left, abs=9000)


def test_wheel_and_keys_turn_the_slides(hands: Hands) -> None:
    assert hands.do("scroll", x=600, y=300, amount=2).document.slide == 3
    assert hands.do("scroll", x=600, y=300, amount=-9).document.slide == 1
    assert hands.key("Page_Down", times=9).document.slide == 3


def test_arrows_turn_the_slides_where_the_list_of_slides_has_the_keys(hands: Hands) -> None:
    assert hands.key("Down").document.slide == 1, "the slide has the keys"
    first = hands.panel()[0].box
    hands.do("click", x=first[0] + 5, y=first[1] + 5)
    assert hands.key("Down", times=2).document.slide == 3
    assert hands.key("Up").document.slide == 2


def test_copy_and_paste(hands: Hands) -> None:
    hands.on("Harvest")
    assert hands.key("Control_L", "c").clipboard == "Harvest"
    hands.on("Second point", "triple_click")
    hands.do("paste")
    hands.key("Escape")
    assert hands.slides()[0].placeholders[1].text_frame.text == "Point 1\nHarvest"


def test_a_long_list_of_slides_scrolls_with_the_current_one() -> None:
    presentation = Presentation()
    for _ in range(30):
        presentation.slides.add_slide(presentation.slide_layouts[6])
    stream = BytesIO()
    presentation.save(stream)
    hands = Hands(stream.getvalue())
    hands.key("Page_Down", times=20)
    items = hands.panel()
    assert "Slide 21" in [node.name for node in items]
    assert all(node.box[1] + node.box[3] <= 700 for node in items)


@pytest.mark.slow
def test_equal_commands_give_equal_screens(deck: bytes) -> None:
    def play() -> list[Observed]:
        hands = Hands(deck)
        return [
            hands.on("Harvest", "double_click"),
            hands.do("type", text="é漢\U0001f600"),
            hands.on("Bold"),
            hands.on("New Slide"),
            hands.key("Control_L", "z"),
        ]

    for first, second in zip(play(), play(), strict=True):
        assert np.array_equal(first.screenshot, second.screenshot)
        assert first.tree == second.tree
        assert first.document == second.document


def test_the_bound_on_nodes_is_kept(deck: bytes) -> None:
    machine = FakeMachine(MachineConfig(max_nodes=5))
    tree = machine.load(deck, "garden.pptx").tree
    assert (len(tree.nodes), tree.degraded, tree.reason) == (5, True, "more than 5 nodes")


def test_a_point_off_the_screen_is_refused(hands: Hands) -> None:
    with pytest.raises(ActionError, match="not on the screen"):
        hands.do("click", x=1280, y=10)


@pytest.mark.parametrize(
    ("failure", "kind"),
    [("lost", MachineLostError), ("timeout", MachineTimeoutError), ("start", MachineStartError)],
)
def test_it_fails_as_told(deck: bytes, failure: str, kind: type[MachineError]) -> None:
    machine = FakeMachine()
    machine.fail_next(failure, on="load", times=2)
    for _ in range(2):
        with pytest.raises(kind, match=f"told to fail .{failure} on load"):
            machine.load(deck, "garden.pptx")
    machine.load(deck, "garden.pptx")
    machine.fail_next(failure)
    with pytest.raises(kind):
        machine.perform(Command("observe"))
    with pytest.raises(MachineLostError, match="down after a failure"):
        machine.save()
    assert machine.load(deck, "garden.pptx").document.open


def test_it_saves_garbage_as_told(hands: Hands, deck: bytes) -> None:
    hands.machine.fail_next("garbage", on="save")
    assert hands.machine.save() == b"no deck"
    assert hands.titles() == ["Harvest", "Orchard", "Cellar"]


@pytest.mark.parametrize(
    ("failure", "on"), [("fire", "load"), ("lost", "sleep"), ("garbage", "load")]
)
def test_it_cannot_fail_in_other_ways(failure: str, on: str) -> None:
    with pytest.raises(ConfigError, match=f"cannot fail with '{failure}' on '{on}'"):
        FakeMachine().fail_next(failure, on=on)
