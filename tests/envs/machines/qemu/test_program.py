"""Finding QEMU and probing KVM."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from pptarena.envs.machines.qemu import program
from pptarena.envs.machines.qemu.program import (
    choose_accelerator,
    find_qemu,
    kvm_works,
    qemu_version,
)
from pptarena.errors import ConfigError, HostError


def fake_qemu(folder: Path, script: str) -> str:
    """Create an executable that runs a shell script."""
    path = folder / "my qemu"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("output", "version"),
    [
        ("QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds-2)", (10, 0, 2)),
        ("QEMU emulator version 10.1.50 (v10.1.0-123-gdeadbeef)", (10, 1, 50)),
        ("QEMU emulator version 12.0", (12, 0)),
    ],
)
def test_new_qemu_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, version: tuple[int, ...]
) -> None:
    path = fake_qemu(tmp_path, f'[ "$1" = --version ] && echo "{output}"')
    monkeypatch.setenv("PPTARENA_QEMU", path)
    assert find_qemu() == path
    assert qemu_version(path) == version


def test_missing_qemu_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPTARENA_QEMU", str(tmp_path / "none"))
    with pytest.raises(
        HostError, match="none is missing; install it with: sudo apt-get install qemu-system-x86"
    ):
        find_qemu()
    monkeypatch.delenv("PPTARENA_QEMU")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match="qemu-system-x86_64 is missing"):
        find_qemu()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            'echo "QEMU emulator version 7.2.17 (Debian 1:7.2+dfsg-7)"',
            r"expected QEMU 10\.0 or newer.*7\.2\.17.*apt-get install",
        ),
        ("echo hello", "to be QEMU, got the output 'hello"),
        (r"printf '\377\376 version none'", "to be QEMU, got the output"),
        ("exit 3", "does not run: .*exit status 3"),
    ],
)
def test_unsuitable_qemu_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, reason: str
) -> None:
    monkeypatch.setenv("PPTARENA_QEMU", fake_qemu(tmp_path, script))
    with pytest.raises(HostError, match=reason):
        find_qemu()


def test_silent_qemu_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_VERSION_SEC", 0.2)
    with pytest.raises(HostError, match="timed out"):
        qemu_version(fake_qemu(tmp_path, "exec sleep 30"))


@pytest.mark.slow
def test_kvm_probe_ends_in_time_and_returns_a_reason(qemu: str) -> None:
    kvm_works.cache_clear()
    started = time.monotonic()
    works, reason = kvm_works(qemu)
    assert time.monotonic() - started < program._PROBE_SEC + 60
    assert isinstance(works, bool)
    assert reason
    if not Path("/dev/kvm").exists():
        assert (works, reason) == (False, "there is no /dev/kvm")
    accelerator = choose_accelerator("auto", qemu)
    assert (accelerator.name, accelerator.reason) == ("kvm" if works else "tcg", reason)
    if not works:
        with pytest.raises(HostError, match=r"KVM does not work here: .*use accelerator='tcg'"):
            choose_accelerator("kvm", qemu)


@pytest.mark.slow
def test_probe_completes_under_emulation(qemu: str, tmp_path: Path) -> None:
    """Emulation replaces KVM, to show that the ROM works."""
    rom = tmp_path / "rom"
    rom.write_bytes(program._probe_rom())
    command = program._probe_command(qemu, rom)
    command[command.index("kvm")] = "tcg"
    result = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert result.returncode == program._PROBE_VALUE << 1 | 1, result.stderr


@pytest.mark.slow
def test_failing_or_hanging_probe_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "kvm"
    device.touch()
    monkeypatch.setattr(program, "_KVM", device)
    monkeypatch.setattr(program, "_PROBE_SEC", 0.3)
    failing = fake_qemu(tmp_path, "echo 'ioctl(KVM_CREATE_VM) failed: 16' >&2; exit 1")
    assert kvm_works(failing) == (False, "ioctl(KVM_CREATE_VM) failed: 16")
    (tmp_path / "more").mkdir()
    works, reason = kvm_works(fake_qemu(tmp_path / "more", "exec sleep 30"))
    assert not works
    assert "did not end within 0.3 s" in reason


def test_inaccessible_kvm_device_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_KVM", tmp_path / "none")
    assert kvm_works("any") == (False, "there is no /dev/kvm")
    kvm_works.cache_clear()
    if os.getuid() != 0:  # root may open everything
        device = tmp_path / "kvm"
        device.touch(mode=0o000)
        monkeypatch.setattr(program, "_KVM", device)
        assert kvm_works("any")[1].endswith("add this user to the group kvm")
        kvm_works.cache_clear()


def test_accelerator_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert choose_accelerator("tcg", "not even there").name == "tcg"
    with pytest.raises(ConfigError, match="'auto', 'kvm' or 'tcg', got 'xen'"):
        choose_accelerator("xen", "any")
