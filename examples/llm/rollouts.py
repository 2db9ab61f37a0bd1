"""Rollouts: a pool of processes plays answers in document environments.

An episode is one answer of the model: several calls, one per line, the last one `done()`. Every
process caches the checkpoints of its tasks, so that the answers of a group start from one state.
"""

import json
import os
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any

from pptarena.files import atomic_write

SOLVED = 0.999


@dataclass(frozen=True)
class Row:
    """A task in the format that `tasks.py` writes.

    Attributes:
        task: Its id.
        split: Its split.
        operator: The requested edit.
        suite: Its suite file.
        messages: The first request to the model.
        answer: The expert's answer; empty if there is none.
        score: The score of the expert's answer.
    """

    task: str
    split: str
    operator: str
    suite: str
    messages: list[dict[str, str]]
    answer: str = ""
    score: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """The result of an answer.

    Attributes:
        score: The final score in [0, 1].
        calls: Number of executed calls.
        error: Why the answer was refused or ended early; empty if neither.
        parsed: Whether the answer contains a call.
        rewards: The dense reward of every call, including refused calls; the sum is the score.
    """

    score: float
    calls: int
    error: str = ""
    parsed: bool = True
    rewards: tuple[float, ...] = ()


def read_rows(path: Path, split: str, count: int | None = None) -> list[Row]:
    """Return the first `count` rows of a split whose answers solve their tasks."""
    rows = all_rows(path)
    return [row for row in rows if row.split == split and row.score >= SOLVED][:count]


def all_rows(path: Path) -> list[Row]:
    """Return all rows of a file."""
    with path.open(encoding="utf-8") as file:
        return [Row(**json.loads(line)) for line in file]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as JSON lines; an interrupted write keeps the old file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.writelines(f"{json.dumps(asdict(row), ensure_ascii=False)}\n".encode() for row in rows)


class Players:
    """Processes with one document environment each; a task always runs in the same process."""

    def __init__(self, processes: int) -> None:
        context = get_context("spawn")
        self._executors = [
            ProcessPoolExecutor(1, context, initializer=_end_with_parent) for _ in range(processes)
        ]
        for (
            executor
        ) in self._executors:  # starts the processes early, while the model loads or generates
            executor.submit(_warm_up)

    def play(self, rows: Sequence[Row], answers: Sequence[Sequence[str]]) -> list[list[Outcome]]:
        """Play the answers of every task; equal answers are played once."""
        futures: list[Future[dict[str, Outcome]]] = [
            self._process(row).submit(_play, row.suite, row.task, tuple(sorted(set(group))))
            for row, group in zip(rows, answers, strict=True)
        ]
        outcomes = [future.result() for future in futures]
        return [
            [by_answer[text] for text in group]
            for by_answer, group in zip(outcomes, answers, strict=True)
        ]

    def experts(self, suite: Path, tasks: Sequence[str]) -> list[Row]:
        """Return the rows of tasks, with the expert's answer and its score."""
        executors = [self._executors[index % len(self._executors)] for index in range(len(tasks))]
        futures = [
            executor.submit(_expert, str(suite), task)
            for executor, task in zip(executors, tasks, strict=True)
        ]
        return [future.result() for future in futures]

    def close(self) -> None:
        """Stop the processes."""
        for executor in self._executors:
            executor.shutdown(cancel_futures=True)

    def _process(self, row: Row) -> ProcessPoolExecutor:
        return self._executors[zlib.crc32(row.task.encode()) % len(self._executors)]


class _TaskEnvironment:
    """The environment of a process, and the checkpoints of tasks."""

    def __init__(self, suite: str) -> None:
        from pptarena.envs.document import PPTArenaDocEnv

        self.env = PPTArenaDocEnv(suite=suite, tools=("edit",), view="compact", judge=None)
        self._checkpoints: dict[str, Any] = {}

    def restore_start(self, task: str) -> None:
        """Restore or create the initial state of a task."""
        if task in self._checkpoints:
            self.env.restore(self._checkpoints[task])
            return
        self.env.reset(seed=0, options={"task": task})
        self._checkpoints[task] = self.env.checkpoint()


_ENVIRONMENTS: dict[str, _TaskEnvironment] = {}


def _end_with_parent() -> None:
    """End this process when its parent is killed; pools leave their processes waiting."""

    def watch() -> None:
        if (parent := parent_process()) is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def _warm_up() -> None:
    import pptarena.agents.goal_agent
    import pptarena.envs.document  # noqa: F401


def _environment(suite: str) -> _TaskEnvironment:
    if suite not in _ENVIRONMENTS:
        _ENVIRONMENTS[suite] = _TaskEnvironment(suite)
    return _ENVIRONMENTS[suite]


def _play(suite: str, task: str, answers: tuple[str, ...]) -> dict[str, Outcome]:
    environment, outcomes = _environment(suite), {}
    for answer in answers:
        environment.restore_start(task)
        outcomes[answer] = _play_answer(environment.env, answer)
    return outcomes


def _play_answer(env: Any, answer: str) -> Outcome:
    from pptarena.agents.model.compact_calls import parse_compact_calls
    from pptarena.envs.document import ToolCall
    from pptarena.errors import ActionError

    try:
        calls = parse_compact_calls(answer)
    except ActionError as problem:
        return Outcome(0.0, 0, str(problem), parsed=False)
    executed, score, error = 0, 0.0, ""
    rewards: list[float] = []
    for call in [*calls, ToolCall.of("done")]:
        _, reward, terminated, truncated, info = env.step(call)
        error, score = info["action_error"] or info["infra_error"] or "", float(info["score"])
        rewards.append(float(reward))
        if error or terminated or truncated:
            break
        executed += 1
    return Outcome(score, executed, error, rewards=tuple(rewards))


def call_indices(answer: str) -> list[int]:
    """Return for every line of an answer the index of its call; text counts to the next call."""
    from pptarena.agents.dialects.call_lines import parse_lines
    from pptarena.errors import DialectError

    indices, index = [], 0
    for line in answer.split("\n"):
        indices.append(index)
        try:
            index += len(parse_lines(line))
        except DialectError:
            continue
    return indices


def _expert(suite: str, task_id: str) -> Row:
    from pptarena.agents.goal_agent import goal_calls
    from pptarena.agents.model.compact_calls import first_messages, render_calls
    from pptarena.envs.document import ToolCall
    from pptarena.errors import AgentError

    environment = _environment(suite)
    observation, _ = environment.env.reset(seed=0, options={"task": task_id})
    task = environment.env.task
    assert task is not None, "the environment was reset"
    messages = first_messages(environment.env.tools(), task.instruction, observation["outline"])
    operator = str(task.grown["operators"][0])
    row = Row(task_id, str(task.grown["split"]), operator, suite, messages)
    try:
        answer = render_calls([*goal_calls(task), ToolCall.of("done")])
    except AgentError:
        return row
    return Row(
        **{**asdict(row), "answer": answer, "score": _play_answer(environment.env, answer).score}
    )
