"""Run one episode on a screen or a document, and record it."""

import contextlib
import dataclasses
import json
import logging
import platform
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Protocol

import gymnasium as gym
import numpy as np

import pptarena
from pptarena.agents.base import RecordingAgent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.charset import sanitize
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.call import as_call
from pptarena.envs.document.toolbox import ASK
from pptarena.envs.ppt_arena import base_env
from pptarena.errors import (
    ActionError,
    AgentError,
    DeckError,
    EndpointClosedError,
    EndpointError,
    MachineError,
    UnscoredError,
)
from pptarena.rollouts.aim import Aim, aim_of
from pptarena.rollouts.best_of import Proposals
from pptarena.rollouts.env import EnvFacts, env_facts
from pptarena.rollouts.env_options import recorded_options
from pptarena.rollouts.episode import (
    AGENT,
    DOCUMENT,
    MAX_RESULT,
    NO_SCREEN,
    EpisodeMeta,
    StepRecord,
    StoredEpisode,
)
from pptarena.rollouts.episode_files import OUTLINE
from pptarena.rollouts.live.env import station_of
from pptarena.rollouts.live.person import with_live_control
from pptarena.rollouts.live.station import Help
from pptarena.rollouts.store import EpisodeWriter
from pptarena.rollouts.task_digest import task_digest
from pptarena.rollouts.turn_files import turn_files
from pptarena.tasks import Task

__all__ = ["play", "versions"]

_log = logging.getLogger(__name__)

_MAX_TRACEBACK = 4_000
_MAX_REPLY, _MAX_CALL = 200, 2_000

Info = Mapping[str, Any]
Observation = Mapping[str, Any]
OnStep = Callable[[StepRecord], None]


class _ActingAgent(Protocol):
    """An agent of either environment: it returns actions or tool calls."""

    def reset(self, info: Info, seed: int) -> None: ...

    def act(self, observation: Observation, info: Info) -> Any: ...


def versions() -> dict[str, str]:
    """Return the versions to store in the record of an episode."""
    return {
        "pptarena": pptarena.__version__,
        "python": platform.python_version(),
        "gymnasium": gym.__version__,
        "numpy": np.__version__,
    }


def play(
    env: gym.Env[Any, Any],
    agent: _ActingAgent,
    *,
    agent_name: str,
    task: Task,
    seed: int,
    folder: Path,
    failed_folder: Path,
    attempt: int = 1,
    on_step: OnStep = lambda step: None,
) -> StoredEpisode:
    """Run one episode and store it.

    If the agent raises an exception, the episode ends as if it had chosen ``done``, so the current
    document is scored. The record contains the message of an `AgentError`, or the traceback of any
    other exception. A reply without a valid action is a refused step.

    If a wrapper of the environment is a `LiveEnv`, a person can watch and help in the live page.

    An episode on a document is stored like one on a screen, without pictures. ``traj.jsonl`` has
    each call, with its result, in ``call``; ``outline.txt`` is the deck's outline of the first
    observation.

    Args:
        env: A pptarena environment, with a screen or on a document.
        agent: The agent, which returns actions or tool calls.
        agent_name: Name of the agent in the record.
        task: The task.
        seed: Seed of the environment and of the agent.
        folder: Folder of the episode.
        failed_folder: Folder of the episode if the infrastructure fails.
        attempt: Number of this attempt, from 1.
        on_step: Called after every step.

    Returns:
        The episode; `infra_error` is set in its metadata if the machine or the service failed.

    Raises:
        EndpointClosedError: If the service would also fail in the next episode; this episode is
            not stored.
    """
    with EpisodeWriter(folder) as writer:
        on_document = isinstance(env.unwrapped, PPTArenaDocEnv)
        episode_class = _DocumentEpisode if on_document else _ScreenEpisode
        episode = episode_class(env, agent, agent_name, task, writer, on_step)
        episode.run(seed)
        meta = episode.meta(agent_name, seed, attempt)
        target = folder if meta.infra_error is None else failed_folder
        return StoredEpisode(writer.finish(meta, episode.rubric, episode.files, target), meta)


