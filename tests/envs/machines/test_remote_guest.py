"""A remote machine on a real guest: that nothing stays, and what happens when parts are lost."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import gymnasium as gym
import numpy as np
import pytest

from pptarena.envs.machines import Machine
from pptarena.envs.machines.remote import RemoteConfig, RemoteMachine
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.errors import (
    MachineError,
    MachineLostError,
    MachineStartError,
    MachineTimeoutError,
)
from pptarena.vm_images.guest.address import parse_address
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.image


class Guest(Protocol):
    """What these tests use of the guests that `start_guest` makes."""

    socket: Path
    token_file: Path

    @property
    def address(self) -> str: ...
    @property
    def pid(self) -> int: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def processes(self) -> dict[str, list[int]]: ...


StartGuest = Callable[[], Guest]


@pytest.fixture(scope="module")
def guest(start_guest: StartGuest) -> Guest:
    return start_guest()


def config_of(guest: Guest, **more: float) -> RemoteConfig:
    return RemoteConfig(
        remote_address=guest.address,
        remote_token_file=str(guest.token_file),
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture
def machine(guest: Guest, deck: bytes) -> Iterator[Machine]:
    with RemoteMachine(config_of(guest)) as machine:
        machine.load(deck, "garden.pptx")
        yield machine


def desktop_of(guest: Guest) -> int:
    """Return the guest program of the newest desktop: the one that started the X server.

    Not by the order of the ids, which start over when the host has used them all.
    """
    found = []
    for pid in guest.processes()["Xvfb"]:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
            found.append((int(fields[19]), int(fields[1])))  # start in ticks, parent: proc(5)
    return max(found)[1]


def freeze_application(guest: Guest) -> None:
    """Stop LibreOffice, so that no step ends: one that waits for minutes may take little time."""
    for pid in guest.processes()["soffice.bin"]:
        os.kill(pid, signal.SIGSTOP)


def idle(guest: Guest, within_sec: float = 10.0) -> bool:
    """Wait until nothing runs but the guest that listens and its sandbox."""
    deadline = time.monotonic() + within_sec
    while time.monotonic() < deadline:
        found = guest.processes()
        if set(found) <= {"bwrap", "python3"} and len(found.get("python3", [])) == 1:
            return True
        time.sleep(0.05)
    return False


def test_it_shows_what_a_sandbox_shows(machine: Machine, deck: bytes) -> None:
    seen = machine.load(deck, "garden.pptx")
    with SandboxMachine() as sandbox:
        expected = sandbox.load(deck, "garden.pptx")
    assert seen.tree == expected.tree
    assert np.array_equal(seen.screenshot, expected.screenshot)
    assert seen.document.slide == expected.document.slide


def test_nothing_of_a_desktop_outlives_its_connection(guest: Guest, deck: bytes) -> None:
    assert idle(guest), guest.processes()
    [listener] = guest.processes()["python3"]
    before = os.listdir(f"/proc/{listener}/root/tmp")
    with RemoteMachine(config_of(guest)) as machine:
        machine.load(deck, "garden.pptx")
        machine.perform(Command("copy_text", text="xclip stays to serve it"))
        assert "soffice.bin" in guest.processes()
        machine.load(deck, "garden.pptx")
        assert len(guest.processes()["soffice.bin"]) == 1
    assert idle(guest), guest.processes()
    deadline = time.monotonic() + 10  # the files follow the processes
    while os.listdir(f"/proc/{listener}/root/tmp") != before:
        assert time.monotonic() < deadline, os.listdir(f"/proc/{listener}/root/tmp")
        time.sleep(0.05)


@pytest.mark.parametrize("victim", ["soffice.bin", "Xvfb"])
def test_a_killed_part_is_a_lost_machine(
    machine: Machine, guest: Guest, deck: bytes, victim: str
) -> None:
    for pid in guest.processes()[victim]:
        os.kill(pid, signal.SIGKILL)
    with pytest.raises((MachineLostError, MachineTimeoutError)):
        machine.perform(Command("key", keys=("Page_Down",)))
    assert machine.load(deck, "garden.pptx").document.open


def test_a_killed_desktop_is_a_lost_machine(machine: Machine, guest: Guest, deck: bytes) -> None:
    freeze_application(guest)
    threading.Timer(0.5, lambda: os.kill(desktop_of(guest), signal.SIGKILL)).start()
    with pytest.raises(MachineLostError, match="the desktop's guest program ended"):
        machine.perform(Command("wait", amount=1))
    assert machine.load(deck, "garden.pptx").document.open


def test_a_killed_guest_is_lost_and_its_return_is_found(
    start_guest: StartGuest, deck: bytes
) -> None:
    guest = start_guest()
    with RemoteMachine(config_of(guest)) as machine:
        machine.load(deck, "garden.pptx")
        freeze_application(guest)
        killer = threading.Timer(0.5, guest.stop)
        killer.start()
        with pytest.raises(MachineLostError, match="went away during perform"):
            machine.perform(Command("wait", amount=1))
        with pytest.raises(MachineLostError, match="does not run"):
            machine.save()
        killer.join()  # until all of it is gone
        with pytest.raises(MachineStartError, match=f"answers at {guest.address}.*refused"):
            machine.load(deck, "garden.pptx")
        guest.socket.unlink()
        with pytest.raises(MachineStartError, match="No such file"):
            machine.load(deck, "garden.pptx")
        guest.start()
        assert machine.load(deck, "garden.pptx").document.open


def test_a_stale_socket_is_taken_over(start_guest: StartGuest) -> None:
    guest = start_guest()
    guest.stop()
    assert guest.socket.exists()
    guest.start()
    deadline = time.monotonic() + 20
    while True:  # the file exists already: wait for an answer
        try:
            parse_address(guest.address).connect(1.0).close()
            break
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, "nobody listens"
            time.sleep(0.05)


def test_a_frozen_guest_meets_the_deadlines(guest: Guest, deck: bytes) -> None:
    config = config_of(guest, step_timeout_sec=8.0, start_timeout_sec=60.0)
    with RemoteMachine(config) as machine:
        machine.load(deck, "garden.pptx")
        frozen = guest.processes()["python3"]
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        try:
            started = time.monotonic()
            with pytest.raises(MachineTimeoutError, match="no reply to perform within 8 s"):
                machine.perform(Command("observe"))
            assert time.monotonic() - started < 60
            with pytest.raises(MachineStartError, match="does not answer"):
                machine.load(deck, "garden.pptx")
            assert time.monotonic() - started < 200
        finally:
            for pid in frozen:
                with contextlib.suppress(ProcessLookupError):  # one that was just being started
                    os.kill(pid, signal.SIGCONT)
        assert machine.load(deck, "garden.pptx").document.open


def test_a_frozen_desktop_is_renewed(guest: Guest, deck: bytes) -> None:
    with RemoteMachine(config_of(guest, step_timeout_sec=8.0)) as machine:
        machine.load(deck, "garden.pptx")
        os.kill(desktop_of(guest), signal.SIGSTOP)
        with pytest.raises(MachineTimeoutError):
            machine.save()
        assert machine.load(deck, "garden.pptx").document.open


def test_a_new_connection_may_have_other_settings(guest: Guest, deck: bytes) -> None:
    for width in (1280, 1024):
        with RemoteMachine(config_of(guest, width_px=width)) as machine:
            assert machine.load(deck, "garden.pptx").screenshot.shape == (720, width, 3)


def test_errors_leave_the_guest_free(guest: Guest, deck: bytes) -> None:
    with RemoteMachine(config_of(guest)) as machine:
        machine.load(deck, "garden.pptx")
        with (
            pytest.raises(MachineError, match="in use"),
            RemoteMachine(config_of(guest)) as second,
        ):
            second.load(deck, "garden.pptx")
        assert machine.perform(Command("observe")).document.open


def test_environments_share_a_list_of_guests(start_guest: StartGuest, guest: Guest) -> None:
    both = f"{guest.address},{start_guest().address}"
    options: dict[str, Any] = {"remote_address": both, "remote_token_file": str(guest.token_file)}
    vector = gym.make_vec("PPTArena-v0", 2, "sync", machine="remote", max_steps=3, **options)
    try:
        observations, infos = vector.reset(seed=4)
        assert observations["screenshot"].shape[0] == 2
        _, rewards, _, truncated, infos = vector.step(vector.action_space.sample())
        assert rewards.shape == (2,)
        assert not truncated.any()
        assert all(error is None for error in infos.get("infra_error", (None,)))
    finally:
        vector.close()
    assert idle(guest)
