"""The document environment for SkyRL: an environment of `skyrl_gym`.

Importing this file registers it under the id ``pptarena``.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skyrl_gym import register
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
from skyrl_gym.envs.registration import registry

from pptarena.agents.model.document_calls import system_prompt
from pptarena.rollouts.trainers.doc_session import DocSession
from pptarena.rollouts.trainers.execute_reply import execute_reply
from pptarena.tasks import find_task, pick_tasks

__all__ = ["ENV_ID", "SkyRLDocEnv", "skyrl_rows"]

ENV_ID = "pptarena"
_SESSION_OPTIONS = (
    "tools",
    "outline_chars",
    "max_steps",
    "baseline",
    "score_when",
    "judge",
    "judge_when",
)


class SkyRLDocEnv(BaseTextEnv):  # type: ignore[misc]
    """One episode: takes replies with tool calls, returns the results of the tools.

    The reward of a turn is the change of the score by its calls, so the sum is the final score.

    Args:
        env_config: Arguments of `DocSession` and of its environment, by name: ``tools``,
            ``outline_chars``, ``max_steps``, ``baseline``, ``judge`` ...
        extras: The row: ``task``, ``place`` and optionally ``max_turns``.
    """

    def __init__(
        self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__()
        config, row = dict(env_config or {}), dict(extras or {})
        self._session = DocSession(
            **{name: config[name] for name in _SESSION_OPTIONS if name in config}
        )
        self._task, self._task_place = str(row["task"]), str(row.get("place") or "")
        self.max_turns = int(row.get("max_turns", 20))

    def init(
        self, prompt: Sequence[Mapping[str, Any]]
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Start the episode.

        Args:
            prompt: Messages of the row; the schema of the tools follows them.

        Raises:
            UnknownTaskError: If there is no such task.
            MachineError: If the application that saves fails.
        """
        first_message = self._session.begin(find_task(self._task, self._task_place))
        instructions = system_prompt(self._session.env.tools())
        messages = [dict(message) for message in prompt if message.get("content")]
        return [
            *messages,
            {"role": "user", "content": f"{instructions}\n\nThe task: {first_message}"},
        ], {"task_id": self._session.info["task_id"]}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Execute the calls of a reply.

        Raises:
            MachineError: If the infrastructure failed; the episode has no score then.
        """
        self.turns += 1
        text, reward = execute_reply(self._session, action)
        if self.turns >= self.max_turns and not self._session.over:
            count = len(self._session.steps)
            self._session.finish()
            reward += sum(step.reward for step in self._session.steps[count:])
        done = self._session.over
        return BaseTextEnvStepOutput(
            observations=[] if done else [{"role": "user", "content": text}],
            reward=reward,
            done=done,
            metadata={"task_id": self._session.info["task_id"], "score": self._session.score},
        )

    def get_metrics(self) -> dict[str, Any]:
        """Return score and number of calls; SkyRL averages them."""
        score = self._session.score
        calls = {"calls": float(len(self._session.steps))}
        return calls if score is None else {"score": score, **calls}

    def close(self) -> None:
        """Close the environment."""
        self._session.close()


def skyrl_rows(
    suite: str | Path = "starter", tasks: Sequence[str | Path] = (), max_turns: int = 20
) -> list[dict[str, Any]]:
    """Return the rows of a data set, one for each task.

    Args:
        suite: The tasks: a name or the path of a folder.
        tasks: Some of them by id or path; none for all.
        max_turns: The episode is scored after this number of replies.

    Raises:
        UnknownTaskError: If there is no such suite or task.
    """
    return [
        {
            "data_source": "pptarena",
            # The environment provides the messages, but SkyRL requires at least one in the row.
            "prompt": [{"role": "system", "content": "You are a careful office worker."}],
            "env_class": ENV_ID,
            "reward_spec": {"method": "rule", "ground_truth": ""},
            "task": task.id,
            "place": task.place,
            "max_turns": max_turns,
        }
        for task in pick_tasks(tasks, suite)
    ]


if ENV_ID not in registry:
    register(id=ENV_ID, entry_point=f"{__name__}:{SkyRLDocEnv.__name__}")