class _Episode(ABC):
    """One running episode."""

    _failures: ClassVar[tuple[type[Exception], ...]]  # of the infrastructure

    def __init__(
        self,
        env: gym.Env[Any, Any],
        agent: _ActingAgent,
        agent_name: str,
        task: Task,
        writer: EpisodeWriter,
        on_step: OnStep,
    ) -> None:
        self._env, self._task = env, task
        self._base: Any = env.unwrapped
        self._station = station_of(env)
        self._agent = with_live_control(agent, self._station, agent_name)
        self._own_help = Help()
        self._writer, self._on_step = writer, on_step
        self._started_at = _now()
        self._score: float | None = None
        self._total_reward = 0.0
        self._steps = self._refused = self._questions = 0
        self._instruction, self._wording = task.instruction, task.wording
        self._end = "infra"
        self._infra_error: str | None = None
        self._agent_error: str | None = None
        self._overload: str | None = None
        self._reset_sec = self._run_sec = self._agent_sec = 0.0
        self.rubric: dict[str, Any] | None = None
        self.files: dict[str, bytes] = {}

    def run(self, seed: int) -> None:
        """Run to the end; a failure of the infrastructure is recorded, not raised."""
        start_sec = time.perf_counter()
        try:
            observation: Observation
            info: Info
            observation, info = self._env.reset(seed=seed, options={"task": self._task})
            self._reset_sec = time.perf_counter() - start_sec
            self._instruction, self._wording = info["instruction"], info["wording"]
            self._store_start(observation)
            self._call_agent(lambda: self._agent.reset(info, seed))
            is_over = False
            while not is_over:
                observation, info, is_over = self._step(observation, info)
            self._run_sec = time.perf_counter() - start_sec - self._reset_sec
            self._store_end(observation, info)
        except EndpointClosedError:
            raise  # the next episode would fail too
        except self._failures as error:
            self._infra_error = f"{type(error).__name__}: {error}"
        if isinstance(self._agent, RecordingAgent):
            self.files = {**self._agent.record(), **self.files}
        if self._infra_error is not None:
            self._end, self._score = "infra", None

    def meta(self, agent_name: str, seed: int, attempt: int) -> EpisodeMeta:
        """Return the metadata of the episode."""
        task, facts = self._task, self._facts()
        return EpisodeMeta(
            agent=agent_name,
            task=task.id,
            suite=task.suite,
            difficulty=task.difficulty,
            level=task.level,
            edit_types=tuple(task.edit_types),
            feasible=task.feasible,
            instruction=self._instruction,
            seed=seed,
            attempt=attempt,
            score=self._score,
            total_reward=self._total_reward,
            steps=self._steps,
            end=self._end,
            infra_error=self._infra_error,
            agent_error=self._agent_error,
            overload=self._overload,
            started_at=self._started_at,
            reset_sec=round(self._reset_sec, 4),
            run_sec=round(self._run_sec, 4),
            agent_sec=round(self._agent_sec, 4),
            machine=facts.machine,
            application=facts.application,
            screen=facts.screen,
            reward=facts.reward,
            max_steps=self._base.config.steps(task),
            versions=versions(),
            task_place=task.place,
            task_digest=task_digest(task),
            refused=self._refused,
            wording=self._wording,
            questions=self._questions,
            env_options=recorded_options(self._env),
            help=self._help.to_json(),
        )

    @property
    def _help(self) -> Help:
        """The help in this episode; a station counts from the reset."""
        return self._own_help if self._station is None else self._station.help

    @abstractmethod
    def _facts(self) -> EnvFacts:
        """Return the environment's facts for the record."""

    @abstractmethod
    def _store_start(self, observation: Observation) -> None:
        """Store the original deck."""

    @abstractmethod
    def _store_end(self, observation: Observation, info: Info) -> None:
        """Store the final deck; scoring is over, so saving cannot affect it."""

    @abstractmethod
    def _env_input(
        self, reply: object, observation: Observation, info: Info
    ) -> tuple[Any, dict[str, Any]]:
        """Return the environment's input, and the fields of the step's record that describe it."""

    @abstractmethod
    def _result_fields(self, sent: Any, outcome: Info) -> dict[str, Any]:
        """Return the fields of the step's record that describe its result."""

    @abstractmethod
    def _is_question(self, record: StepRecord, outcome: Info) -> bool:
        """Return whether the agent asked a question."""

    def _step(self, observation: Observation, info: Info) -> tuple[Observation, Info, bool]:
        agent_sec = self._agent_sec
        reply = self._call_agent(lambda: self._agent.act(observation, info))
        sent, input_fields = self._env_input(reply, observation, info)
        timestamp = _now()
        next_observation, reward, terminated, truncated, outcome = self._env.step(sent)
        record = StepRecord(
            step=self._steps,
            action_timestamp=timestamp,
            reward=float(reward),
            score=_score(outcome),
            terminated=bool(terminated),
            truncated=bool(truncated),
            action_error=outcome["action_error"],
            timing={**outcome["timing"], "agent": self._agent_sec - agent_sec},
            by=getattr(self._agent, "actor", AGENT),
            confirmation=outcome.get("confirmation"),
            **input_fields,
            **self._result_fields(sent, outcome),
        )
        self._help.count_confirmation(record.confirmation)
        self._questions += self._is_question(record, outcome)
        self._record(record, outcome)
        return next_observation, outcome, record.terminated or record.truncated

    def _call_agent(self, call: Callable[[], object]) -> object:
        """Return the agent's reply; None once the agent cannot continue."""
        if self._agent_error is not None:
            return None
        start_sec = time.perf_counter()
        try:
            return call()
        except EndpointError:
            raise
        except AgentError as error:
            self._agent_error = str(error)
            return None
        except Exception as error:  # noqa: BLE001 - ends the episode, not the run
            _log.warning("the agent failed: %s: %s", type(error).__name__, error)
            self._agent_error = traceback.format_exc()[-_MAX_TRACEBACK:]
            return None
        finally:
            self._agent_sec += time.perf_counter() - start_sec

    def _record(self, record: StepRecord, outcome: Info) -> None:
        self._writer.add(record, outcome["rubric"])
        self._steps += 1
        self._refused += record.action_error is not None
        self._total_reward += record.reward
        self._score, self.rubric = record.score, outcome["rubric"]
        self._infra_error, self._overload = outcome["infra_error"], outcome["overload"]
        self._end = record.action.kind if record.terminated else "budget"
        if self._overload is not None:
            self._end = "overload"
        elif self._agent_error is not None:
            self._end = "agent_error"
        self._on_step(record)


