"""What counts as left behind, on folders that stand for a sandbox's."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.envs.machines.sandbox import remains as module
from pptarena.envs.machines.sandbox.remains import Remains

USER = "home/agent/.config/libreoffice/4/user"
SETTINGS = f"{USER}/registrymodifications.xcu"
ITEM = '<item oor:path="/org.openoffice.Office.{}"><prop><value>{}</value></prop></item>\n'
BAR = ITEM.format("UI.ImpressWindowState/UIElements/States/x", "true")


def seen(root: Path) -> Remains:
    return Remains(frozenset(), module._files(root))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("tmp", "run", "dev/shm", USER, "home/agent/Documents"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / SETTINGS).write_text(ITEM.format("Common/Misc", "false"))
    (tmp_path / USER / "mytexts.bau").write_bytes(b"abc")
    return tmp_path


CHANGES: dict[str, Callable[[Path], object]] = {
    "new file": lambda root: (root / "dev/shm/x").touch(),
    "new folder": lambda root: (root / "home/agent/x").mkdir(),
    "contents of the same length": lambda root: (root / USER / "mytexts.bau").write_bytes(b"abd"),
    "gone": lambda root: (root / USER / "mytexts.bau").unlink(),
    "setting": lambda root: (root / SETTINGS).write_text(ITEM.format("Common/Misc", "true")),
    "new setting": lambda root: _add(root, ITEM.format("Impress/Grid/Option", "true")),
    "colour": lambda root: _add(root, ITEM.format("Common/UserColors", "255")),
    "hidden in a bar": lambda root: _add(root, BAR.replace("true", f"\n{ITEM}")),
    "words": lambda root: _words(root).touch(),
    "link": lambda root: _words(root, make=False).symlink_to("/etc"),
    "pipe": lambda root: os.mkfifo(root / "tmp/pipe"),
    "too long": lambda root: _add(root, BAR * 20_000),
}


def _add(root: Path, text: str) -> None:
    with (root / SETTINGS).open("a") as file:
        file.write(text)


def _words(root: Path, *, make: bool = True) -> Path:
    folder = root / USER / "autocorr"
    if make:
        folder.mkdir()
    return folder / "acor_en-US.dat" if make else folder


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_is_found(root: Path, name: str) -> None:
    fresh = seen(root)
    CHANGES[name](root)
    assert seen(root).new_since(fresh).startswith("files are not as they were, such as ")


def test_what_follows_by_itself_is_not(root: Path) -> None:
    fresh = seen(root)
    _add(root, BAR)
    (root / USER / "autocorr").mkdir()
    (root / "home/agent/Documents/deck.pptx").touch()
    (root / "tmp/lu27abc.tmp").mkdir()
    assert seen(root).new_since(fresh) == ""


def test_a_program_that_came_is_found(root: Path) -> None:
    fresh = seen(root)
    assert "processes" in Remains(frozenset({(7, "1")}), fresh.files).new_since(fresh)
