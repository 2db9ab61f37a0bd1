"""Checkpoints and snapshots on a full disk and on a read-only disk."""

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

PROGRAM = textwrap.dedent(
    """
    import os, sys
    from pathlib import Path
    from pptarena.envs.machines.qemu.memory_file import clone_memory
    from pptarena.envs.machines.snapshots.scratch import Scratch
    from pptarena.envs.machines.snapshots.store import SnapshotStore
    from pptarena.errors import HostError
    operation, source = sys.argv[1:]
    def attempt():
        if operation == "checkpoint":
            scratch = Scratch()
            try:
                clone_memory(os.open(source, os.O_RDONLY), scratch.folder / "memory")
            finally:
                scratch.release()
        elif operation == "space":
            SnapshotStore(2**40).ensure_space(2**33)
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


def run_in_namespace(home: Path, source: Path, operation: str, *options: str) -> list[str]:
    """Run `PROGRAM` with its home on another file system, and return its output."""
    program = shutil.which("bwrap")
    if program is None:
        pytest.skip("bubblewrap is missing; it creates the small disk without root")
    home.mkdir(exist_ok=True)
    command = [program, "--dev-bind", "/", "/", *options, str(home)]
    command += [sys.executable, "-c", PROGRAM, operation, str(source)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if result.stderr.startswith("bwrap:"):
        pytest.skip(f"bubblewrap cannot create namespaces on this host: {result.stderr}")
    assert result.stderr == ""
    return result.stdout.splitlines()


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ("checkpoint", "no space left in "),
        ("snapshot", "No space left on device"),
        ("space", "are free on the disk; close checkpoints"),
    ],
)
def test_full_disk_is_reported(home: Path, source: Path, operation: str, reason: str) -> None:
    message, used_bytes = run_in_namespace(home, source, operation, "--size", "8388608", "--tmpfs")
    assert reason in message
    assert "PPTARENA_HOME" in message or "pptarena image rm --snapshots" in message
    assert used_bytes == "0", "files remain on the full disk"


@pytest.mark.parametrize("operation", ["checkpoint", "snapshot", "space"])
def test_read_only_disk_is_reported(home: Path, source: Path, operation: str) -> None:
    message, used_bytes = run_in_namespace(home, source, operation, "--ro-bind", str(home))
    assert "Read-only file system" in message
    assert "set PPTARENA_HOME" in message
    assert used_bytes == "0"
