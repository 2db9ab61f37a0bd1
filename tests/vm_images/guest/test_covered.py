"""Main windows that another one covers."""

from typing import Any

from pptarena.vm_images.guest.covered import without_covered

SCREEN, LEFT = (0, 0, 1280, 720), (0, 0, 640, 720)


def window(first: int, name: str, box: tuple[int, int, int, int] = SCREEN) -> list[dict[str, Any]]:
    rows = [("frame", name, -1), ("menu bar", "", first), ("button", f"in {name}", first)]
    return [
        {"index": first + place, "parent": parent, "role": role, "name": text, "box": box}
        for place, (role, text, parent) in enumerate(rows)
    ]


def names(nodes: list[dict[str, Any]]) -> list[str]:
    assert [node["index"] for node in nodes] == list(range(len(nodes)))
    assert all(node["parent"] < node["index"] for node in nodes)
    return [node["name"] for node in nodes if node["name"]]


def test_what_is_in_the_window_behind_is_left_out_and_the_window_stays() -> None:
    nodes = window(0, "deck") + window(3, "costs")
    assert names(without_covered(nodes, ["costs", "deck"])) == ["deck", "costs", "in costs"]
    assert names(without_covered(nodes, ["deck", "costs"])) == ["deck", "in deck", "costs"]
    kept = without_covered(nodes, ["costs", "deck"])
    assert [node["parent"] for node in kept] == [-1, -1, 1, 1]


def test_a_window_that_covers_a_part_covers_nothing() -> None:
    nodes = window(0, "deck") + window(3, "costs", LEFT)
    assert without_covered(nodes, ["costs", "deck"]) == nodes


def test_of_windows_with_one_title_each_counts_once() -> None:
    nodes = window(0, "same") + window(3, "same")
    assert names(without_covered(nodes, ["same", "same"])) == ["same", "in same", "same"]


def test_a_show_and_a_dialog_cover_nothing() -> None:
    show = {"index": 3, "parent": -1, "role": "frame", "name": "show", "box": SCREEN}
    dialog = {"index": 4, "parent": -1, "role": "dialog", "name": "Open", "box": SCREEN}
    nodes = [*window(0, "deck"), show, dialog]
    assert without_covered(nodes, ["Open", "show", "deck"]) == nodes
