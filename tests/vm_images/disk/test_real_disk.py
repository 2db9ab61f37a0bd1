"""The disk that was built, and boots that must fail without hanging."""

import subprocess
from pathlib import Path

import pytest

from pptarena.vm_images import Disk, find_disk, require_disk, require_image
from pptarena.vm_images.disk import guest_archive

pytestmark = [pytest.mark.image, pytest.mark.vm]

BOOT_SEC = 120


@pytest.fixture(scope="module")
def disk() -> Disk:
    return require_disk()


def list_entries(disk: Disk) -> dict[str, list[str]]:
    """Return mode and owner of every entry of the disk by path."""
    command = ["unsquashfs", "-ll", str(disk.root)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = (line.split("squashfs-root", 1) for line in result.stdout.splitlines())
    return {row[1].split(" -> ")[0]: row[0].split()[:2] for row in rows if len(row) == 2}


def test_disk_is_readable_for_an_unprivileged_user(disk: Disk) -> None:
    entries = list_entries(disk)
    assert {owner for _, owner in entries.values()} == {"root/root"}
    unreadable = {path: mode for path, (mode, _) in entries.items() if mode[7] != "r"}
    assert unreadable == {}
    for path in ("/usr/bin/Xvfb", "/usr/bin/python3", "/usr/bin/setpriv", "/usr/bin/env"):
        assert path in entries
    assert entries["/usr/lib/libreoffice/program/soffice.bin"][0].endswith("x")
    runtime_files = [
        path for path in entries if path.startswith(("/dev/", "/proc/", "/tmp/", "/home/"))
    ]
    assert runtime_files == []


def test_disk_modules_fit_the_kernel(disk: Disk) -> None:
    assert f"{disk.kernel_version} ".encode() in disk.kernel.read_bytes()
    initrd = disk.initrd.read_bytes()
    assert f"vermagic={disk.kernel_version} ".encode() in initrd
    assert {"virtio_blk", "squashfs"} <= set(disk.modules)
    assert disk.folder.parent == require_image().folder
    assert disk == find_disk()


def boot(disk: Disk, tmp_path: Path, *devices: str) -> str:
    """Boot without a host at the serial port until QEMU ends; return the console output."""
    initrd = tmp_path / "initrd"
    initrd.write_bytes(disk.initrd.read_bytes() + guest_archive())
    serial = tmp_path / "serial"
    command = [
        *("qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none"),
        *("-nic", "none", "-M", "q35", "-accel", "tcg", "-cpu", "max", "-m", "512"),
        *("-no-reboot", "-kernel", str(disk.kernel), "-initrd", str(initrd)),
        *("-append", "console=ttyS0 panic=-1 quiet port_wait_sec=2"),
        *("-serial", f"file:{serial}", *devices),
    ]
    subprocess.run(command, check=True, timeout=BOOT_SEC, capture_output=True)
    return serial.read_text(errors="replace")


def test_boot_without_disk_powers_off(disk: Disk, tmp_path: Path) -> None:
    console = boot(disk, tmp_path)
    assert "pptarena init: failed while mounting the disk" in console
    assert "Power down" in console


def test_boot_without_serial_port_powers_off(disk: Disk, tmp_path: Path) -> None:
    drive = f"if=none,id=root,file={disk.root},format=raw,readonly=on"
    console = boot(disk, tmp_path, "-drive", drive, "-device", "virtio-blk-pci,drive=root")
    assert "there is no serial port named org.pptarena.guest" in console
    assert "failed while looking for the serial port to the host" in console


def test_guest_without_host_powers_off(disk: Disk, tmp_path: Path) -> None:
    drive = f"if=none,id=root,file={disk.root},format=raw,readonly=on"
    port = f"socket,id=guest,path={tmp_path / 'guest'},server=on,wait=off"
    console = boot(
        *(disk, tmp_path, "-drive", drive, "-device", "virtio-blk-pci,drive=root"),
        *("-device", "virtio-serial-pci", "-chardev", port),
        *("-device", "virtserialport,chardev=guest,name=org.pptarena.guest"),
    )
    assert "the guest program has ended; powering off" in console
    assert "Power down" in console
