"""Shell blocks of the docs: record and check the programs they call, or run them."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import typer.main
from tests.docs.blocks import ROOT, Block

__all__ = ["Call", "check_call", "record_calls", "run_block"]

_LIMIT_SEC = 300
_EXTERNAL_PROGRAMS = (
    "inspect",
    "podman",
    "qemu-img",
    "qemu-system-x86_64",
    "socat",
    "ssh",
    "xorriso",
)
_VENVS = (".venv", ".venv-trl", ".venv-rllib", ".venv-local-model")
_RECORD = '#!/bin/sh\nprintf "%s\\037" "{name}" "$@" >> "$CALLS"\nprintf "\\036" >> "$CALLS"\n'
_MISSING = 'command_not_found_handle() { printf "missing\\037%s\\037\\036" "$1" >> "$CALLS"; }\n'
_RUN_PPTARENA = f"""#!/bin/sh
exec {sys.executable} -c 'from pptarena.cli import main; main()' "$@"
"""


@dataclass(frozen=True, slots=True)
class Call:
    """A program called by a block, with its arguments."""

    program: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.program, *self.arguments))


def _write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def _recorders(folder: Path) -> Path:
    """Write programs that only record their calls; return the folder for PATH."""
    names = {
        name: folder / "bin" / name for name in ("pptarena", "pip", "python", "python3", "make")
    }
    names |= {name: folder / "bin" / name for name in _EXTERNAL_PROGRAMS}
    for venv in _VENVS:
        for name in ("pptarena", "pip", "python", "transformers"):
            names[f"{venv}/bin/{name}"] = folder / venv / "bin" / name
    for scripts in ("scripts", "examples/papers"):
        for script in (ROOT / scripts).iterdir():
            names[f"{scripts}/{script.name}"] = folder / scripts / script.name
    for name, path in names.items():
        _write_program(path, _RECORD.format(name=name))
    return folder / "bin"


def _bash(options: str, code: str, folder: Path, environ: dict[str, str]) -> None:
    result = subprocess.run(
        ["bash", options, "-c", code],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_LIMIT_SEC,
        check=False,
    )
    assert result.returncode == 0, (
        f"exit code {result.returncode}\n{code}\n{result.stdout}{result.stderr}"
    )


def record_calls(block: Block, folder: Path) -> list[Call]:
    """Run a block in a folder with recorders for all programs; return the calls.

    Failed commands are ignored: the recorders create no files, so copying one fails.
    """
    path, calls = _recorders(folder), folder / "calls"
    calls.touch()
    environ = {"PATH": f"{path}:/usr/bin:/bin", "CALLS": str(calls), "HOME": str(folder)}
    _bash("-u", f"{_MISSING}{block.code}\ntrue", folder, environ)
    rows = calls.read_text("utf-8").split("\x1e")[:-1]
    return [Call(name, tuple(rest[:-1])) for name, *rest in (row.split("\x1f") for row in rows)]


def run_block(block: Block, folder: Path) -> None:
    """Run a block in a folder, with this checkout's ``pptarena``."""
    _write_program(folder / ".bin" / "pptarena", _RUN_PPTARENA)
    _bash("-eu", block.code, folder, {**os.environ, "PATH": f"{folder / '.bin'}:/usr/bin:/bin"})


@cache
def _extras() -> frozenset[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return frozenset(project["optional-dependencies"])


@cache
def _make_targets() -> frozenset[str]:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    rules = [line.partition(":")[0] for line in lines if re.match(r"[\w-]+( [\w-]+)*:", line)]
    return frozenset(word for rule in rules for word in rule.split())


def _check_pptarena(call: Call) -> None:
    from pptarena.cli.app import app

    # Typer has its own copy of Click's classes, so a group is recognized by its method.
    command: Any = typer.main.get_command(app)
    context, rest = None, list(call.arguments)
    while True:
        context = command.make_context(command.name, rest, parent=context)
        if not hasattr(command, "resolve_command"):
            return
        _, command, rest = command.resolve_command(
            context, [*context._protected_args, *context.args]
        )


def _check_python(call: Call) -> None:
    if call.arguments[0] in ("-c", "-m"):
        if call.arguments[0] == "-c":
            ast.parse(call.arguments[1])
        else:
            path = call.arguments[1].replace(".", "/")
            module = ROOT / (f"src/{path}" if path.startswith("pptarena/") else path)
            assert module.with_suffix(".py").is_file() or (module / "__main__.py").is_file(), call
        return
    script = ROOT / call.arguments[0]
    text = script.read_text("utf-8")
    for option in (word for word in call.arguments if word.startswith("--")):
        assert f'"{option}"' in text, f"{call}: {script.name} has no option {option}"


def _check_pip(call: Call) -> None:
    for extra in re.findall(r"\[([\w,-]+)\]", " ".join(call.arguments)):
        assert set(extra.split(",")) <= _extras(), f"{call}: no such extra"


def check_call(call: Call) -> None:
    """Check that the command, options, files and extras of a recorded call exist."""
    name = call.program.rpartition("/")[2]
    assert name != "missing", (
        f"{call.arguments[0]} is not a program of the project; shell.py lists the other programs"
    )
    if name == "pptarena":
        _check_pptarena(call)
    elif name in ("python", "python3"):
        _check_python(call)
    elif name == "pip":
        _check_pip(call)
    elif name == "make":
        targets = {each for each in call.arguments if "=" not in each}
        assert targets <= _make_targets(), f"{call}: no such target"
    elif call.program.startswith(("scripts/", "examples/")):
        assert shutil.which(ROOT / call.program), f"{call}: cannot be run"
