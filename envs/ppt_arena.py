"""`PPTArenaEnv`: a Gymnasium environment for editing PowerPoint decks."""

import copy
import functools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

import gymnasium as gym
import numpy as np
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from pptarena.envs.action import Action
from pptarena.envs.action_space import action_space
from pptarena.envs.answer_sources import answer_function
from pptarena.envs.arguments import (
    arguments_for_machine,
    candidate_tasks,
    env_config,
    require_count,
)
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.checkpoint import Checkpoint, RngState
from pptarena.envs.concurrent_start import start_all
from pptarena.envs.episode import Episode
from pptarena.envs.grading import Grading
from pptarena.envs.machines.base import Machine
from pptarena.envs.observations import observation_space
from pptarena.envs.pixels.detection import Detector
from pptarena.envs.pixels.pixel_tree import DETECTORS
from pptarena.envs.session import Session
from pptarena.envs.task_sampler import TaskSampler
from pptarena.envs.text_view import text_view
from pptarena.envs.window import Window, supported_modes
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig
from pptarena.tasks import Task

__all__ = ["PPTArenaEnv", "base_env"]

_log = logging.getLogger(__name__)
_BASELINES = BaselineStore()
Observation = dict[str, Any]


class PPTArenaEnv(gym.Env[Observation, Action | Mapping[str, Any]], EzPickle):
    """An agent edits a deck in an office application with mouse and keyboard.

    Observations, actions and ``info`` are described in `pptarena.envs.observations`,
    `pptarena.envs.actions` and `pptarena.envs.episode`; `step` takes an element of the action space
    or an `Action`. An episode is terminated by ``done`` or ``fail`` and truncated when the task's
    step budget is used up. The environment does not use the TimeLimit wrapper, because the budget
    differs between tasks.

    With ``"dense"`` reward, every step pays the change of the score, so that the return equals the
    final score; with ``"sparse"``, the last step pays the final score. The document is scored when
    it changed and no text edit is open. The last step commits an open edit and scores once more. If
    the deck was closed, the file on disk is scored. An invalid action does nothing but counts as a
    step; ``info["action_error"]`` gives the reason.

    If the machine fails, the step is truncated with reward 0 and ``info["infra_error"]``,
    ``info["score"]`` is the last known score, and the next `reset` starts a new machine. If the
    rubric is unscored, ``info["score"]`` is also the last known score and
    ``info["rubric"]["score"]`` is None.

    If the machine supports it, `checkpoint` saves an episode, and `restore` and `fork` continue it.

    Args:
        task: A task, its id, or the path of its file or folder; None draws one from the suite at
            every reset.
        suite: The tasks to draw from: a name, or the path of a folder of tasks.
        machine: One of `pptarena.envs.machines.MACHINES`, a machine class, or a machine, which
            `close` then closes.
        reward: ``"dense"`` or ``"sparse"``.
        width_px: Width of the screen.
        height_px: Height of the screen.
        render_mode: ``"rgb_array"`` (the last screenshot), ``"human"`` (a window, which needs a
            display and tkinter), ``"ansi"`` (score and elements) or None.
        max_steps: Step budget of every episode; None uses those of `budget`.
        budget: ``"task"`` uses each task's own step budget, ``"level"`` those of ProSoftArena by
            capability level (35, 55, 100 and 55 for L1 to L4).
        wording: Wording of the instructions: ``"first"``; ``"any"`` draws one of the task's
            wordings at every reset; or the number of a wording, from 1. ``info["wording"]`` is the
            number of the wording in use.
        judge: Judge of judged leaves: settings, ``"environment"`` (PPTARENA_JUDGE_*) or None.
        judge_when: ``"end"`` asks at an episode's last step only, ``"change"`` at every change.
        look: ``"end"`` renders the changed slides at the last step, ``"never"`` does not.
        start_attempts: Number of attempts of `reset` to start the machine. The vector environment
            and recorded runs, which repeat failed resets themselves, use 1.
        answer: Source of answers to the action ``ask``: None uses the task's answers or else a
            fixed sentence; ``"person"`` prompts on the terminal; or a function of task and
            question. The answer is in ``info["command"]["answer"]``.
        score_when: ``"change"`` scores the document after every change, ``"end"`` at the last
            step only, which is faster.
        elements: ``"tree"`` takes the elements from the accessibility tree, ``"pixels"`` from
            detectors that see the screenshot alone, ``"both"`` merges them; see
            docs/guides/pixels.md.
        detectors: Detectors of ``"pixels"`` and ``"both"``: ``"text"``, ``"boxes"``,
            ``"icons:FILE"`` with a file of weights, or `pptarena.envs.pixels.Detector` objects.
        machine_options: Other settings of the machine, see docs/concepts/machines.md.

    Raises:
        ConfigError: If an argument has a value that is not allowed.
        UnknownTaskError: If no task or suite has that name.
        TaskError: If a task file is malformed.

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
        task: str | Path | Task | None = None,
        suite: str | Path = "starter",
        machine: str | type[Machine] | Machine = "auto",
        reward: str = "dense",
        width_px: int = 1280,
        height_px: int = 720,
        render_mode: str | None = None,
        max_steps: int | None = None,
        budget: str = "task",
        wording: int | str = "first",
        judge: JudgeConfig | str | None = "environment",
        judge_when: str = "end",
        look: str = "end",
        start_attempts: int = 3,
        answer: Callable[[Task, str], str] | str | None = None,
        score_when: str = "change",
        elements: str = "tree",
        detectors: Sequence[str | Detector] = DETECTORS,
        **machine_options: Any,
    ) -> None:
        self._arguments: dict[str, Any] = {
            "task": task, "suite": suite, "machine": machine, "reward": reward,
            "width_px": width_px, "height_px": height_px, "render_mode": render_mode,
            "max_steps": max_steps, "budget": budget, "wording": wording, "judge": judge,
            "judge_when": judge_when, "look": look, "start_attempts": start_attempts,
            "answer": answer, "score_when": score_when, "elements": elements,
            "detectors": detectors,
            **machine_options,
        }  # fmt: skip
        EzPickle.__init__(self, **self._arguments)
        self.config, machine_instance = env_config(self._arguments)
        self._sampler = TaskSampler(candidate_tasks(task, suite), self.config.wording)
        self.observation_space = observation_space(width_px, height_px)
        self.action_space = action_space()
        modes = supported_modes(render_mode, self.metadata["render_modes"])
        self.metadata = {**self.metadata, "render_modes": modes}  # type: ignore[misc]
        self.render_mode = render_mode
        self._answer = answer_function(answer)
        self._grading = Grading.of(self.config, _BASELINES, office=machine_instance.runs_office)
        self._session = Session(
            machine_instance,
            (width_px, height_px),
            self.config.start_attempts,
            self.config.pixel_tree(),
        )
        self._window = Window()

    @property
    def machine(self) -> Machine:
        """The machine that runs the episodes; it starts with the first reset."""
        return self._session.machine

    @property
    def tasks(self) -> Sequence[Task]:
        """The tasks that `reset` draws from, or the given task."""
        return self._sampler.tasks

    @property
    def task(self) -> Task | None:
        """The task of the current episode, None before the first reset."""
        return self._session.episode.task if self._session.episode else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: Seed of the generator that draws the task and, if asked for, the wording.
            options: ``{"task": id}`` (or ``"task_id"``; also a path or a `Task`) selects the task;
                ``{"wording": number}`` (or ``"first"``, ``"any"``) selects the wording.

        Raises:
            ClosedEnvironmentError: If the environment is closed.
            ConfigError: If `options` has other keys, or a value that is not allowed.
            UnknownTaskError: If no task has that id.
            TaskError: If the task lacks the wording.
            DeckError: If the application cannot open the task's deck.
            MachineStartError: If the machine does not start.
        """
        self._session.require_open()
        super().reset(seed=seed)
        started = time.perf_counter()
        self._session.over = True
        task = self._sampler.choose(options or {}, self.np_random)
        episode = self._session.begin(task, self._grading)
        self._session.over = False
        return self._reply(episode, started)

    def step(
        self, action: Action | Mapping[str, Any]
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Execute one action; see the class for rewards, termination and errors.

        Args:
            action: An `Action`, an action as JSON (``{"kind": "click", "element": 7}``), or an
                element of the action space. Anything else is refused with ``info["action_error"]``.
        """
        episode = self._session.require_episode(running=True)
        started, before = time.perf_counter(), episode.score
        outcome = episode.take_step(
            action, self._answer, self._budget(episode.task), self.config.score_when
        )
        if outcome.failure is not None:
            level = logging.INFO if self._session.closed else logging.WARNING
            _log.log(level, "the machine failed in task %s: %s", episode.task.id, outcome.failure)
        self._session.over = outcome.terminated or outcome.truncated
        reward = 0.0 if outcome.failure else self._reward(before, episode.score)
        observation, info = self._reply(episode, started, outcome.errors)
        return observation, reward, outcome.terminated, outcome.truncated, info

    def render(self) -> NDArray[np.uint8] | str | None:
        """Return the last screenshot or the text view; in mode ``"human"``, show it."""
        episode = self._session.require_episode()
        if self.render_mode == "rgb_array":
            return episode.observed.screenshot.copy()
        if self.render_mode == "ansi":
            return text_view(episode, self._budget(episode.task))
        if self.render_mode == "human":
            self._window.show(episode.observed.screenshot, f"pptarena: {episode.task.id}")
        return None

    def original_deck(self) -> bytes:
        """Return the task's deck as the application saves it unchanged, a .pptx file.

        Raises:
            UnscoredError: If it could not be stored on disk.
        """
        return self._session.require_episode().original_deck()

    def turn_decks(self) -> tuple[bytes, ...]:
        """Return the deck at the end of each earlier turn, as .pptx files.

        Raises:
            UnscoredError: If a deck could not be stored on disk.
        """
        return self._session.require_episode().turn_decks()

    def close(self) -> None:
        """Stop the machine and close the window. Later calls do nothing."""
        self._window.close()
        self._grading.close()
        self._session.close()

    def last(self) -> tuple[Observation, dict[str, Any]]:
        """Return the last observation and info again, for example the first of a fork.

        Raises:
            ResetNeeded: If there was no `reset` yet.
        """
        episode = self._session.require_episode()
        return episode.observation(), self._info(episode)

    def checkpoint(self) -> Checkpoint:
        """Return the current state, to `restore` or `fork` later; the episode is unaffected.

        Raises:
            ConfigError: If the machine does not support checkpoints; nothing was done.
            ResetNeeded: If there was no `reset` yet.
            MachineError: If the machine failed.
        """
        return self._session.checkpoint(self.rng_state)

    def restore(self, checkpoint: Checkpoint) -> tuple[Observation, dict[str, Any]]:
        """Restore a checkpoint (task, steps, score, generator) and return a new observation.

        It works at any time: before `reset`, after the episode's end, after the machine was lost,
        and with checkpoints of other environments with this machine type and screen size.

        Raises:
            ClosedEnvironmentError: If the environment is closed.
            ConfigError: If the checkpoint cannot be restored here; nothing was done.
            MachineStartError: If the machine does not start; the call can be retried.
        """
        started = time.perf_counter()
        episode = self._session.restore(checkpoint)
        self.rng_state = checkpoint.rng_state
        return self._reply(episode, started)

    def fork(self, count: int, checkpoint: Checkpoint | None = None) -> list[Self]:
        """Return `count` environments that continue from a checkpoint (default: current state).

        Each has its own machine and the arguments of this environment; they share no state and must
        be closed separately. `last` returns the first observation of each, made on its own machine.

        Raises:
            ConfigError: If the machine does not support checkpoints, or `restore` would refuse the
                checkpoint.
            ResetNeeded: If there was no `reset` yet.
            MachineError: If a machine does not start; those that did are closed.
        """
        require_count(count)
        if checkpoint is None:
            with self.checkpoint() as current_state:
                return self.fork(count, current_state)
        self._session.require_restorable(checkpoint)
        return start_all(functools.partial(self._fork, checkpoint), count)

    def _fork(self, checkpoint: Checkpoint) -> Self:
        session = self._session.fork(checkpoint)
        try:
            env = type(self)(**arguments_for_machine(self._arguments, session.machine))
        except BaseException:
            session.close()
            raise
        EzPickle.__init__(env, **self._arguments)
        env._arguments, env._session = self._arguments, session
        env.rng_state = checkpoint.rng_state
        return env

    @property
    def rng_state(self) -> RngState:
        """A copy of the state that determines the next task draws; no reset may run meanwhile."""
        return RngState(copy.deepcopy(self.np_random), self.np_random_seed)

    @rng_state.setter
    def rng_state(self, rng_state: RngState) -> None:
        self.np_random = copy.deepcopy(rng_state.generator)
        self._np_random_seed = rng_state.seed

    def _reply(
        self, episode: Episode, started: float, errors: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[Observation, dict[str, Any]]:
        episode.errors = errors
        if self.render_mode == "human":
            self.render()
        observation = episode.observation()
        episode.timing["total"] = time.perf_counter() - started
        return observation, self._info(episode)

    def _info(self, episode: Episode) -> dict[str, Any]:
        steps_left = max(0, self._budget(episode.task) - episode.steps)
        return {**episode.info(), "steps_left": steps_left}

    def _budget(self, task: Task) -> int:
        return self.config.steps(task)

    def _reward(self, before: float, after: float) -> float:
        if self.config.reward == "dense":
            return after - before
        return after if self._session.over else 0.0


def base_env(env: gym.Env[Any, Any]) -> PPTArenaEnv:
    """Return the pptarena environment inside all wrappers.

    Raises:
        ConfigError: If the innermost environment is not a pptarena environment.
    """
    base = env.unwrapped
    if not isinstance(base, PPTArenaEnv):
        raise ConfigError(f"expected a PPTArena environment, got {type(base).__name__}")
    return base
