"""The command line as users run it: in a process of its own."""

import multiprocessing
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
Here = Callable[..., tuple[object, str, str]]
LIMIT_SEC = 300

# A server that has imported what every command imports, and forks: a new interpreter a command
# spends most of its time on imports.
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["pptarena.cli", "pptarena.envs", "pptarena.rollouts"])


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
    output = tmp_path.with_name(f"{tmp_path.name}-output")

    def run(*arguments: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
        output.mkdir(exist_ok=True)
        process = _FORKS.Process(
            target=_run, args=(arguments, str(tmp_path), cli_environ, str(output))
        )
        process.start()
        process.join(LIMIT_SEC)
        if process.exitcode is None:
            process.kill()
            pytest.fail(f"pptarena {' '.join(arguments)}: no end within {LIMIT_SEC} s")
        streams = [(output / name).read_text("utf-8") for name in ("stdout", "stderr")]
        assert process.exitcode == code, "".join(streams)
        return subprocess.CompletedProcess(list(arguments), process.exitcode, *streams)

    return run


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Run ``pptarena`` in this process; return exit code, output and errors."""

    from pptarena.cli import main

    def run(*arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["pptarena", *arguments])
        with pytest.raises(SystemExit) as caught:
            main()
        captured = capsys.readouterr()
        return caught.value.code, captured.out, captured.err

    return run


@pytest.fixture
def product_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a run of two imported decks: one solves its task, one is unedited."""
    from pptarena.rollouts.imported_decks import DeckImporter, find_submissions
    from pptarena.tasks import list_tasks
    from pptarena.tasks.goals import goal_deck

    solved, idle = list_tasks("starter")[:2]
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / f"{solved.id}.pptx").write_bytes(goal_deck(solved))
    (tmp_path / "results" / f"{idle.id}.pptx").write_bytes(idle.deck_bytes())
    results = find_submissions(tmp_path / "results", [solved, idle])
    list(DeckImporter(tmp_path / "run", "product").run(results.submissions))
    return tmp_path / "run"


def _run(arguments: tuple[str, ...], folder: str, environ: dict[str, str], output: str) -> None:
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = os.open(f"{output}/{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    sys.path[:0] = ["", *filter(None, environ.get("PYTHONPATH", "").split(":"))]
    sys.argv = ["pptarena", *arguments]
    warnings.simplefilter("error")
    from pptarena.cli import main

    main()  # What it raises is printed, and the exit code is 1.
