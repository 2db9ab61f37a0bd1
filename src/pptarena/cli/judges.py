"""Judges on the command line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.rewards.judges import JudgeConfig

__all__ = ["JudgeNames", "judge_configs"]

JudgeNames = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        help="Judge model, or MODEL@URL for a model of another service. Repeatable.",
        metavar="MODEL",
        show_default="PPTARENA_JUDGE_MODEL",
    ),
]


def judge_configs(names: Sequence[str] | None, *, cache: bool = True) -> "list[JudgeConfig]":
    """Return the settings of judges; without names, the judge of the environment variables.

    Args:
        names: Models, each alone or as ``MODEL@URL``. Other settings are those of the environment.
        cache: Whether replies are cached on disk.

    Raises:
        ConfigError: If a name is empty or repeated.
    """
    import os

    from pptarena.rewards.judges import JudgeConfig

    if not names:
        default = JudgeConfig.from_environment()
        return [] if default is None else [replace(default, cache=cache)]
    if "" in names or len(set(names)) < len(names):
        raise ConfigError("--judge: model names must be distinct and not empty")
    configs = []
    for name in names:
        model, at, rest = name.partition("@http")
        environment = {**os.environ, "PPTARENA_JUDGE_MODEL": model}
        if at:
            environment["PPTARENA_JUDGE_URL"] = f"http{rest}"
        config = JudgeConfig.from_environment(environment)
        if config is None:
            raise ConfigError(f"--judge: {name!r} names no model")
        configs.append(replace(config, cache=cache))
    return configs
