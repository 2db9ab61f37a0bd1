"""``scripts/setup``, with the Python of the virtual environment replaced by a recorder."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RECORDER = '#!/bin/sh\necho "$*" >> "$PIP_LOG"\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/setup", tmp_path / "scripts")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(RECORDER)
    python.chmod(0o755)
    return tmp_path


def installed(checkout: Path, *options: str) -> list[str]:
    """Run the script and return the arguments of each `pip install` that it runs."""
    log = checkout / "log"
    log.write_text("")
    subprocess.run(
        ["sh", checkout / "scripts/setup", "--no-image", *options],
        env={**os.environ, "PIP_LOG": str(log)},
        check=True,
    )
    return [line for line in log.read_text().splitlines() if "pip install" in line]


def test_only_missing_packages_are_installed(checkout: Path) -> None:
    (command,) = installed(checkout, "--demo")
    assert ".[live,vm]" in command
    assert "torch" not in command
    assert "-q" not in command.split(), "pip shows its progress"
    assert not installed(checkout, "--demo")
    (command,) = installed(checkout)
    assert ".[dev,vm]" in command
    assert "torch" in command
    assert not installed(checkout)


def test_demo_needs_no_packages_beyond_the_tests(checkout: Path) -> None:
    installed(checkout)
    assert not installed(checkout, "--demo")


def test_changed_requirements_are_installed(checkout: Path) -> None:
    installed(checkout, "--demo")
    with (checkout / "pyproject.toml").open("a") as project:
        project.write("# changed\n")
    assert installed(checkout, "--demo")


@pytest.mark.parametrize(
    ("target", "options"),
    [("demo", ["--demo"]), ("demo-vm", ["--demo", "--vm"]), ("test", ["--vm"])],
)
def test_targets_run_setup_with_their_options(target: str, options: list[str]) -> None:
    if shutil.which("make") is None:
        pytest.skip("needs make")
    plan = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    setups = [line.split()[1:] for line in plan.splitlines() if line.startswith("scripts/setup")]
    assert options in setups
