"""`PPTArenaDocEnv`: edit a PowerPoint deck as a file by calling tools."""

import copy
import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

import gymnasium as gym
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import EzPickle

from pptarena.envs.answer_sources import answer_function
from pptarena.envs.arguments import candidate_tasks, judge_config, require_count
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.checkpoint import RngState
from pptarena.envs.config import EnvConfig
from pptarena.envs.document.call import ToolCall, action_space
from pptarena.envs.document.doc_checkpoint import DocCheckpoint
from pptarena.envs.document.doc_episode import DocEpisode
from pptarena.envs.document.observation import View
from pptarena.envs.document.saver import Saver
from pptarena.envs.document.slide_images import SlideImages
from pptarena.envs.document.tool import Tool
from pptarena.envs.document.toolbox import ASK, FAMILIES, toolbox
from pptarena.envs.grading import Grading
from pptarena.envs.machines.config import MachineConfig, field_names
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.envs.programs.programs import Programs
from pptarena.envs.task_sampler import TaskSampler
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig
from pptarena.suggestions import not_found
from pptarena.tasks import Task

__all__ = ["PPTArenaDocEnv"]

_BASELINES = BaselineStore()
_NO_ERRORS: Mapping[str, str] = MappingProxyType({})
Observation = dict[str, Any]


