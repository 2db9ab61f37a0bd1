from collections import Counter

import pytest

from pptarena.agents.random_agent import RandomAgent
from pptarena.envs.action_space import require_expressible
from pptarena.envs.actions import Action
from pptarena.envs.keys import parse_keys, parse_modifiers


def play(seed: int, count: int = 2000, elements: int = 40) -> list[Action]:
    agent = RandomAgent()
    agent.reset({}, seed)
    return [agent.act({"element_count": elements}, {}) for _ in range(count)]


@pytest.mark.slow
def test_actions_depend_on_the_seed() -> None:
    assert play(1) == play(1)
    assert play(1) != play(2)


def test_actions_depend_on_the_task() -> None:
    actions = []
    for task in ("a", "b"):
        agent = RandomAgent()
        agent.reset({"task_id": task}, 1)
        actions.append([agent.act({"element_count": 40}, {}) for _ in range(20)])
    assert actions[0] != actions[1]


def test_every_action_is_executable() -> None:
    for action in play(3):
        require_expressible(action)
        assert action.element <= 40
        if action.kind == "key":
            assert parse_keys(action.keys)
        elif action.keys:
            assert parse_modifiers(action.keys)
        if action.kind == "scroll":
            assert action.amount != 0


def test_most_actions_click_elements_and_few_end_the_episode() -> None:
    actions = play(4)
    kinds = Counter(action.kind for action in actions)
    assert kinds["click"] > 0.4 * len(actions)
    assert kinds["done"] + kinds["fail"] < 0.03 * len(actions)
    clicks = [action for action in actions if action.kind == "click"]
    assert sum(action.element > 0 for action in clicks) > 0.8 * len(clicks)


@pytest.mark.parametrize("elements", [0, 1, 256])
def test_any_number_of_elements_is_supported(elements: int) -> None:
    actions = play(5, elements=elements)
    assert max(action.element for action in actions) == elements
