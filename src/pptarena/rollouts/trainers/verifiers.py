"""The document environment for verifiers (and prime-rl): a taskset and its environment.

verifiers finds an environment by the name of a top-level module: ``pptarena_verifiers`` is this
one. In its configuration::

    [env.taskset]
    id = "pptarena_verifiers"
    suite = "extra"
"""

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from anyio import to_thread
from pydantic import Field

from pptarena.agents.model.document_calls import system_prompt
from pptarena.rollouts.trainers.doc_session import DocSession
from pptarena.rollouts.trainers.execute_reply import execute_reply
from pptarena.tasks import find_task, pick_tasks

__all__ = [
    "PPTArenaConfig",
    "PPTArenaData",
    "PPTArenaEnv",
    "PPTArenaEnvConfig",
    "PPTArenaTask",
    "PPTArenaTaskset",
]


class PPTArenaConfig(vf.TasksetConfig):  # type: ignore[misc]
    """The selection of tasks.

    Attributes:
        suite: A name or the path of a folder.
        tasks: Some of them by id or path; empty for all.
    """

    suite: str = "starter"
    tasks: list[str] = Field(default_factory=list)


class PPTArenaData(vf.TaskData):  # type: ignore[misc]
    """The location of a task."""

    place: str = ""


class PPTArenaTask(vf.Task[PPTArenaData]):  # type: ignore[misc]
    """A task; the environment scores it."""


class PPTArenaTaskset(vf.Taskset[PPTArenaTask, PPTArenaConfig]):  # type: ignore[misc]
    """The tasks of a suite."""

    def load(self) -> Iterator[PPTArenaTask]:
        """Yield them.

        Raises:
            UnknownTaskError: If there is no such suite or task.
        """
        for task in pick_tasks(self.config.tasks, self.config.suite):
            data = PPTArenaData(
                id=task.id, name=task.id, description=task.instruction, place=task.place
            )
            yield PPTArenaTask(data, self.config.task)


class PPTArenaEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """The settings of an episode.

    Attributes:
        player: The model; it replies with calls as JSON objects.
        tools: Families of tools.
        outline_chars: Maximum length of the deck's outline in the first message.
        max_turns: The episode is scored after this number of replies.
        options: Other arguments of `PPTArenaDocEnv`, such as ``max_steps`` and ``baseline``.
    """

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    tools: list[str] = Field(default_factory=lambda: ["edit"])
    outline_chars: int = 8_000
    max_turns: int = Field(20, ge=1)
    options: dict[str, Any] = Field(default_factory=dict)


class PPTArenaEnv(vf.Env[PPTArenaEnvConfig]):  # type: ignore[misc]
    """Runs episodes: takes replies with tool calls, returns the results of the tools.

    The trace's reward ``score`` is the rubric's, in [0, 1]. Its info has the scored ``rubric`` and
    ``turn_rewards``, the change of the score by each reply, for step-by-step credit assignment.
    """

    async def run(self, task: PPTArenaTask, agents: Any) -> None:
        """Run one episode.

        Raises:
            MachineError: If the infrastructure failed: this episode has no score.
        """
        config = self.config
        session = DocSession(tuple(config.tools), config.outline_chars, **config.options)
        try:
            first = await to_thread.run_sync(
                session.begin, find_task(str(task.data.id), task.data.place)
            )
            message = f"{system_prompt(session.env.tools())}\n\nThe task: {first}"
            rewards: list[float] = []
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn(message)
                while not segment.terminated:
                    message, reward = await to_thread.run_sync(
                        execute_reply, session, segment.last_reply
                    )
                    rewards.append(reward)
                    if session.over or len(rewards) >= config.max_turns:
                        break
                    segment = await interaction.turn(message)
            trace = interaction.trace
            if segment.terminated and trace.errors:
                return  # the service failed before the end, so there is no score
            count_before = len(session.steps)
            await to_thread.run_sync(session.finish)
            final_reward = sum(step.reward for step in session.steps[count_before:])
            if rewards:
                rewards[-1] += final_reward
            score = session.score
            if score is not None:  # an unscored episode has no number
                trace.record_reward("score", score)
            trace.record_metric("calls", float(len(session.steps)))
            trace.info["turn_rewards"] = rewards
            trace.info["rubric"] = session.info["rubric"]
        finally:
            session.close()
