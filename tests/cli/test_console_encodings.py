"""Every command works on consoles of any encoding: nothing ends in a `UnicodeEncodeError`."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.main
from pptx import Presentation
from rich.table import Table

from pptarena.cli import app, main
from pptarena.cli.output import new_progress, prepare_streams, stdout

ENCODINGS = ("ascii", "cp1252", "cp932", "latin-1", "cp437", "koi8-r", "gb18030", "utf-16", "utf-8")
WORDS = "Umsätze 你好 שלום नमस्ते 🎉 café “x” \u202e\x1b[31m"
FEW = pytest.mark.parametrize("encoding", ["ascii", "cp932"], indirect=True)
Call = Callable[..., tuple[object, str, str]]
Read = Callable[[], tuple[str, str]]


@pytest.fixture(params=ENCODINGS)
def encoding(request: pytest.FixtureRequest) -> str:
    """Return the encoding of the console."""
    return str(request.param)


@pytest.fixture
def open_streams(encoding: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Read]:
    """Replace standard output and standard error with strict pipes of an encoding."""

    def start() -> Read:
        pipes = io.BytesIO(), io.BytesIO()
        for name, pipe in zip(("stdout", "stderr"), pipes, strict=True):
            stream = io.TextIOWrapper(pipe, encoding, write_through=True)
            monkeypatch.setattr(sys, name, stream)
        return lambda: (pipes[0].getvalue().decode(encoding), pipes[1].getvalue().decode(encoding))

    return start


@pytest.fixture
def call(open_streams: Callable[[], Read], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run ``pptarena`` in this process; return exit code, output and errors as read there."""

    def run(*arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["pptarena", *arguments])
        read = open_streams()
        with pytest.raises(SystemExit) as caught:
            main()
        return caught.value.code, *read()

    return run


@pytest.fixture
def decks(tmp_path: Path) -> tuple[str, str]:
    """Write two decks that differ in words of many scripts."""
    names = []
    for number in (1, 2):
        presentation = Presentation()
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = f"{WORDS.split(chr(0x202E))[0]} {number}"
        presentation.save(str(tmp_path / f"präsentation-演示-{number}.pptx"))
        names.append(str(tmp_path / f"präsentation-演示-{number}.pptx"))
    return names[0], names[1]


def test_diff_output_is_encodable(call: Call, decks: tuple[str, str], encoding: str) -> None:
    code, out, errors = call("decks", "diff", *decks)
    assert (code, errors) == (0, "")
    assert "1 change" in out
    expected = "你好" if encoding in ("gb18030", "utf-16", "utf-8") else "\\u4f60"
    assert expected in out
    assert ("•" if encoding in ("cp1252", "gb18030", "utf-16", "utf-8") else "* ") in out


def test_json_is_ascii_and_equivalent(call: Call, decks: tuple[str, str]) -> None:
    code, out, _ = call("decks", "diff", "--json", *decks)
    assert code == 0
    assert out.isascii()
    assert "नमस्ते 🎉" in json.loads(out)["changes"][0]["value_after"]


@pytest.mark.slow
@FEW
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("decks", "validate", "A"), 0),
        (("score", "hide-last", "A", "--no-look", "--as-is"), 2),
        (("score", "meridian-hide-backup", "A", "--no-look", "--as-is"), 0),
        (("tasks", "list", "--suite", "bench"), 0),
        (("tasks", "show", "kanto-net-sales"), 0),
        (("tasks", "list", "--counts"), 0),
        (("runs", "replay", "präsentation-演示"), 1),
        (("report", "präsentation-演示"), 1),
        (("runs", "compare", "präsentation-演示"), 1),
        (("runs", "export", "präsentation-演示", "--format", "演示", "--out", "x"), 2),
        (("run", "--agent", "演示"), 2),
        (("run", "--演示"), 2),
        (("演示",), 2),
        (("decks", "diff", "演示.pptx", "A"), 1),
    ],
)
def test_commands_print_text_in_any_script(
    call: Call, decks: tuple[str, str], arguments: tuple[str, ...], code: int, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    exit_code, out, errors = call(*(decks[0] if each == "A" else each for each in arguments))
    assert exit_code == code, errors
    assert "Traceback" not in errors
    assert out or errors


@pytest.mark.slow
@FEW
def test_help_of_every_command_is_encodable(call: Call) -> None:
    groups: list[tuple[list[str], Any]] = [([], typer.main.get_command(app))]
    while groups:
        name, command = groups.pop()
        groups += [([*name, key], each) for key, each in getattr(command, "commands", {}).items()]
        code, out, errors = call(*name, "--help")
        assert (code, errors) == (0, "")
        assert "Usage:" in out


def test_tables_progress_and_plain_writes(open_streams: Callable[[], Read], encoding: str) -> None:
    read = open_streams()
    prepare_streams()
    table = Table("name", "mark")
    table.add_row(WORDS, "✓ ✗ ◐ …")
    stdout().print(table)
    sys.stdout.write("你好 ▁█ ─│┌ ⠋\n")
    with new_progress() as progress:
        progress.advance(progress.add_task(WORDS, total=2, note="你好"))
    out, errors = read()
    assert "Ums" in out
    assert "Ums" in errors
    assert "\x1b" not in out + errors
    if encoding == "ascii":
        assert "\\u4f60\\u597d .@ -|+ -" in out
        assert "+ x ~ ..." in out
