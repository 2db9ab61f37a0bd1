import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.envs.machines.snapshots.locks import FileLock
from pptarena.files import Folder
from pptarena.vm_images.disk import guest_hash
from pptarena.vm_images.disk.disk import write_disk_manifest
from pptarena.vm_images.disk.recipe import load_disk_recipe
from pptarena.vm_images.image import write_manifest
from pptarena.vm_images.recipe import load_recipe

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
MakeImage = Callable[[str], Path]
Here = Callable[..., tuple[object, str, str]]


class Terminal(io.StringIO):
    """Standard input of a terminal, with the answers of a user."""

    def isatty(self) -> bool:
        """Return that it is a terminal."""
        return True


@pytest.fixture
def cli_environ(tmp_path: Path) -> dict[str, str]:
    """A PPTARENA_HOME of each test's own, and no programs to build an image with."""
    return {**os.environ, "PPTARENA_HOME": str(tmp_path / "[red]home"), "PATH": str(tmp_path)}


@pytest.fixture
def make_image(cli_environ: dict[str, str]) -> MakeImage:
    """Make a folder that looks like a built image."""

    def make(name: str) -> Path:
        folder = Path(cli_environ["PPTARENA_HOME"], "images", name)
        (folder / "root" / "usr").mkdir(parents=True)
        facts = {"hash": name, "size_bytes": 5 * 2**20, "created": "2026-01-01T00:00:00+00:00"}
        write_manifest(folder, {**facts, "versions": {"xvfb": "21.1", "dbus": "1.16"}})
        return folder

    return make


def make_disk(image: Path) -> Path:
    """Make a folder that looks like the built disk of an image."""
    name = load_disk_recipe().hash(image.name)
    folder = image / f"vm-{name}"
    folder.mkdir()
    for file in ("root.squashfs", "vmlinuz", "initrd.cpio"):
        (folder / file).write_text("x")
    facts = {"hash": name, "kernel_version": "6.12", "modules": [], "created": "2026-01-01"}
    write_disk_manifest(folder, facts)
    return folder


def test_info_as_json(cli: Cli, make_image: MakeImage) -> None:
    name = load_recipe().hash
    folder = make_image(name)
    assert json.loads(cli("image", "info", "--json").stdout) == {
        "hash": name,
        "folder": str(folder),
        "size_mb": 5.0,
        "created": "2026-01-01T00:00:00+00:00",
        "versions": {"dbus": "1.16", "xvfb": "21.1"},
        "disk": None,
        "snapshots": {"count": 0, "size_mb": 0.0, "folder": str(folder.parents[1] / "snapshots")},
    }


def test_info_shows_the_disk(cli: Cli, make_image: MakeImage) -> None:
    folder = make_disk(make_image(load_recipe().hash))
    details = json.loads(cli("image", "info", "--json").stdout)["disk"]
    assert details["folder"] == str(folder)
    assert details["hash"] == folder.name.removeprefix("vm-")
    assert details["kernel_version"] == "6.12"
    text = cli("image", "info").stdout
    for word in (details["hash"], "Linux 6.12", str(folder)):
        assert word in text


def test_info_of_a_damaged_disk(cli: Cli, make_image: MakeImage) -> None:
    (make_disk(make_image(load_recipe().hash)) / "vmlinuz").unlink()
    done = cli("image", "info", code=1)
    assert "pptarena image build --vm" in done.stderr
    assert "Traceback" not in done.stderr


def test_info_as_a_table(cli: Cli, make_image: MakeImage) -> None:
    folder = make_image(load_recipe().hash)
    text = cli("image", "info").stdout
    command = "pptarena image build --vm"
    for word in (load_recipe().hash, "5 MB", "xvfb", "21.1", str(folder), command):
        assert word in text


def test_info_without_an_image(cli: Cli) -> None:
    done = cli("image", "info", "--json", code=1)
    assert done.stdout == ""
    assert "pptarena image build" in done.stderr


