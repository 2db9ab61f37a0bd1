"""Choose tasks by how much there is to learn from them."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from pptarena.errors import ConfigError
from pptarena.wrappers.requirements import require_at_least, require_fraction

__all__ = ["TaskCurriculum", "bucket_of"]

_RECENT_OUTCOMES = 20  # number of recent outcomes that count
_STALE_EPISODES = 100
_VERSION = 1


class _Task(Protocol):
    """The attributes of a task that are used here."""

    @property
    def difficulty(self) -> str: ...

    @property
    def edit_types(self) -> tuple[str, ...]: ...

    @property
    def grown(self) -> Mapping[str, Any]: ...


def bucket_of(task: _Task) -> str:
    """Return the bucket of a task: its edits and their depth, as far as known.

    The bucket of a generated task is its operators; that of another task is its edit types and
    difficulty.
    """
    if task.grown:
        names = "+".join(sorted(set(task.grown.get("operators", ()))))
        return f"{names} at depth {task.grown.get('depth', 1)}"
    return f"{'+'.join(task.edit_types)} {task.difficulty}"


class TaskCurriculum(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Prefers tasks that are sometimes solved and sometimes not.

    Each reset samples `candidates` tasks of the suite uniformly and takes one of them by the weight
    of its bucket (`bucket_of`). The weight is ``4 p (1 - p)``, the learnability of the successors
    of prioritized level replay (Rutherford et al. 2024, "No Regrets", arXiv 2408.15099). Here p is
    the share of solved episodes among the last 20 of the bucket, with one solved and one failed
    episode added, so that a new bucket counts as worth learning. The weight of a bucket that is not
    played grows by up to 1 over 100 episodes, and it is never below the floor. Only the sampled
    tasks of a suite are read, so a suite of a million rows works.

    Equal seeds and outcomes give equal tasks. Episodes that ended with a lost machine, or that were
    abandoned, do not count. A reset with ``options={"task": ...}`` takes that task, and its outcome
    counts.

    Args:
        env: A pptarena environment; its own suite is sampled.
        candidates: Number of tasks to choose from, at least 1.
        floor: The minimum weight, above 0 and at most 1.
        goal: The score from which an episode counts as solved, above 0 and at most 1.

    Raises:
        ConfigError: If a number is outside its range, or `env` has no tasks.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        candidates: int = 16,
        floor: float = 0.1,
        goal: float = 1.0,
    ) -> None:
        RecordConstructorArgs.__init__(self, candidates=candidates, floor=floor, goal=goal)
        gym.Wrapper.__init__(self, env)
        require_at_least("candidates", candidates, 1)
        require_fraction("floor", floor)
        require_fraction("goal", goal)
        if not env.has_wrapper_attr("tasks"):
            raise ConfigError(f"expected a pptarena environment, got {env}: it has no tasks")
        self._tasks: Sequence[_Task] = env.get_wrapper_attr("tasks")
        self._candidates = candidates
        self._floor = floor
        self._goal = goal
        self._outcomes: dict[str, deque[bool]] = {}
        self._played: dict[str, int] = {}
        self._episodes = 0
        self._bucket = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode of a chosen task, unless the options name a task."""
        if seed is not None:
            self.np_random, _ = gym.utils.seeding.np_random(seed)
        options = dict(options or {})
        has_task = "task" in options or "task_id" in options
        if not has_task:
            options["task"] = self._choose()
        self._bucket = ""
        observation, info = self.env.reset(seed=seed, options=options)
        self._bucket = bucket_of(self.env.get_wrapper_attr("task"))
        return observation, {**info, "task_bucket": self._bucket}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute one action, and record the outcome at the end of an episode."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if (terminated or truncated) and self._bucket and not info["infra_error"]:
            self._record(self._bucket, bool(info["score"] >= self._goal))
        return observation, reward, terminated, truncated, info

    def weight(self, bucket: str) -> float:
        """Return the sampling weight of a bucket, from the floor to 2."""
        outcomes = self._outcomes.get(bucket, ())
        solve_rate = (sum(outcomes) + 1) / (len(outcomes) + 2)
        idle_episodes = self._episodes - self._played.get(bucket, self._episodes)
        return max(
            self._floor,
            4 * solve_rate * (1 - solve_rate) + min(1.0, idle_episodes / _STALE_EPISODES),
        )

    def state_dict(self) -> dict[str, Any]:
        """Return the recorded outcomes as JSON, for a training checkpoint."""
        return {
            "version": _VERSION,
            "episodes": self._episodes,
            "played": dict(self._played),
            "outcomes": {name: list(outcomes) for name, outcomes in self._outcomes.items()},
            "random": self.np_random.bit_generator.state,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore a state that `state_dict` returned.

        Raises:
            ConfigError: If the state is not valid.
        """
        try:
            if state["version"] != _VERSION:
                raise ValueError(f"version {state['version']}")
            outcomes = {
                str(name): deque(map(bool, values), maxlen=_RECENT_OUTCOMES)
                for name, values in state["outcomes"].items()
            }
            played = {str(name): int(at) for name, at in state["played"].items()}
            episodes = int(state["episodes"])
            self.np_random.bit_generator.state = state["random"]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ConfigError(f"expected the state of a TaskCurriculum: {error!r}") from error
        self._outcomes, self._played, self._episodes = outcomes, played, episodes

    def _choose(self) -> _Task:
        indices = self.np_random.integers(len(self._tasks), size=self._candidates)
        tasks = [self._tasks[int(index)] for index in dict.fromkeys(indices.tolist())]
        weights = [self.weight(bucket_of(task)) for task in tasks]
        total = sum(weights)
        return tasks[
            int(self.np_random.choice(len(tasks), p=[weight / total for weight in weights]))
        ]

    def _record(self, bucket: str, solved: bool) -> None:
        self._episodes += 1
        self._played[bucket] = self._episodes
        self._outcomes.setdefault(bucket, deque(maxlen=_RECENT_OUTCOMES)).append(solved)
        self._bucket = ""
