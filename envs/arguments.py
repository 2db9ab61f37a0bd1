"""The constructor's arguments, checked."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pptarena.envs.config import EnvConfig, MachineConfig
from pptarena.envs.machines.base import Machine
from pptarena.envs.machines.registry import machine_kind, make_machine
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig
from pptarena.tasks import Task, list_tasks, pick_tasks

__all__ = ["env_config", "new_machine", "require_count", "tasks_to_draw_from"]

_NO_SETTINGS = frozenset(("task", "suite", "machine", "render_mode"))


def tasks_to_draw_from(task: str | Path | Task | None, suite: str | Path) -> tuple[Task, ...]:
    """Return the one task given, or those of the suite.

    Raises:
        UnknownTaskError: If there is no task or suite of that name.
        TaskError: If a task file is malformed.
    """
    if isinstance(task, Task):
        return (task,)
    return list_tasks(suite) if task is None else pick_tasks([task], suite)


def env_config(arguments: Mapping[str, Any]) -> EnvConfig:
    """Return the settings of an environment and its machine.

    Args:
        arguments: Those of the constructor; what is no setting of the environment itself is one of
            its machine.

    Raises:
        ConfigError: If there is no such setting, or a value is not allowed.
    """
    given = {name: value for name, value in arguments.items() if name not in _NO_SETTINGS}
    named = {name: given.pop(name) for name in ("reward", "max_steps", "judge_when", "look")}
    judge = _judge_config(given.pop("judge"))
    return EnvConfig(**named, judge=judge, machine=_machine_config(given))


def _judge_config(judge: object) -> JudgeConfig | None:
    if judge == "environment":
        return JudgeConfig.from_environment()
    if judge is not None and not isinstance(judge, JudgeConfig):
        raise ConfigError(f"judge: expected a JudgeConfig, 'environment' or None, got {judge!r}")
    return judge


def _machine_config(options: dict[str, Any]) -> MachineConfig:
    known = {field.name for field in dataclasses.fields(MachineConfig)}
    if unknown := set(options) - known:
        raise ConfigError(
            f"unknown argument {', '.join(sorted(unknown))}; besides the named ones there are "
            f"{', '.join(sorted(known - {'width_px', 'height_px'}))}"
        )
    return MachineConfig(**options)


def new_machine(kind: str, config: MachineConfig, *, shown: bool) -> Machine:
    """Return a machine that is not started yet.

    Args:
        kind: Its kind.
        config: Its settings.
        shown: Whether somebody wants to see it: one that a viewer can look at then lets it.

    Raises:
        ConfigError: If there is no such machine, or it cannot do what is asked.
    """
    kind = machine_kind(kind, config)
    if shown and kind == "qemu":
        config = dataclasses.replace(config, watch=True)
    return make_machine(kind, config)


def require_count(count: object) -> None:
    """Refuse a number of forks that is no whole number from 1.

    Raises:
        ConfigError: If it is none.
    """
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ConfigError(f"expected a number of forks from 1, got {count!r}")