def test_info_of_a_damaged_image(cli: Cli, make_image: MakeImage) -> None:
    (make_image(load_recipe().hash) / "manifest.json").write_text("{")
    done = cli("image", "info", code=1)
    assert "damaged" in done.stderr
    assert "Traceback" not in done.stderr


def test_rm_can_keep_the_current_image(cli: Cli, make_image: MakeImage) -> None:
    present, old = make_image(load_recipe().hash), make_image("0" * 12)
    leftover = make_image(".building-x")
    mark(leftover, "build")
    output = cli("image", "rm", "--old", "--yes").stderr
    assert output.splitlines() == [f"removed {leftover}", f"removed {old}"]
    assert present.exists()
    assert not old.exists()
    assert not leftover.exists()

    assert cli("image", "rm", "--yes").stderr == f"removed {present}\n"
    assert not present.exists()
    assert "nothing to remove" in cli("image", "rm", "--yes").stderr


def test_rm_removes_old_disks(cli: Cli, make_image: MakeImage) -> None:
    present = make_disk(make_image(load_recipe().hash))
    old = present.parent / "vm-old"
    old.mkdir()
    assert cli("image", "rm", "--old", "--yes").stderr == f"removed {old}\n"
    assert present.exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names Linux packages")
def test_disk_requires_its_programs(cli: Cli, make_image: MakeImage) -> None:
    make_image(load_recipe().hash)
    done = cli("image", "build", "--vm", code=1)
    assert "sudo apt-get install" in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names Linux packages")
def test_build_names_the_missing_command(cli: Cli, tmp_path: Path) -> None:
    done = cli("image", "build", code=1)
    assert "sudo apt-get install mmdebstrap tar" in done.stderr
    assert not (tmp_path / "[red]home").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names Linux packages")
def test_image_is_exported_as_an_oci_archive(
    cli: Cli, make_image: MakeImage, tmp_path: Path
) -> None:
    image = make_image(load_recipe().hash)
    (image / "root/usr/hello").write_text("hello\n")
    for program in ("mmdebstrap", "tar"):  # looked for, not needed
        (tmp_path / program).write_text("")
        (tmp_path / program).chmod(0o755)
    done = cli("image", "build", "--oci", str(tmp_path / "pptarena.tar"))
    assert f"Next: podman load -i {tmp_path / 'pptarena.tar'}" in done.stderr
    with tarfile.open(tmp_path / "pptarena.tar") as archive:
        assert "oci-layout" in archive.getnames()
    second = cli("image", "build", "--oci", str(tmp_path / "pptarena.tar"), code=1)
    assert "the file exists" in second.stderr


def test_unknown_options_are_usage_errors(cli: Cli) -> None:
    cli("image", "rm", "--everything", code=2)


def mark(folder: Path, kind: str) -> None:
    """Mark a folder as ours."""
    with Folder(folder) as store:
        store.mark(kind)


def make_snapshot(environ: dict[str, str], name: str, facts: dict[str, str]) -> Path:
    """Make a folder that looks like a snapshot of a virtual machine."""
    folder = Path(environ["PPTARENA_HOME"], "snapshots", name)
    folder.mkdir(parents=True)
    mark(folder, "snapshot")
    (folder / "memory").write_bytes(b"x" * 4096)
    metadata = {"facts": facts, "sizes": {"memory": 4096}}
    (folder / "facts.json").write_text(json.dumps(metadata))
    return folder


def test_snapshots_are_counted_and_removed(cli: Cli, cli_environ: dict[str, str]) -> None:
    folder = make_snapshot(cli_environ, "abc-desktop", {})
    left = folder.parent / ".building-abc-desktop-xyz"
    left.mkdir()
    mark(left, "snapshot")
    assert "removed" in cli("image", "rm", "--snapshots").stderr
    assert not folder.exists()
    assert not left.exists()
    assert "nothing to remove" in cli("image", "rm", "--snapshots").stderr


