import json
from collections.abc import Callable
from typing import Any

import pytest

from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.report.packing import TreeTable


def node(index: int, parent: int, **changes: Any) -> dict[str, Any]:
    return {
        "index": index, "parent": parent, "role": "button", "name": f"n{index}", "text": "",
        "description": "", "box": [index, 0, 10, 10], "states": ["enabled", "visible"],
        "element": 0, **changes,
    }  # fmt: skip


def test_packed_tree_contains_all_fields(run: Callable[..., StoredEpisode]) -> None:
    tree = json.loads((run("random").folder / "step_000.json").read_text("utf-8"))
    table = TreeTable()
    packed = table.add(tree)
    assert len(tree["nodes"]) > 5
    for row, each in enumerate(tree["nodes"]):  # parents come first in the stored tree too
        role, name, text, description, box, states = table.nodes[packed["nodes"][row]]
        assert each["role"] == role
        assert each["name"] == name
        assert each["text"] == text
        assert each["description"] == description
        assert each["box"] == box
        assert each["states"] == states.split()
        assert each["element"] == packed["elements"][row]
    assert max(packed["elements"]) > 0
    assert packed["depths"][0] == 0


def test_equal_nodes_with_different_numbers_are_stored_once() -> None:
    table = TreeTable()
    table.add({"nodes": [node(0, -1), node(1, 0, element=1)]})
    later = [node(0, -1), node(1, 0, name="new", element=1), node(2, 0, element=2)]
    later[2]["name"], later[2]["box"] = "n1", [1, 0, 10, 10]
    packed = table.add({"nodes": later, "reason": "too many"})
    assert len(table.nodes) == 3
    assert packed == {
        "nodes": [0, 2, 1], "depths": [0, 1, 1], "elements": [0, 1, 2], "reason": "too many",
    }  # fmt: skip


def test_depths_follow_parents_in_any_order_and_cycles_are_dropped() -> None:
    nodes = [node(0, 2), node(1, 0), node(2, -1), node(3, 2), node(4, 99)]
    packed = TreeTable().add({"nodes": nodes})
    assert packed["depths"] == [0, 1, 2, 1, 0]
    packed = TreeTable().add({"nodes": [node(0, 1), node(1, 0), node(2, -1), node(3, 3)]})
    assert packed["depths"] == [0]


@pytest.mark.parametrize(
    "tree", [{}, [], {"nodes": [{}]}, {"nodes": [node(0, -1, box=[1, 2])]}, {"nodes": [7]}]
)
def test_invalid_tree_is_an_error(tree: Any) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        TreeTable().add(tree)
