"""Parse, record and replay the environment options of runs."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium as gym

from pptarena.envs.answer_sources import answer_function
from pptarena.envs.config import EnvConfig
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.envs.machines.config import MachineConfig, field_names
from pptarena.envs.machines.registry import choose_machine, machine_class
from pptarena.envs.pixels.pixel_tree import DETECTORS
from pptarena.envs.ppt_arena import base_env
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig
from pptarena.rollouts.confirmers import make_confirmer
from pptarena.suggestions import not_found

__all__ = [
    "comparable_options",
    "env_arguments",
    "machine_options",
    "read_env_options",
    "recorded_options",
    "replay_arguments",
]

_SHARED = ("reward", "score_when", "budget", "wording", "judge", "judge_when", "answer", "confirm")
_SCREEN = (*_SHARED, "look", "elements", "detectors")
_DOCUMENT = (*_SHARED, "baseline", "facts", "view")
_CONFIG_OPTIONS = ("reward", "score_when", "budget", "wording", "judge_when", "look", "elements")
_LOCAL_OPTIONS = frozenset(("remote_address", "remote_token_file"))
_MACHINES_OF_AUTO = ("qemu", "sandbox")
# Arguments of the environment that the commands set with other options.
_SET_BY = {
    "task": "--task",
    "suite": "--suite",
    "machine": "--machine",
    "max_steps": "--max-steps",
    "tools": "--tools",
    "slides": "--option slides=N",
    "render_mode": "--live",
    "start_attempts": "--retries",
}
# Records are untrusted: a replay ignores options that name files, addresses or keys.
_REPLAYED_OPTIONS = (*_CONFIG_OPTIONS, *field_names(MachineConfig))


def read_env_options(
    texts: Iterable[str], machine: str = "auto", *, on_document: bool = False
) -> dict[str, Any]:
    """Parse options of the environment such as ``"width_px=1920"``.

    Args:
        texts: Options of the form ``KEY=VALUE``. The value is parsed as JSON; invalid JSON is
            taken as a string.
        machine: Name of the machine, whose settings are also options.
        on_document: Whether the options are for the document environment.

    Returns:
        JSON values by name; `env_arguments` converts them to arguments.

    Raises:
        ConfigError: If an option is unknown or repeated, or its value is not allowed.
    """
    allowed = _DOCUMENT if on_document else (*_SCREEN, *_machine_names(machine))
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--env-option: expected KEY=VALUE, got {text!r}")
        if name not in allowed:
            raise ConfigError(
                _unknown_option(
                    name, allowed, "--env doc" if on_document else f"--machine {machine}"
                )
            )
        if name in options:
            raise ConfigError(f"--env-option: {name} is set twice")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    _validate(options, machine, on_document)
    return options


def env_arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """Convert options to arguments of an environment.

    Raises:
        ConfigError: If the settings of the judge are not allowed.
    """
    if not isinstance(options.get("judge"), Mapping):
        return dict(options)
    try:
        return {**options, "judge": JudgeConfig(**options["judge"])}
    except TypeError as error:
        names = ", ".join(field.name for field in dataclasses.fields(JudgeConfig))
        raise ConfigError(f"--env-option judge: expected the fields {names}: {error}") from error


def machine_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are settings of the machine."""
    env_names = {*_SCREEN, *_DOCUMENT}
    return {name: value for name, value in options.items() if name not in env_names}


def comparable_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options without those that name addresses and files of this computer."""
    return {name: value for name, value in options.items() if name not in _LOCAL_OPTIONS}


def recorded_options(env: gym.Env[Any, Any]) -> dict[str, Any]:
    """Return the options of an environment that differ from their defaults.

    The judge and settings that name addresses and files of this computer are omitted.
    """
    base = env.unwrapped
    config = base.config if isinstance(base, PPTArenaDocEnv) else base_env(env).config
    values = {name: getattr(config, name) for name in _CONFIG_OPTIONS}
    defaults = {name: getattr(EnvConfig(), name) for name in _CONFIG_OPTIONS}
    if not isinstance(base, PPTArenaDocEnv):
        values |= dataclasses.asdict(config.machine)
        defaults |= dataclasses.asdict(type(config.machine)())
    differing = {name: value for name, value in values.items() if value != defaults[name]}
    return comparable_options(differing)


def replay_arguments(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recorded options that a replay uses as arguments of its environment.

    Settings of a single machine type are omitted, because they name files and addresses.
    """
    return {name: value for name, value in recorded.items() if name in _REPLAYED_OPTIONS}


def _machine_names(machine: str) -> tuple[str, ...]:
    kinds = _MACHINES_OF_AUTO if machine == "auto" else (machine,)
    names = [field_names(machine_class(kind).config_class) for kind in kinds]
    return tuple(dict.fromkeys(name for each in names for name in each))


def _unknown_option(name: str, allowed: Iterable[str], depends_on: str) -> str:
    if option := _SET_BY.get(name):
        return f"--env-option: {name} is set by {option}"
    return f"--env-option: {not_found('option', name, allowed, f'Options depend on {depends_on}.')}"


def _validate(options: Mapping[str, Any], machine: str, on_document: bool) -> None:
    arguments = env_arguments(options)
    EnvConfig(**{name: arguments[name] for name in _CONFIG_OPTIONS if name in arguments})
    judge = arguments.get("judge")
    if judge not in (None, "environment") and not isinstance(judge, JudgeConfig):
        raise ConfigError(
            "--env-option judge: expected null, environment or the settings as a JSON object, "
            f"got {judge!r}"
        )
    answer_function(arguments.get("answer"))
    if arguments.get("confirm") is not None:
        make_confirmer(arguments["confirm"])
    if not on_document:
        EnvConfig(detectors=arguments.get("detectors", DETECTORS)).pixel_tree()
        choose_machine(machine, machine_options(options))