def test_snapshot_in_use_is_kept(cli: Cli, cli_environ: dict[str, str]) -> None:
    folder = make_snapshot(cli_environ, "abc-desktop", {})
    lock = FileLock.acquire(folder.parent / ".locks" / folder.name, shared=True)
    assert lock is not None
    assert "nothing to remove" in cli("image", "rm", "--snapshots").stderr
    lock.release()
    assert folder.exists()


def test_old_keeps_snapshots_of_this_version(
    cli: Cli, make_image: MakeImage, cli_environ: dict[str, str]
) -> None:
    disk = make_disk(make_image(load_recipe().hash))
    digest = json.loads((disk / "manifest.json").read_text())["digest"]
    current = make_snapshot(
        cli_environ, "new", {"disk": digest, "guest": guest_hash(), "deck": "a"}
    )
    stale = make_snapshot(cli_environ, "old", {"disk": digest, "guest": "another"})
    assert json.loads(cli("image", "info", "--json").stdout)["snapshots"]["count"] == 2
    cli("image", "rm", "--old", "--yes")
    assert current.exists()
    assert not stale.exists()
    assert disk.exists()


def test_rm_asks_for_confirmation(
    make_image: MakeImage, cli_environ: dict[str, str], here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", cli_environ["PPTARENA_HOME"])
    image = make_image(load_recipe().hash)
    (image / "root" / "usr" / "file").write_bytes(b"x" * 2**20)
    for answer, code in (("n\n", 1), ("\n", 1), ("", 1), ("y\n", 0)):
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        exit_code, out, errors = here("image", "rm")
        assert (exit_code, out.strip()) == (code, "")
        assert f"1.0 MB  {image}" in errors
        assert "Remove these images and disks?" in errors
        assert image.exists() == (code == 1)


def test_rm_needs_a_terminal_or_yes(cli: Cli, make_image: MakeImage) -> None:
    image = make_image(load_recipe().hash)
    done = cli("image", "rm", code=2)
    assert "add --yes to remove these images" in done.stderr
    assert str(image) in done.stderr
    assert image.exists()
    cli("image", "rm", "--yes")
    assert not image.exists()


def test_image_of_another_version_is_named(cli: Cli, make_image: MakeImage) -> None:
    make_image("0123456789ab")
    (make_image("ab0123456789") / "manifest.json").write_text("{")  # damaged: left out
    output = cli("image", "info", code=1).stderr
    assert f"no machine image of this version (recipe {load_recipe().hash})" in output
    assert "images of other versions cannot be used: 0123456789ab, built 2026-01-01" in output
    assert "ab0123456789" not in output
    findings = json.loads(cli("doctor", "--no-start", "--json", code=1).stdout)["findings"]
    (finding,) = (each for each in findings if each["name"] == "image")
    assert "0123456789ab, built 2026-01-01" in finding["detail"]
    assert finding["mend"] == "pptarena image build"


def test_shared_image_is_used_and_never_removed(
    cli: Cli, make_image: MakeImage, cli_environ: dict[str, str], tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    make_image(load_recipe().hash).parent.rename(shared)
    cli_environ["PPTARENA_IMAGES"] = str(shared)
    facts = json.loads(cli("image", "info", "--json").stdout)
    assert facts["folder"] == str(shared / load_recipe().hash)
    assert "nothing to remove" in cli("image", "rm", "--yes").stderr
    own = make_image(load_recipe().hash)
    assert json.loads(cli("image", "info", "--json").stdout)["folder"] == str(own)
    cli_environ["PPTARENA_IMAGES"] = str(tmp_path / "nothing")
    cli("image", "rm", "--yes")
    output = cli("image", "info", code=1).stderr
    assert str(tmp_path / "nothing") in output
    assert (shared / load_recipe().hash).exists()
