"""QEMU's control channel: what it says, what it does not say, and threads."""

import os
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from pptarena.envs.machines.qemu.monitor import Monitor
from pptarena.errors import MachineError, MachineLostError, MachineTimeoutError

Connect = Callable[..., Monitor]


@pytest.fixture
def connect(qemu: str) -> Iterator[Connect]:
    """Return a function that starts the smallest QEMU there is and returns its monitor."""
    with ExitStack() as stack:

        def start() -> Monitor:
            ours, theirs = socket.socketpair()
            command = [
                *(qemu, "-nodefaults", "-no-user-config", "-M", "none", "-display", "none"),
                *("-chardev", f"socket,id=monitor,fd={theirs.fileno()}"),
                *("-mon", "monitor,mode=control"),
            ]
            with theirs:
                process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
            stack.callback(process.wait)
            stack.callback(process.kill)
            monitor = Monitor(ours, 20)
            stack.callback(monitor.close)
            return monitor

        yield start


def ask_for(monitor: Monitor, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        monitor.execute("query-status")


def test_it_carries_out_commands(connect: Connect) -> None:
    monitor = connect()
    assert monitor.execute("query-version")["qemu"]["major"] >= 10
    assert monitor.execute("qom-list", {"path": "/machine"})


def test_a_refusal_is_an_error_of_the_machine(connect: Connect) -> None:
    monitor = connect()
    with pytest.raises(MachineError, match="QEMU refused fly: The command fly has not been found"):
        monitor.execute("fly")
    with pytest.raises(MachineError, match="QEMU refused qom-list"):
        monitor.execute("qom-list")
    assert monitor.execute("query-status")["running"] is not None


def test_a_qemu_that_quit_is_lost(connect: Connect) -> None:
    monitor = connect()
    monitor.execute("quit")
    with pytest.raises(MachineLostError, match=r"QEMU is gone: .+"):
        ask_for(monitor, 10)
    monitor.close()
    monitor.close()
    with pytest.raises(MachineLostError):
        monitor.execute("query-status")


def test_events_do_not_pile_up(connect: Connect) -> None:
    monitor = connect()
    for _ in range(10):
        monitor.execute("stop")
        monitor.execute("cont")
    assert monitor._client.events.empty()


@pytest.mark.parametrize("greeting", [b"", b"hello\n", b"{}\n", b'{"QMP', b"\xff\xfe\n"])
def test_a_peer_that_is_no_qemu(greeting: bytes) -> None:
    before = len(os.listdir("/proc/self/fd"))
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.sendall(greeting)
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(MachineLostError, match=r"QEMU is gone: .+"):
            Monitor(ours, 10)
    assert ours.fileno() == -1
    # The thread of the monitors keeps three: it may just have begun.
    assert len(os.listdir("/proc/self/fd")) <= before + 3


@pytest.mark.slow
def test_a_peer_that_says_nothing() -> None:
    ours, theirs = socket.socketpair()
    started = time.monotonic()
    with theirs, pytest.raises(MachineTimeoutError, match=r"QEMU did not greet within 0\.3 s"):
        Monitor(ours, 0.3)
    assert time.monotonic() - started < 60
    assert ours.fileno() == -1


@pytest.mark.slow
def test_a_peer_that_greets_and_then_says_nothing() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        version = b'{"qemu": {"micro": 0, "minor": 0, "major": 10}, "package": ""}'
        theirs.sendall(b'{"QMP": {"version": ' + version + b', "capabilities": []}}\n')
        theirs.sendall(b'{"return": {}}\n')
        monitor = Monitor(ours, 5)
        with pytest.raises(MachineTimeoutError, match=r"did not stop within 0.3 s"):
            monitor.execute("stop", timeout_sec=0.3)
        threading.Timer(0.2, theirs.shutdown, [socket.SHUT_RDWR]).start()
        with pytest.raises(MachineLostError):
            monitor.execute("cont", timeout_sec=10)
        monitor.close()


@pytest.mark.slow
def test_threads_share_one_loop(qemu: str) -> None:
    """The first monitors of a process may start in several threads concurrently."""
    script = textwrap.dedent(
        """
        import socket, sys, threading
        from concurrent.futures import ThreadPoolExecutor
        from pptarena.envs.machines.qemu.monitor import Monitor
        from pptarena.errors import MachineTimeoutError
        sys.setswitchinterval(1e-6)
        gate = threading.Barrier(8)
        pairs = [socket.socketpair() for _ in range(8)]
        version = b'{"qemu": {"micro": 0, "minor": 0, "major": 10}, "package": ""}'
        def begin(pair):
            pair[1].sendall(b'{"QMP": {"version": ' + version + b', "capabilities": []}}' b'\\n')
            pair[1].sendall(b'{"return": {}}' b'\\n')
            gate.wait()
            monitor = Monitor(pair[0], 10)
            pair[1].sendall(b'{"return": 7, "id": "__qmp#00000"}' b'\\n')
            try:
                monitor.execute("stop", timeout_sec=1)
            except MachineTimeoutError:     # the answer may have come before the question
                pass
            monitor.close()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(begin, pairs))
        names = [thread.name for thread in threading.enumerate()]
        print(names.count("pptarena-qmp"))
        """
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.stdout == "1\n"


@pytest.mark.slow
def test_several_threads_use_monitors_of_their_own(connect: Connect) -> None:
    monitors = [connect() for _ in range(4)]

    def ask(monitor: Monitor) -> int:
        return sum(monitor.execute("query-version")["qemu"]["major"] >= 10 for _ in range(50))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, monitors)) == [50] * 4
