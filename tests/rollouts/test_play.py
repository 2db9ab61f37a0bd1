import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from PIL import Image
from pptx import Presentation
from tests.rollouts.playing import play_into

from pptarena.agents.base import Agent
from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import AgentError
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.store import read_meta, read_steps
from pptarena.tasks import Task

Env = gym.Env[Any, Any]


@pytest.fixture
def run(env: Env, task: Task, tmp_path: Path) -> Callable[[Agent], EpisodeMeta]:
    """Play the small task into the folder ``good`` or ``good.failed``."""

    def run_agent(agent: Agent) -> EpisodeMeta:
        episode = play_into(tmp_path / "good", env, agent, task, seed=5)
        assert read_meta(episode.folder) == episode.meta
        return episode.meta

    return run_agent


def is_bold(deck: bytes) -> bool:
    slide = Presentation(BytesIO(deck)).slides[0]
    runs = slide.shapes.title.text_frame.paragraphs[0].runs
    return all(run.font.bold for run in runs)


def test_demonstration_is_stored_with_score_and_decks(
    run: Callable[[Agent], EpisodeMeta], task: Task, tmp_path: Path
) -> None:
    meta = run(DemonstrationAgent(lambda task_id: task))
    assert (meta.score, meta.total_reward, meta.steps, meta.end) == (1.0, 1.0, 3, "done")
    assert read_meta(tmp_path / "good") == meta
    rubric = json.loads((tmp_path / "good" / "rubric.json").read_text())
    assert rubric["score"] == 1.0
    assert not is_bold((tmp_path / "good" / "original.pptx").read_bytes())
    assert is_bold((tmp_path / "good" / "final.pptx").read_bytes())


def test_screenshots_show_the_screen_before_each_action(
    run: Callable[[Agent], EpisodeMeta],
    env: Env,
    task: Task,
    script: Callable[..., Agent],
    solution: Sequence[Action],
    tmp_path: Path,
) -> None:
    run(script(*solution))
    screenshots = [env.reset(seed=5, options={"task": task})[0]["screenshot"]]
    screenshots += [env.step(action)[0]["screenshot"] for action in solution]
    names = ["step_000.png", "step_001.png", "step_002.png", "final.png"]
    for name, screenshot in zip(names, screenshots, strict=True):
        assert np.array_equal(np.asarray(Image.open(tmp_path / "good" / name)), screenshot)
    assert sorted(path.name for path in (tmp_path / "good").glob("*.png")) == sorted(names)


