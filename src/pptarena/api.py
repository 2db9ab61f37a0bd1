"""Functions of the top-level package: environments, tasks, scores and episodes."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import gymnasium as gym

from pptarena.errors import ConfigError, ImageError

if TYPE_CHECKING:
    from pptarena.agents.base import Agent
    from pptarena.rewards import ScoredNode
    from pptarena.rollouts.episode import EpisodeMeta
    from pptarena.tasks import Task

__all__ = ["load_suite", "load_task", "make", "run_episode", "score"]

_IDS = {"screen": "PPTArena-v0", "doc": "PPTArenaDoc-v0"}


def make(
    task: "str | Path | Task | None" = None,
    *,
    env: Literal["screen", "doc"] = "screen",
    **options: Any,
) -> gym.Env[Any, Any]:
    """Return an environment; short for `gymnasium.make`.

    Args:
        task: Id, path or `Task`; None samples a task of the suite at every reset.
        env: ``"screen"`` for ``PPTArena-v0`` (mouse, keyboard, numbered elements), ``"doc"`` for
            ``PPTArenaDoc-v0`` (tool calls on the file, no screen).
        options: Arguments of the environment, such as ``suite="bench"``, ``machine="fake"`` or
            ``reward="sparse"``.

    Raises:
        ConfigError: If an argument is unknown or not allowed.
        UnknownTaskError: If there is no such task.

    Example::

        env = pptarena.make("meridian-hide-backup", machine="fake")
        observation, info = env.reset(seed=0)
    """
    if not isinstance(env, str) or env not in _IDS:
        raise ConfigError(f"env: expected 'screen' or 'doc', got {env!r}")
    environment: gym.Env[Any, Any] = gym.make(_IDS[env], task=task, **options)
    return environment


def load_task(task: str | Path) -> "Task":
    """Return a task.

    Args:
        task: Id of a task, or the path of a task file or task folder.

    Raises:
        UnknownTaskError: If there is no such task; the message suggests similar ids.
        TaskError: If the task file is invalid.

    Example::

        print(pptarena.load_task("meridian-hide-backup").instruction)
    """
    from pptarena.tasks import get_task

    return get_task(task)


def load_suite(suite: str | Path = "starter") -> "tuple[Task, ...]":
    """Return the tasks of a suite, the easy ones first.

    Args:
        suite: Name of a suite, such as ``"bench"``; or the path of a folder of tasks or of a
            ``.jsonl`` file (``"tasks.jsonl#train"`` for one split). ``"bench#charts"`` stands for
            the tasks with a tag; see `Task.tags`.

    Raises:
        UnknownTaskError: If there is no such suite, or none of its tasks has the tag.
        TaskError: If a task file is invalid, or two tasks share an id.

    Example::

        hard = [task for task in pptarena.load_suite("bench") if task.difficulty == "hard"]
    """
    from pptarena.tasks import list_tasks

    return list_tasks(suite)


def score(
    task: "str | Path | Task",
    deck: str | Path | bytes,
    *,
    original: str | Path | bytes | None = None,
    as_is: bool = False,
) -> "ScoredNode":
    """Score a deck against a task's rubric, as ``pptarena score`` does.

    By default the task's own deck, and `deck` if another program wrote it, are first saved by the
    machine image's application, as in an episode. Rubric items that need a judge stay unscored.

    Args:
        task: Id, path or `Task`.
        deck: The edited .pptx file.
        original: The deck before the edit, saved by the program that saved `deck`. Neither file is
            saved again.
        as_is: Compare with the task's own file; neither file is saved again. For decks that were
            edited without an office application. Needs no machine image.

    Returns:
        The scored tree: ``score`` in [0, 1] (None if nothing could be scored), ``reason``,
        ``children``.

    Raises:
        DeckError: If a file is not a readable .pptx file.
        ImageError: If a deck must be saved and there is no machine image.

    Example::

        tree = pptarena.score("meridian-hide-backup", "done.pptx", as_is=True)
        print(tree.score, tree.reason)
    """
    from pptarena.decks.package.files import read_bytes
    from pptarena.envs.image_office import save_in_image, saved_pair
    from pptarena.envs.programs.runner import PythonLeaves
    from pptarena.tasks import Task
    from pptarena.tasks.scorer import Scorer, Services
    from pptarena.vm_images.image import find_image
    from pptarena.vm_images.office import shared_office

    if original is not None and as_is:
        raise ConfigError("expected original or as_is, got both")
    resolved = task if isinstance(task, Task) else load_task(task)
    before, after = (
        read_bytes(resolved.deck_bytes() if original is None else original),
        read_bytes(deck),
    )
    if original is None and not as_is:
        try:
            before, after = saved_pair(before, after)
        except ImageError as error:
            raise ImageError(f"{error}; or give original= or as_is=True") from error
    services = Services(
        save=None if as_is else save_in_image,
        renderer=None if find_image() is None else shared_office(),
        programs=PythonLeaves,
    )
    return Scorer(resolved, services, original=before).score(after)


def run_episode(
    env: gym.Env[Any, Any],
    agent: "Agent",
    *,
    task: "str | Path | Task | None" = None,
    seed: int = 0,
    out: str | Path | None = None,
) -> "EpisodeMeta":
    """Run an agent for one episode and return its result.

    If the agent raises, the episode ends and the current state is scored (`agent_error`). If the
    machine fails, the episode has no score (`infra_error`).

    Args:
        env: A ``PPTArena-v0`` or ``PPTArenaDoc-v0`` environment; it is not closed.
        agent: An object with ``reset(info, seed)`` and ``act(observation, info)``.
        task: Id, path or `Task`; None samples one of the environment's tasks, using `seed`.
        seed: Seed of the environment and of the agent.
        out: Folder that stores the episode for ``pptarena report``; None stores nothing.

    Returns:
        ``score``, ``total_reward``, ``steps``, ``end``, ``infra_error``, ``agent_error`` and more.

    Raises:
        StoreError: If `out` already holds this episode.

    Example::

        class Idle:
            def reset(self, info, seed): ...
            def act(self, observation, info):
                return {"kind": "done"}

        with pptarena.make("meridian-hide-backup", machine="fake") as env:
            print(pptarena.run_episode(env, Idle()).score)  # 0.0
    """
    import numpy as np

    from pptarena.rollouts.play import play
    from pptarena.rollouts.store import episode_path
    from pptarena.tasks import Task

    base: Any = env.unwrapped
    if task is None:
        task = base.tasks[int(np.random.default_rng(seed).integers(len(base.tasks)))]
    resolved = task if isinstance(task, Task) else load_task(task)
    name = type(agent).__name__
    with tempfile.TemporaryDirectory(prefix="pptarena-") as scratch:
        root = Path(scratch if out is None else out)
        episode = play(
            env,
            agent,
            agent_name=name,
            task=resolved,
            seed=seed,
            folder=episode_path(root, name, resolved.id, seed),
            failed_folder=episode_path(root, name, resolved.id, seed, failed_attempt=1),
        )
    meta: EpisodeMeta = episode.meta
    return meta
