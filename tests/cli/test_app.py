import subprocess
import sys
from collections.abc import Callable

import pytest
from tests.each_case import each_case

import pptarena

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
Here = Callable[..., tuple[object, str, str]]
COMMANDS = (
    *("run", "doctor", "score", "generate", "report"),
    *("runs replay", "runs compare", "runs leaderboard", "dev bench", "decks diff"),
    *("tasks list", "tasks show", "tasks check", "image build", "image info", "image rm"),
)


def test_help_lists_every_command(cli: Cli) -> None:
    text = cli("--help").stdout
    for name in {command.split()[0] for command in COMMANDS}:
        assert name in text


def test_help_loads_no_application_code() -> None:
    code = (
        "import sys\nimport pptarena.cli\n"
        "heavy = {'pptx', 'lxml', 'PIL', 'pptarena.envs', 'pptarena.rewards', 'pptarena.tasks'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@each_case("command", COMMANDS)
def test_every_command_has_an_example(here: Here, command: str) -> None:
    code, text, _ = here(*command.split(), "--help")
    assert code == 0
    assert "Example" in text
    assert f"pptarena {command}" in " ".join(text.split())


def test_version(cli: Cli) -> None:
    assert cli("--version").stdout.strip() == f"pptarena {pptarena.__version__}"


def test_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "pptarena", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"pptarena {pptarena.__version__}"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command"),
        (["run"], "Missing option '--agent'. Example: pptarena run --agent random"),
        (["score"], "Missing argument 'TASK'. Example: pptarena score"),
        (["run", "--agent", "random", "--out", __file__], "is a file; choose a folder"),
        (["run", "--agent", "random", "--repeats", "0"], "greater than or equal to 1"),
        (["run", "--agent", "randon"], "Did you mean 'random'"),
        (["run", "--agent", "random", "--suite", "nonsense"], "suite 'nonsense' not found"),
        (["run", "--agent", "random", "--task", "nonsense"], "nonsense"),
        (["run", "--agent", "random", "--machine", "nonsense"], "machine 'nonsense' not found"),
        (["dev", "bench", "--machine", "nonsense"], "machine 'nonsense' not found"),
    ],
)
def test_usage_errors_exit_with_2(here: Here, arguments: list[str], message: str) -> None:
    code, output, errors = here(*arguments)
    assert (code, output) == (2, "")
    assert message in " ".join(errors.replace("│", " ").split())


def test_errors_are_one_line_and_debug_shows_the_traceback(cli: Cli) -> None:
    short = cli("runs", "replay", "nowhere", code=1).stderr
    assert short == "error: nowhere does not exist\n"
    assert "Traceback" in cli("runs", "replay", "nowhere", "--debug", code=1).stderr
