"""Verify the scores, the demonstration and the deck of a task on a machine."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium as gym

from pptarena.agents.base import Agent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import DeckError, MachineError, StoreError, TaskError
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.play import play
from pptarena.rollouts.proofs import PROOFS, Proof, prove
from pptarena.rollouts.replay import Replay, replay_episode
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task
from pptarena.tasks.draft.folder import PLACEHOLDER

__all__ = ["TaskCheck", "check_task", "runs_per_task"]

_SEED = 0


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """All proofs of one task.

    Attributes:
        task: Task id.
        curve: Score after each action of the demonstration; None where unscored.
        replays: Comparison of each replay with the recording; a string explains why there is none.
        proofs: The proofs in the order of `PROOFS`; only the first if the deck cannot be opened.
    """

    task: str
    curve: tuple[float | None, ...]
    replays: tuple[Replay | str, ...]
    proofs: tuple[Proof, ...]

    @property
    def ok(self) -> bool:
        """Whether no proof failed; warnings do not count."""
        return all(proof.status != "fail" for proof in self.proofs)

    def to_json(self) -> dict[str, Any]:
        """Return the check as a JSON object."""
        return {
            "task": self.task,
            "ok": self.ok,
            "curve": list(self.curve),
            "replays": [
                {"error": replay} if isinstance(replay, str) else replay.to_json()
                for replay in self.replays
            ],
            "proofs": [asdict(proof) for proof in self.proofs],
        }


def runs_per_task(times: int) -> int:
    """Return the number of episodes that `check_task` plays, given the number of replays."""
    return 2 + times


def check_task(
    env: gym.Env[Any, Any],
    task: Task,
    demonstrator: Agent,
    times: int = 1,
    on_run: Callable[[str], None] = lambda run: None,
) -> TaskCheck:
    """Check one task, with episodes in a temporary folder.

    A machine failure is not retried: it fails the proof in which it occurs.

    Args:
        env: A pptarena environment that uses the tasks' own step budgets.
        task: The task.
        demonstrator: The agent that plays the task's demonstration.
        times: Number of replays, at least 1.
        on_run: Called with a name before each of the `runs_per_task` episodes.

    Raises:
        HostError: If the machine cannot start on this computer.
        ImageError: If the machine image is missing or broken.
        StoreError: If the episodes cannot be written to the temporary folder.
    """
    if PLACEHOLDER in task.instruction:
        reason = f"the task is an unfilled template: replace {PLACEHOLDER!r} in its file"
        return TaskCheck(task.id, (), (), (Proof(PROOFS[0], "fail", "-", reason),))
    with TemporaryDirectory(prefix="pptarena-check-") as folder:
        record = partial(_record, env, task, Path(folder))
        try:
            on_run("no work")
            idle = record(_Idle(), "idle")
            on_run("demonstration")
            demo = record(demonstrator, "demonstration")
        except (DeckError, TaskError) as error:
            return TaskCheck(task.id, (), (), (Proof(PROOFS[0], "fail", "-", str(error)),))
        replays = _replay(env, task, demo, times, on_run)
        curve = tuple(step.score for step in read_steps(demo.folder))
        return TaskCheck(task.id, curve, replays, prove(task, idle, demo, replays))


class _Idle:
    """Ends the episode immediately."""

    def reset(self, info: object, seed: int) -> None:
        """Do nothing."""

    def act(self, observation: object, info: object) -> Action:
        """End the episode."""
        return actions.done()


def _record(
    env: gym.Env[Any, Any], task: Task, root: Path, agent: Agent, name: str
) -> StoredEpisode:
    folders = root / name, root / f"{name}.failed"
    return play(
        env,
        agent,
        agent_name=name,
        task=task,
        seed=_SEED,
        folder=folders[0],
        failed_folder=folders[1],
    )


def _replay(
    env: gym.Env[Any, Any],
    task: Task,
    episode: StoredEpisode,
    times: int,
    on_run: Callable[[str], None],
) -> tuple[Replay | str, ...]:
    if episode.meta.score is None:
        return ("the demonstration has no score to compare with",) * times
    replays: list[Replay | str] = []
    for number in range(1, times + 1):
        on_run(f"replay {number} of {times}")
        try:
            replays.append(replay_episode(env, episode.folder, lambda _: task))
        except (MachineError, StoreError) as error:
            replays.append(f"{type(error).__name__}: {error}")
    return tuple(replays)
