"""Environments for TRL: ``GRPOTrainer(environment_factory=trl_environment(...))``.

TRL creates environments without arguments, offers their public methods to the model as tools, and
calls `get_reward` once per rollout. This file requires neither TRL nor transformers.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pptarena.envs.document import ToolCall
from pptarena.envs.document.tool import Tool
from pptarena.envs.document.toolbox import toolbox
from pptarena.errors import ConfigError, MachineError
from pptarena.rollouts.trainers.doc_session import CreditedStep, DocSession
from pptarena.rollouts.trainers.tool_functions import with_signature
from pptarena.tasks import find_task, pick_tasks

__all__ = ["TrlEnvironment", "trl_environment", "trl_rows"]

_PROMPT = (
    "You edit a presentation by calling tools. Slides and shapes go by their ids. "
    "Call done when the task is finished, or fail if it cannot be done.\n\nThe task: "
)


class TrlEnvironment:
    """One rollout at a time; `trl_environment` adds the tools as methods."""

    _tools: ClassVar[tuple[str, ...]] = ("edit",)
    _outline_chars: ClassVar[int] = 8_000
    _discount: ClassVar[float] = 1.0
    _options: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        self._session = DocSession(self._tools, self._outline_chars, **self._options)
        self._failed = False

    def reset(
        self, task: str | None = None, place: str = "", seed: int | None = None, **row: Any
    ) -> str:
        """Start the task of a row and return the first message for the model.

        Args:
            task: Id or path of the task.
            place: Path that the task was read from; empty for packaged tasks.
            seed: Seed of the environment.
            row: Other columns, which are ignored.

        Raises:
            ConfigError: If neither the row nor the factory names a task: the members of a group
                would play different tasks, so their rewards could not be compared.
        """
        if task is None and self._options.get("task") is None:
            raise ConfigError(
                "no task: add a column 'task' to the rows (see trl_rows) or task=... to the "
                f"factory; the rows have {sorted(row)}"
            )
        self._failed = False
        return self._session.begin(find_task(task, place) if task else None, seed)

    def get_reward(self) -> float | None:
        """Return the reward of the rollout; None, which TRL ignores, if it is unscored."""
        try:
            self._session.finish()
        except MachineError:
            return None
        return self._session.total(self._discount)

    @property
    def steps(self) -> tuple[CreditedStep, ...]:
        """The calls of this rollout with their rewards, for reward functions."""
        return tuple(self._session.steps)

    @property
    def score(self) -> float | None:
        """The final score; None before `get_reward`, or if there is none."""
        return self._session.score

    @property
    def rubric(self) -> dict[str, Any]:
        """The scored rubric."""
        return dict(self._session.info["rubric"])


def trl_environment(
    tools: Sequence[str] = ("edit",),
    *,
    names: Sequence[str] | None = None,
    outline_chars: int = 8_000,
    discount: float = 1.0,
    **options: Any,
) -> type[TrlEnvironment]:
    """Return an ``environment_factory`` for TRL's trainers.

    Args:
        tools: Families of tools that the model may call.
        names: The tools of these families to offer, besides ``done``; None for all.
        outline_chars: Maximum length of the deck's outline in the first message.
        discount: Factor of a call's reward for every earlier call; below 1 it favors rollouts that
            solve the task in fewer calls.
        options: Other arguments of `PPTArenaDocEnv`, such as ``task`` or ``max_steps``.

    Returns:
        A class; TRL creates one object for each concurrent rollout.

    Raises:
        ConfigError: If an argument has a value that is not allowed.

    Example::

        trainer = GRPOTrainer(
            model,
            environment_factory=trl_environment(max_steps=10),
            train_dataset=Dataset.from_list(trl_rows("all#first-steps")),
            args=GRPOConfig(max_tool_calling_iterations=10),
        )
    """
    if not 0 < discount <= 1:
        raise ConfigError(f"discount: expected more than 0 and at most 1, got {discount}")
    available = toolbox(tools)
    selected = tuple(available) if names is None else ("done", *(n for n in names if n != "done"))
    if missing := [name for name in selected if name not in available]:
        raise ConfigError(f"names: expected some of {', '.join(available)}, got {missing}")
    return type(
        "PPTArenaDoc",
        (TrlEnvironment,),
        {
            "__doc__": "One rollout on a presentation.",
            "_tools": tuple(tools),
            "_outline_chars": outline_chars,
            "_discount": discount,
            "_options": options,
            **{name: _method(available[name]) for name in selected},
        },
    )


def trl_rows(
    suite: str | Path = "starter", tasks: Sequence[str | Path] = (), prompt: str = _PROMPT
) -> list[dict[str, Any]]:
    """Return the rows of a data set, one for each task, for ``Dataset.from_list``.

    Args:
        suite: The tasks: a name or the path of a folder.
        tasks: Some of them by id or path; none for all.
        prompt: Text for the model before the instruction.

    Raises:
        UnknownTaskError: If there is no such suite or task.
    """
    message = {"role": "user", "content": prompt}
    return [
        {"prompt": [message], "task": task.id, "place": task.place}
        for task in pick_tasks(tasks, suite)
    ]


def _method(tool: Tool) -> Callable[..., str]:
    def method(self: TrlEnvironment, **arguments: Any) -> str:
        return self._session.act(ToolCall(tool.name, arguments))

    return with_signature(method, tool, owner="PPTArenaDoc")
