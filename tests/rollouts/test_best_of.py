"""Several proposals are tried in forks, and the best is carried out."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.base import Agent
from pptarena.agents.model import ModelAgent, ModelSettings
from pptarena.agents.random_agent import RandomAgent
from pptarena.envs import actions
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.errors import ConfigError, MachineLostError
from pptarena.rollouts.best_of import BestOf
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.play import play
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task

pytestmark = pytest.mark.slow

Env = gym.Env[Any, Any]


class Proposer:
    """Proposes what stands in its list for the step, and keeps which was taken."""

    def __init__(self, *steps: list[Any]) -> None:
        self.steps = steps
        self.chosen: list[int] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        self.chosen = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        raise AssertionError("a proposing agent is not asked for one action")

    def propose(self, observation: Any, info: Mapping[str, Any], count: int) -> list[Any]:
        assert count == 3
        return self.steps[len(self.chosen)]

    def choose(self, index: int) -> None:
        self.chosen.append(index)


def played(env: Env, agent: Agent, task: Task, folder: Path) -> EpisodeMeta:
    return play(
        env, agent, agent_name="best", task=task, seed=0, place=folder / "good",
        failed_place=folder / "bad",
    ).meta  # fmt: skip


def title(env: Env, task: Task) -> int:
    _, info = env.reset(options={"task": task})
    return int(next(node["element"] for node in info["a11y"]["nodes"] if node["name"] == "Title 1"))


def test_the_best_is_taken_then_the_most_frequent(env: Env, task: Task, tmp_path: Path) -> None:
    click = actions.click(element=title(env, task))
    agent = Proposer(
        [actions.wait(0), click, click],  # none scores yet: two of three want to click
        ["nonsense", actions.key("ctrl+i"), actions.key("ctrl+b")],
        [actions.click(element=99), actions.done(), actions.key("ctrl+b")],
    )
    meta = played(env, BestOf(agent, 3), task, tmp_path)
    assert agent.chosen == [1, 2, 1]
    assert (meta.infra_error, meta.agent_error, meta.end, meta.score) == (None, None, "done", 1.0)
    kinds = [step.action.kind for step in read_steps(tmp_path / "good")]
    assert kinds == ["click", "key", "done"]  # what was only tried is not in the record


def test_a_fork_that_fails_is_no_score(
    env: Env, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(self: PPTArenaEnv, count: int) -> Any:
        raise MachineLostError("gone")

    monkeypatch.setattr(PPTArenaEnv, "fork", lost)
    agent = Proposer([actions.done(), actions.wait(0)])
    meta = played(env, BestOf(agent, 3), task, tmp_path)
    assert (meta.score, meta.end, meta.infra_error) == (None, "infra", "MachineLostError: gone")


def test_forks_are_closed(
    env: Env, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[PPTArenaEnv] = []
    closed: list[PPTArenaEnv] = []
    fork, close = PPTArenaEnv.fork, PPTArenaEnv.close

    def noted_fork(self: PPTArenaEnv, count: int, *more: Any) -> list[PPTArenaEnv]:
        made.extend(found := fork(self, count, *more))
        return found

    def noted_close(self: PPTArenaEnv) -> None:
        closed.append(self)
        close(self)

    monkeypatch.setattr(PPTArenaEnv, "fork", noted_fork)
    monkeypatch.setattr(PPTArenaEnv, "close", noted_close)
    meta = played(env, BestOf(RandomAgent(), 4), task, tmp_path)
    assert meta.infra_error is None
    assert len(made) > task.max_steps
    assert set(map(id, made)) <= set(map(id, closed))


def test_a_model_is_asked_several_times_and_remembers_one(
    env: Env, task: Task, server: Any, tmp_path: Path
) -> None:
    click = {"kind": "click", "element": title(env, task)}
    bold, slanted = ({"kind": "key", "keys": f"ctrl+{letter}"} for letter in "bi")
    said = [click, click, slanted, bold, {"kind": "done"}, {"kind": "done"}]
    server.script.extend({"text": json.dumps(each)} for each in said)
    settings = ModelSettings(model="m", dialect="json", base_url=server.url)
    agent = BestOf(ModelAgent(settings), 2)
    meta = played(env, agent, task, tmp_path)
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


def test_who_proposes_nothing_is_refused(script: Any) -> None:
    with pytest.raises(ConfigError, match=r"expected an agent that proposes .* got Script"):
        BestOf(script(actions.done()), 4)
    with pytest.raises(ConfigError, match="expected 2 actions or more"):
        BestOf(RandomAgent(), 1)
