"""A workbook and a video next to the deck, opened in the applications of the image."""

import io
from collections.abc import Iterator

import gymnasium as gym
import pytest
import xlsxwriter
from pptx import Presentation

from pptarena.envs import actions
from pptarena.envs.machines.base import MachineObservation, Node
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.rewards import load_rubric, load_scope
from pptarena.tasks import Task
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.task_files import TaskFile, packaged_file
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.image

DOCUMENTS = "/home/agent/Documents"
ROWS = (("Item", "Now"), ("Bridge", 23.4), ("Vehicles", 22.9))


def workbook() -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Costs")
        for index, row in enumerate(ROWS):
            sheet.write_row(index, 0, row)
    return stream.getvalue()


FILES = {
    "costs.xlsx": workbook(),
    "costs.csv": b"Item,Now\nBridge,23.4\n",
    "tram.avi": packaged_file("harbor/tram.avi"),
}


@pytest.fixture
def machine() -> Iterator[SandboxMachine]:
    with SandboxMachine() as machine:
        machine.load(read_deck_file("harbor"), "harbor.pptx", FILES)
        yield machine


def press(machine: SandboxMachine, *combinations: str) -> MachineObservation:
    for keys in combinations:
        observed = machine.perform(Command("key", keys=tuple(keys.split("+"))))
    return observed


def open_file(machine: SandboxMachine, name: str) -> MachineObservation:
    press(machine, "Control_L+o")
    machine.perform(Command("type", text=f"{DOCUMENTS}/{name}"))
    return press(machine, "Return")


def cells(observed: MachineObservation) -> dict[str, Node]:
    return {node.name: node for node in observed.tree.nodes if node.role == "table cell"}


def tables(deck: bytes) -> list[list[str]]:
    shapes = (shape for slide in Presentation(io.BytesIO(deck)).slides for shape in slide.shapes)
    return [
        [cell.text for row in shape.table.rows for cell in row.cells]
        for shape in shapes
        if shape.has_table
    ]