class _ScreenEpisode(_Episode):
    _failures = MachineError, EndpointError

    def _facts(self) -> EnvFacts:
        return env_facts(self._env)

    def _store_start(self, observation: Observation) -> None:
        with contextlib.suppress(UnscoredError):  # the report shows that it is missing
            # Do not save here: saving would leave traces in the episode.
            self.files["original.pptx"] = base_env(self._env).original_deck()

    def _store_end(self, observation: Observation, info: Info) -> None:
        self._writer.observe("final", observation["screenshot"], info["a11y"])
        base = base_env(self._env)
        self.files |= turn_files(base.turn_decks)
        if self._infra_error is not None:
            return  # a failed machine cannot save
        try:
            use_snapshot = self._overload is not None
            deck = (
                base.machine.saved_file() if use_snapshot else base.machine.save(commit_edit=True)
            )
        except MachineError as error:
            _log.warning("the final deck is not stored: %s", error)
        else:
            self.files["final.pptx"] = deck

    def _env_input(
        self, reply: object, observation: Observation, info: Info
    ) -> tuple[Any, dict[str, Any]]:
        if self._agent_error is not None:
            reply = actions.done()
        elif isinstance(reply, Proposals):
            reply = reply.best(self._env)
        action, sent = _parse_reply(reply)
        picture, tree = self._writer.observe(
            f"step_{self._steps:03d}", observation["screenshot"], info["a11y"]
        )
        return sent, {
            "action": dataclasses.replace(action, observation_id=0),
            "observation_id": int(info["observation_id"]),
            "screenshot_file": picture,
            "a11y_file": tree,
            "slide": _slide(info),
            "slide_count": int(info["document"]["slide_count"]),
            "clipboard": str(info["clipboard"]),
        }

    def _result_fields(self, sent: Any, outcome: Info) -> dict[str, Any]:
        return {"aim": aim_of(outcome["command"]), "command": outcome["command"]}

    def _is_question(self, record: StepRecord, outcome: Info) -> bool:
        return record.action.kind == "ask" and record.action_error is None


