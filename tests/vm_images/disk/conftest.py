"""Stand-ins for the kernel's Debian package and for the programs that build a disk."""

import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.vm_images.programs import Programs

from pptarena.vm_images.disk import build

MakeImage = Callable[..., Path]
MakeModule = Callable[..., Path]

VERSION = "6.12.0-test"
MMDEBSTRAP = 'echo "I: unpacking packages" >&2\nexec tar -C "$FAKES/kernel" -c .'
MKSQUASHFS = 'echo "$@" > "$FAKES/mksquashfs.arguments"\nprintf squashfs > "$2"'


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """The modules folder of a kernel, without modules."""
    folder = tmp_path / "fakes" / "kernel" / "usr" / "lib" / "modules" / VERSION
    folder.mkdir(parents=True)
    (folder / "modules.builtin").write_text("kernel/lib/crc-t10dif.ko\nkernel/lib/zlib.ko\n")
    return folder


@pytest.fixture
def make_module(modules: Path) -> MakeModule:
    """Write a file with the fields of a kernel module that the builder reads."""

    def make(path: str, depends: str = "") -> Path:
        file = modules / "kernel" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        content = b"\x7fELF\0license=GPL\0depends=" + depends.encode() + b"\0intree=Y\0"
        file.write_bytes(lzma.compress(content) if file.suffix == ".xz" else content)
        return file

    return make


class Fakes(Programs):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.write("mmdebstrap", MMDEBSTRAP)
        self.write("mksquashfs", MKSQUASHFS)
        self.write("newuidmap", "exit 0")


@pytest.fixture
def fakes(
    tmp_path: Path,
    make_image: MakeImage,
    make_module: MakeModule,
    monkeypatch: pytest.MonkeyPatch,
) -> Fakes:
    """Create an image, and replace mmdebstrap and mksquashfs by stand-ins that succeed."""
    make_image()
    make_module("drivers/block/virtio_blk.ko.xz", "virtio-ring")
    make_module("drivers/virtio/virtio-ring.ko.xz", "zlib")
    make_module("fs/squashfs/squashfs.ko")
    stand_ins = Fakes(tmp_path / "fakes")
    for path, content in (
        (f"boot/vmlinuz-{VERSION}", "kernel"),
        ("boot/config", ""),
        ("usr/bin/busybox", "busybox"),
    ):
        file = stand_ins.folder / "kernel" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    monkeypatch.setenv("FAKES", str(stand_ins.folder))
    monkeypatch.setenv("PATH", f"{stand_ins.bin}:{os.environ['PATH']}")
    monkeypatch.setattr(build, "DISK_BYTES", 0)
    monkeypatch.setattr(build, "SCRATCH_BYTES", 0)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    return stand_ins
