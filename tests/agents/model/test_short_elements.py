"""The short list of elements: within its limit, and what matters comes first."""

import re
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
    return [int(re.findall(r"\[(\d+)\]", line)[0]) for line in text.splitlines()]


def test_shape_is_one_line_with_its_text() -> None:
    lines = short_elements(FRAME, "Hide the last one").splitlines()
    shape = 'panel Title 1 [4] "Costs in detail by mon" [5]'
    assert lines == ["menu File [1]", "button Bold [2]", shape, "scroll bar [7]"]


def test_paragraphs_of_an_edited_shape_have_lines_but_cells_do_not() -> None:
    edited = [*FRAME[:6], FRAME[6] | {"states": ["focused"]}, FRAME[7]]
    assert {5, 6} <= set(numbers(short_elements(edited, "")))
    cells = [each | {"role": "table cell"} if each["index"] == 4 else each for each in edited]
    assert not {5, 6} & set(numbers(short_elements(cells, "")))
    assert '\ncell Title 1 [4] "Costs' in short_elements(cells, "")


def test_buttons_without_text_are_omitted() -> None:
    tree = [*FRAME, node(400, "toggle button"), node(401, "button", description="Cut"),
            node(402, "combo box")]  # fmt: skip
    assert numbers(short_elements(tree, ""))[-2:] == [401, 402]


def many(role: str, name: str, parent: int = 0) -> list[dict[str, Any]]:
    return [node(index, role, f"{name} {index}", parent) for index in range(100, 300)]


def test_elements_in_the_instruction_are_preferred() -> None:
    tree = [*FRAME, *many("button", "Some command"), node(400, "button", "Distribute")]
    assert 400 in numbers(short_elements(tree, "Distribute the boxes"))
    assert 400 not in numbers(short_elements(tree, "Align the boxes"))


def test_dialog_is_preferred_over_its_background() -> None:
    dialog = [node(400, "dialog", "Font", parent=-1, element=0),
              node(401, "combo box", "Size", 400), node(402, "button", "OK", 400)]  # fmt: skip
    tree = [*FRAME, *many("panel", "Shape", parent=3), *dialog]
    assert numbers(short_elements(tree, ""))[-2:] == [401, 402]


def test_token_limit_holds() -> None:
    text = short_elements(many("button", "Command"), "Command")
    assert 0.9 * SHORT_MAX < count_tokens(text) <= SHORT_MAX
    assert numbers(text) == list(range(100, 100 + len(text.splitlines())))
    assert short_elements([], "x") == ""
