from collections.abc import Iterator
from typing import Any

import pytest

from pptarena.agents.busy import BusyAgent
from pptarena.envs.action_space import require_expressible
from pptarena.envs.actions import Action
from pptarena.envs.keys import parse_keys


def node(index: int, parent: int, role: str, name: str, element: int = 0) -> dict[str, Any]:
    return {"index": index, "parent": parent, "role": role, "name": name, "element": element}


NODES = [
    node(0, -1, "frame", "Impress"),
    node(1, 0, "menu bar", ""),
    node(2, 1, "menu", "File", 1),
    node(3, 0, "toggle button", "Bold", 2),
    node(4, 0, "document presentation", "deck", 4),
    node(5, 4, "shape", "Title", 5),
    node(6, 4, "panel", "PageShape: Agenda", 6),
    node(7, 0, "document frame", "Slides View", 7),
    node(8, 7, "panel", "Agenda", 8),
]


def play(seed: int, nodes: list[dict[str, Any]]) -> Iterator[Action]:
    agent = BusyAgent()
    agent.reset({}, seed)
    return (agent.act({}, {"a11y": {"nodes": nodes}}) for _ in range(200))


def test_actions_depend_on_the_seed() -> None:
    assert list(play(1, NODES)) == list(play(1, NODES))
    assert list(play(1, NODES)) != list(play(2, NODES))


def test_mix_covers_all_routines_and_never_ends_the_episode() -> None:
    mix = list(play(1, NODES))
    assert {action.element for action in mix if action.kind == "click"} == {1, 2, 5, 8}
    kinds = {action.kind for action in mix}
    assert {"click", "key", "type", "scroll"} <= kinds
    assert not {"done", "fail", "ask"} & kinds


@pytest.mark.parametrize("nodes", [NODES, []])
def test_every_action_is_executable(nodes: list[dict[str, Any]]) -> None:
    for action in play(3, nodes):
        require_expressible(action)
        if action.kind == "key":
            assert parse_keys(action.keys)
