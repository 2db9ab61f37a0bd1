"""A virtual machine watched and used through a VNC viewer."""

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from pptx import Presentation

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import wait
from pptarena.envs.machines.base import Machine, Observed, Viewer
from pptarena.envs.machines.qemu import QemuConfig
from pptarena.envs.machines.qemu.machine import QemuMachine
from pptarena.tasks import Task
from pptarena.vm_images.guest.protocol import Command

pytestmark = [pytest.mark.image, pytest.mark.vm]
OBSERVE = Command("observe")
VIEWER = Path(sys.executable).with_name("vncdotool")
GREETING = b"RFB 003.008\n"
VIEWER_SEC = 60.0


@pytest.fixture(scope="module")
def machine(deck: bytes) -> Iterator[QemuMachine]:
    with QemuMachine(QemuConfig(watch=True)) as machine:
        machine.load(deck, "garden.pptx")
        yield machine


def viewer_of(machine: Machine) -> Viewer:
    assert machine.viewer is not None
    return machine.viewer


def path_of(machine: Machine) -> str:
    return viewer_of(machine).address.removeprefix("unix:")


def look_on(
    machine: Machine, *does: str, password: str | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a viewer that does something and leaves."""
    known = password or viewer_of(machine).password
    command = [str(VIEWER), "-s", path_of(machine), "-p", known, *does]
    return subprocess.run(command, capture_output=True, text=True, timeout=VIEWER_SEC, check=False)


def capture(machine: Machine, file: Path) -> NDArray[np.uint8]:
    done = look_on(machine, "capture", str(file))
    assert done.returncode == 0, done.stderr
    return np.asarray(Image.open(file).convert("RGB"))


@contextlib.contextmanager
def stranger(machine: Machine) -> Iterator[socket.socket]:
    """Connect, and wait until the server greets."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(VIEWER_SEC)
        connection.connect(path_of(machine))
        assert connection.recv(12, socket.MSG_WAITALL) == GREETING
        yield connection


def observe_until(machine: Machine, holds: Callable[[Observed], bool]) -> Observed:
    deadline = time.monotonic() + VIEWER_SEC
    while not holds(observed := machine.perform(OBSERVE)):
        assert time.monotonic() < deadline, "it did not happen"
    return observed


def slides(machine: Machine) -> int:
    return len(Presentation(BytesIO(machine.save(commit_edit=True))).slides)


def same_picture(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> bool:
    """Whether nothing but the mouse pointer differs, which the server draws in."""
    return float(np.mean((first != second).any(axis=-1))) < 0.001


def test_a_viewer_sees_what_the_agent_sees(machine: QemuMachine, tmp_path: Path) -> None:
    picture = capture(machine, tmp_path / "seen.png")
    assert picture.shape == (720, 1280, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100
    assert same_picture(picture, machine.perform(OBSERVE).screenshot)


def test_nobody_comes_in_without_the_password(machine: QemuMachine, tmp_path: Path) -> None:
    with stranger(machine) as connection:
        connection.sendall(GREETING)
        assert connection.recv(2, socket.MSG_WAITALL) == b"\x01\x02", "it wants something else too"
    done = look_on(machine, "capture", str(tmp_path / "no.png"), password="12345678")
    assert done.returncode != 0
    assert "password check failed" in done.stderr
    assert not (tmp_path / "no.png").exists()
    assert capture(machine, tmp_path / "yes.png").shape == (720, 1280, 3)


def test_a_viewer_can_touch_and_leaves_no_key_held(machine: QemuMachine, deck: bytes) -> None:
    before = machine.load(deck, "garden.pptx").document.revision
    assert look_on(machine, "key", "ctrl-m").returncode == 0
    observe_until(machine, lambda seen: seen.document.revision != before)
    assert slides(machine) == 4
    assert look_on(machine, "keydown", "shift").returncode == 0
    with stranger(machine):  # it is welcomed once the one before is gone
        machine.perform(Command("key", keys=("Control_L", "m")))
    assert slides(machine) == 5


def test_a_reset_sends_the_viewer_away_and_the_way_in_stays(
    machine: QemuMachine, deck: bytes, tmp_path: Path
) -> None:
    way = viewer_of(machine)
    with stranger(machine) as connection, socket.socket(socket.AF_UNIX) as patient:
        patient.settimeout(VIEWER_SEC)
        patient.connect(path_of(machine))
        observed = machine.load(deck, "garden.pptx")
        assert connection.recv(1) == b""
        assert patient.recv(12, socket.MSG_WAITALL) == GREETING
    assert machine.viewer == way
    assert same_picture(capture(machine, tmp_path / "again.png"), observed.screenshot)


def test_forks_of_a_machine_with_a_viewer_have_ways_in_of_their_own(
    machine: QemuMachine, deck: bytes, tmp_path: Path
) -> None:
    machine.load(deck, "garden.pptx")
    with stranger(machine) as connection, machine.checkpoint() as kept:
        connection.sendall(GREETING)
        assert connection.recv(2, socket.MSG_WAITALL) == b"\x01\x02", "the checkpoint cut it off"
        with machine.fork(kept) as twin:
            old = viewer_of(machine).password
            assert viewer_of(twin).address != viewer_of(machine).address
            assert viewer_of(twin).password != old
            done = look_on(twin, "capture", str(tmp_path / "no.png"), password=old)
            assert "password check failed" in done.stderr
            picture = capture(twin, tmp_path / "twin.png")
            assert same_picture(picture, twin.perform(OBSERVE).screenshot)
        with QemuMachine(QemuConfig()) as unwatched:
            assert unwatched.restore(kept).document.open
            assert unwatched.viewer is None
            assert unwatched.perform(OBSERVE).document.open


def test_the_environment_says_how_to_look_on(
    retitle_task: Task,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    env = PPTArenaEnv(task=retitle_task, machine="qemu", render_mode="human")
    try:
        env.reset(seed=0)
        said = capsys.readouterr().err
        viewer = viewer_of(env.machine)
        assert f"at {viewer.address}, password {viewer.password};" in said
        assert f"vncviewer {path_of(env.machine)}\n" in said
        env.step(wait(1))
        env.render()
        assert capsys.readouterr().err == ""
        assert capture(env.machine, tmp_path / "env.png").shape == (720, 1280, 3)
        path = Path(path_of(env.machine))
    finally:
        env.close()
    assert not path.parent.exists()
    assert env.machine.viewer is None
