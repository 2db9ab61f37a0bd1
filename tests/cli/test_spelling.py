"""Old spellings of commands and options."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
import typer.main
from tests.each_case import each_case

from pptarena.cli import app
from pptarena.cli.spelling import OLD_COMMANDS, OLD_FLAGS, OLD_OPTIONS, current_spelling

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
Here = Callable[..., tuple[object, str, str]]


def command(words: str) -> Any:
    """Return the command of these words, options left out."""
    command: Any = typer.main.get_command(app)
    for word in words.partition(" --")[0].split():
        command = command.commands[word]
    return command


@pytest.mark.slow
@each_case("old", OLD_COMMANDS)
def test_every_old_command_has_a_replacement(here: Here, old: str) -> None:
    assert command(OLD_COMMANDS[old])
    assert old not in typer.main.get_command(app).commands  # type: ignore[attr-defined]
    code, out, errors = here(old, "--help")
    assert code == 0
    assert f"pptarena {OLD_COMMANDS[old].partition(' --')[0]}" in out
    assert errors == f"'{old}' is now '{OLD_COMMANDS[old]}'\n"


@each_case("name", OLD_OPTIONS)
def test_every_old_option_has_a_replacement(name: str) -> None:
    options = {each for param in command(name).params for each in param.opts}
    assert set(OLD_OPTIONS[name].values()) <= options
    assert not set(OLD_OPTIONS[name]) & options


def test_overview_shows_only_current_spellings(here: Here) -> None:
    code, out, _ = here("--help")
    assert code == 0
    panels = out[out.index("Commands") :].splitlines()
    commands = [line.split()[1] for line in panels if line.startswith("│ ") and line[2] != " "]
    daily, groups = ["run", "report", "score", "generate", "doctor"], ["runs", "tasks", "decks"]
    assert [each for each in commands if each in daily] == daily
    assert commands[:5] == daily
    assert set(groups) < set(commands)
    assert not set(commands) & set(OLD_COMMANDS)


@each_case(
    "given, current",
    [
        ("run --tasks a,b", "run --task a --task b"),
        ("run --tasks=a,b --episodes=2", "run --task a --task b --repeats 2"),
        ("run --task a --repeats 2", "run --task a --repeats 2"),
        ("run --tasks", "run --task"),
        ("collect --machines 3 --machine fake", "run --workers 3 --machine fake"),
        ("collect --tasks a,b --out x", "run --task a --task b --out x"),
        ("grow --processes 2", "generate --workers 2"),
        ("tasks generate --processes 2", "tasks generate --workers 2"),
        ("replay runs --times 3", "runs replay runs --repeats 3"),
        ("replay -- --times", "runs replay -- --times"),
        ("import pptc . --out x", "tasks import pptc . --out x"),
        ("pptc runs --json", "runs rescore --as pptc runs --json"),
        ("pptc --check-labels copy --json", "dev pptc-labels copy --json"),
        ("pptc --check-labels=copy", "dev pptc-labels copy"),
        ("report --episodes 2", "report --episodes 2"),
    ],
)
def test_spellings_are_replaced(given: str, current: str) -> None:
    results, notices = current_spelling(given.split())
    assert results == current.split()
    assert bool(notices) == (given != current)
    assert all(" is now " in notice for notice in notices)


@pytest.mark.parametrize(
    ("given", "current"),
    [
        ("run --resume --out x", "run --out x"),
        ("run --out x --resume", "run --out x"),
        ("collect --resume", "run"),
        ("run -- --resume", "run -- --resume"),
        ("report --resume", "report --resume"),
    ],
)
def test_options_without_effect_are_dropped(given: str, current: str) -> None:
    results, notices = current_spelling(given.split())
    assert results == current.split()
    assert any("'--resume' is no longer needed" in each for each in notices) == (
        len(results) < len(given.split())
    )


@each_case("name", OLD_FLAGS)
def test_options_without_effect_are_not_in_the_help(name: str) -> None:
    options = {each for param in command(name).params for each in param.opts}
    assert not set(OLD_FLAGS[name]) & options


@pytest.mark.slow
def test_collect_is_run(cli: Cli) -> None:
    fake = ("--agent", "random", "--machine", "fake", "--max-steps", "1", "--out", "out", "--json")
    tasks = ("--tasks", "meridian-hide-backup,meridian-rename-tent", "--episodes", "2")
    old = cli("collect", *fake, *tasks, "--machines", "2", "--resume")
    assert json.loads(old.stdout)["complete"] == 4
    for notice in ("'collect' is now 'run'", "'--machines' is now '--workers'", "'--resume' is"):
        assert notice in old.stderr


@pytest.mark.slow
def test_old_spelling_prints_one_line_on_standard_error(cli: Cli) -> None:
    new = cli("dev", "bench", "--machine", "fake", "--steps", "1", "--json")
    old = cli("bench", "--machine", "fake", "--steps", "1", "--json")
    assert json.loads(old.stdout).keys() == json.loads(new.stdout).keys()
    assert "'bench' is now 'dev bench'" in old.stderr
    assert "is now" not in new.stderr + old.stdout


@pytest.mark.slow
def test_old_options_run_the_same_tasks(cli: Cli) -> None:
    fake = ("--agent", "random", "--machine", "fake", "--max-steps", "1", "--json")
    tasks = ("meridian-hide-backup", "meridian-rename-tent")
    old = cli("run", *fake, "--tasks", ",".join(tasks), "--episodes", "2", "--out", "a")
    new = cli("run", *fake, "--task", tasks[0], "--task", tasks[1], "--repeats", "2", "--out", "b")
    for done in (old, new):
        results = [(each["task"], each["seed"]) for each in json.loads(done.stdout)["episodes"]]
        assert results == [(task, seed) for task in tasks for seed in (0, 1)]
    notices = [line for line in old.stderr.splitlines() if " is now " in line]
    assert notices == ["'--tasks' is now '--task'", "'--episodes' is now '--repeats'"]
