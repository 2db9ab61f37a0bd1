"""Removal of windows that other windows cover."""

from typing import Any

from pptarena.vm_images.guest.covered_windows import without_covered_windows

SCREEN, LEFT = (0, 0, 1280, 720), (0, 0, 640, 720)


def window(first: int, name: str, box: tuple[int, int, int, int] = SCREEN) -> list[dict[str, Any]]:
    rows = [("frame", name, -1), ("menu bar", "", first), ("button", f"in {name}", first)]
    return [
        {"index": first + offset, "parent": parent, "role": role, "name": text, "box": box}
        for offset, (role, text, parent) in enumerate(rows)
    ]


def names(nodes: list[dict[str, Any]]) -> list[str]:
    assert [node["index"] for node in nodes] == list(range(len(nodes)))
    assert all(node["parent"] < node["index"] for node in nodes)
    return [node["name"] for node in nodes if node["name"]]


def test_contents_of_covered_windows_are_removed() -> None:
    nodes = window(0, "deck") + window(3, "costs")
    assert names(without_covered_windows(nodes, ["costs", "deck"])) == ["deck", "costs", "in costs"]
    assert names(without_covered_windows(nodes, ["deck", "costs"])) == ["deck", "in deck", "costs"]
    remaining = without_covered_windows(nodes, ["costs", "deck"])
    assert [node["parent"] for node in remaining] == [-1, -1, 1, 1]


def test_partly_covered_window_keeps_its_contents() -> None:
    nodes = window(0, "deck") + window(3, "costs", LEFT)
    assert without_covered_windows(nodes, ["costs", "deck"]) == nodes


def test_windows_with_equal_titles_are_matched_in_order() -> None:
    nodes = window(0, "same") + window(3, "same")
    assert names(without_covered_windows(nodes, ["same", "same"])) == ["same", "in same", "same"]


def test_slide_shows_and_dialogs_cover_nothing() -> None:
    show = {"index": 3, "parent": -1, "role": "frame", "name": "show", "box": SCREEN}
    dialog = {"index": 4, "parent": -1, "role": "dialog", "name": "Open", "box": SCREEN}
    nodes = [*window(0, "deck"), show, dialog]
    assert without_covered_windows(nodes, ["Open", "show", "deck"]) == nodes
