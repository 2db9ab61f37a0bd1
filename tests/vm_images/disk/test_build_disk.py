"""Builds with stand-ins for mmdebstrap and mksquashfs; see conftest.py."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.vm_images.programs import Programs, ignore, names, python

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


def test_a_build_makes_the_disk_and_tells_its_stages(fakes: Programs, home: Path) -> None:
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


def test_the_initial_file_system_loads_the_modules_in_order(fakes: Programs) -> None:
    initrd = build_disk(ignore).initrd.read_bytes()
    parts = (
        *(b"dev/console", b"bin/busybox", b"modules/00-virtio_ring.ko"),
        *(b"modules/01-virtio_blk.ko", b"modules/02-squashfs.ko", b"init"),
    )
    places = [initrd.index(part + b"\0") for part in parts]
    assert places == sorted(places)


def test_a_disk_that_is_there_is_not_built_again(fakes: Programs) -> None:
    first = build_disk(ignore)
    assert build_disk(ignore) == first
    assert fakes.runs() == 1
    again = build_disk(ignore, force=True)
    assert fakes.runs() == 2
    assert again.digest == first.digest


def test_nothing_is_written_to_a_shared_image(
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


def test_a_newer_kernel_changes_the_digest_and_not_the_hash(fakes: Programs) -> None:
    first = build_disk(ignore)
    (fakes.folder / "kernel" / "boot" / "vmlinuz-6.12.0-test").write_text("newer")
    again = build_disk(ignore, force=True)
    assert again.hash == first.hash
    assert again.digest != first.digest


def test_a_damaged_disk_is_built_again(fakes: Programs, home: Path) -> None:
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


def broken(fakes: Programs) -> None:
    fakes.write("mksquashfs", "seq 100 >&2; exit 3")


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (more_kernels, ["modules of one kernel", "7.0"]),
        (no_module, ["no module virtio_ring, which virtio_blk needs"]),
        (no_busybox, ["the disk was not built", "tar ended with code 2", "busybox"]),
        (no_network, ["no network", "the disk was not built"]),
        (full_disk, ["disk is full"]),
        (broken, ["mksquashfs ended with code 3", "100"]),
    ],
)
def test_a_failure_is_explained_and_leaves_nothing(
    fakes: Programs, home: Path, cause: Callable[[Programs], None], words: list[str]
) -> None:
    cause(fakes)
    with pytest.raises(ImageError) as caught:
        build_disk(ignore)
    assert [word for word in words if word not in str(caught.value)] == []
    assert names(home) == {require_image().hash}
    assert names(require_image().folder) == {"root", "manifest.json"}


def test_a_failed_rebuild_keeps_the_disk(fakes: Programs) -> None:
    disk = build_disk(ignore)
    broken(fakes)
    with pytest.raises(ImageError):
        build_disk(ignore, force=True)
    assert find_disk() == disk


def test_without_an_image(fakes: Programs, home: Path) -> None:
    shutil.rmtree(require_image().folder)
    with pytest.raises(ImageError, match="pptarena image build"):
        build_disk(ignore)
    assert fakes.runs() == 0


def test_missing_programs_are_named_with_the_command(
    fakes: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match=r"sudo apt-get install mmdebstrap tar .*squashfs-tools"):
        build_disk(ignore)


def test_another_kind_of_computer(fakes: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(HostError, match=r"x86-64.*aarch64.*sandbox"):
        build_disk(ignore)
    assert fakes.runs() == 0


@pytest.mark.parametrize("bound", ["DISK_BYTES", "SCRATCH_BYTES"])
def test_too_little_space(
    fakes: Programs, home: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(build, bound, 2**70)
    with pytest.raises(HostError, match=r"the disk build needs .* GiB free"):
        build_disk(ignore)
    assert fakes.runs() == 0
    assert names(home) == {require_image().hash}


def test_two_builds_at_once_build_once(fakes: Programs) -> None:
    fakes.write("mmdebstrap", 'sleep 1; exec tar -C "$FAKES/kernel" -c .')
    with python(CODE) as one, python(CODE) as two:
        said = sorted((one.communicate(timeout=60)[0], two.communicate(timeout=60)[0]))
    assert (one.returncode, two.returncode) == (0, 0)
    assert fakes.runs() == 1
    assert [text.split()[-1] for text in said] == [require_disk().hash] * 2


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_build_leaves_no_disk_and_no_process(
    fakes: Programs, home: Path, number: signal.Signals
) -> None:
    fakes.write("mksquashfs", HANG)
    record = fakes.folder / "pid"
    with python(CODE) as interrupted:
        end = time.monotonic() + 20
        while not (record.exists() and record.read_text().endswith("\n")):
            assert time.monotonic() < end
            time.sleep(0.01)
        os.kill(interrupted.pid, number)
        interrupted.communicate(timeout=60)
    assert interrupted.returncode != 0
    assert find_disk() is None
    hanging = Path("/proc", record.read_text().strip())
    end = time.monotonic() + 20
    while hanging.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert not hanging.exists()

    fakes.write("mksquashfs", 'printf squashfs > "$2"')
    assert build_disk(ignore) == require_disk()
    assert names(home) == {require_image().hash}


@pytest.mark.skipif(REAL is None, reason="needs squashfs-tools")
def test_the_root_filesystem_is_packed_for_a_user_without_rights(fakes: Programs) -> None:
    root = require_image().root
    for name in ("dev", "proc", "sys", "run", "tmp", "home/agent", "opt"):
        (root / name).mkdir(parents=True)
    for name in ("dev/null", "tmp/.X11-unix", "tmp/left", "home/agent/.profile"):
        (root / name).touch()
    (root / "usr" / "private").mkdir(mode=0o700)
    (root / "usr" / "private" / "file").write_text("kept")
    (root / "usr" / "private" / "file").chmod(0o600)
    (root / "usr" / "tool").touch()
    (root / "usr" / "tool").chmod(0o700)
    os.symlink("tool", root / "usr" / "link")
    fakes.write("mksquashfs", f'exec {REAL} "$@"')
    disk = build_disk(ignore)
    listed = subprocess.run(
        ["unsquashfs", "-ll", str(disk.root)], capture_output=True, text=True, check=True
    )
    found = {
        line.split("squashfs-root", 1)[1]: line.split()[:2]
        for line in listed.stdout.splitlines()
        if "squashfs-root/" in line
    }
    assert found == {
        **{f"/{name}": ["drwxr-xr-x", "root/root"] for name in ("dev", "home", "opt", "proc")},
        **{f"/{name}": ["drwxr-xr-x", "root/root"] for name in ("run", "sys", "tmp", "usr")},
        "/usr/link -> tool": ["lrwxrwxrwx", "root/root"],
        "/usr/private": ["drwxr-xr-x", "root/root"],
        "/usr/private/file": ["-rw-r--r--", "root/root"],
        "/usr/tool": ["-rwxr-xr-x", "root/root"],
    }
