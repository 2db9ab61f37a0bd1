"""Builds with stand-ins for mmdebstrap and mksquashfs; see conftest.py."""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.vm_images.programs import Programs, ends_soon, ignore, names, python, wait_for_pid

from pptarena.errors import HostError, ImageError
from pptarena.vm_images import find_disk, require_disk, require_image
from pptarena.vm_images.disk import build, build_disk

pytestmark = pytest.mark.slow

CODE = """
from pptarena.vm_images.disk import build
build.DISK_BYTES = build.SCRATCH_BYTES = 0
print(build.build_disk(lambda stage: print(stage, flush=True)).hash)
"""
HANG = 'echo $$ > "$FAKES/pid"\nsleep 300\ntrue'
REAL = shutil.which("mksquashfs")


def test_build_creates_the_disk_and_reports_its_stages(fakes: Programs, home: Path) -> None:
    stages: list[str] = []
    disk = build_disk(stages.append)
    assert disk == require_disk()
    assert "unpacking packages" in stages
    assert disk.kernel.read_text() == "kernel"
    assert disk.root.read_text() == "squashfs"
    assert disk.kernel_version == "6.12.0-test"
    assert disk.modules == ("virtio_ring", "virtio_blk", "squashfs")
    assert disk.created.endswith("+00:00")
    assert len(disk.digest) == 12
    assert names(home) == {require_image().hash}
    assert names(require_image().folder) == {"root", "manifest.json", disk.folder.name}


def test_initial_file_system_has_the_modules_in_order(fakes: Programs) -> None:
    initrd = build_disk(ignore).initrd.read_bytes()
    files = (
        *(b"dev/console", b"bin/busybox", b"modules/00-virtio_ring.ko"),
        *(b"modules/01-virtio_blk.ko", b"modules/02-squashfs.ko", b"init"),
    )
    offsets = [initrd.index(file + b"\0") for file in files]
    assert offsets == sorted(offsets)


def test_existing_disk_is_rebuilt_only_by_force(fakes: Programs) -> None:
    first = build_disk(ignore)
    assert build_disk(ignore) == first
    assert fakes.runs() == 1
    assert build_disk(ignore, force=True).digest == first.digest
    assert fakes.runs() == 2
    (fakes.folder / "kernel" / "boot" / "vmlinuz-6.12.0-test").write_text("newer")
    newer = build_disk(ignore, force=True)
    assert newer.hash == first.hash
    assert newer.digest != first.digest


