"""The fake machine shows the controls of the sandbox, so that agents run on both."""

from typing import Any

import pytest

from pptarena.envs import PPTArenaEnv, actions

pytestmark = pytest.mark.image

TASK = "meridian-retitle-products"

# Controls that the sandbox shows only while text is edited; the fake always shows them.
ONLY_IN_AN_EDIT = {
    ("tool bar", "Text Formatting"),
    ("toggle button", "Bold"),
    ("toggle button", "Italic"),
    ("toggle button", "Underline"),
    ("button", "Increase"),
    ("button", "Decrease"),
}

Nodes = list[dict[str, Any]]


@pytest.fixture(scope="module")
def screens() -> dict[str, list[Nodes]]:
    """The trees of both machines: after the reset, on two other slides, and in a text edit."""
    trees: dict[str, list[Nodes]] = {}
    for machine in ("fake", "sandbox"):
        env = PPTArenaEnv(TASK, machine=machine, look="never")
        _, info = env.reset(seed=0)
        trees[machine] = [info["a11y"]["nodes"]]
        for name in ("Revenue grew by 9 % to €48.2 m", "Revenue by region", "Title 1"):
            element = next(n["element"] for n in trees[machine][-1] if n["name"] == name)
            kind = actions.double_click if name == "Title 1" else actions.click
            info = env.step(kind(element))[4]
            if name == "Title 1":  # the sandbox may still be updating its sidebar
                info = env.step(actions.key("ctrl+a"))[4]
            trees[machine].append(info["a11y"]["nodes"])
        env.close()
    return trees


def roles_and_names(nodes: Nodes) -> set[tuple[str, str]]:
    return {(node["role"], node["name"]) for node in nodes}


def slide_shapes(nodes: Nodes) -> list[tuple[str, str]]:
    page = next(node["index"] for node in nodes if node["role"] == "document presentation")
    return [(node["role"], node["name"]) for node in nodes if node["parent"] == page]


def test_sandbox_has_every_control_of_the_fake(screens: Any) -> None:
    for fake, sandbox in zip(screens["fake"][:-1], screens["sandbox"][:-1], strict=True):
        assert roles_and_names(fake) - roles_and_names(sandbox) == ONLY_IN_AN_EDIT


def test_sandbox_has_every_control_in_a_text_edit(screens: Any) -> None:
    fake, sandbox = screens["fake"][-1], screens["sandbox"][-1]
    assert roles_and_names(fake) - roles_and_names(sandbox) == set()


def test_slide_shapes_match_in_order(screens: Any) -> None:
    for fake, sandbox in zip(screens["fake"], screens["sandbox"], strict=True):
        assert slide_shapes(fake) == slide_shapes(sandbox)


def test_parents_of_nodes_match(screens: Any) -> None:
    def parents_of_nodes(nodes: Nodes) -> set[tuple[str, ...]]:
        return {
            (nodes[n["parent"]]["role"], nodes[n["parent"]]["name"], n["role"], n["name"])
            for n in nodes
            if n["parent"] >= 0
        }

    assert parents_of_nodes(screens["fake"][-1]) - parents_of_nodes(screens["sandbox"][-1]) == set()
