"""SkyRL's own registry makes the environment and plays it; ``make test-skyrl``."""

from typing import Any

import pytest

skyrl_gym = pytest.importorskip("skyrl_gym", reason="needs skyrl-gym: make test-skyrl")

TASK = "meridian-hide-backup"
HIDE = 'I hide it. <tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>'
DONE = '<tool_call>{"name": "done", "arguments": {}}</tool_call>'


def made(**more: Any) -> tuple[Any, dict[str, Any]]:
    from pptarena.rollouts.trainers.skyrl import ENV_ID, skyrl_rows

    (row,) = skyrl_rows(tasks=[TASK], max_turns=3)
    config = {"tools": ("edit",), "judge": None}
    return skyrl_gym.make(ENV_ID, env_config=config, extras={**row, **more}), row


def test_an_episode_and_the_reward_of_every_turn() -> None:
    env, row = made()
    messages, info = env.init(row["prompt"])
    assert info == {"task_id": TASK}
    assert [message["role"] for message in messages] == ["system", "user"]
    assert '"name": "hide_slide"' in messages[1]["content"]
    assert "slide 17, id 272" in messages[1]["content"]
    first = env.step(HIDE)
    assert (first["reward"], first["done"]) == (1.0, False)
    assert first["observations"] == [{"role": "user", "content": "hidden"}]
    assert first["metadata"]["score"] is None
    last = env.step(DONE)
    assert (last["reward"], last["done"], last["observations"]) == (0.0, True, [])
    assert last["metadata"] == {"task_id": TASK, "score": 1.0}
    assert env.get_metrics() == {"score": 1.0, "calls": 2.0}
    assert type(env).aggregate_metrics([env.get_metrics()])["score"] == 1.0
    env.close()


def test_it_ends_after_the_turns_of_its_row() -> None:
    env, row = made()
    env.init(row["prompt"])
    assert env.step("hm")["observations"][0]["content"].startswith("refused: ")
    assert not env.step("well")["done"]
    last = env.step(HIDE)
    assert (last["done"], last["reward"], last["metadata"]["score"]) == (True, 1.0, 1.0)
    env.close()


def test_damage_costs_a_negative_reward() -> None:
    env, row = made()
    env.init(row["prompt"])
    env.step(HIDE)
    spoilt = env.step('{"name": "delete_slide", "arguments": {"slide": 260}}')
    assert spoilt["reward"] < 0
    env.close()
