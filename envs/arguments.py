"""Validation of the environment's constructor arguments."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pptarena.envs.config import EnvConfig
from pptarena.envs.machines.base import Machine
from pptarena.envs.machines.config import field_names
from pptarena.envs.machines.registry import choose_machine
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig
from pptarena.tasks import Task, draw_from, pick_tasks

__all__ = ["env_config", "judge_config", "on_machine", "require_count", "tasks_to_draw_from"]

_SETTINGS = (
    *("reward", "score_when", "max_steps", "budget", "wording"),
    *("judge_when", "look", "start_attempts", "elements", "detectors"),
)
_OWN = ("task", "suite", "machine", "render_mode", "judge", "answer", *_SETTINGS)


def tasks_to_draw_from(task: str | Path | Task | None, suite: str | Path) -> Sequence[Task]:
    """Return the given task as the only element, or the tasks of the suite.

    Raises:
        UnknownTaskError: If no task or suite has that name.
        TaskError: If a task file is malformed.
    """
    if isinstance(task, Task):
        return (task,)
    return draw_from(suite) if task is None else pick_tasks([task], suite)


def env_config(arguments: Mapping[str, Any]) -> tuple[EnvConfig, Machine]:
    """Return the settings of an environment and its machine, which is not started yet.

    Args:
        arguments: The constructor's arguments; those that are not settings of the environment are
            settings of its machine.

    Raises:
        ConfigError: If the machine or a setting is unknown, or a value is not allowed.
    """
    given = {name: value for name, value in arguments.items() if name not in _OWN}
    named = {name: arguments[name] for name in _SETTINGS}
    machine = arguments["machine"]
    kind = type(machine) if isinstance(machine, Machine) else machine
    chosen, config = choose_machine(kind, given, _OWN)
    judge = judge_config(arguments["judge"])
    settings = EnvConfig(**named, judge=judge, machine=config)
    return settings, machine if isinstance(machine, Machine) else chosen(config)


def on_machine(arguments: Mapping[str, Any], machine: Machine | type[Machine]) -> dict[str, Any]:
    """Return the constructor arguments for an environment on a machine or machine class.

    Settings that the machine does not have and that ``"auto"`` would ignore are dropped.
    """
    known = (*_OWN, *field_names(machine.config_class))
    kept = {name: value for name, value in arguments.items() if name in known}
    return {**kept, "machine": machine}


def judge_config(judge: object) -> JudgeConfig | None:
    """Return the settings of the judge.

    Args:
        judge: The settings, ``"environment"`` to read them from environment variables, or None.

    Raises:
        ConfigError: If `judge` is anything else.
    """
    if judge == "environment":
        return JudgeConfig.from_environment()
    if judge is not None and not isinstance(judge, JudgeConfig):
        raise ConfigError(f"judge: expected a JudgeConfig, 'environment' or None, got {judge!r}")
    return judge


def require_count(count: object) -> None:
    """Check a number of forks.

    Raises:
        ConfigError: If it is not a positive integer.
    """
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ConfigError(f"expected a number of forks from 1, got {count!r}")
