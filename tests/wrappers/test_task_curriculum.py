"""Sampling of tasks by learnability."""

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
    """Ends every episode after one step with a score that depends on the task's type."""

    def __init__(self, env: gym.Env[Any, Any], rule: Callable[[str], float | None]) -> None:
        super().__init__(env)
        self.rule = rule
        self.task_ids: list[str] = []

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        self.task = arguments["options"]["task"]
        self.task_ids.append(self.task.id)
        return {}, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        score = self.rule(bucket_of(self.task))
        error = "lost" if score is None else ""
        return {}, 0.0, True, False, {"score": score or 0.0, "infra_error": error}


@pytest.fixture
def curriculum(make: Any) -> Callable[..., TaskCurriculum]:
    def make_curriculum(rule: Callable[[str], float | None], **arguments: Any) -> TaskCurriculum:
        return TaskCurriculum(Outcomes(make(suite="all#first-steps"), rule), **arguments)

    return make_curriculum


def play(env: TaskCurriculum, episodes: int, seed: int | None = 0) -> Counter[str]:
    buckets: Counter[str] = Counter()
    for number in range(episodes):
        env.reset(seed=seed if number == 0 else None)
        buckets[bucket_of(env.env.get_wrapper_attr("task"))] += 1
        env.step(None)
    return buckets


@pytest.mark.slow
def test_sometimes_solved_tasks_are_sampled_more_often(curriculum: Any) -> None:
    buckets = sorted({bucket_of(task) for task in list_tasks("all#first-steps")})
    assert len(buckets) > 2
    count = Counter[str]()

    def rule(bucket: str) -> float:
        count[bucket] += 1
        return float(bucket == buckets[0]) if bucket != buckets[1] else float(count[bucket] % 2)

    env = curriculum(rule)
    play(env, 300)
    assert env.weight(buckets[1]) > 0.9
    assert env.weight(buckets[0]) < 0.5 > env.weight(buckets[2])
    assert set(buckets) <= set(env.state_dict()["played"])  # due to the floor and staleness


def test_equal_seeds_and_outcomes_give_equal_tasks(curriculum: Any) -> None:
    one, other = (curriculum(lambda bucket: float(len(bucket) % 2)) for _ in range(2))
    play(one, 40, seed=5)
    play(other, 40, seed=5)
    assert one.env.task_ids == other.env.task_ids
    assert len(set(one.env.task_ids)) > 10


def test_loaded_state_continues_the_sampling(curriculum: Any) -> None:
    one, other = (curriculum(lambda bucket: float(len(bucket) % 2)) for _ in range(2))
    play(one, 25, seed=5)
    other.load_state_dict(one.state_dict())
    play(one, 25, seed=None)
    play(other, 25, seed=None)
    assert one.env.task_ids[25:] == other.env.task_ids
    with pytest.raises(ConfigError, match="state of a TaskCurriculum"):
        other.load_state_dict({"version": 0})


def test_lost_machine_is_not_an_outcome(curriculum: Any) -> None:
    env = curriculum(lambda bucket: None)
    play(env, 5)
    assert env.state_dict()["episodes"] == 0
    assert env.state_dict()["outcomes"] == {}


@pytest.mark.parametrize(
    "arguments", [{"candidates": 0}, {"floor": 0.0}, {"goal": 1.5}, {"goal": "1"}]
)
def test_invalid_numbers_are_rejected(curriculum: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        curriculum(lambda bucket: 0.0, **arguments)


def test_environment_without_tasks_is_rejected() -> None:
    with pytest.raises(ConfigError, match="it has no tasks"):
        TaskCurriculum(gym.make("CartPole-v1"))


@pytest.mark.slow
def test_curriculum_on_a_real_environment(make: Any) -> None:
    env = TaskCurriculum(make())
    _, info = env.reset(seed=3)
    assert info["task_bucket"] == bucket_of(get_task(info["task_id"]))
    env.step(actions.to_space(actions.done()))
    assert env.state_dict()["episodes"] == 1
    _, info = env.reset(options={"task": "meridian-hide-backup"})
    assert info["task_id"] == "meridian-hide-backup"
