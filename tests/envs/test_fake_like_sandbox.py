"""What the fake machine shows, the sandbox shows too: an agent written on one runs on the other."""

from typing import Any

import pytest

from pptarena.envs import PPTArenaEnv, actions

pytestmark = pytest.mark.image

TASK = "meridian-retitle-products"

# What the sandbox shows only while a text is edited; the fake shows it always.
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
    """The trees of both machines: at first, on the fourth, sixth and seventh slide, in an edit."""
    found: dict[str, list[Nodes]] = {}
    for machine in ("fake", "sandbox"):
        env = PPTArenaEnv(TASK, machine=machine, look="never")
        _, info = env.reset(seed=0)
        found[machine] = [info["a11y"]["nodes"]]
        for name in ("Revenue grew by 9 % to €48.2 m", "Revenue by region", "Title 1"):
            element = next(n["element"] for n in found[machine][-1] if n["name"] == name)
            kind = actions.double_click if name == "Title 1" else actions.click
            info = env.step(kind(element))[4]
            if name == "Title 1":  # the sandbox may still be busy with its side bar
                info = env.step(actions.key("ctrl+a"))[4]
            found[machine].append(info["a11y"]["nodes"])
        env.close()
    return found


def roles_and_names(nodes: Nodes) -> set[tuple[str, str]]:
    return {(node["role"], node["name"]) for node in nodes}


def on_the_slide(nodes: Nodes) -> list[tuple[str, str]]:
    page = next(node["index"] for node in nodes if node["role"] == "document presentation")
    return [(node["role"], node["name"]) for node in nodes if node["parent"] == page]


def test_every_role_and_name_of_the_fake_is_on_the_sandbox(screens: Any) -> None:
    for fake, sandbox in zip(screens["fake"][:-1], screens["sandbox"][:-1], strict=True):
        assert roles_and_names(fake) - roles_and_names(sandbox) == ONLY_IN_AN_EDIT


def test_in_a_text_edit_there_are_no_exceptions(screens: Any) -> None:
    fake, sandbox = screens["fake"][-1], screens["sandbox"][-1]
    assert roles_and_names(fake) - roles_and_names(sandbox) == set()


def test_a_slide_has_the_same_shapes_in_the_same_order(screens: Any) -> None:
    for fake, sandbox in zip(screens["fake"], screens["sandbox"], strict=True):
        assert on_the_slide(fake) == on_the_slide(sandbox)


def test_a_node_has_the_same_parent(screens: Any) -> None:
    def families(nodes: Nodes) -> set[tuple[str, ...]]:
        return {
            (nodes[n["parent"]]["role"], nodes[n["parent"]]["name"], n["role"], n["name"])
            for n in nodes
            if n["parent"] >= 0
        }

    assert families(screens["fake"][-1]) - families(screens["sandbox"][-1]) == set()
