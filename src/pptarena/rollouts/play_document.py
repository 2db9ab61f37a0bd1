"""Run one episode of the document environment and record it."""

import json
import logging
import time
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import gymnasium as gym

from pptarena.agents.base import RecordingAgent
from pptarena.envs.actions import Action
from pptarena.envs.charset import sanitise
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.call import as_call
from pptarena.envs.document.toolbox import ASK
from pptarena.errors import (
    ActionError,
    AgentError,
    DeckError,
    EndpointClosedError,
    EndpointError,
    MachineError,
)
from pptarena.rollouts.env_options import recorded_options
from pptarena.rollouts.episode import AGENT, EpisodeMeta, StepRecord, StoredEpisode
from pptarena.rollouts.live.env import station_of
from pptarena.rollouts.live.person import with_live_control
from pptarena.rollouts.live.station import Help
from pptarena.rollouts.play import versions
from pptarena.rollouts.points import Aim
from pptarena.rollouts.reading import OUTLINE
from pptarena.rollouts.store import EpisodeWriter
from pptarena.rollouts.task_digest import task_digest
from pptarena.rollouts.turn_files import turn_files
from pptarena.tasks import Task

__all__ = ["DOCUMENT", "IMPORTED", "MAX_RESULT", "NO_SCREEN", "play_document"]

DOCUMENT = "document"
"""The machine in the record of an episode without a screen."""
IMPORTED = "imported"
"""The machine in the record of an imported result, which has neither screen nor actions."""
NO_SCREEN = (1, 1)
"""The screen in that record, which must have a size."""
MAX_RESULT = 20_000
"""Most characters of a call's result in the record."""

_log = logging.getLogger(__name__)
_MAX_TRACEBACK = 4_000
_MAX_CALL = 2_000


class _CallingAgent(Protocol):
    def reset(self, info: Mapping[str, Any], seed: int) -> None: ...

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any: ...


def play_document(
    env: gym.Env[Any, Any],
    agent: _CallingAgent,
    *,
    agent_name: str,
    task: Task,
    seed: int,
    place: Path,
    failed_place: Path,
    attempt: int = 1,
    on_step: Callable[[StepRecord], None] = lambda step: None,
) -> StoredEpisode:
    """Run one episode on a document and store it like one with a screen, without pictures.

    Arguments, ends and failures are those of `pptarena.rollouts.play.play`; the agent returns
    calls. ``traj.jsonl`` has each call, with its result, in ``call``; ``outline.txt`` is the deck's
    outline of the first observation.
    """
    with EpisodeWriter(place) as writer:
        episode = _DocumentPlay(env, agent, agent_name, task, writer, on_step)
        episode.run(seed)
        meta = episode.meta(agent_name, seed, attempt)
        target = place if meta.infra_error is None else failed_place
        return StoredEpisode(writer.finish(meta, episode.rubric, episode.files, target), meta)


