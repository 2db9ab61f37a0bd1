"""A remote machine on a real guest: cleanup, and loss of its parts."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from tests.envs.machines.conftest import RemoteGuest, StartGuest

from pptarena.envs.machines import Machine
from pptarena.envs.machines.remote import RemoteConfig, RemoteMachine
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.errors import MachineError, MachineLostError, MachineStartError, MachineTimeoutError
from pptarena.vm_images.guest.address import parse_address
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.image


@pytest.fixture(scope="module")
def guest(start_guest: StartGuest) -> RemoteGuest:
    return start_guest()


def config_of(guest: RemoteGuest, **settings: float) -> RemoteConfig:
    return RemoteConfig(
        remote_address=guest.address,
        remote_token_file=str(guest.token_file),
        **settings,  # type: ignore[arg-type]
    )


@pytest.fixture
def machine(guest: RemoteGuest, deck: bytes) -> Iterator[Machine]:
    with RemoteMachine(config_of(guest)) as machine:
        machine.load(deck, "garden.pptx")
        yield machine


def desktop_pid(guest: RemoteGuest) -> int:
    """Return the guest program of the newest desktop: the one that started the X server.

    Not by the order of the ids, which start over when the host has used them all.
    """
    candidates = []
    for pid in guest.processes()["Xvfb"]:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
            candidates.append((int(fields[19]), int(fields[1])))  # start in ticks, parent: proc(5)
    return max(candidates)[1]


def freeze_application(guest: RemoteGuest) -> None:
    """Stop LibreOffice, so that no step ends; in virtual time, even a long wait may be short."""
    for pid in guest.processes()["soffice.bin"]:
        os.kill(pid, signal.SIGSTOP)


def becomes_idle(guest: RemoteGuest, within_sec: float = 10.0) -> bool:
    """Wait until only the listening guest and its sandbox run."""
    deadline = time.monotonic() + within_sec
    while time.monotonic() < deadline:
        pids_by_name = guest.processes()
        if set(pids_by_name) <= {"bwrap", "python3"} and len(pids_by_name.get("python3", [])) == 1:
            return True
        time.sleep(0.05)
    return False


def test_remote_machine_shows_the_screen_of_a_sandbox(machine: Machine, deck: bytes) -> None:
    observed = machine.load(deck, "garden.pptx")
    with SandboxMachine() as sandbox:
        expected = sandbox.load(deck, "garden.pptx")
    assert observed.tree == expected.tree
    assert np.array_equal(observed.screenshot, expected.screenshot)
    assert observed.document.slide == expected.document.slide


def test_desktop_ends_with_its_connection(guest: RemoteGuest, deck: bytes) -> None:
    assert becomes_idle(guest), guest.processes()
    [listener] = guest.processes()["python3"]
    before = os.listdir(f"/proc/{listener}/root/tmp")
    with RemoteMachine(config_of(guest)) as machine:
        machine.load(deck, "garden.pptx")
        machine.perform(Command("copy_text", text="xclip stays to serve it"))
        assert "soffice.bin" in guest.processes()
        machine.load(deck, "garden.pptx")
        assert len(guest.processes()["soffice.bin"]) == 1
    assert becomes_idle(guest), guest.processes()
    deadline = time.monotonic() + 10  # the files follow the processes
    while os.listdir(f"/proc/{listener}/root/tmp") != before:
        assert time.monotonic() < deadline, os.listdir(f"/proc/{listener}/root/tmp")
        time.sleep(0.05)


@pytest.mark.parametrize("victim", ["soffice.bin", "Xvfb"])
def test_killed_process_loses_the_machine(
    machine: Machine, guest: RemoteGuest, deck: bytes, victim: str
) -> None:
    for pid in guest.processes()[victim]:
        os.kill(pid, signal.SIGKILL)
    with pytest.raises((MachineLostError, MachineTimeoutError)):
        machine.perform(Command("key", keys=("Page_Down",)))
    assert machine.load(deck, "garden.pptx").document.open


def test_killed_desktop_loses_the_machine(
    machine: Machine, guest: RemoteGuest, deck: bytes
) -> None:
    freeze_application(guest)
    threading.Timer(0.5, lambda: os.kill(desktop_pid(guest), signal.SIGKILL)).start()
    with pytest.raises(MachineLostError, match="the desktop's guest program ended"):
        machine.perform(Command("wait", amount=1))
    assert machine.load(deck, "garden.pptx").document.open


def test_restarted_guest_is_found_again(start_guest: StartGuest, deck: bytes) -> None:
    guest = start_guest()
    with RemoteMachine(config_of(guest)) as machine:
        machine.load(deck, "garden.pptx")
        freeze_application(guest)
        killer = threading.Timer(0.5, guest.stop)
        killer.start()
        with pytest.raises(MachineLostError, match="was lost during perform"):
            machine.perform(Command("wait", amount=1))
        with pytest.raises(MachineLostError, match="does not run"):
            machine.save()
        killer.join()  # until all its processes have exited
        with pytest.raises(MachineStartError, match=f"responds at {guest.address}.*refused"):
            machine.load(deck, "garden.pptx")
        guest.socket.unlink()
        with pytest.raises(MachineStartError, match="No such file"):
            machine.load(deck, "garden.pptx")
        guest.start()
        assert machine.load(deck, "garden.pptx").document.open


def test_stale_socket_is_reused(start_guest: StartGuest) -> None:
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
            assert time.monotonic() < deadline, "the guest does not listen"
            time.sleep(0.05)


def test_frozen_guest_times_out(guest: RemoteGuest, deck: bytes) -> None:
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
            with pytest.raises(MachineStartError, match="does not respond"):
                machine.load(deck, "garden.pptx")
            assert time.monotonic() - started < 200
        finally:
            for pid in frozen:
                with contextlib.suppress(ProcessLookupError):  # one that was just being started
                    os.kill(pid, signal.SIGCONT)
        assert machine.load(deck, "garden.pptx").document.open


def test_frozen_desktop_is_replaced(guest: RemoteGuest, deck: bytes) -> None:
    with RemoteMachine(config_of(guest, step_timeout_sec=8.0)) as machine:
        machine.load(deck, "garden.pptx")
        os.kill(desktop_pid(guest), signal.SIGSTOP)
        with pytest.raises(MachineTimeoutError):
            machine.save()
        assert machine.load(deck, "garden.pptx").document.open


def test_settings_may_differ_per_connection(guest: RemoteGuest, deck: bytes) -> None:
    for width in (1280, 1024):
        with RemoteMachine(config_of(guest, width_px=width)) as machine:
            assert machine.load(deck, "garden.pptx").screenshot.shape == (720, width, 3)


def test_rejected_connection_leaves_the_first_one_intact(guest: RemoteGuest, deck: bytes) -> None:
    with RemoteMachine(config_of(guest)) as machine:
        machine.load(deck, "garden.pptx")
        with pytest.raises(MachineError, match="in use"), RemoteMachine(config_of(guest)) as second:
            second.load(deck, "garden.pptx")
        assert machine.perform(Command("observe")).document.open


def test_environments_share_a_list_of_guests(start_guest: StartGuest, guest: RemoteGuest) -> None:
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
    assert becomes_idle(guest)
