"""The command line as users run it: in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
CODE = "from pptarena.cli import main; main()"


@pytest.fixture(scope="session")
def cli_environ(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The process environment; what is kept between runs is kept apart from the user's own."""
    home = tmp_path_factory.mktemp("home")
    return {
        **os.environ,
        "PPTARENA_HOME": str(home),
        "PYTHONPATH": f"{Path(__file__).parent}:{os.environ.get('PYTHONPATH', '')}",
    }


@pytest.fixture
def cli(tmp_path: Path, cli_environ: dict[str, str]) -> Cli:
    """Run ``pptarena`` with these arguments in an empty folder; Python's warnings are errors."""

    def run(*arguments: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", CODE, *arguments],
            cwd=tmp_path,
            env=cli_environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run
