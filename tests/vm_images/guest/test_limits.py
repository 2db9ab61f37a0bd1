import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.vm_images.guest import limits
from pptarena.vm_images.guest.limits import MemoryGuard

MIB = 2**20
HOG = "import sys; held = b'x' * (int(sys.argv[1]) << 20); print(flush=True); sys.stdin.read()"
LIMITED = """
import json, resource, sys
from pptarena.vm_images.guest.limits import limit_processes
hard = int(sys.argv[1])
if hard:
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
limit_processes(512 << 20, 300)
names = ("RLIMIT_AS", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CORE")
print(json.dumps({name: resource.getrlimit(getattr(resource, name)) for name in names}))
try:
    bytearray(2 << 30)
except MemoryError:
    print("refused")
"""


@pytest.fixture
def hogs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Two programs of 40 and 120 MiB, all that the guard sees: it would kill any other too."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", HOG, str(mebibytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for mebibytes in (40, 120)
    ]
    pids = {hog.pid for hog in started}
    everything = limits._resident_bytes
    monkeypatch.setattr(
        limits,
        "_resident_bytes",
        lambda: {pid: size for pid, size in everything().items() if pid in pids},
    )
    for hog in started:
        assert hog.stdout is not None
        hog.stdout.readline()
    yield started
    for hog in started:
        hog.kill()
        hog.communicate()


def test_within_the_limit_nothing_happens(hogs: list["subprocess.Popen[bytes]"]) -> None:
    assert MemoryGuard(1000 * MIB).check() is None
    assert [hog.poll() for hog in hogs] == [None, None]


def test_above_the_limit_the_largest_is_killed(hogs: list["subprocess.Popen[bytes]"]) -> None:
    small, large = hogs
    assert MemoryGuard(150 * MIB).check() == large.pid
    assert large.wait(10) == -signal.SIGKILL
    assert small.poll() is None


def test_the_thread_looks_by_itself(hogs: list["subprocess.Popen[bytes]"]) -> None:
    guard = MemoryGuard(150 * MIB)
    guard.start()
    try:
        assert hogs[1].wait(10) == -signal.SIGKILL
    finally:
        guard.stop()
        guard.join(10)
    assert not guard.is_alive()


def test_resident_memory_leaves_shared_pages_out() -> None:
    found = limits._resident_bytes()
    assert 1 not in found
    own = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    assert 0 < found[os.getpid()] < 2 * own


def limited(hard: int) -> tuple[dict[str, list[int]], list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(hard)], capture_output=True, text=True, check=True
    )
    first, *rest = done.stdout.splitlines()
    return json.loads(first), rest


def test_limits_hold_for_good() -> None:
    found, said = limited(0)
    assert found["RLIMIT_AS"] == [1024 * MIB] * 2
    assert found["RLIMIT_NPROC"] == [300] * 2
    assert found["RLIMIT_FSIZE"] == [512 * MIB] * 2
    assert found["RLIMIT_CORE"] == [0, 0]
    assert said == ["refused"]


def test_limits_of_the_host_are_kept_where_they_are_lower() -> None:
    found, _ = limited(700 * MIB)
    assert found["RLIMIT_AS"] == [700 * MIB] * 2
