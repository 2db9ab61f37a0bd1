"""A program returns its freed memory and continues; an exited program is skipped."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.envs.machines.sandbox.trim import release_freed_memory

ROOT = Path("/")
LIBRARY = ROOT / "usr/lib/x86_64-linux-gnu/libc.so.6"
MEBIBYTE = 2**20
PROGRAM = f"""
import ctypes, sys
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
pieces = [libc.malloc(8192) for _ in range({64 * MEBIBYTE // 8192})]
for piece in pieces:
    ctypes.memset(piece, 1, 8192)
retained = pieces[::100]  # so that the heap cannot shrink
for piece in set(pieces) - set(retained):
    libc.free(piece)
print("ready", flush=True)
for line in sys.stdin:
    print(sum(ctypes.string_at(piece, 8192) == bytes([1]) * 8192 for piece in retained), flush=True)
"""

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="no C library of Debian, x86-64")


@pytest.fixture
def program() -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def anonymous_bytes(pid: int) -> int:
    match = re.search(r"RssAnon:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert match is not None
    return int(match[1]) * 1024


def test_freed_memory_is_released_and_the_rest_stays_intact(
    program: "subprocess.Popen[str]",
) -> None:
    assert program.stdin is not None
    assert program.stdout is not None
    before = anonymous_bytes(program.pid)
    for _ in range(2):
        assert release_freed_memory(program.pid, ROOT, 20)
        assert anonymous_bytes(program.pid) < before - 20 * MEBIBYTE
        program.stdin.write("\n")
        program.stdin.flush()
        assert program.stdout.readline() == f"{-(-64 * MEBIBYTE // 8192 // 100)}\n"


def test_program_with_another_library_is_skipped(
    program: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    other = tmp_path / LIBRARY.relative_to(ROOT)
    other.parent.mkdir(parents=True)
    other.write_bytes(LIBRARY.read_bytes())
    before = anonymous_bytes(program.pid)
    assert not release_freed_memory(program.pid, tmp_path, 20)
    assert anonymous_bytes(program.pid) > before - MEBIBYTE


def test_exited_program_is_skipped(program: "subprocess.Popen[str]") -> None:
    program.kill()
    program.wait()
    assert not release_freed_memory(program.pid, ROOT, 20)
