"""QEMU's control channel: replies, timeouts and threads."""

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
    """Return a function that starts a minimal QEMU and returns its monitor."""
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


def poll_status(monitor: Monitor, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        monitor.execute("query-status")


def test_commands_are_executed(connect: Connect) -> None:
    monitor = connect()
    assert monitor.execute("query-version")["qemu"]["major"] >= 10
    assert monitor.execute("qom-list", {"path": "/machine"})


def test_rejected_command_is_a_machine_error(connect: Connect) -> None:
    monitor = connect()
    with pytest.raises(MachineError, match="QEMU rejected fly: The command fly has not been found"):
        monitor.execute("fly")
    with pytest.raises(MachineError, match="QEMU rejected qom-list"):
        monitor.execute("qom-list")
    assert monitor.execute("query-status")["running"] is not None


def test_exited_qemu_is_lost(connect: Connect) -> None:
    monitor = connect()
    monitor.execute("quit")
    with pytest.raises(MachineLostError, match=r"QEMU has exited: .+"):
        poll_status(monitor, 10)
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
def test_invalid_greeting_is_rejected(greeting: bytes) -> None:
    before = len(os.listdir("/proc/self/fd"))
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.sendall(greeting)
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(MachineLostError, match=r"QEMU has exited: .+"):
            Monitor(ours, 10)
    assert ours.fileno() == -1
    # The thread of the monitors, which may just have started, keeps three.
    assert len(os.listdir("/proc/self/fd")) <= before + 3


@pytest.mark.slow
def test_silent_peer_times_out() -> None:
    ours, theirs = socket.socketpair()
    started = time.monotonic()
    with theirs, pytest.raises(MachineTimeoutError, match=r"QEMU did not greet within 0\.3 s"):
        Monitor(ours, 0.3)
    assert time.monotonic() - started < 60
    assert ours.fileno() == -1


@pytest.mark.slow
def test_peer_silent_after_its_greeting_times_out() -> None:
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
            except MachineTimeoutError:     # the reply may have come before the request
                pass
            monitor.close()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(begin, pairs))
        names = [thread.name for thread in threading.enumerate()]
        print(names.count("pptarena-qmp"))
        """
    )
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.stderr == ""
    assert result.stdout == "1\n"


@pytest.mark.slow
def test_monitors_run_in_several_threads(connect: Connect) -> None:
    monitors = [connect() for _ in range(4)]

    def query_versions(monitor: Monitor) -> int:
        return sum(monitor.execute("query-version")["qemu"]["major"] >= 10 for _ in range(50))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(query_versions, monitors)) == [50] * 4
