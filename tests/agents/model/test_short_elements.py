"""The short list of elements: within its limit, and what matters comes first."""

from typing import Any

from pptarena.agents.model.short_elements import SHORT_MAX, short_elements
from pptarena.envs.text_view import count_tokens


def node(index: int, role: str, name: str = "", parent: int = 0, **more: Any) -> dict[str, Any]:
    empty = {"text": "", "description": "", "states": [], "element": index}
    return {"index": index, "role": role, "name": name, "parent": parent, **empty, **more}


FRAME = [
    node(0, "frame", "deck.pptx", parent=-1, element=0),
    node(1, "menu", "File"),
    node(2, "button", "Bold", description="Bold"),
    node(3, "document presentation", element=0),
    node(4, "panel", "Title 1", parent=3),
    node(5, "paragraph", parent=4, text="Costs in detail"),
    node(6, "paragraph", parent=4, text="by month"),
    node(7, "scroll bar"),
]


def numbers(text: str) -> list[int]:
    return [int(line.split(" ")[0]) for line in text.splitlines()]


def test_a_shape_is_one_line_with_its_text() -> None:
    lines = short_elements(FRAME, "Hide the last one").splitlines()
    assert lines == ["1 menu File", '4 panel Title 1 "Costs in detail by mon"', "2 button Bold",
                     "7 scroll bar"]  # fmt: skip


def test_paragraphs_of_an_edited_shape_have_lines_but_cells_do_not() -> None:
    edited = [*FRAME[:6], FRAME[6] | {"states": ["focused"]}, FRAME[7]]
    assert {5, 6} <= set(numbers(short_elements(edited, "")))
    cells = [each | {"role": "table cell"} if each["index"] == 4 else each for each in edited]
    assert not {5, 6} & set(numbers(short_elements(cells, "")))
    assert '4 cell Title 1 "Costs' in short_elements(cells, "")


def test_what_the_instruction_names_comes_first() -> None:
    assert numbers(short_elements(FRAME, "Make the words bold"))[:2] == [1, 2]
    assert numbers(short_elements(FRAME, "Costs in detail by month"))[:2] == [4, 1]


def test_a_dialog_comes_before_what_is_behind_it() -> None:
    dialog = [node(8, "dialog", "Font", parent=-1, element=0), node(9, "combo box", "Size", 8),
              node(10, "button", "OK", parent=8), node(11, "label", "Size:", parent=8)]  # fmt: skip
    assert numbers(short_elements([*FRAME, *dialog], ""))[:2] == [10, 9]


def test_the_limit_holds() -> None:
    many = [node(index, "button", f"Command number {index}") for index in range(1, 200)]
    text = short_elements(many, "Command")
    assert 0.9 * SHORT_MAX < count_tokens(text) <= SHORT_MAX
    assert numbers(text) == list(range(1, len(text.splitlines()) + 1))
    assert short_elements([], "x") == ""