def test_shared_image_is_never_written_to(
    fakes: Programs, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = home.rename(tmp_path / "shared")
    monkeypatch.setenv("PPTARENA_IMAGES", str(shared))
    before = names(require_image().folder)
    for force in (False, True):
        with pytest.raises(ImageError, match="is shared, so no disk is built in it"):
            build_disk(ignore, force=force)
    assert names(require_image().folder) == before
    monkeypatch.delenv("PPTARENA_IMAGES")
    shared.rename(home)
    disk = build_disk(ignore)
    home.rename(shared)
    monkeypatch.setenv("PPTARENA_IMAGES", str(shared))
    assert build_disk(ignore).digest == disk.digest
    assert fakes.runs() == 1


def test_damaged_disk_is_rebuilt(fakes: Programs, home: Path) -> None:
    disk = build_disk(ignore)
    disk.root.unlink()
    (disk.folder / "old").touch()
    stages: list[str] = []
    assert build_disk(stages.append).folder == disk.folder
    assert any("damaged" in stage for stage in stages)
    assert not (disk.folder / "old").exists()
    assert names(home) == {require_image().hash}


def more_kernels(fakes: Programs) -> None:
    (fakes.folder / "kernel" / "usr" / "lib" / "modules" / "7.0").mkdir()
    (fakes.folder / "kernel" / "usr" / "lib" / "modules" / "7.0" / "x").touch()


def no_module(fakes: Programs) -> None:
    (next((fakes.folder / "kernel").rglob("virtio-ring.ko.xz"))).unlink()


def no_busybox(fakes: Programs) -> None:
    (fakes.folder / "kernel" / "usr" / "bin" / "busybox").unlink()


def no_network(fakes: Programs) -> None:
    fakes.write("mmdebstrap", "echo 'Err: Temporary failure resolving x' >&2; exit 1")


def full_disk(fakes: Programs) -> None:
    fakes.write("mksquashfs", "echo 'Write failed because No space left on device' >&2; exit 1")


def failing_mksquashfs(fakes: Programs) -> None:
    fakes.write("mksquashfs", "seq 100 >&2; exit 3")


@pytest.mark.parametrize(
    ("cause", "messages"),
    [
        (more_kernels, ["modules of one kernel", "7.0"]),
        (no_module, ["no module virtio_ring, required by virtio_blk"]),
        (no_busybox, ["the disk was not built", "tar ended with code 2", "busybox"]),
        (no_network, ["no network", "the disk was not built"]),
        (full_disk, ["disk is full"]),
        (failing_mksquashfs, ["mksquashfs ended with code 3", "100"]),
    ],
)
def test_failure_is_explained_and_leaves_no_files(
    fakes: Programs, home: Path, cause: Callable[[Programs], None], messages: list[str]
) -> None:
    cause(fakes)
    with pytest.raises(ImageError) as caught:
        build_disk(ignore)
    assert [text for text in messages if text not in str(caught.value)] == []
    assert names(home) == {require_image().hash}
    assert names(require_image().folder) == {"root", "manifest.json"}


def test_failed_rebuild_keeps_the_disk(fakes: Programs) -> None:
    disk = build_disk(ignore)
    failing_mksquashfs(fakes)
    with pytest.raises(ImageError):
        build_disk(ignore, force=True)
    assert find_disk() == disk


def test_missing_image_is_an_error(fakes: Programs, home: Path) -> None:
    shutil.rmtree(require_image().folder)
    with pytest.raises(ImageError, match="pptarena image build"):
        build_disk(ignore)
    assert fakes.runs() == 0


def test_missing_programs_are_named_with_an_install_command(
    fakes: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match=r"sudo apt-get install mmdebstrap tar .*squashfs-tools"):
        build_disk(ignore)


def test_other_architecture_is_rejected(fakes: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(HostError, match=r"x86-64.*aarch64.*sandbox"):
        build_disk(ignore)
    assert fakes.runs() == 0


@pytest.mark.parametrize("limit", ["DISK_BYTES", "SCRATCH_BYTES"])
def test_insufficient_disk_space_is_an_error(
    fakes: Programs, home: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(build, limit, 2**70)
    with pytest.raises(HostError, match=r"the disk build needs .* GiB free"):
        build_disk(ignore)
    assert fakes.runs() == 0
    assert names(home) == {require_image().hash}


def test_concurrent_builds_build_once(fakes: Programs) -> None:
    fakes.write("mmdebstrap", 'sleep 1; exec tar -C "$FAKES/kernel" -c .')
    with python(CODE) as one, python(CODE) as two:
        outputs = sorted((one.communicate(timeout=60)[0], two.communicate(timeout=60)[0]))
    assert (one.returncode, two.returncode) == (0, 0)
    assert fakes.runs() == 1
    assert [output.split()[-1] for output in outputs] == [require_disk().hash] * 2


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_build_leaves_no_disk_and_no_process(
    fakes: Programs, home: Path, number: signal.Signals
) -> None:
    fakes.write("mksquashfs", HANG)
    with python(CODE) as interrupted:
        hanging_pid = wait_for_pid(fakes.folder / "pid")
        os.kill(interrupted.pid, number)
        interrupted.communicate(timeout=60)
    assert interrupted.returncode != 0
    assert find_disk() is None
    assert ends_soon(hanging_pid)

    fakes.write("mksquashfs", 'printf squashfs > "$2"')
    assert build_disk(ignore) == require_disk()
    assert names(home) == {require_image().hash}


@pytest.mark.skipif(REAL is None, reason="needs squashfs-tools")
def test_root_filesystem_is_readable_for_an_unprivileged_user(fakes: Programs) -> None:
    root = require_image().root
    for name in ("dev", "proc", "sys", "run", "tmp", "home/agent", "opt"):
        (root / name).mkdir(parents=True)
    for name in ("dev/null", "tmp/.X11-unix", "tmp/leftover", "home/agent/.profile"):
        (root / name).touch()
    (root / "usr" / "private").mkdir(mode=0o700)
    (root / "usr" / "private" / "file").write_text("content")
    (root / "usr" / "private" / "file").chmod(0o600)
    (root / "usr" / "tool").touch()
    (root / "usr" / "tool").chmod(0o700)
    os.symlink("tool", root / "usr" / "link")
    fakes.write("mksquashfs", f'exec {REAL} "$@"')
    disk = build_disk(ignore)
    listing = subprocess.run(
        ["unsquashfs", "-ll", str(disk.root)], capture_output=True, text=True, check=True
    )
    entries = {
        line.split("squashfs-root", 1)[1]: line.split()[:2]
        for line in listing.stdout.splitlines()
        if "squashfs-root/" in line
    }
    assert entries == {
        **{f"/{name}": ["drwxr-xr-x", "root/root"] for name in ("dev", "home", "opt", "proc")},
        **{f"/{name}": ["drwxr-xr-x", "root/root"] for name in ("run", "sys", "tmp", "usr")},
        "/usr/link -> tool": ["lrwxrwxrwx", "root/root"],
        "/usr/private": ["drwxr-xr-x", "root/root"],
        "/usr/private/file": ["-rw-r--r--", "root/root"],
        "/usr/tool": ["-rwxr-xr-x", "root/root"],
    }
