"""Broken and hostile files on the command line: an exit code and one line, soon."""

import io
import resource
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pptarena.tasks import get_task

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    import subprocess

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = "meridian-hide-backup"
MAX_CPU_SEC = 60.0  # a second or two; a bomb that is opened takes far longer


def _changed(part: str, content: bytes | None) -> bytes:
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(get_task(TASK).deck_bytes())) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            data = content if name == part else old.read(name)
            if data is not None:
                new.writestr(name, data)
    return file.getvalue()


def _entities() -> bytes:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE p [<!ENTITY e0 "x">{levels}]><p a="&e9;">&e9;</p>'.encode("utf-16")


def _many_shapes() -> bytes:
    with zipfile.ZipFile(io.BytesIO(get_task(TASK).deck_bytes())) as file:
        slide = file.read("ppt/slides/slide3.xml")
    start, end = slide.index(b"<p:sp>"), slide.rindex(b"</p:sp>") + len(b"</p:sp>")
    return slide[:end] + slide[start:end] * 10_000 + slide[end:]


SLIDE = "ppt/slides/slide3.xml"
FILES: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "text": lambda: b"no zip file",
    "truncated": lambda: get_task(TASK).deck_bytes()[:-1000],
    "missing slide": lambda: _changed(SLIDE, None),
    "missing presentation": lambda: _changed("ppt/presentation.xml", None),
    "other kind of part": lambda: _changed(SLIDE, b"<html/>"),
    "entities": lambda: _changed(SLIDE, _entities()),
    "bomb": lambda: _changed(SLIDE, bytes(400 * 2**20)),
    "shapes": lambda: _changed(SLIDE, _many_shapes()),
    "tags": lambda: _changed(SLIDE, b"<a>" + b"<b/>" * 4_000_000 + b"</a>"),
}


def _cpu_sec() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("name", list(FILES))
def test_unreadable_file_is_a_one_line_error(cli: Cli, tmp_path: Path, name: str) -> None:
    good, bad = tmp_path / "good.pptx", tmp_path / "bad.pptx"
    good.write_bytes(get_task(TASK).deck_bytes())
    bad.write_bytes(FILES[name]())
    for arguments in (("score", TASK, str(bad), "--as-is"), ("decks", "diff", str(good), str(bad))):
        start = _cpu_sec()
        done = cli(*arguments, "--json", code=1)
        assert _cpu_sec() - start < MAX_CPU_SEC
        assert done.stdout == ""
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1


def test_missing_file_is_a_one_line_error(cli: Cli) -> None:
    for arguments in (
        ("score", TASK, "nowhere.pptx", "--as-is"),
        ("decks", "diff", "nowhere.pptx", "nowhere.pptx"),
    ):
        done = cli(*arguments, code=1)
        assert done.stderr == "error: nowhere.pptx cannot be read: No such file or directory\n"
