"""Pipes, devices, sockets, folders and huge files in the place of files that a command reads."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pptarena.cli.app import app
from pptarena.decks import read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.validity import validate_deck
from pptarena.errors import DeckError, PPTArenaError, TaskError
from pptarena.files import read_file, read_text
from pptarena.rewards.judges.client import read_records
from pptarena.tasks import SuiteFile, list_tasks, load_task
from pptarena.tasks.deck_files import read_deck_file

Make = Callable[[str, str], Path]

HUGE = 5 * 2**30


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], Path]]:
    """Return what makes something odd of a kind under a name."""
    open_sockets: list[socket.socket] = []

    def made(kind: str, name: str) -> Path:
        path = tmp_path / name
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "link to a pipe":
            os.mkfifo(tmp_path / "pipe")
            path.symlink_to(tmp_path / "pipe")
        elif kind == "device":
            path.symlink_to("/dev/zero")
        elif kind == "terminal":
            path.symlink_to("/dev/tty")
        elif kind == "folder":
            path.mkdir()
        elif kind == "socket":
            monkeypatch.chdir(tmp_path)  # the path of a socket must be short
            server = socket.socket(socket.AF_UNIX)
            server.bind(name)
            open_sockets.append(server)
        elif kind == "huge":
            with path.open("wb") as file:
                file.truncate(HUGE)
        return path

    yield made
    for each in open_sockets:
        each.close()


KINDS = ["pipe", "link to a pipe", "device", "folder", "socket", "huge"]


@pytest.mark.parametrize("kind", KINDS)
def test_special_files_are_refused_before_reading(make: Make, kind: str) -> None:
    path = make(kind, "file.pptx")
    reason = "expected at most" if kind == "huge" else "expected a plain file, found"
    for read in (lambda: read_file(path, 10**6), lambda: read_text(path)):
        with pytest.raises(OSError, match=reason):
            read()
    for check in (read_deck, validate_deck):
        for form in (path, str(path)):
            with pytest.raises(DeckError, match=f"file.pptx cannot be read: {reason}"):
                check(form)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "words",
    [
        "diff {deck} {good}", "diff {good} {deck}", "validate {deck}",
        "score meridian-hide-backup {deck} --as-is", "score {task} {good} --as-is --no-judge",
        "score meridian-hide-backup {good} --original {deck}", "tasks show {task}",
        "tasks draft {deck} {good} --instruction x", "tasks new mine --deck {deck}",
        "tasks new mine --deck {good} --file {deck}", "run --suite {suite} --machine fake",
        "run --tasks {task} --machine fake", "replay {task}", "report {task}",
        "grow --decks {deck} --out grown.jsonl --prove file", "compare {task} {task}",
        "leaderboard {task}",
    ],
)  # fmt: skip
def test_commands_end_with_one_error(
    make: Make,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.pptx").write_bytes(read_deck_file("meridian"))
    name = next(name for name in ("deck", "task", "suite") if f"{{{name}}}" in words)
    odd = make(kind, {"deck": "odd.pptx", "task": "odd.json", "suite": "odd.jsonl"}[name])
    result = CliRunner().invoke(app, words.format(**{name: odd, "good": "good.pptx"}).split())
    assert result.exit_code in (1, 2), result.output
    assert result.exception is None or isinstance(
        result.exception, PPTArenaError | OSError | SystemExit
    ), result.exception


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_tasks(make: Make, write_task: Callable[..., Path], kind: str) -> None:
    folder = write_task("bold-title")
    odd = make(kind, "bold-title/odd.pptx")
    data = (folder / "garden.pptx").read_bytes()
    (folder / "garden.pptx").unlink()
    odd.rename(folder / "garden.pptx")
    with pytest.raises(TaskError, match="deck: "):
        load_task(folder).deck_bytes()
    (folder / "garden.pptx").rename(odd)
    (folder / "garden.pptx").write_bytes(data)
    file = folder / "task.json"
    named = file.read_text("utf-8").replace('"version"', '"files": ["odd.pptx"], "version"')
    file.write_text(named, "utf-8")
    with pytest.raises(TaskError, match="files"):
        load_task(folder).files_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_suites_rubrics_and_records(make: Make, kind: str) -> None:
    suite = make(kind, "suite.jsonl")
    for read in (lambda: SuiteFile(suite), lambda: list_tasks(suite), lambda: read_records(suite)):
        with pytest.raises(PPTArenaError):
            read()


def test_ordinary_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("née", "utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_text(tmp_path / "link") == "née"
    assert read_file(tmp_path / "file", 4) == "née".encode()
    with pytest.raises(OSError, match="expected at most 3 bytes, found 4"):
        read_file(tmp_path / "file", 3)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"no zip file", "is not a valid .pptx: the file is not a zip file"),
        (b"", "is not a valid .pptx: the file is not a zip file"),
        (b"PK\x03\x04 and so on", "is not a valid .pptx: the file is truncated"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is not a valid .pptx: it is encrypted"),
    ],
)
def test_errors_name_the_deck(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "broken.pptx"
    path.write_bytes(data)
    for check in (read_deck, validate_deck):
        for form in (path, str(path)):
            with pytest.raises(DeckError) as error:
                check(form)
            assert str(error.value).startswith(f"{path} {message}")
    for arguments in (
        ["score", "meridian-hide-backup", path, "--as-is"],
        ["decks", "diff", path, "x"],
    ):
        result = CliRunner().invoke(app, list(map(str, arguments)))
        assert str(result.exception).startswith(f"{path} {message}")


@pytest.mark.slow
def test_paths_are_accepted_as_text(tmp_path: Path) -> None:
    path = tmp_path / "a.pptx"
    path.write_bytes(read_deck_file("meridian"))
    assert diff_decks(read_deck(str(path)), read_deck(path.read_bytes())) == ()
    assert validate_deck(str(path)) == ()
