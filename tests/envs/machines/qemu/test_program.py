"""Which QEMU there is, and whether the hardware's virtualisation works."""

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


def stand_in(folder: Path, script: str) -> str:
    """Make an executable that says what it is told to."""
    path = folder / "my qemu"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds-2)", (10, 0, 2)),
        ("QEMU emulator version 10.1.50 (v10.1.0-123-gdeadbeef)", (10, 1, 50)),
        ("QEMU emulator version 12.0", (12, 0)),
    ],
)
def test_a_new_qemu_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, version: tuple[int, ...]
) -> None:
    path = stand_in(tmp_path, f'[ "$1" = --version ] && echo "{said}"')
    monkeypatch.setenv("PPTARENA_QEMU", path)
    assert find_qemu() == path
    assert qemu_version(path) == version


def test_an_old_qemu_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stand_in(tmp_path, 'echo "QEMU emulator version 7.2.17 (Debian 1:7.2+dfsg-7)"')
    monkeypatch.setenv("PPTARENA_QEMU", path)
    with pytest.raises(HostError, match=r"expected QEMU 10\.0 or newer.*7\.2\.17.*apt-get install"):
        find_qemu()


def test_no_qemu_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        ("echo hello", "to be QEMU, it said 'hello"),
        (r"printf '\377\376 version none'", "to be QEMU, it said"),
        ("exit 3", "does not run: .*exit status 3"),
    ],
)
def test_what_is_no_qemu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, reason: str
) -> None:
    monkeypatch.setenv("PPTARENA_QEMU", stand_in(tmp_path, script))
    with pytest.raises(HostError, match=reason):
        find_qemu()


def test_a_qemu_that_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_VERSION_SEC", 0.2)
    with pytest.raises(HostError, match="timed out"):
        qemu_version(stand_in(tmp_path, "exec sleep 30"))


@pytest.mark.slow
def test_the_probe_of_kvm_ends_in_time_and_gives_a_reason(qemu: str) -> None:
    kvm_works.cache_clear()
    started = time.monotonic()
    works, why = kvm_works(qemu)
    assert time.monotonic() - started < program._PROBE_SEC + 60
    assert isinstance(works, bool)
    assert why
    if not Path("/dev/kvm").exists():
        assert (works, why) == (False, "there is no /dev/kvm")
    chosen = choose_accelerator("auto", qemu)
    assert (chosen.name, chosen.reason) == ("kvm" if works else "tcg", why)
    if not works:
        with pytest.raises(HostError, match=r"KVM does not work here: .*use accelerator='tcg'"):
            choose_accelerator("kvm", qemu)


@pytest.mark.slow
def test_the_probe_runs_to_its_end_where_guests_run(qemu: str, tmp_path: Path) -> None:
    """Emulation stands for hardware that works: the ROM itself is sound."""
    rom = tmp_path / "rom"
    rom.write_bytes(program._probe_rom())
    command = program._probe_command(qemu, rom)
    command[command.index("kvm")] = "tcg"
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode == program._PROBE_VALUE << 1 | 1, done.stderr


@pytest.mark.slow
def test_a_probe_that_hangs_or_fails_is_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "kvm"
    device.touch()
    monkeypatch.setattr(program, "_KVM", device)
    monkeypatch.setattr(program, "_PROBE_SEC", 0.3)
    failing = stand_in(tmp_path, "echo 'ioctl(KVM_CREATE_VM) failed: 16' >&2; exit 1")
    assert kvm_works(failing) == (False, "ioctl(KVM_CREATE_VM) failed: 16")
    (tmp_path / "more").mkdir()
    works, why = kvm_works(stand_in(tmp_path / "more", "exec sleep 30"))
    assert not works
    assert "did not end within 0.3 s" in why


def test_a_device_that_may_not_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_KVM", tmp_path / "none")
    assert kvm_works("any") == (False, "there is no /dev/kvm")
    kvm_works.cache_clear()
    if os.getuid() != 0:  # root may open everything
        device = tmp_path / "kvm"
        device.touch(mode=0o000)
        monkeypatch.setattr(program, "_KVM", device)
        assert kvm_works("any")[1].endswith("add this user to the group kvm")
        kvm_works.cache_clear()


def test_accelerators_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert choose_accelerator("tcg", "not even there").name == "tcg"
    with pytest.raises(ConfigError, match="'auto', 'kvm' or 'tcg', got 'xen'"):
        choose_accelerator("xen", "any")
