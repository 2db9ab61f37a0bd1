"""`PPTArenaEnv`: editing a PowerPoint deck as a gymnasium environment."""

import dataclasses
import logging
import time
from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from pptarena.envs.action import Action
from pptarena.envs.action_space import action_space
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.config import EnvConfig, MachineConfig
from pptarena.envs.episode import Episode
from pptarena.envs.machines.base import Machine
from pptarena.envs.machines.registry import make_machine
from pptarena.envs.observations import observation_space
from pptarena.envs.text_view import text_view
from pptarena.envs.window import Window, window_obstacle
from pptarena.errors import ActionError, ConfigError, MachineError, MachineStartError
from pptarena.tasks import Task, get_task, list_tasks

__all__ = ["PPTArenaEnv"]

_log = logging.getLogger(__name__)
_BASELINES = BaselineStore()

Observation = dict[str, Any]


class PPTArenaEnv(gym.Env[Observation, Action | Mapping[str, Any]], EzPickle):
    """An agent edits a deck in an office application through mouse and keyboard.

    Observation, action and ``info`` are described in `pptarena.envs.observations`,
    `pptarena.envs.actions` and `pptarena.envs.episode`; `step` takes an element of the action
    space or an `Action`. An episode ends (terminated) with ``done`` or ``fail``, or (truncated)
    when the task's step budget is used up. It is not a wrapper around TimeLimit: the budget
    differs from task to task.

    ``"dense"`` reward pays the change of the score at every step, so that the return is the final
    score; ``"sparse"`` pays the final score with the last step. The document is scored when it
    changed and no text edit is open; the last step ends an open edit first. An action that cannot
    be carried out does nothing: ``info["action_error"]`` says why, the observation stays what it
    was, the step counts. When the machine fails, the step is truncated with reward 0 and
    ``info["infra_error"]``, ``info["score"]`` stays the last known, and the next `reset` starts a
    machine afresh. When the rubric could not be judged, the score stays the last known too and
    ``info["rubric"]["score"]`` is None.

    Args:
        task: A task or its id; None draws one from the suite at every reset.
        suite: The tasks to draw from.
        machine: ``"auto"``, ``"sandbox"`` or ``"fake"``, or a machine, which `close` then closes.
        reward: ``"dense"`` or ``"sparse"``.
        width_px: Width of the screen.
        height_px: Height of the screen.
        render_mode: ``"rgb_array"`` (the last screenshot), ``"human"`` (a window; needs a display
            and tkinter), ``"ansi"`` (score and elements as text) or None.
        max_steps: Step budget of every episode; None takes each task's own.
        machine_options: Other fields of `pptarena.envs.config.MachineConfig`.

    Raises:
        ConfigError: If an argument has a value that is not allowed.
        UnknownTaskError: If there is no task or suite of that name.

    Example:
        >>> env = PPTArenaEnv(machine="fake", width_px=640, height_px=360)
        >>> obs, info = env.reset(seed=0)
        >>> obs["screenshot"].shape, info["score"]
        ((360, 640, 3), 0.0)
        >>> env.close()
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["human", "rgb_array", "ansi"],
        "render_fps": 10,
    }

    def __init__(
        self,
        task: str | Task | None = None,
        suite: str = "bench",
        machine: str | Machine = "auto",
        reward: str = "dense",
        width_px: int = 1280,
        height_px: int = 720,
        render_mode: str | None = None,
        max_steps: int | None = None,
        **machine_options: Any,
    ) -> None:
        EzPickle.__init__(
            self, task, suite, machine, reward, width_px, height_px, render_mode, max_steps,
            **machine_options,
        )  # fmt: skip
        machine_config = _machine_config(width_px, height_px, machine_options)
        self.config = EnvConfig(reward=reward, max_steps=max_steps, machine=machine_config)
        self._tasks = _tasks(task, suite)
        self.render_mode = self._checked_render_mode(render_mode)
        self.observation_space = observation_space(width_px, height_px)
        self.action_space = action_space()
        if not isinstance(machine, Machine):
            machine = make_machine(machine, machine_config)
        self._machine = machine
        self._window = Window()
        self._episode: Episode | None = None
        self._over = True
        self._last_id = 0
        self._drawn: Task | None = None  # drawn ahead for the next reset

    @property
    def machine(self) -> Machine:
        """The machine the episodes run on; it starts with the first reset."""
        return self._machine

    @property
    def task(self) -> Task | None:
        """The task of the current episode, None before the first reset."""
        return self._episode.task if self._episode else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Seed of the generator that draws the task.
            options: ``{"task": id}`` (or ``"task_id"``) chooses the task, ``{"next_task": id}``
                says which one is likely next, so that the machine can prepare it in the
                background; others are ignored.

        Raises:
            UnknownTaskError: If there is no task of that id.
            DeckError: If the application cannot open the task's deck.
            MachineStartError: If the machine did not come up in 3 attempts.
        """
        super().reset(seed=seed)
        started = time.perf_counter()
        if seed is not None:
            self._drawn = None
        self._over = True
        self._episode = self._start(self._choose_task(options or {}))
        self._expect_next(options or {})
        self._over = False
        return self._reply(self._episode, started)

    def step(
        self, action: Action | Mapping[str, Any]
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out one action; see the class for rewards, ends and errors."""
        episode = self._require_episode(running=True)
        started, before, kind = time.perf_counter(), episode.score, ""
        action_error = infra_error = None
        try:
            try:
                kind = episode.act(action)
            except ActionError as error:
                action_error = str(error)
            terminated = kind in ("done", "fail")
            truncated = not terminated and episode.steps >= self._budget(episode.task)
            if terminated or truncated:
                episode.grade_finally(infeasible=kind == "fail")
            elif not action_error:
                episode.grade()
        except MachineError as error:
            _log.warning("the machine failed in task %s: %s", episode.task.id, error)
            terminated, truncated, infra_error = False, True, f"{type(error).__name__}: {error}"
        self._over = terminated or truncated
        reward = 0.0 if infra_error else self._reward(before, episode.score)
        observation, info = self._reply(episode, started, action_error, infra_error)
        return observation, reward, terminated, truncated, info

    def render(self) -> NDArray[np.uint8] | str | None:
        """Return the last screenshot, or the text view; in mode ``"human"`` show the window."""
        episode = self._require_episode()
        if self.render_mode == "rgb_array":
            return episode.observed.screenshot.copy()
        if self.render_mode == "ansi":
            return text_view(episode, self._budget(episode.task))
        if self.render_mode == "human":
            self._window.show(episode.observed.screenshot, f"pptarena: {episode.task.id}")
        return None

    def close(self) -> None:
        """Stop the machine and close the window. A second call does nothing."""
        self._over = True
        self._window.close()
        self._machine.close()

    def _reply(
        self,
        episode: Episode,
        started: float,
        action_error: str | None = None,
        infra_error: str | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        self._last_id = episode.observation_id
        if self.render_mode == "human":
            self.render()
        observation, info = episode.observation(), episode.info()
        info |= {"infra_error": infra_error, "action_error": action_error}
        info["timing"]["total"] = time.perf_counter() - started
        return observation, info

    def _start(self, task: Task) -> Episode:
        last: MachineError | None = None
        for attempt in range(1, self.config.start_attempts + 1):
            try:
                return Episode(self._machine, task, _BASELINES, self._last_id)
            except MachineError as error:
                _log.warning("attempt %d to start task %s failed: %s", attempt, task.id, error)
                last = error
        raise MachineStartError(
            f"the machine did not come up in {self.config.start_attempts} attempts: {last}"
        ) from last

    def _choose_task(self, options: Mapping[str, Any]) -> Task:
        chosen = options.get("task", options.get("task_id"))
        if chosen is not None:
            return chosen if isinstance(chosen, Task) else get_task(chosen)
        drawn, self._drawn = self._drawn, None
        return drawn or self._draw()

    def _draw(self) -> Task:
        if len(self._tasks) == 1:
            return self._tasks[0]
        return self._tasks[int(self.np_random.integers(len(self._tasks)))]

    def _expect_next(self, options: Mapping[str, Any]) -> None:
        """Tell the machine which deck comes next: as told, as drawn ahead, or the same again."""
        if "next_task" in options:
            expected = options["next_task"]
        elif "task" in options or "task_id" in options:
            return
        else:
            expected = self._drawn = self._draw()
        task = expected if isinstance(expected, Task) else get_task(expected)
        if task is self.task:
            return  # a machine expects the same deck again by itself
        self._machine.expect(task.deck_bytes(), f"{task.deck}.pptx")

    def _budget(self, task: Task) -> int:
        return self.config.max_steps or task.max_steps

    def _reward(self, before: float, after: float) -> float:
        if self.config.reward == "dense":
            return after - before
        return after if self._over else 0.0

    def _require_episode(self, *, running: bool = False) -> Episode:
        if self._episode is None or (running and self._over):
            raise ResetNeeded("no episode is running; call env.reset() first")
        return self._episode

    def _checked_render_mode(self, mode: str | None) -> str | None:
        known = self.metadata["render_modes"]
        if mode is not None and mode not in known:
            raise ConfigError(f"expected render_mode to be one of {known}, got {mode!r}")
        if obstacle := window_obstacle():
            if mode == "human":
                raise ConfigError(obstacle)
            # Not offered here, so that whoever tries every mode on offer meets no error.
            modes = [name for name in known if name != "human"]
            self.metadata = {**self.metadata, "render_modes": modes}  # type: ignore[misc]
        return mode


def _tasks(task: str | Task | None, suite: str) -> tuple[Task, ...]:
    if task is None:
        tasks = tuple(list_tasks(suite))
        if not tasks:
            raise ConfigError(f"expected a suite with tasks, {suite!r} has none")
        return tasks
    return (task if isinstance(task, Task) else get_task(task),)


def _machine_config(width_px: int, height_px: int, options: dict[str, Any]) -> MachineConfig:
    known = {field.name for field in dataclasses.fields(MachineConfig)}
    if unknown := set(options) - known:
        raise ConfigError(
            f"unknown argument {', '.join(sorted(unknown))}; besides the named ones there are "
            f"{', '.join(sorted(known - {'width_px', 'height_px'}))}"
        )
    return MachineConfig(width_px=width_px, height_px=height_px, **options)
