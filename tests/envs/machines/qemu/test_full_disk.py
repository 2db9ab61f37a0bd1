"""What checkpoints and snapshots do on a disk that is full, or that can only be read."""

import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.envs.machines.qemu.memory_file import new_memory

pytestmark = pytest.mark.slow

MEBIBYTE = 2**20

FULL = textwrap.dedent(
    """
    import os, sys
    from pathlib import Path
    from pptarena.envs.machines.qemu.memory_file import clone_memory
    from pptarena.envs.machines.snapshots.scratch import Scratch
    from pptarena.envs.machines.snapshots.store import SnapshotStore
    from pptarena.errors import HostError
    what, source = sys.argv[1:]
    def attempt():
        if what == "checkpoint":
            scratch = Scratch()
            try:
                clone_memory(os.open(source, os.O_RDONLY), scratch.folder / "memory")
            finally:
                scratch.release()
        elif what == "room":
            SnapshotStore(2**40).make_room(2**33)
        else:
            def build(folder):
                (folder / "memory").write_bytes(bytes(16 * 2**20))
                return {}
            with SnapshotStore(2**30).use("a", build, 2**20, 5):
                pass
    try:
        attempt()
    except HostError as error:
        print(error)
    home = Path(os.environ["PPTARENA_HOME"])
    print(sum(file.stat().st_size for file in home.rglob("*") if file.is_file()))
    """
)


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Path]:
    new_memory(tmp_path / "source", 16 * MEBIBYTE)
    (tmp_path / "source").write_bytes(b"m" * 16 * MEBIBYTE)
    yield tmp_path / "source"
    (tmp_path / "source").unlink()


def in_namespace(home: Path, source: Path, what: str, *options: str) -> list[str]:
    """Run the program above where its home is another file system; return what it said."""
    program = shutil.which("bwrap")
    if program is None:
        pytest.skip("bubblewrap, which makes a small disk without being root, is missing")
    home.mkdir(exist_ok=True)
    command = [program, "--dev-bind", "/", "/", *options, str(home)]
    command += [sys.executable, "-c", FULL, what, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.stderr.startswith("bwrap:"):
        pytest.skip(f"this host lets bubblewrap make no namespaces: {done.stderr}")
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("checkpoint", "no space left in "),
        ("snapshot", "No space left on device"),
        ("room", "are free on the disk; close checkpoints"),
    ],
)
def test_a_full_disk(home: Path, source: Path, what: str, reason: str) -> None:
    said, left = in_namespace(home, source, what, "--size", "8388608", "--tmpfs")
    assert reason in said
    assert "PPTARENA_HOME" in said or "pptarena image rm --snapshots" in said
    assert left == "0", "part of it stays on the full disk"


@pytest.mark.parametrize("what", ["checkpoint", "snapshot", "room"])
def test_a_disk_that_can_only_be_read(home: Path, source: Path, what: str) -> None:
    said, left = in_namespace(home, source, what, "--ro-bind", str(home))
    assert "Read-only file system" in said
    assert "set PPTARENA_HOME" in said
    assert left == "0"