def test_cells_of_a_workbook_are_copied_into_the_deck(machine: SandboxMachine) -> None:
    before = tables(machine.save())
    observed = open_file(machine, "costs.xlsx")
    assert observed.window_titles[0] == "costs.xlsx — LibreOffice Calc"
    assert not observed.tree.degraded
    nodes = cells(observed)
    assert {name: node.text for name, node in nodes.items()} == {
        "A1": "Item", "B1": "Now", "A2": "Bridge", "B2": "23.4", "A3": "Vehicles", "B3": "22.9",
    }  # fmt: skip
    left, top, width, height = nodes["B2"].box
    observed = machine.perform(Command("click", x=left + width // 2, y=top + height // 2))
    assert "focused" in cells(observed)["B2"].states  # the box is where the cell is drawn
    observed = press(machine, "Control_L+a", "Control_L+c")
    assert observed.clipboard == "Item\tNow\nBridge\t23.4\nVehicles\t22.9\n"
    machine.perform(Command("switch_window", text="Impress"))
    observed = press(machine, "Control_L+v")
    assert observed.document.open
    (pasted,) = [each for each in tables(machine.save()) if each not in before]
    assert pasted == [str(value) for row in ROWS for value in row]


def test_covered_window_has_no_elements(machine: SandboxMachine) -> None:
    roots = [node.index for node in open_file(machine, "costs.xlsx").tree.nodes if node.parent < 0]
    observed = machine.perform(Command("observe"))
    behind = next(node.index for node in observed.tree.nodes if node.name.startswith("harbor.pptx"))
    assert behind in roots
    assert not [node for node in observed.tree.nodes if node.parent == behind]


def test_closing_the_workbook_keeps_the_deck_open(machine: SandboxMachine) -> None:
    deck = machine.save()
    open_file(machine, "costs.xlsx")
    assert tables(machine.save()) == tables(deck)  # the workbook is in front
    observed = press(machine, "Control_L+w")
    assert observed.window_titles == ("harbor.pptx — LibreOffice Impress",)
    assert observed.document.open
    machine.perform(Command("open_program", text="calc"))
    machine.perform(Command("switch_window", text="Impress"))
    observed = press(machine, "Control_L+w")  # closes the deck, not the workbook
    assert not observed.document.open
    assert observed.window_titles[0].endswith("LibreOffice Calc")
    observed = machine.perform(Command("open_program", text="impress"))
    assert observed.document.open
    assert len(observed.window_titles) == 2  # the workbook stays open


def test_text_file_is_imported(machine: SandboxMachine) -> None:
    observed = open_file(machine, "costs.csv")
    assert observed.window_titles[0].startswith("Text Import")
    observed = press(machine, "Return")
    assert cells(observed)["B2"].text == "23.4"


def test_equal_keys_give_equal_screens(machine: SandboxMachine) -> None:
    def play() -> list[tuple[bytes, object]]:
        observations = [
            machine.load(read_deck_file("harbor"), "harbor.pptx", FILES),
            open_file(machine, "costs.xlsx"),
            press(machine, "Down", "Right"),
            machine.perform(Command("type", text="=1+2\n")),
            press(machine, "Control_L+a"),
        ]
        return [(each.screenshot.tobytes(), each.tree) for each in observations]

    assert play() == play()


def test_video_is_decoded_when_inserted(machine: SandboxMachine) -> None:
    machine.perform(Command("key", keys=("Alt_L", "i")))
    machine.perform(Command("type", text="v"))
    machine.perform(Command("type", text=f"{DOCUMENTS}/tram.avi"))
    observed = press(machine, "Return")
    assert observed.document.revision > 1
    slide = Presentation(io.BytesIO(machine.save())).slides[0]
    video = slide.shapes[-1]
    assert abs(video.width / video.height - 320 / 180) < 0.02  # only a decoder knows its size


def test_attachments_are_collected(machine: SandboxMachine) -> None:
    collected = machine.collect(["costs.xlsx", "summary.csv", "../.bashrc"])
    assert collected == {"costs.xlsx": FILES["costs.xlsx"]}
    open_file(machine, "costs.csv")
    press(machine, "Return")
    press(machine, "Control_L+Shift_L+s")
    machine.perform(Command("type", text=f"{DOCUMENTS}/summary.csv"))
    press(machine, "Return", "Return", "Return")
    collected = machine.collect(["summary.csv"])
    assert collected["summary.csv"].decode().split() == ["Item,Now", "Bridge,23.4"]


def test_workbook_task_is_solved_on_the_screen() -> None:
    task = Task(
        id="costs-on-title",
        suite="own",
        difficulty="easy",
        level="L3",
        edit_types=("tables",),
        deck="harbor",
        instruction="Put the table of costs.xlsx on the first slide.",
        max_steps=20,
        rubric=load_rubric(
            {
                "version": 1,
                "root": {
                    "name": "costs",
                    "children": [
                        {
                            "name": row,
                            "check": "table_cell_is",
                            "args": {
                                "slide": 1,
                                "shape": "@new_table",
                                "row": row,
                                "column": "Now",
                                "text": text,
                            },
                        }
                        for row, text in (("Bridge", "23.4"), ("Total", "95.4"))
                    ],
                },
            }
        ),
        scope=load_scope({"parts": [{"slides": [1], "aspects": ["shapes"], "new_shapes": 1}]}),
        files=(TaskFile("costs.xlsx", packaged_file("harbor/costs.xlsx")),),
    )
    env = gym.make("PPTArena-v0", machine="sandbox", look="never", disable_env_checker=True)
    try:
        _, info = env.reset(seed=0, options={"task": task})
        assert info["score"] == 0.0
        steps = (
            actions.key("ctrl+o"),
            actions.type_text(f"{DOCUMENTS}/costs.xlsx"),
            actions.key("Return"),
            actions.key("ctrl+a"),
            actions.key("ctrl+c"),
            actions.switch_window("Impress"),
            actions.key("ctrl+v"),
            actions.done(),
        )
        for step in steps:
            _, _, terminated, _, info = env.step(step)
            assert info["action_error"] is None
        assert terminated
        assert info["score"] == 1.0, info["rubric"]
    finally:
        env.close()
