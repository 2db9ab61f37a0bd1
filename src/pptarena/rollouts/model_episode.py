"""Run one episode with a model: from the address of a service to a score."""

import asyncio
import tempfile
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena.agents.model import ModelAgent, ModelSettings, Usage
from pptarena.errors import EndpointError, MachineError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.episode_files import read_json
from pptarena.rollouts.play import play
from pptarena.rollouts.store import episode_path, read_steps
from pptarena.tasks import Task, pick_tasks

__all__ = ["EpisodeResult", "run_episode", "run_episode_async"]


@dataclass(frozen=True)
class EpisodeResult:
    """The result of one episode.

    Attributes:
        reward: Sum of the rewards.
        score: Final score in [0, 1]; None if the episode is unscored.
        rubric: The scored rubric; None if the episode is unscored.
        messages: The conversation, one entry per reply: the observation, the reasoning, the text
            and its actions.
        usage: Requests, tokens, malformed replies.
        model_sec: Seconds until the replies arrived.
        environment_sec: Seconds of resets and steps.
        meta: Metadata of the episode.
        folder: Folder of the episode; None if it is not stored.
    """

    reward: float
    score: float | None
    rubric: dict[str, Any] | None
    messages: list[dict[str, Any]]
    usage: Usage
    model_sec: float
    environment_sec: float
    meta: EpisodeMeta
    folder: Path | None


def run_episode(
    task: str | Path | Task,
    model: str,
    dialect: str = "tools",
    base_url: str | None = None,
    api_key: str | None = None,
    *,
    seed: int = 0,
    machine: str = "auto",
    max_steps: int | None = None,
    out: Path | None = None,
    env: gym.Env[Any, Any] | None = None,
    **settings: Any,
) -> EpisodeResult:
    """Run one task with a model.

    Args:
        task: An id, a path or a task.
        model: Name of the model at the service.
        dialect: Its action format.
        base_url: Address of the service; None for the dialect's vendor.
        api_key: API key; by default from the environment variables. It is not stored.
        seed: Seed of the episode.
        machine: Type of machine.
        max_steps: Step budget; None for the task's own.
        out: Root of a store for the episode.
        env: An environment to use instead of a new one; it is not closed.
        settings: Other settings of `ModelSettings`.

    Raises:
        ConfigError: If a setting is not allowed, or a package or the key is missing.
        MachineError: If the machine failed.
        EndpointError: If the service did not answer.
        StoreError: If the episode exists or cannot be written.

    Example::

        result = run_episode("meridian-hide-backup", "Qwen/Qwen3-VL-8B-Instruct", "qwen3-vl",
                             "http://localhost:8000/v1", machine="sandbox")
        print(result.score, result.usage.output_tokens)
    """
    loaded_task = task if isinstance(task, Task) else pick_tasks([str(task)])[0]
    model_settings = ModelSettings(model=model, dialect=dialect, base_url=base_url, **settings)
    with ExitStack() as stack:
        agent = stack.enter_context(closing(ModelAgent(model_settings, key=api_key)))
        if env is None:
            env = stack.enter_context(closing(make_env(machine, max_steps=max_steps)))
        root = out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        episode = play(
            env,
            agent,
            agent_name=model_settings.label,
            task=loaded_task,
            seed=seed,
            folder=episode_path(root, model_settings.label, loaded_task.id, seed),
            failed_folder=episode_path(
                root, model_settings.label, loaded_task.id, seed, failed_attempt=1
            ),
        )
        meta = episode.meta
        if meta.infra_error is not None:
            is_endpoint_error = meta.infra_error.startswith("Endpoint")
            raise (EndpointError if is_endpoint_error else MachineError)(meta.infra_error)
        rubric = read_json(episode.folder, "rubric.json")
        steps_sec = sum(step.timing.get("total") or 0.0 for step in read_steps(episode.folder))
    return EpisodeResult(
        reward=meta.total_reward,
        score=meta.score,
        rubric=rubric,
        messages=agent.messages,
        usage=agent.usage,
        model_sec=agent.usage.model_sec,
        environment_sec=meta.reset_sec + steps_sec,
        meta=meta,
        folder=episode.folder if out else None,
    )


async def run_episode_async(*args: Any, **options: Any) -> EpisodeResult:
    """Run one task with a model in a separate thread; see `run_episode`."""
    return await asyncio.to_thread(partial(run_episode, *args, **options))
