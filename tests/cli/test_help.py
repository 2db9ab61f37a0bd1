"""Help texts are shown completely, and the options and commands they name exist."""

import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import typer.main
from tests.each_case import each_case

from pptarena.cli import app, main
from pptarena.cli.run import RARE_OPTIONS
from pptarena.rollouts.exporters import EXPORTERS

# Options in help texts that are those of other programs.
FOREIGN: frozenset[str] = frozenset()
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
_CALL = re.compile(r"pptarena ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*){0,2})")


def _walk(command: Any, name: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield name, command
    for each, below in getattr(command, "commands", {}).items():
        yield from _walk(below, (*name, each))


COMMANDS: Mapping[tuple[str, ...], Any] = dict(_walk(typer.main.get_command(app)))
NAMES = [" ".join(name) for name in COMMANDS]
# Commands with options that only `--help-all` shows.
SHORT = [
    " ".join(name)
    for name, each in COMMANDS.items()
    if any("--help-all" in param.opts for param in each.params)
]


def _texts(command: Any) -> list[str]:
    """Return every text of a command's help as its author wrote it."""
    texts = [command.help or "", command.epilog or ""]
    for param in command.params:
        texts.append(getattr(param, "help", None) or "")
        if isinstance(default := getattr(param, "show_default", None), str):
            texts.append(f"[default: ({default})]")
    return [" ".join(text.split()) for text in texts if text.strip()]


def _help_of(
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    columns: int = 3000,  # so wide that no text is broken
    complete: bool = True,
) -> str:
    monkeypatch.setenv("COLUMNS", str(columns))
    option = "--help-all" if complete and name in SHORT else "--help"
    monkeypatch.setattr(sys, "argv", ["pptarena", *name.split(), option])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    out = capsys.readouterr().out
    return " ".join(out.split()) if columns > 80 else out


@pytest.mark.slow
@each_case("name", NAMES)
def test_help_is_not_truncated(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = _help_of(name, monkeypatch, capsys)
    for text in _texts(COMMANDS[tuple(name.split())]):
        # Markup that is meant, an escaped bracket, is no part of what is read.
        assert text.replace("\\[", "[") in output


@each_case("name", NAMES)
def test_options_and_commands_in_help_exist(name: str) -> None:
    command = COMMANDS[tuple(name.split())]
    for text in _texts(command):
        for own, part in _by_command(name, text):
            available = {option for each in COMMANDS[own].params for option in _spellings(each)}
            available |= {"--help", "--debug", "--version"} | FOREIGN
            assert set(_OPTION.findall(part)) <= available, f"{own}: {part}"


def _by_command(name: str, text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield parts of a text with the command that they are about."""
    own, begin = tuple(name.split()), 0
    for call in _CALL.finditer(text):
        arguments = tuple(call[1].split())
        called = max(arguments[:n] for n in range(len(arguments) + 1) if arguments[:n] in COMMANDS)
        assert called, f"{text}: there is no command {call[1]}"
        yield own, text[begin : call.start()]
        own, begin = called, call.start()
    yield own, text[begin:]


def _spellings(param: Any) -> list[str]:
    return [*param.opts, *param.secondary_opts]


@each_case("name", NAMES)
def test_help_mentions_only_files_in_the_wheel(name: str) -> None:
    for text in _texts(COMMANDS[tuple(name.split())]):
        assert not re.search(r"\b(docs|scripts|tools)/", text)


def test_export_lists_every_format() -> None:
    format_ = next(
        each
        for each in COMMANDS[
            (
                "runs",
                "export",
            )
        ].params
        if each.name == "format"
    )
    assert all(f"'{name}'" in format_.help for name in EXPORTERS)


@pytest.mark.slow
@each_case("name", NAMES)
def test_help_fits_80_columns_with_unbroken_examples(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = _help_of(name, monkeypatch, capsys, 80)
    assert max(map(len, output.splitlines())) <= 80
    lines = [line.strip() for line in output.splitlines()]
    assert not [line for line in lines if "…" in line]
    command = COMMANDS[tuple(name.split())]
    if hasattr(command, "commands"):
        assert command.epilog in lines
        return
    written = [line for line in command.help.splitlines() if line.startswith("  pptarena ")]
    assert written
    assert all(line.strip() in lines for line in written)
    assert all(line.split()[1] == name.split()[0] or name.split()[-1] in line for line in written)


@each_case("name", NAMES)
def test_help_begins_with_a_one_sentence_summary(name: str) -> None:
    first = COMMANDS[tuple(name.split())].help.split("\n\n")[0]
    assert first.endswith(".")
    assert first[0].isupper()
    assert len(first) <= 62  # one line of a group's overview


@each_case("name", NAMES)
def test_options_have_readable_placeholders(name: str) -> None:
    for param in COMMANDS[tuple(name.split())].params:
        if param.param_type_name == "option" and not param.is_flag:
            assert param.metavar, param.opts
            assert param.metavar == param.metavar.upper()
        if param.param_type_name == "argument":
            assert param.metavar, param.name


def test_each_option_has_one_placeholder() -> None:
    placeholders: dict[str, set[str]] = {}
    for name in ("--suite", "--task", "--repeats", "--workers", "--seed", "--machine"):
        for command in COMMANDS.values():
            for param in command.params:
                if name in param.opts:
                    placeholders.setdefault(name, set()).add(param.metavar)
    assert all(len(metavars) == 1 for metavars in placeholders.values()), placeholders


def test_every_command_with_results_has_json() -> None:
    without = {name for name, each in COMMANDS.items() if not hasattr(each, "commands")} - {
        name
        for name, each in COMMANDS.items()
        if any("--json" in param.opts for param in each.params)
    }
    assert without == {("image", "serve"), ("live",)}  # these serve until they are stopped


@pytest.mark.parametrize("name", NAMES)
def test_help_is_short(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = _help_of(name, monkeypatch, capsys, 80, complete=False)
    assert len(output.strip().splitlines()) <= 70


@pytest.mark.parametrize("name", SHORT)
def test_help_all_shows_rare_options_in_panels(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    params = COMMANDS[tuple(name.split())].params
    panels = {param.rich_help_panel for param in params if param.rich_help_panel}
    short = _help_of(name, monkeypatch, capsys, complete=False)
    complete = _help_of(name, monkeypatch, capsys)
    assert panels
    assert all(panel in complete and f"─ {panel} ─" not in short for panel in panels)
    for param in params:
        assert param.opts[0] in complete
        tasks = re.search(rf"[│*] {param.opts[0]} ", short) is not None
        assert tasks == (param.rich_help_panel is None), param.opts


def test_rare_options_are_parameters() -> None:
    names = {param.name for param in COMMANDS[("run",)].params}
    assert {name for each in RARE_OPTIONS.values() for name in each} <= names
