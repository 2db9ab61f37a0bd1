"""Asking before something is removed."""

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from pptarena.cli.output import stderr
from pptarena.errors import ConfigError

__all__ = ["confirm", "disk_usage"]


def confirm(what: str, paths: Sequence[Path]) -> None:
    """List what is to be removed with its size, and ask whether to remove it.

    Args:
        what: What it is, in the plural.
        paths: The folders; at least one.

    Raises:
        ConfigError: If there is no terminal to ask on; the message names ``--yes``.
        typer.Abort: If the user declines.
    """
    for path in paths:
        line = f"{disk_usage(path) / 2**20:8.1f} MB  {path}"
        stderr().print(line, markup=False, highlight=False, soft_wrap=True)
    if not sys.stdin.isatty():
        raise ConfigError(f"these {what} would be removed; confirm with --yes")
    typer.confirm(f"Remove these {what}?", abort=True, err=True)


def disk_usage(folder: Path) -> int:
    """Return the space that a folder takes on the disk, in bytes."""
    from pptarena.envs.machines.qemu.store import disk_bytes

    return disk_bytes(folder)
