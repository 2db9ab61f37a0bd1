"""Several proposals are tried in forks, and the best one is executed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.agents.base import Agent
from pptarena.agents.model import ModelAgent, ModelSettings
from pptarena.agents.random_agent import RandomAgent
from pptarena.envs import actions
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.errors import ConfigError, MachineLostError
from pptarena.rollouts.best_of import BestOf
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task

pytestmark = pytest.mark.slow

Env = gym.Env[Any, Any]


class Proposer:
    """Proposes the listed actions for each step and records the chosen ones."""

    def __init__(self, *steps: list[Any]) -> None:
        self.steps = steps
        self.chosen: list[int] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        self.chosen = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        raise AssertionError("act() was called on a proposing agent")

    def propose(self, observation: Any, info: Mapping[str, Any], count: int) -> list[Any]:
        assert count == 3
        return self.steps[len(self.chosen)]

    def choose(self, index: int) -> None:
        self.chosen.append(index)


def play_to_end(env: Env, agent: Agent, task: Task, folder: Path) -> EpisodeMeta:
    return play_into(folder / "good", env, agent, task).meta


def title(env: Env, task: Task) -> int:
    _, info = env.reset(options={"task": task})
    return int(next(node["element"] for node in info["a11y"]["nodes"] if node["name"] == "Title 1"))


def test_best_score_wins_and_ties_go_to_the_most_frequent(
    env: Env, task: Task, tmp_path: Path
) -> None:
    click = actions.click(element=title(env, task))
    agent = Proposer(
        [actions.wait(0), click, click],  # equal scores: two of three propose the click
        ["nonsense", actions.key("ctrl+i"), actions.key("ctrl+b")],
        [actions.click(element=99), actions.done(), actions.key("ctrl+b")],
    )
    meta = play_to_end(env, BestOf(agent, 3), task, tmp_path)
    assert agent.chosen == [1, 2, 1]
    assert (meta.infra_error, meta.agent_error, meta.end, meta.score) == (None, None, "done", 1.0)
    kinds = [step.action.kind for step in read_steps(tmp_path / "good")]
    assert kinds == ["click", "key", "done"]  # trials are not recorded


def test_failed_fork_is_an_infrastructure_error(
    env: Env, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(self: PPTArenaEnv, count: int) -> Any:
        raise MachineLostError("gone")

    monkeypatch.setattr(PPTArenaEnv, "fork", lost)
    agent = Proposer([actions.done(), actions.wait(0)])
    meta = play_to_end(env, BestOf(agent, 3), task, tmp_path)
    assert (meta.score, meta.end, meta.infra_error) == (None, "infra", "MachineLostError: gone")


def test_all_forks_are_closed(
    env: Env, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked: list[PPTArenaEnv] = []
    closed: list[PPTArenaEnv] = []
    fork, close = PPTArenaEnv.fork, PPTArenaEnv.close

    def record_fork(self: PPTArenaEnv, count: int, *more: Any) -> list[PPTArenaEnv]:
        forked.extend(forks := fork(self, count, *more))
        return forks

    def record_close(self: PPTArenaEnv) -> None:
        closed.append(self)
        close(self)

    monkeypatch.setattr(PPTArenaEnv, "fork", record_fork)
    monkeypatch.setattr(PPTArenaEnv, "close", record_close)
    meta = play_to_end(env, BestOf(RandomAgent(), 4), task, tmp_path)
    assert meta.infra_error is None
    assert len(forked) > task.max_steps
    assert set(map(id, forked)) <= set(map(id, closed))


def test_model_remembers_only_the_chosen_proposal(
    env: Env, task: Task, server: Any, tmp_path: Path
) -> None:
    click = {"kind": "click", "element": title(env, task)}
    bold, italic = ({"kind": "key", "keys": f"ctrl+{key}"} for key in "bi")
    answers = [click, click, italic, bold, {"kind": "done"}, {"kind": "done"}]
    server.script.extend({"text": json.dumps(each)} for each in answers)
    settings = ModelSettings(model="m", dialect="json", base_url=server.url)
    agent = BestOf(ModelAgent(settings), 2)
    meta = play_to_end(env, agent, task, tmp_path)
    agent.close()
    assert (meta.agent_error, meta.score, meta.steps) == (None, 1.0, 3)
    facts = json.loads((tmp_path / "good/model.json").read_text())
    assert facts["usage"]["requests"] == 6
    text = (tmp_path / "good/messages.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["actions"][0]["kind"] for line in lines] == ["click", "key", "done"]
    last = json.dumps(server.requests[-1]["messages"])
    assert "ctrl+b" in last
    assert "ctrl+i" not in last


def test_agent_without_proposals_is_rejected(script: Any) -> None:
    with pytest.raises(ConfigError, match=r"expected an agent that proposes .* got Script"):
        BestOf(script(actions.done()), 4)
    with pytest.raises(ConfigError, match="expected at least 2 actions"):
        BestOf(RandomAgent(), 1)