class PPTArenaDocEnv(gym.Env[Observation, "str | Mapping[str, Any] | ToolCall"], EzPickle):
    """Edit a deck as a file by calling tools, without a screen.

    Tasks, rubrics, scope, reward, budget and termination are those of `PPTArenaEnv`. An action is a
    `ToolCall`, its dict or its JSON, ``{"tool": "hide_slide", "arguments": {"slide": 256}}``;
    `tools` lists the tools. An observation consists of the instruction, an outline of the deck with
    the ids of slides and shapes, and the result of the last call. An invalid call changes nothing
    but counts as a step; ``info["action_error"]`` and the observation give the reason.

    Args:
        task: A task, its id, or the path of its file or folder; None draws one from the suite at
            every reset.
        suite: The tasks to draw from: a name, or the path of a folder of tasks.
        reward: ``"dense"`` or ``"sparse"``.
        tools: Families of tools: ``"edit"``, ``"program"``, ``"xml"``, ``"pptc"``, ``"pptc-lack"``,
            ``"pptc-update"``, or your own as ``"package.module:NAME"``.
        view: Content of ``outline``: ``"outline"``; ``"compact"``, the slides and shapes that the
            instruction is about in about 400 tokens; or ``"pptc"``, the text format of that
            benchmark.
        baseline: ``"document"`` scores the deck as it is; ``"application"`` scores it as saved by
            the office application of the machine image, as `PPTArenaEnv` does, which takes seconds.
        score_when: ``"change"`` scores after every change, ``"end"`` at the last step only.
        facts: Whether ``info["facts"]`` contains the facts of all slides as JSON.
        slides: Number of slide images in an observation, 0 to 64, rendered by the office
            application of the machine image. The slide named by the last call and changed slides
            come first.
        render_mode: ``"ansi"`` (task, score and outline) or None.
        max_steps: Step budget of every episode; None uses those of `budget`.
        budget: ``"task"`` uses each task's own step budget, ``"level"`` those of ProSoftArena by
            capability level (35, 55, 100 and 55 for L1 to L4).
        wording: Wording of the instructions: ``"first"``; ``"any"`` draws one of the task's
            wordings at every reset; or the number of a wording, from 1.
        judge: Judge of judged leaves: settings, ``"environment"`` (PPTARENA_JUDGE_*) or None.
        judge_when: ``"end"`` asks at an episode's last step only, ``"change"`` at every change.
        answer: Source of answers to the tool ``ask``, as for `PPTArenaEnv`. Episodes have the tool
            if the task has answers, or if `answer` is given; ``info["may_ask"]`` tells agents.

    Raises:
        ConfigError: If an argument has a value that is not allowed.
        ImageError: If ``"application"`` or slide images are requested without a machine image.
        UnknownTaskError: If no task or suite has that name.
        TaskError: If a task file is malformed.

    Example:
        >>> env = PPTArenaDocEnv(task="meridian-hide-backup")
        >>> obs, info = env.reset(seed=0)
        >>> call = ToolCall.of("hide_slide", slide=272)
        >>> obs, reward, terminated, truncated, info = env.step(call)
        >>> obs["result"], reward
        ('hidden', 1.0)
        >>> env.close()
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["ansi"],
        "render_fps": 10,
    }

    def __init__(
        self,
        task: str | Path | Task | None = None,
        suite: str | Path = "starter",
        reward: str = "dense",
        tools: Sequence[str] = FAMILIES,
        baseline: str = "document",
        score_when: str = "change",
        facts: bool = False,
        slides: int = 0,
        render_mode: str | None = None,
        max_steps: int | None = None,
        judge: JudgeConfig | str | None = "environment",
        judge_when: str = "end",
        view: str = "outline",
        budget: str = "task",
        wording: int | str = "first",
        answer: Callable[[Task, str], str] | str | None = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            raise ConfigError(_unknown_argument(next(iter(unknown))))
        self._arguments: dict[str, Any] = {
            "task": task, "suite": suite, "reward": reward, "tools": tools, "baseline": baseline,
            "score_when": score_when, "facts": facts, "slides": slides,
            "render_mode": render_mode, "max_steps": max_steps, "judge": judge,
            "judge_when": judge_when, "view": view, "budget": budget, "wording": wording,
            "answer": answer,
        }  # fmt: skip
        EzPickle.__init__(self, **self._arguments)
        _require_one_of("baseline", baseline, ("document", "application"))
        _require_one_of("score_when", score_when, ("change", "end"))
        _require_one_of("render_mode", render_mode, (None, "ansi"))
        _require_one_of("facts", facts, (False, True))
        self.config = EnvConfig(
            reward=reward,
            score_when=score_when,
            max_steps=max_steps,
            budget=budget,
            wording=wording,
            judge=judge_config(judge),
            judge_when=judge_when,
        )
        self.render_mode = render_mode
        self._view = View.of(view)
        self._images = None if slides == 0 else SlideImages(slides)
        self.observation_space = self._view.space(self._images)
        self.action_space = action_space()
        self._tools = toolbox(tools)
        self._tools_with_ask = toolbox((*tools, ASK))
        self._answer = answer_function(answer)
        self._saver = Saver.of(baseline)
        self._sampler = TaskSampler(candidate_tasks(task, suite), wording)
        self._grading = Grading.of(self.config, _BASELINES, office=self._saver.office)
        self._programs = Programs()
        self._episode: DocEpisode | None = None
        self._over = True
        self._closed = False

    @property
    def tasks(self) -> Sequence[Task]:
        """The tasks that `reset` draws from, or the given task."""
        return self._sampler.tasks

    @property
    def task(self) -> Task | None:
        """The task of the current episode, None before the first reset."""
        return self._episode.task if self._episode else None

    def tools(self) -> list[dict[str, Any]]:
        """Return name, description and JSON schema of every tool, in the format of model APIs.

        After the first reset, these are the tools of the current task.
        """
        return [tool.to_json() for tool in self._tools_for(self.task).values()]

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
            DeckError: If the task's deck cannot be read.
            MachineError: If the application that saves fails.
        """
        self._require_open()
        super().reset(seed=seed)
        started = time.perf_counter()
        self._over = True
        task = self._sampler.choose(options or {}, self.np_random)
        self._episode = DocEpisode.begin(
            *(task, self._grading, self._tools_for(task), self._saver, self._programs),
            *(self._view, self._images),
        )
        self._episode.prepare_observation()
        self._over = False
        return self._reply(self._episode, started)

    def step(
        self, action: str | Mapping[str, Any] | ToolCall
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Execute one call; see the class for rewards, termination and errors."""
        episode = self._require_episode(running=True)
        started, before = time.perf_counter(), episode.score
        outcome = episode.take_step(
            action, self._answer, self._budget(episode.task), self._arguments["score_when"]
        )
        self._over = outcome.terminated or outcome.truncated
        reward = 0.0 if outcome.failure else self._reward(before, episode.score)
        observation, info = self._reply(episode, started, outcome.errors)
        return observation, reward, outcome.terminated, outcome.truncated, info

    def render(self) -> str | None:
        """Return task, score and outline as text; None without a render mode."""
        episode = self._require_episode()
        if self.render_mode is None:
            return None
        task = f"Task {episode.task.id}: {episode.instruction}"
        progress = (
            f"Step {episode.steps} of {self._budget(episode.task)}, score {episode.score:.2f}"
        )
        return f"{task}\n{progress}\n{episode.outline()}"

    def close(self) -> None:
        """Stop the program sandbox and close the judge's connections. Later calls do nothing."""
        self._over = self._closed = True
        self._programs.close()
        self._grading.close()

    def deck_bytes(self) -> bytes:
        """Return the current document as a .pptx file.

        Raises:
            ResetNeeded: If there was no `reset` yet.
        """
        return self._require_episode().to_bytes()

    def turn_decks(self) -> tuple[bytes, ...]:
        """Return the deck at the end of each earlier turn, as .pptx files.

        Raises:
            ResetNeeded: If there is no episode yet.
            UnscoredError: If a deck could not be stored on disk.
        """
        return self._require_episode().turn_decks()

    def last(self) -> tuple[Observation, dict[str, Any]]:
        """Return the last observation and info again, for example the first of a fork.

        Raises:
            ResetNeeded: If there was no `reset` yet.
        """
        episode = self._require_episode()
        return episode.observation(), self._info(episode)

    def checkpoint(self) -> DocCheckpoint:
        """Return the current state, to `restore` or `fork` later; the episode is unaffected.

        Raises:
            ResetNeeded: If there was no `reset` yet.
        """
        self._require_open()
        state = self._require_episode().state()
        return DocCheckpoint(state, self._over, self._rng_state(), self._arguments["baseline"])

    def restore(self, checkpoint: DocCheckpoint) -> tuple[Observation, dict[str, Any]]:
        """Restore a checkpoint: its task, document, steps, score and generator.

        Raises:
            ClosedEnvironmentError: If the environment is closed.
            ConfigError: If `checkpoint` is not of a document environment with the same baseline.
        """
        if not isinstance(checkpoint, DocCheckpoint):
            raise ConfigError(f"expected a DocCheckpoint, got {type(checkpoint).__name__}")
        if checkpoint.baseline != self._arguments["baseline"]:
            raise ConfigError(
                f"expected a checkpoint with baseline={self._arguments['baseline']!r}, "
                f"got one with {checkpoint.baseline!r}"
            )
        self._require_open()
        started, rng_state = time.perf_counter(), checkpoint.rng_state
        tools = self._tools_for(checkpoint.episode.task)
        self._episode = DocEpisode.resume(
            *(checkpoint.episode, tools, self._saver, self._programs),
            *(self._view, self._images),
        )
        self._over = checkpoint.over
        self.np_random = copy.deepcopy(rng_state.generator)
        self._np_random_seed = rng_state.seed
        return self._reply(self._episode, started)

    def fork(self, count: int, checkpoint: DocCheckpoint | None = None) -> list[Self]:
        """Return `count` environments that continue from a checkpoint (default: current state).

        They share no mutable state and must be closed separately.

        Raises:
            ConfigError: If `restore` would refuse the checkpoint.
            ResetNeeded: If there was no `reset` yet.
        """
        require_count(count)
        self._require_open()
        start_state = self.checkpoint() if checkpoint is None else checkpoint
        forks = [type(self)(**self._arguments) for _ in range(count)]
        for env in forks:
            env.restore(start_state)
        return forks

    def _tools_for(self, task: Task | None) -> Mapping[str, Tool]:
        may_ask = self._arguments["answer"] is not None or (task is not None and task.answers)
        return self._tools_with_ask if may_ask else self._tools

    def _rng_state(self) -> RngState:
        return RngState(copy.deepcopy(self.np_random), self.np_random_seed)

    def _require_open(self) -> None:
        if self._closed:
            raise ClosedEnvironmentError("the environment is closed; make a new one")

    def _require_episode(self, *, running: bool = False) -> DocEpisode:
        if running:
            self._require_open()
        if self._episode is None or (running and self._over):
            raise ResetNeeded("no episode is running; call env.reset() first")
        return self._episode

    def _reply(
        self, episode: DocEpisode, started: float, errors: Mapping[str, str] = _NO_ERRORS
    ) -> tuple[Observation, dict[str, Any]]:
        episode.errors = errors
        observation = episode.observation()
        episode.timing["total"] = time.perf_counter() - started
        return observation, self._info(episode)

    def _info(self, episode: DocEpisode) -> dict[str, Any]:
        steps_left = max(0, self._budget(episode.task) - episode.steps)
        return {**episode.info(facts=bool(self._arguments["facts"])), "steps_left": steps_left}

    def _budget(self, task: Task) -> int:
        return self.config.steps(task)

    def _reward(self, before: float, after: float) -> float:
        if self.config.reward == "dense":
            return after - before
        return after if self._over else 0.0


def _unknown_argument(name: str) -> str:
    """Return the message for an unknown argument: it belongs to the screen, or similar names."""
    names = [
        parameter
        for parameter in inspect.signature(PPTArenaDocEnv).parameters
        if parameter != "unknown"
    ]
    reason = ""
    if name in inspect.signature(PPTArenaEnv).parameters or name in field_names(MachineConfig):
        reason = f"{name!r} is an argument of PPTArena-v0; PPTArenaDoc-v0 has no machine or screen."
    return not_found("argument", name, names, reason)


def _require_one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        hint = "; the document environment draws no screen" if name == "render_mode" else ""
        raise ConfigError(f"{name}: expected one of {allowed}, got {value!r}{hint}")
