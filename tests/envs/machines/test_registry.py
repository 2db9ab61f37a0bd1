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


def test_fake_machine_by_name() -> None:
    assert isinstance(make_machine("fake", MachineConfig()), FakeMachine)


@pytest.mark.parametrize("kind", ["qemu", "sandbox", "remote"])
def test_machine_by_name_is_not_started_yet(kind: str, tmp_path: Path) -> None:
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
def test_missing_package_is_named() -> None:
    """Run in a separate process in which `qemu.qmp` cannot be imported."""
    script = """
import sys
sys.modules["qemu.qmp"] = None
from pptarena.envs.machines import make_machine
make_machine("qemu")
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    message = result.stderr.splitlines()[-1]
    assert "ConfigError: machine 'qemu' needs the package 'qemu.qmp'" in message
    assert message.endswith("pip install -e '.[vm]'")


def test_unknown_machine_is_rejected() -> None:
    with pytest.raises(ConfigError, match=r"machine 'docker' not found\. Available: auto, qemu, s"):
        make_machine("docker")


QEMU = "pptarena.envs.machines.qemu.program"
QEMU_MACHINE = "pptarena.envs.machines.qemu.machine"


def fake_qemu(folder: Path, version: str) -> str:
    """Create a program that identifies as QEMU and passes the probe of KVM."""
    program = folder / "qemu"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exec echo "QEMU emulator version {version}"\nexit 33\n'
    )
    program.chmod(0o755)
    return str(program)


@pytest.fixture
def kvm_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host that meets the requirements of qemu; returns the stand-in for /dev/kvm."""
    device = tmp_path / "kvm"
    device.touch()
    monkeypatch.setattr(f"{QEMU}._KVM", device)
    monkeypatch.setattr(f"{QEMU_MACHINE}.find_disk", lambda: object())
    monkeypatch.setenv("PPTARENA_QEMU", fake_qemu(tmp_path, "10.0.2"))
    return device


def choose_auto(
    caplog: pytest.LogCaptureFixture, config: MachineConfig | None = None
) -> tuple[str, str]:
    """Return the kind that ``auto`` selects, and its log message."""
    caplog.clear()
    with (
        caplog.at_level(logging.INFO, logger="pptarena"),
        make_machine("auto", config or MachineConfig()) as machine,
    ):
        return machine.kind, caplog.messages[-1]


def test_auto_is_qemu_if_kvm_works(kvm_device: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert choose_auto(caplog) == ("qemu", "machine 'auto' is 'qemu': a probe ran under KVM")


def test_auto_is_the_sandbox_without_kvm(
    kvm_device: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kvm_device.unlink()
    kind, message = choose_auto(caplog)
    assert kind == "sandbox"
    assert message.endswith("virtual machines would be emulated: there is no /dev/kvm")


def test_auto_is_the_sandbox_with_emulation(
    kvm_device: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kind, message = choose_auto(caplog, QemuConfig(accelerator="tcg"))
    assert kind == "sandbox"
    assert "emulation is requested" in message


def test_auto_is_the_sandbox_without_a_valid_disk(
    kvm_device: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise ImageError("the disk is damaged")

    monkeypatch.setattr(f"{QEMU_MACHINE}.find_disk", fail)
    damaged = ("sandbox", "machine 'auto' is 'sandbox': the disk is damaged")
    assert choose_auto(caplog) == damaged
    monkeypatch.setattr(f"{QEMU_MACHINE}.find_disk", lambda: None)
    kind, message = choose_auto(caplog)
    assert kind == "sandbox"
    assert message.endswith("no disk for virtual machines is built (pptarena image build --vm)")


@pytest.mark.parametrize(("version", "reason"), [("7.2.9", "expected QEMU 10.0"), ("", "to be")])
def test_auto_is_the_sandbox_without_a_new_qemu(
    kvm_device: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    version: str,
    reason: str,
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("PPTARENA_QEMU", fake_qemu(tmp_path / "other", version))
    kind, message = choose_auto(caplog)
    assert kind == "sandbox"
    assert reason in message


@pytest.mark.parametrize("kind", ["fake", "sandbox", "remote"])
def test_only_virtual_machines_run_in_real_time(kind: str) -> None:
    with pytest.raises(ConfigError, match=f"realtime needs machine='qemu', got machine='{kind}'"):
        choose_machine(kind, {"realtime": True})


@pytest.mark.parametrize(
    ("kind", "options", "supporting"),
    [
        ("fake", {"snapshots": False}, "'sandbox'"),
        ("sandbox", {"vm_cpus": 2}, "'qemu'"),
        ("qemu", {"snapshots": False}, "'sandbox'"),
        ("remote", {"realtime": True}, "'qemu'"),
        ("sandbox", {"remote_address": "unix:/x"}, "'remote'"),
    ],
)
def test_setting_of_another_machine_is_rejected(
    kind: str, options: Options, supporting: str
) -> None:
    (name,) = options
    match = rf"^{name} needs machine=.*{supporting}.*, got machine='{kind}'$"
    with pytest.raises(ConfigError, match=match):
        gym.make("PPTArena-v0", machine=kind, **options)


def test_config_of_another_machine_is_rejected() -> None:
    with pytest.raises(ConfigError, match="expected a FakeConfig, got a SandboxConfig"):
        make_machine("fake", SandboxConfig())
    assert make_machine("fake", MachineConfig(width_px=640)).config == FakeConfig(width_px=640)


def test_auto_accepts_settings_of_all_candidates(
    kvm_device: Path, monkeypatch: pytest.MonkeyPatch
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
