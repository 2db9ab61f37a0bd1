from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.envs import actions
from pptarena.errors import AgentError
from pptarena.tasks import DemoStep

OBSERVATION = {"screenshot": np.zeros((100, 200, 3), np.uint8)}


def node(index: int, name: str, element: int, box: tuple[int, int, int, int]) -> dict[str, Any]:
    return {
        **{"index": index, "parent": -1, "role": "push button", "name": name, "box": list(box)},
        **{"element": element, "states": ["showing"]},
    }


NODES = [node(0, "Bold", 1, (0, 0, 20, 10)), node(1, "Far", 0, (100, 50, 20, 10))]


def info(nodes: list[dict[str, Any]] = NODES, error: str | None = None) -> dict[str, Any]:
    return {
        "task_id": "a-task",
        "a11y": {"nodes": nodes},
        "action_error": error,
        "observation_id": 7,
    }


@pytest.fixture
def agent() -> Callable[..., DemonstrationAgent]:
    """Make an agent with these steps, at the beginning of an episode."""

    def make(*steps: DemoStep) -> DemonstrationAgent:
        task: Any = SimpleNamespace(id="a-task", demonstration=steps)
        made = DemonstrationAgent(lambda task_id: task)
        made.reset(info(), 0)
        return made

    return make


Make = Callable[..., DemonstrationAgent]


def test_steps_run_in_order_and_end_with_done(agent: Make) -> None:
    player = agent(
        DemoStep("click", target={"name": "Bold"}, keys="ctrl"),
        DemoStep("type", text="Hällo"),
        DemoStep("scroll", target={"name": "Bold"}, amount=3),
    )
    assert [player.act(OBSERVATION, info()) for _ in range(4)] == [
        actions.click(element=1, keys="ctrl"),
        actions.type_text("Hällo"),
        actions.scroll(3, element=1),
        actions.done(),
    ]


def test_action_refers_to_its_observation(agent: Make) -> None:
    action = agent(DemoStep("click", target={"name": "Bold"})).act(OBSERVATION, info())
    assert action.observation_id == 7


def test_drag_ends_at_the_center_of_its_end_target(agent: Make) -> None:
    step = DemoStep("drag", target={"name": "Bold"}, end_target={"name": "Far"})
    action = agent(step).act(OBSERVATION, info())
    assert action == actions.drag(element=1, end_xy=(110 / 200, 55 / 100))


def test_step_can_target_a_point_within_an_element(agent: Make) -> None:
    step = DemoStep("drag", target={"name": "Bold"}, end_target={"name": "Far"}, at=(0.25, 0.0),
                    end_at=(1.0, 0.5))  # fmt: skip
    action = agent(step).act(OBSERVATION, info())
    assert action == actions.drag(xy=(5 / 200, 0), end_xy=(120 / 200, 55 / 100))


def test_node_without_element_number_is_clicked_at_its_position(agent: Make) -> None:
    action = agent(DemoStep("click", target={"name": "Far"})).act(OBSERVATION, info())
    assert action == actions.click(xy=(110 / 200, 55 / 100))


def test_agent_waits_for_a_late_target(agent: Make) -> None:
    player = agent(DemoStep("click", target={"name": "Bold"}))
    assert player.act(OBSERVATION, info([])) == actions.wait(0)
    assert player.act(OBSERVATION, info()) == actions.click(element=1)


def test_missing_target_ends_the_demonstration_with_a_clear_error(agent: Make) -> None:
    player = agent(DemoStep("click", target={"role": "push button", "name": "Bolt"}))
    waits = [player.act(OBSERVATION, info()) for _ in range(2)]
    assert [wait.kind for wait in waits] == ["wait", "wait"]
    with pytest.raises(AgentError) as caught:
        player.act(OBSERVATION, info())
    text = str(caught.value)
    assert text.startswith("step 1 (click) of the demonstration of 'a-task'")
    assert "push button 'Bolt'" in text
    assert "push button 'Bold'" in text


def test_refused_action_ends_the_demonstration(agent: Make) -> None:
    player = agent(DemoStep("key", keys="ctrl+b"))
    player.act(OBSERVATION, info())
    with pytest.raises(AgentError, match="was refused: no such key"):
        player.act(OBSERVATION, info(error="no such key"))


def test_task_without_demonstration_is_refused(agent: Make) -> None:
    with pytest.raises(AgentError, match="has no demonstration"):
        agent()


def test_agent_can_be_reset(agent: Make) -> None:
    player = agent(DemoStep("key", keys="F2"))
    first = [player.act(OBSERVATION, info()) for _ in range(2)]
    player.reset(info(), 1)
    assert [player.act(OBSERVATION, info()) for _ in range(2)] == first
