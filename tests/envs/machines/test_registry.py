import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines import make_machine
from pptarena.envs.machines.fake import FakeConfig, FakeMachine
from pptarena.envs.machines.qemu import QemuConfig
from pptarena.envs.machines.registry import choose_machine
from pptarena.envs.machines.remote import RemoteConfig
from pptarena.envs.machines.sandbox import SandboxConfig
from pptarena.errors import ConfigError, ImageError, MachineLostError

Options = dict[str, Any]


def test_fake_by_name() -> None:
    assert isinstance(make_machine("fake", MachineConfig()), FakeMachine)


@pytest.mark.parametrize("kind", ["qemu", "sandbox", "remote"])
def test_a_machine_by_name_is_not_started_yet(kind: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a token that only tests know")
    config = RemoteConfig(
        remote_address=f"unix:{tmp_path}/none", remote_token_file=str(tmp_path / "token")
    )
    with make_machine(kind, config if kind == "remote" else None) as machine:
        assert machine.kind == kind
        assert machine.memory_bytes() is None
    with pytest.raises(MachineLostError, match="closed"):
        machine.load(b"", "garden.pptx")


@pytest.mark.slow
def test_a_missing_package_is_named() -> None:
    """In a process of its own, where the library of QEMU cannot be imported."""
    script = """
import sys
sys.modules["qemu.qmp"] = None
from pptarena.envs.machines import make_machine
make_machine("qemu")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    said = done.stderr.splitlines()[-1]
    assert "ConfigError: machine 'qemu' needs the package 'qemu.qmp'" in said
    assert said.endswith("pip install -e '.[vm]'")


def test_an_unknown_machine() -> None:
    with pytest.raises(ConfigError, match=r"machine 'docker' not found\. Available: auto, qemu, s"):
        make_machine("docker")


QEMU = "pptarena.envs.machines.qemu.program"
QEMU_MACHINE = "pptarena.envs.machines.qemu.machine"


def stand_in(folder: Path, version: str) -> str:
    """Make a program that says it is QEMU, and under which a probe of KVM succeeds."""
    program = folder / "qemu"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exec echo "QEMU emulator version {version}"\nexit 33\n'
    )
    program.chmod(0o755)
    return str(program)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A computer where all that `auto` looks for is there; returns what stands for /dev/kvm."""
    device = tmp_path / "kvm"
    device.touch()
    monkeypatch.setattr(f"{QEMU}._KVM", device)
    monkeypatch.setattr(f"{QEMU_MACHINE}.find_disk", lambda: object())
    monkeypatch.setenv("PPTARENA_QEMU", stand_in(tmp_path, "10.0.2"))
    return device


def took(caplog: pytest.LogCaptureFixture, config: MachineConfig | None = None) -> tuple[str, str]:
    """Return the kind that ``auto`` took, and what it logged."""
    caplog.clear()
    with (
        caplog.at_level(logging.INFO, logger="pptarena"),
        make_machine("auto", config or MachineConfig()) as machine,
    ):
        return machine.kind, caplog.messages[-1]


def test_auto_is_a_virtual_machine_where_kvm_works(
    disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert took(caplog) == ("qemu", "machine 'auto' is 'qemu': a probe ran under KVM")


def test_auto_without_kvm_is_the_sandbox(disk: Path, caplog: pytest.LogCaptureFixture) -> None:
    disk.unlink()
    kind, said = took(caplog)
    assert kind == "sandbox"
    assert said.endswith("virtual machines would be emulated: there is no /dev/kvm")


def test_auto_with_emulation_is_the_sandbox(disk: Path, caplog: pytest.LogCaptureFixture) -> None:
    kind, said = took(caplog, QemuConfig(accelerator="tcg"))
    assert kind == "sandbox"
    assert "emulation is asked for" in said


def test_auto_without_a_disk_is_the_sandbox(
    disk: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{QEMU_MACHINE}.find_disk", lambda: None)
    kind, said = took(caplog)
    assert kind == "sandbox"
    assert said.endswith("no disk for virtual machines is built (pptarena image build --vm)")


@pytest.mark.parametrize(("version", "reason"), [("7.2.9", "expected QEMU 10.0"), ("", "to be")])
def test_auto_without_a_new_qemu_is_the_sandbox(
    disk: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    version: str,
    reason: str,
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("PPTARENA_QEMU", stand_in(tmp_path / "other", version))
    kind, said = took(caplog)
    assert kind == "sandbox"
    assert reason in said


@pytest.mark.parametrize("kind", ["fake", "sandbox", "remote"])
def test_only_virtual_machines_run_in_real_time(kind: str) -> None:
    with pytest.raises(ConfigError, match=f"realtime needs machine='qemu', got machine='{kind}'"):
        choose_machine(kind, {"realtime": True})


@pytest.mark.parametrize(
    ("kind", "options", "has"),
    [
        ("fake", {"snapshots": False}, "'sandbox'"),
        ("sandbox", {"vm_cpus": 2}, "'qemu'"),
        ("qemu", {"snapshots": False}, "'sandbox'"),
        ("remote", {"realtime": True}, "'qemu'"),
        ("sandbox", {"remote_address": "unix:/x"}, "'remote'"),
    ],
)
def test_a_setting_of_another_machine_is_refused(kind: str, options: Options, has: str) -> None:
    (name,) = options
    match = rf"^{name} needs machine=.*{has}.*, got machine='{kind}'$"
    with pytest.raises(ConfigError, match=match):
        gym.make("PPTArena-v0", machine=kind, **options)


def test_settings_of_another_machine_are_refused() -> None:
    with pytest.raises(ConfigError, match="expected a FakeConfig, got a SandboxConfig"):
        make_machine("fake", SandboxConfig())
    assert make_machine("fake", MachineConfig(width_px=640)).config == FakeConfig(width_px=640)


def test_auto_takes_the_settings_of_each_that_it_may_become(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"snapshots": False, "vm_cpus": 4, "tree_time_sec": 0.1}
    qemu, config = choose_machine("auto", options)
    assert (qemu.kind, config) == ("qemu", QemuConfig(vm_cpus=4, tree_time_sec=0.1))
    monkeypatch.setattr(f"{QEMU_MACHINE}.find_disk", lambda: None)
    sandbox, config = choose_machine("auto", options)
    assert (sandbox.kind, config) == ("sandbox", SandboxConfig(snapshots=False, tree_time_sec=0.1))
    with pytest.raises(ConfigError, match="expected vm_cpus to be between"):
        choose_machine("auto", {"vm_cpus": 0})
    with pytest.raises(ConfigError, match="remote_address needs machine='remote'"):
        choose_machine("auto", {"remote_address": "unix:/x"})


def test_auto_with_a_damaged_image_is_the_sandbox(
    disk: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged() -> None:
        raise ImageError("the disk is damaged")

    monkeypatch.setattr(f"{QEMU_MACHINE}.find_disk", damaged)
    assert took(caplog) == ("sandbox", "machine 'auto' is 'sandbox': the disk is damaged")