class _DocumentEpisode(_Episode):
    _failures = MachineError, DeckError, EndpointError

    def _facts(self) -> EnvFacts:
        return EnvFacts(DOCUMENT, "", NO_SCREEN, self._base.config.reward)

    def _store_start(self, observation: Observation) -> None:
        self.files["original.pptx"] = self._base.deck_bytes()
        self.files[OUTLINE] = str(observation["outline"]).encode("utf-8", "replace")

    def _store_end(self, observation: Observation, info: Info) -> None:
        if self._infra_error is None:
            self.files |= turn_files(self._base.turn_decks)
            self.files["final.pptx"] = self._base.deck_bytes()

    def _env_input(
        self, reply: object, observation: Observation, info: Info
    ) -> tuple[Any, dict[str, Any]]:
        sent = reply if self._agent_error is None else ToolCall.of("done")
        return sent, {
            "observation_id": self._steps,
            "screenshot_file": "",
            "a11y_file": "",
            "slide": None,
        }

    def _result_fields(self, sent: Any, outcome: Info) -> dict[str, Any]:
        tool = outcome["command"].get("tool", "")
        action = Action(tool if tool in ("done", "fail") else "wait")
        return {"action": action, "aim": Aim(), "call": _call_record(outcome, sent)}

    def _is_question(self, record: StepRecord, outcome: Info) -> bool:
        return bool(outcome["command"].get("tool") == ASK)


def _parse_reply(reply: object) -> tuple[Action, Any]:
    """Return the action of a reply for the record, and the input for the environment.

    A reply without a valid action is passed to the environment, which refuses it. Its record is a
    wait with the text of the reply.
    """
    try:
        action = actions.as_action(reply)
    except ActionError:
        return Action("wait", text=sanitize(repr(reply), _MAX_REPLY)), reply
    return action, action


def _refused_call(reply: Any) -> dict[str, Any]:
    """Return tool and arguments of a refused call as JSON; empty if the reply is not a call."""
    try:
        tool, arguments = as_call(reply)
    except ActionError:
        return {}
    texts = {"tool": tool, "arguments": arguments}
    return {"asked": {name: sanitize(text, _MAX_CALL) for name, text in texts.items()}}


def _call_record(outcome: Mapping[str, Any], reply: Any) -> dict[str, Any]:
    """Return a call for the record, whether executed or refused."""
    call = outcome["command"]
    if not call and "confirmation" in outcome:
        tool, arguments = as_call(reply)
        call = {"tool": tool, "arguments": json.loads(arguments)}
    if not call:
        return {"refused": sanitize(repr(reply), _MAX_CALL), **_refused_call(reply)}
    return {**call, "result": sanitize(outcome["result"], MAX_RESULT)}


def _score(info: Info) -> float | None:
    # The environment keeps the last known score if the rubric is unscored.
    return float(info["score"]) if info["rubric"].get("score") is not None else None


def _slide(info: Info) -> int | None:
    slide = info.get("document", {}).get("slide")
    return int(slide) if slide else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
