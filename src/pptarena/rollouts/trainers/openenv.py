"""The document environment as an OpenEnv server; ``pptarena image serve`` runs it.

OpenEnv's own clients connect to it, such as ``GenericEnvClient``. A client can name tasks of the
served suite only, never a file of this computer.
"""

from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError, ConfigError
from pptarena.rollouts.trainers.doc_session import DocSession
from pptarena.tasks import Task, list_tasks

__all__ = ["DocAction", "DocObservation", "OpenEnvDocEnvironment", "make_app"]


class DocAction(Action):  # type: ignore[misc]
    """A call of a tool."""

    tool: str = Field(description="Name of the tool")
    arguments: dict[str, Any] = Field(default_factory=dict, description="Its arguments, by name")


class DocObservation(Observation):  # type: ignore[misc]
    """The result of a call; ``reward`` is the change of the score."""

    task_id: str = Field(description="Id of the task")
    text: str = Field(description="Instruction and outline at first, then the result of the call")
    action_error: str | None = Field(default=None, description="Why the call was refused")
    score: float | None = Field(default=None, description="The final score, at the end")
    rubric: dict[str, Any] | None = Field(default=None, description="The scored rubric, at the end")
    tools: list[dict[str, Any]] | None = Field(default=None, description="All tools, at first")


class OpenEnvDocEnvironment(Environment):  # type: ignore[misc]
    """One session of a client, one episode after the other.

    Args:
        tasks: The tasks that clients may request.
        options: Arguments of `DocSession` and of its environment.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, tasks: tuple[Task, ...], options: dict[str, Any]) -> None:
        super().__init__()
        self._tasks = {task.id: task for task in tasks}
        self._session = DocSession(**options)
        self._state = State(step_count=0)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task: str | None = None,
        **more: Any,
    ) -> DocObservation:
        """Start an episode.

        Args:
            seed: Samples the task if none is named: equal seeds give equal tasks.
            episode_id: The client's id of the episode.
            task: Id of a task of the suite.
            more: Must be empty.

        Raises:
            ConfigError: If the suite has no such task, or there are other arguments.
        """
        if more:
            raise ConfigError(
                f"unknown arguments (expected seed, episode_id or task): {', '.join(sorted(more))}"
            )
        if task is None:
            rng = self._session.env.np_random if seed is None else _rng(seed)
            task = list(self._tasks)[int(rng.integers(len(self._tasks)))]
        if task not in self._tasks:
            raise ConfigError(f"expected the id of one of {len(self._tasks)} tasks, got {task!r}")
        text = self._session.begin(self._tasks[task], seed)
        self._state = State(episode_id=episode_id or uuid4().hex, step_count=0)
        return DocObservation(task_id=task, text=text, tools=self._session.env.tools())

    def step(
        self, action: DocAction, timeout_s: float | None = None, **more: Any
    ) -> DocObservation:
        """Execute one call.

        Raises:
            ConfigError: If no episode has started.
            MachineError: If the infrastructure failed: this episode has no score.
        """
        if self._state.episode_id is None:
            raise ConfigError("no episode: call reset() before step()")
        error, text, count_before = None, "", len(self._session.steps)
        try:
            text = self._session.act(ToolCall(action.tool, action.arguments))
        except ActionError as refusal:
            error = str(refusal)
        is_over = self._session.over
        self._state.step_count = len(self._session.steps)
        return DocObservation(
            task_id=self._session.info["task_id"],
            text=text,
            action_error=error,
            reward=sum(step.reward for step in self._session.steps[count_before:]),
            done=is_over,
            score=self._session.score,
            rubric=self._session.info["rubric"] if is_over else None,
        )

    @property
    def state(self) -> State:
        """The id of the episode and its number of steps."""
        return self._state

    def close(self) -> None:
        """Close the environment."""
        self._session.close()


def make_app(suite: str | Path = "starter", sessions: int = 16, **options: Any) -> Any:
    """Return a FastAPI application that serves episodes.

    Args:
        suite: The tasks that clients may request: a name or the path of a folder.
        sessions: Maximum number of concurrent clients.
        options: Arguments of `DocSession` and of its environment.

    Raises:
        ConfigError: If an argument has a value that is not allowed.
        UnknownTaskError: If there is no such suite.
    """
    if sessions < 1:
        raise ConfigError(f"sessions: expected 1 or more, got {sessions}")
    DocSession(**options).close()  # report invalid options now, not to the first client
    make = partial(OpenEnvDocEnvironment, list_tasks(suite), options)
    return create_fastapi_app(make, DocAction, DocObservation, max_concurrent_envs=sessions)


def _rng(seed: int) -> Any:
    import numpy as np

    return np.random.default_rng(seed)
