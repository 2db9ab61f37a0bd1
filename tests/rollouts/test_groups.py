"""Groups of rollouts from one state, on the fake machine."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import pytest
from gymnasium.error import ResetNeeded
from hypothesis import given
from hypothesis import strategies as st

from pptarena.agents.random_agent import RandomAgent
from pptarena.envs import PPTArenaEnv, actions
from pptarena.errors import ConfigError, EndpointError
from pptarena.rollouts.groups import group_advantages, group_rollouts

pytestmark = pytest.mark.slow

SIZE = 4


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PPTArenaEnv]:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    env = PPTArenaEnv(
        task="meridian-hide-backup", machine="fake", width_px=320, height_px=240, max_steps=6
    )
    yield env
    env.close()


def test_group_starts_from_the_current_state_and_leaves_it_unchanged(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    env.step(actions.key("Page_Down"))
    before = env.last()[1]
    group = group_rollouts(env, RandomAgent, SIZE, seed=3)
    assert len(group) == SIZE
    assert len({member.actions for member in group}) > 1
    for member in group:
        assert 1 <= len(member.actions) == len(member.rewards) <= 5  # one step was taken before
        assert member.infra_error is None
        assert member.score is not None
        assert member.total_reward == pytest.approx(member.score - before["score"])
    after = env.last()[1]
    assert all(after[key] == before[key] for key in ("observation_id", "score"))
    again = group_rollouts(env, RandomAgent, SIZE, seed=3)
    assert [member.actions for member in again] == [member.actions for member in group]


def test_group_starts_from_an_earlier_checkpoint(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    with env.checkpoint() as start:
        for _ in range(5):
            env.step(actions.key("Page_Down"))
        group = group_rollouts(env, RandomAgent, 2, seed=1, checkpoint=start)
    assert max(len(member.actions) for member in group) <= 6


class _FailingAgent(RandomAgent):
    """Fails after one step: its model's service with seed 5, the agent itself with seed 6."""

    closed: ClassVar[list[int]] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        super().reset(info, seed)
        self.seed, self.act_calls = seed, 0

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> actions.Action:
        self.act_calls += 1
        if self.act_calls == 2 and self.seed in (5, 6):
            raise EndpointError("no answer") if self.seed == 5 else RuntimeError("out of ideas")
        return super().act(observation, info)

    def close(self) -> None:
        self.closed.append(self.seed)
        if self.seed == 4:
            raise RuntimeError("cannot close")


def test_failing_agent_loses_only_its_own_rollout(
    env: PPTArenaEnv, caplog: pytest.LogCaptureFixture
) -> None:
    env.reset(seed=0)
    _FailingAgent.closed.clear()
    group = group_rollouts(env, _FailingAgent, 3, seed=4)
    assert [(each.infra_error, each.agent_error) for each in group] == [
        (None, None),
        ("EndpointError: no answer", None),
        (None, "RuntimeError: out of ideas"),
    ]
    assert [each.score is None for each in group] == [False, True, True]
    assert [len(each.actions) == 1 == len(each.rewards) for each in group] == [False, True, True]
    assert sorted(_FailingAgent.closed) == [4, 5, 6]
    assert "the agent of seed 4 failed to close: RuntimeError: cannot close" in caplog.text
    assert group_advantages([each.total_reward for each in group]) == [0.0, None, None]


def test_group_needs_a_running_episode_and_members(env: PPTArenaEnv) -> None:
    with pytest.raises(ResetNeeded):
        group_rollouts(env, RandomAgent, 2)
    env.reset(seed=0)
    with pytest.raises(ConfigError, match="forks"):
        group_rollouts(env, RandomAgent, 0)


def test_advantages_of_known_rewards() -> None:
    assert group_advantages([1.0, 0.0, None, 0.5]) == pytest.approx(
        [1.2247, -1.2247, None, 0.0], abs=1e-3
    )
    assert group_advantages([0.4, 0.4]) == [0.0, 0.0]
    assert group_advantages([None, None]) == [None, None]
    assert group_advantages([]) == []
    with pytest.raises(ConfigError, match="epsilon"):
        group_advantages([1.0], 0)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=16))
def test_advantages_keep_the_order_and_sum_to_zero(rewards: list[float]) -> None:
    advantages = [each for each in group_advantages(list(rewards)) if each is not None]
    assert sum(advantages) == pytest.approx(0, abs=1e-3)
    order = sorted(range(len(rewards)), key=rewards.__getitem__)
    ordered = [advantages[index] for index in order]
    assert all(a <= b + 1e-9 for a, b in pairwise(ordered))
