"""The guard, on ordinary processes of this computer."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from pptarena.envs.machines.sandbox.guard import (
    Guard,
    ResourceLimits,
    ResourceUsage,
    resource_usage,
)

pytestmark = pytest.mark.slow

MIB = 2**20
HOG = "data = b'x' * (120 << 20); print(flush=True); input()"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOG!r}])"


@pytest.fixture
def hog() -> Iterator["subprocess.Popen[bytes]"]:
    """A process whose child holds 120 MiB."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_memory_of_children_counts(hog: "subprocess.Popen[bytes]") -> None:
    usage = resource_usage(hog.pid, [])
    assert 120 * MIB < usage.memory_bytes < 300 * MIB
    assert usage.tasks == 2


def test_excess_is_reported_in_numbers() -> None:
    limits = ResourceLimits(100 * MIB, 50)
    assert ResourceUsage(100 * MIB, 50).excess(limits) == ""
    assert "101 MiB" in ResourceUsage(101 * MIB, 1).excess(limits)
    assert "51 processes" in ResourceUsage(1, 51).excess(limits)


def test_exceeding_the_limits_calls_back_once(hog: "subprocess.Popen[bytes]") -> None:
    reasons: list[str] = []
    ended = threading.Event()

    def end(reason: str) -> None:
        reasons.append(reason)
        ended.set()

    guard = Guard()
    guard.watch(hog.pid, ResourceLimits(50 * MIB, 100), end)
    assert ended.wait(10)
    time.sleep(0.6)  # two more polls
    assert len(reasons) == 1
    assert "50 MiB are allowed" in reasons[0]


def test_no_callback_within_the_limits(hog: "subprocess.Popen[bytes]") -> None:
    reasons: list[str] = []
    guard = Guard()
    guard.watch(hog.pid, ResourceLimits(1000 * MIB, 100), reasons.append)
    time.sleep(0.6)
    guard.unwatch(hog.pid)
    assert reasons == []
    assert hog.poll() is None
