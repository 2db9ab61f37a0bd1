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

__all__ = [
    "arguments_for_machine",
    "candidate_tasks",
    "env_config",
    "judge_config",
    "require_count",
]

_SETTINGS = (
    *("reward", "score_when", "max_steps", "budget", "wording"),
    *("judge_when", "look", "start_attempts", "elements", "detectors"),
)
_ENV_ARGUMENTS = ("task", "suite", "machine", "render_mode", "judge", "answer", *_SETTINGS)


def candidate_tasks(task: str | Path | Task | None, suite: str | Path) -> Sequence[Task]:
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
    machine_options = {
        name: value for name, value in arguments.items() if name not in _ENV_ARGUMENTS
    }
    env_options = {name: arguments[name] for name in _SETTINGS}
    machine = arguments["machine"]
    requested = type(machine) if isinstance(machine, Machine) else machine
    machine_class, machine_config = choose_machine(requested, machine_options, _ENV_ARGUMENTS)
    judge = judge_config(arguments["judge"])
    config = EnvConfig(**env_options, judge=judge, machine=machine_config)
    return config, machine if isinstance(machine, Machine) else machine_class(machine_config)


def arguments_for_machine(
    arguments: Mapping[str, Any], machine: Machine | type[Machine]
) -> dict[str, Any]:
    """Return the constructor arguments for an environment on a machine or machine class.

    Settings that the machine does not have and that ``"auto"`` would ignore are dropped.
    """
    accepted = (*_ENV_ARGUMENTS, *field_names(machine.config_class))
    compatible = {name: value for name, value in arguments.items() if name in accepted}
    return {**compatible, "machine": machine}


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
