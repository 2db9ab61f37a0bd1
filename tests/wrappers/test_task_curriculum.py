"""Tasks by learnability."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest

from pptarena.envs import actions
from pptarena.errors import ConfigError
from pptarena.tasks import get_task, list_tasks
from pptarena.wrappers import TaskCurriculum
from pptarena.wrappers.task_curriculum import bucket_of


class Outcomes(gym.Wrapper[Any, Any, Any, Any]):
    """Ends every episode immediately with the score that a rule gives for its kind of task."""

    def __init__(self, env: gym.Env[Any, Any], rule: Callable[[str], float | None]) -> None:
        super().__init__(env)
        self.rule = rule
        self.seen: list[str] = []

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        self.task = arguments["options"]["task"]
        self.seen.append(self.task.id)
        return {}, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        score = self.rule(bucket_of(self.task))
        error = "lost" if score is None else ""
        return {}, 0.0, True, False, {"score": score or 0.0, "infra_error": error}


@pytest.fixture
def curriculum(make: Any) -> Callable[..., TaskCurriculum]:
    def new(rule: Callable[[str], float | None], **arguments: Any) -> TaskCurriculum:
        return TaskCurriculum(Outcomes(make(suite="all#first-steps"), rule), **arguments)

    return new


def play(env: TaskCurriculum, episodes: int, seed: int | None = 0) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for number in range(episodes):
        env.reset(seed=seed if number == 0 else None)
        kinds[bucket_of(env.env.get_wrapper_attr("task"))] += 1
        env.step(None)
    return kinds


def test_what_is_sometimes_solved_comes_more_often(curriculum: Any) -> None:
    kinds = sorted({bucket_of(task) for task in list_tasks("all#first-steps")})
    assert len(kinds) > 2
    count = Counter[str]()

    def rule(kind: str) -> float:
        count[kind] += 1
        return float(kind == kinds[0]) if kind != kinds[1] else float(count[kind] % 2)

    env = curriculum(rule)
    play(env, 300)
    assert env.weight(kinds[1]) > 0.9
    assert env.weight(kinds[0]) < 0.5 > env.weight(kinds[2])
    kept = env.state_dict()["played"]
    assert set(kinds) <= set(kept)  # by the floor and by staleness all come again


def test_equal_seeds_and_outcomes_give_equal_tasks(curriculum: Any) -> None:
    one, other = (curriculum(lambda kind: float(len(kind) % 2)) for _ in range(2))
    play(one, 40, seed=5)
    play(other, 40, seed=5)
    assert one.env.seen == other.env.seen
    assert len(set(one.env.seen)) > 10


def test_it_goes_on_from_its_state(curriculum: Any) -> None:
    one, other = (curriculum(lambda kind: float(len(kind) % 2)) for _ in range(2))
    play(one, 25, seed=5)
    other.load_state_dict(one.state_dict())
    play(one, 25, seed=None)
    play(other, 25, seed=None)
    assert one.env.seen[25:] == other.env.seen
    with pytest.raises(ConfigError, match="state of a TaskCurriculum"):
        other.load_state_dict({"version": 0})


def test_a_lost_machine_is_no_outcome(curriculum: Any) -> None:
    env = curriculum(lambda kind: None)
    play(env, 5)
    assert env.state_dict()["episodes"] == 0
    assert env.state_dict()["outcomes"] == {}


@pytest.mark.parametrize("wrong", [{"candidates": 0}, {"floor": 0.0}, {"goal": 1.5}, {"goal": "1"}])
def test_wrong_numbers_are_refused(curriculum: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        curriculum(lambda kind: 0.0, **wrong)


def test_another_environment_has_no_tasks() -> None:
    with pytest.raises(ConfigError, match="it has no tasks"):
        TaskCurriculum(gym.make("CartPole-v1"))


@pytest.mark.slow
def test_around_a_real_environment(make: Any) -> None:
    env = TaskCurriculum(make())
    _, info = env.reset(seed=3)
    assert info["task_bucket"] == bucket_of(get_task(info["task_id"]))
    env.step(actions.to_space(actions.done()))
    assert env.state_dict()["episodes"] == 1
    _, info = env.reset(options={"task": "meridian-hide-backup"})
    assert info["task_id"] == "meridian-hide-backup"