def test_steps_record_actions_targets_and_results(
    run: Callable[[Agent], EpisodeMeta],
    script: Callable[..., Agent],
    solution: Sequence[Action],
    tmp_path: Path,
) -> None:
    run(script(*solution))
    steps = read_steps(tmp_path / "good")
    assert [step.action for step in steps] == list(solution)
    assert [step.reward for step in steps] == [0.0, 1.0, 0.0]
    assert [step.score for step in steps] == [0.0, 1.0, 1.0]
    assert [step.terminated for step in steps] == [False, False, True]
    target = steps[0].aim.target
    assert target is not None
    assert target["name"] == "Title 1"
    left, top, width, height = target["box"]
    assert steps[0].aim.point == (left + width // 2, top + height // 2)
    tree = json.loads((tmp_path / "good" / steps[0].a11y_file).read_text())
    assert "Title 1" in {node["name"] for node in tree["nodes"]}
    assert all(step.timing["total"] > 0 for step in steps)


def test_episode_ends_with_the_step_budget(
    run: Callable[[Agent], EpisodeMeta], script: Callable[..., Agent]
) -> None:
    meta = run(script(actions.key("Escape")))
    assert (meta.steps, meta.end, meta.score, meta.infra_error) == (6, "budget", 0.0, None)


def test_refused_action_is_recorded(
    run: Callable[[Agent], EpisodeMeta], script: Callable[..., Agent], tmp_path: Path
) -> None:
    run(script(actions.click(element=256), actions.done()))
    step = read_steps(tmp_path / "good")[0]
    assert step.action_error is not None
    assert "element" in step.action_error
    assert step.aim.point is None


class Quitter:
    """Gives up, at the reset or at the first action."""

    def __init__(self, at_reset: bool) -> None:
        self.at_reset = at_reset

    def reset(self, info: object, seed: int) -> None:
        if self.at_reset:
            raise AgentError("cannot even begin")

    def act(self, observation: object, info: object) -> Action:
        raise AgentError("cannot go on")


@pytest.mark.parametrize(
    ("at_reset", "error"), [(True, "cannot even begin"), (False, "cannot go on")]
)
def test_episode_is_scored_when_the_agent_gives_up(
    run: Callable[[Agent], EpisodeMeta], at_reset: bool, error: str
) -> None:
    meta = run(Quitter(at_reset))
    assert (meta.end, meta.agent_error, meta.score) == ("agent_error", error, 0.0)
    assert (meta.steps, meta.infra_error) == (1, None)


class OneAnswer:
    """Gives one answer, then ends the episode."""

    def __init__(self, answer: object) -> None:
        self.answers: list[object] = [answer, actions.done()]

    def reset(self, info: object, seed: int) -> None: ...

    def act(self, observation: object, info: object) -> Any:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_agent_exception_ends_the_episode_and_is_recorded(
    run: Callable[[Agent], EpisodeMeta],
) -> None:
    meta = run(OneAnswer(KeyError("no such button")))
    assert (meta.end, meta.score, meta.steps) == ("agent_error", 0.0, 1)
    assert meta.infra_error is None
    assert meta.agent_error is not None
    assert "KeyError: 'no such button'" in meta.agent_error
    assert "in act" in meta.agent_error


@pytest.mark.parametrize(
    "answer", [{"kind": "key", "keys": "Escape"}, actions.to_space(actions.key("Escape"))]
)
def test_action_may_be_a_dict(
    run: Callable[[Agent], EpisodeMeta], tmp_path: Path, answer: object
) -> None:
    assert run(OneAnswer(answer)).end == "done"
    step = read_steps(tmp_path / "good")[0]
    assert (step.action, step.action_error) == (actions.key("Escape"), None)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("click the title", "expected an Action or a dict"),
        (None, "expected an Action or a dict"),
        ({"kind": "klick"}, "expected kind to be one of"),
        ({"kind": "click", "elment": 3}, "unknown action fields: elment"),
    ],
)
def test_invalid_action_is_a_refused_step(
    run: Callable[[Agent], EpisodeMeta], tmp_path: Path, answer: object, error: str
) -> None:
    meta = run(OneAnswer(answer))
    assert (meta.end, meta.steps, meta.agent_error) == ("done", 2, None)
    step = read_steps(tmp_path / "good")[0]
    assert step.action_error is not None
    assert error in step.action_error
    assert step.action == Action("wait", text=repr(answer))


def test_machine_lost_during_an_episode_is_an_infrastructure_error(
    run: Callable[[Agent], EpisodeMeta],
    script: Callable[..., Agent],
    solution: Sequence[Action],
    machine: FakeMachine,
    tmp_path: Path,
) -> None:
    machine.fail_next("lost")
    meta = run(script(*solution))
    assert (meta.end, meta.score, meta.steps) == ("infra", None, 1)
    assert meta.infra_error is not None
    assert "MachineLostError" in meta.infra_error
    assert not (tmp_path / "good").exists()
    assert read_meta(tmp_path / "good.failed") == meta
    assert (tmp_path / "good.failed" / "original.pptx").exists()
    assert not (tmp_path / "good.failed" / "final.pptx").exists()


def test_machine_lost_at_the_reset_is_an_infrastructure_error(
    run: Callable[[Agent], EpisodeMeta],
    script: Callable[..., Agent],
    machine: FakeMachine,
    tmp_path: Path,
) -> None:
    machine.fail_next("lost", on="load", times=3)
    meta = run(script(actions.done()))
    assert (meta.end, meta.score, meta.steps) == ("infra", None, 0)
    assert read_meta(tmp_path / "good.failed") == meta


def test_questions_and_wording_are_recorded(
    env: Env, task: Task, tmp_path: Path, script: Callable[..., Agent]
) -> None:
    worded = replace(task, paraphrases=("Bold, please.",)).worded(2)
    agent = script(actions.ask("Which title?"), actions.ask("All of it?"), actions.done())
    meta = read_meta(play_into(tmp_path / "good", env, agent, worded).folder)
    assert (meta.questions, meta.wording, meta.instruction) == (2, 2, "Bold, please.")
