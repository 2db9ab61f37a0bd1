"""The guard, on ordinary processes of this computer."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from pptarena.envs.machines.sandbox.guard import Guard, Share, Taken, taken

pytestmark = pytest.mark.slow

MIB = 2**20
HOG = "held = b'x' * (120 << 20); print(flush=True); input()"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOG!r}])"


@pytest.fixture
def hog() -> Iterator["subprocess.Popen[bytes]"]:
    """A process whose child holds 120 MiB."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as started:
        assert started.stdout is not None
        started.stdout.readline()
        yield started
        started.kill()


def test_what_children_hold_counts(hog: "subprocess.Popen[bytes]") -> None:
    found = taken(hog.pid, [])
    assert 120 * MIB < found.memory_bytes < 300 * MIB
    assert found.tasks == 2


def test_the_reason_is_told_in_numbers() -> None:
    share = Share(100 * MIB, 50)
    assert Taken(100 * MIB, 50).excess(share) == ""
    assert "101 MiB" in Taken(101 * MIB, 1).excess(share)
    assert "51 processes" in Taken(1, 51).excess(share)


def test_more_than_the_share_ends_it_once(hog: "subprocess.Popen[bytes]") -> None:
    said: list[str] = []
    ended = threading.Event()

    def end(reason: str) -> None:
        said.append(reason)
        ended.set()

    guard = Guard()
    guard.watch(hog.pid, Share(50 * MIB, 100), end)
    assert ended.wait(10)
    time.sleep(0.6)  # two more looks
    assert len(said) == 1
    assert "50 MiB are allowed" in said[0]


def test_within_the_share_nothing_happens(hog: "subprocess.Popen[bytes]") -> None:
    said: list[str] = []
    guard = Guard()
    guard.watch(hog.pid, Share(1000 * MIB, 100), said.append)
    time.sleep(0.6)
    guard.leave(hog.pid)
    assert said == []
    assert hog.poll() is None
