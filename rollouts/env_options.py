"""Options of the environment for recorded runs: given as texts, recorded, and used by a replay."""

import dataclasses
import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium as gym

from pptarena.envs.answering import answering
from pptarena.envs.config import EnvConfig
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.envs.machines.config import MachineConfig, field_names
from pptarena.envs.machines.registry import choose_machine, machine_class
from pptarena.envs.ppt_arena import base_env
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig

__all__ = [
    "env_arguments",
    "machine_options",
    "read_env_options",
    "recorded_options",
    "replay_arguments",
]

_SCREEN = ("reward", "score_when", "judge", "judge_when", "look", "answer")
_DOCUMENT = ("reward", "score_when", "judge", "judge_when", "baseline", "facts", "view")
_CHECKED = ("reward", "score_when", "judge_when", "look")
_MACHINES_OF_AUTO = ("qemu", "sandbox")
# Options that commands have under other names.
_ELSEWHERE = {
    "task": "--tasks",
    "suite": "--suite",
    "machine": "--machine",
    "max_steps": "--max-steps",
    "tools": "--tools",
    "watch": "--watch",
    "slides": "--option slides=N",
    "render_mode": "--watch",
    "start_attempts": "--retries",
}
# A record may come from anybody: a replay takes nothing that names files, addresses or keys.
_REPLAYED = (*_CHECKED, *field_names(MachineConfig))


def read_env_options(
    texts: Iterable[str], machine: str = "auto", *, on_document: bool = False
) -> dict[str, Any]:
    """Return options of the environment that texts such as ``"width_px=1920"`` name.

    Args:
        texts: ``KEY=VALUE`` each. The value is JSON; what is no JSON is taken as a text.
        machine: Kind of machine, whose settings are options, too.
        on_document: Whether they are for the document environment.

    Returns:
        Values as JSON has them; `env_arguments` makes them arguments.

    Raises:
        ConfigError: If an option is unknown or given twice, or its value is not allowed.
    """
    known = _DOCUMENT if on_document else (*_SCREEN, *_machine_names(machine))
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--env-option: expected KEY=VALUE, got {text!r}")
        if name not in known:
            raise ConfigError(_unknown(name, known, "--env doc" if on_document else machine))
        if name in found:
            raise ConfigError(f"--env-option: {name} is given twice")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    _require_allowed(found, machine, on_document)
    return found


def env_arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as arguments of an environment.

    Raises:
        ConfigError: If the settings of the judge are not allowed.
    """
    if not isinstance(options.get("judge"), Mapping):
        return dict(options)
    try:
        return {**options, "judge": JudgeConfig(**options["judge"])}
    except TypeError as error:
        names = ", ".join(field.name for field in dataclasses.fields(JudgeConfig))
        raise ConfigError(f"--env-option judge: expected settings of {names}: {error}") from error


def machine_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the options that are settings of the machine."""
    own = {*_SCREEN, *_DOCUMENT}
    return {name: value for name, value in options.items() if name not in own}


def recorded_options(env: gym.Env[Any, Any]) -> dict[str, Any]:
    """Return the options of an environment that differ from their defaults, without the judge."""
    base = env.unwrapped
    config = base.config if isinstance(base, PPTArenaDocEnv) else base_env(env).config
    found = {name: getattr(config, name) for name in _CHECKED}
    usual = {name: getattr(EnvConfig(), name) for name in _CHECKED}
    if not isinstance(base, PPTArenaDocEnv):
        found |= dataclasses.asdict(config.machine)
        usual |= dataclasses.asdict(type(config.machine)())
    return {
        name: value for name, value in found.items() if value != usual[name] and name != "watch"
    }


def replay_arguments(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with which an episode is replayed, of the options it was recorded with.

    Settings of one kind of machine alone are left out: they name files and addresses.
    """
    return {name: value for name, value in recorded.items() if name in _REPLAYED}


def _machine_names(machine: str) -> tuple[str, ...]:
    kinds = _MACHINES_OF_AUTO if machine == "auto" else (machine,)
    names = [field_names(machine_class(kind).config_class) for kind in kinds]
    return tuple(dict.fromkeys(name for each in names for name in each if name != "watch"))


def _unknown(name: str, known: Iterable[str], what: str) -> str:
    if option := _ELSEWHERE.get(name):
        return f"--env-option: {name} is set by {option}"
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"--env-option: unknown option {name!r}.{hint} Options with {what}: {', '.join(names)}"


def _require_allowed(options: Mapping[str, Any], machine: str, on_document: bool) -> None:
    arguments = env_arguments(options)
    EnvConfig(**{name: arguments[name] for name in _CHECKED if name in arguments})
    judge = arguments.get("judge")
    if judge not in (None, "environment") and not isinstance(judge, JudgeConfig):
        raise ConfigError(
            "--env-option judge: expected null, environment or the settings as a JSON object, "
            f"got {judge!r}"
        )
    if not on_document:
        answering(arguments.get("answer"))
        choose_machine(machine, machine_options(options))