class _DocumentPlay:
    """One running episode."""

    def __init__(
        self,
        env: gym.Env[Any, Any],
        agent: _CallingAgent,
        agent_name: str,
        task: Task,
        writer: EpisodeWriter,
        on_step: Callable[[StepRecord], None],
    ) -> None:
        assert isinstance(env.unwrapped, PPTArenaDocEnv), "another environment has another player"
        self._env, self._base = env, env.unwrapped
        self._station = station_of(env)
        self._agent = with_live_control(agent, self._station, agent_name)
        self._own_help, self._questions = Help(), 0
        self._task = task
        self._writer, self._on_step = writer, on_step
        self._started_at = _now()
        self._score: float | None = None
        self._total_reward = 0.0
        self._steps, self._refused, self._end = 0, 0, "infra"
        self._instruction, self._wording = task.instruction, task.wording
        self._infra_error: str | None = None
        self._agent_error: str | None = None
        self._overload: str | None = None
        self._reset_sec = self._run_sec = self._agent_sec = 0.0
        self.rubric: dict[str, Any] | None = None
        self.files: dict[str, bytes] = {}

    def run(self, seed: int) -> None:
        """Run to the end; a failure of the infrastructure is recorded, not raised."""
        begin = time.perf_counter()
        try:
            observation, info = self._env.reset(seed=seed, options={"task": self._task})
            self._reset_sec = time.perf_counter() - begin
            self._instruction, self._wording = info["instruction"], info["wording"]
            self.files["original.pptx"] = self._base.deck_bytes()
            self.files[OUTLINE] = str(observation["outline"]).encode("utf-8", "replace")
            self._ask(lambda: self._agent.reset(info, seed))
            over = False
            while not over:
                observation, info, over = self._step(observation, info)
            self._run_sec = time.perf_counter() - begin - self._reset_sec
            if self._infra_error is None:
                self.files |= turn_files(self._base.turn_decks)
                self.files["final.pptx"] = self._base.deck_bytes()
        except EndpointClosedError:
            raise  # the next episode would get no answer either
        except (MachineError, DeckError, EndpointError) as error:
            self._infra_error = f"{type(error).__name__}: {error}"
        if isinstance(self._agent, RecordingAgent):
            self.files = {**self._agent.record(), **self.files}
        if self._infra_error is not None:
            self._end, self._score = "infra", None

    def meta(self, agent_name: str, seed: int, attempt: int) -> EpisodeMeta:
        """Return the facts of the episode."""
        task, config = self._task, self._base.config
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
            machine=DOCUMENT,
            application="",
            screen=NO_SCREEN,
            reward=config.reward,
            max_steps=config.steps(task),
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
        """The help in this episode; that of a station begins with the reset."""
        return self._own_help if self._station is None else self._station.help

    def _step(self, observation: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any], bool]:
        before_sec = self._agent_sec
        call = self._ask(lambda: self._agent.act(observation, info))
        if self._agent_error is not None:
            call = ToolCall.of("done")
        timestamp = _now()
        after, reward, terminated, truncated, outcome = self._env.step(call)
        known = outcome["command"]
        name = known.get("tool", "")
        end = name if name in ("done", "fail") else ""
        record = StepRecord(
            step=self._steps,
            action=Action(end) if end else Action("wait"),
            aim=Aim(),
            action_timestamp=timestamp,
            reward=float(reward),
            score=_score(outcome),
            terminated=bool(terminated),
            truncated=bool(truncated),
            action_error=outcome["action_error"],
            observation_id=self._steps,
            screenshot_file="",
            a11y_file="",
            slide=None,
            timing={**outcome["timing"], "agent": self._agent_sec - before_sec},
            call=_call(outcome, call),
            by=getattr(self._agent, "actor", AGENT),
            confirmation=outcome.get("confirmation"),
        )
        self._help.confirmed(record.confirmation)
        self._questions += name == ASK
        self._note(record, outcome, end)
        return after, outcome, record.terminated or record.truncated

    def _ask(self, question: Callable[[], Any]) -> Any:
        if self._agent_error is not None:
            return None
        begin = time.perf_counter()
        try:
            return question()
        except EndpointError:
            raise
        except AgentError as error:
            self._agent_error = str(error)
        except Exception as error:  # noqa: BLE001 - one episode's end, never that of a run
            _log.warning("the agent failed: %s: %s", type(error).__name__, error)
            self._agent_error = traceback.format_exc()[-_MAX_TRACEBACK:]
        finally:
            self._agent_sec += time.perf_counter() - begin
        return None

    def _note(self, record: StepRecord, outcome: Mapping[str, Any], end: str) -> None:
        self._writer.add(record, outcome["rubric"])
        self._steps += 1
        self._refused += record.action_error is not None
        self._total_reward += record.reward
        self._score, self.rubric = record.score, outcome["rubric"]
        self._infra_error, self._overload = outcome["infra_error"], outcome["overload"]
        self._end = end if record.terminated else "budget"
        if self._overload is not None:
            self._end = "overload"
        elif self._agent_error is not None:
            self._end = "agent_error"
        self._on_step(record)


def _asked(answer: Any) -> dict[str, Any]:
    """Return what a refused answer called, with the arguments as JSON; empty if it is no call."""
    try:
        tool, arguments = as_call(answer)
    except ActionError:
        return {}
    texts = {"tool": tool, "arguments": arguments}
    return {"asked": {name: sanitise(text, _MAX_CALL) for name, text in texts.items()}}


def _call(outcome: Mapping[str, Any], answer: Any) -> dict[str, Any]:
    """Return a call for the record, also one that a helper refused."""
    known = outcome["command"]
    if not known and "confirmation" in outcome:
        tool, arguments = as_call(answer)
        known = {"tool": tool, "arguments": json.loads(arguments)}
    if not known:
        return {"refused": sanitise(repr(answer), _MAX_CALL), **_asked(answer)}
    return {**known, "result": sanitise(outcome["result"], MAX_RESULT)}


def _score(info: Mapping[str, Any]) -> float | None:
    return float(info["score"]) if info["rubric"].get("score") is not None else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
