"""The image as an OCI archive: its format, and a machine that runs from it."""

import gzip
import hashlib
import json
import os
import shutil
import socket
import subprocess
import tarfile
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.envs.machines.process_tree import process_tree
from pptarena.errors import ImageError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.play import play
from pptarena.tasks import get_task
from pptarena.vm_images import Image, oci, require_image
from pptarena.vm_images.oci import write_oci

TASK = "meridian-hide-backup"


@pytest.fixture
def image(tmp_path: Path) -> Image:
    """A root filesystem with a file, a link, a second name, and a home."""
    root = tmp_path / "image/root"
    (root / "home/agent").mkdir(parents=True)
    (root / "home/agent/.profile").write_text("PS1=$\n")
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/office").write_bytes(b"#!/bin/sh\n")
    (root / "usr/bin/office").chmod(0o755)
    (root / "usr/bin/impress").hardlink_to(root / "usr/bin/office")
    (root / "bin").symlink_to("usr/bin")
    return Image(tmp_path / "image", "0123456789ab", 4096, {}, "2026-01-01T00:00:00Z")


def blobs(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as tar:
        return {each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]


def members(layer: bytes) -> list[tarfile.TarInfo]:
    with tarfile.open(fileobj=BytesIO(layer)) as tar:
        return tar.getmembers()


def read_blob(files: dict[str, bytes], entry: dict[str, Any]) -> bytes:
    """Return a blob after checking its size and digest."""
    data = files[f"blobs/{entry['digest'].replace(':', '/')}"]
    assert len(data) == entry["size"]
    assert entry["digest"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
    return data


def read(archive: Path) -> tuple[dict[str, Any], list[bytes]]:
    """Return the configuration and the uncompressed layers; all digests are checked."""
    files = blobs(archive)
    assert json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
    (entry,) = json.loads(files["index.json"])["manifests"]
    manifest = json.loads(read_blob(files, entry))
    config = json.loads(read_blob(files, manifest["config"]))
    layers = [gzip.decompress(read_blob(files, each)) for each in manifest["layers"]]
    digests = [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]
    assert config["rootfs"]["diff_ids"] == digests
    return config, layers


def test_archive_follows_the_format_and_is_reproducible(image: Image, tmp_path: Path) -> None:
    digest = write_oci(image, tmp_path / "one.tar")
    config, layers = read(tmp_path / "one.tar")
    assert config["os"] == "linux"
    assert config["config"]["Entrypoint"] == ["/opt/pptarena/start"]
    names, guest_files = ({each.name: each for each in members(layer)} for layer in layers)
    assert (names["home/agent/.profile"].uid, names["usr/bin/office"].uid) == (1000, 0)
    assert names["bin"].linkname == "usr/bin"
    assert {names["usr/bin/impress"].islnk(), names["usr/bin/office"].islnk()} == {True, False}
    assert guest_files["opt/pptarena/start"].mode == 0o755
    assert "opt/pptarena/pptarena/vm_images/guest/__main__.py" in guest_files
    assert not [name for name in guest_files if "__pycache__" in name]
    assert write_oci(image, tmp_path / "two.tar") == digest
    assert (tmp_path / "two.tar").read_bytes() == (tmp_path / "one.tar").read_bytes()


@pytest.mark.slow
def test_digest_is_independent_of_place_and_time_of_installation(
    image: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = write_oci(image, tmp_path / "one.tar")
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(oci._GUEST, elsewhere, ignore=shutil.ignore_patterns("__pycache__"))
    for each in (elsewhere, *elsewhere.rglob("*")):
        each.chmod(0o700)
        os.utime(each, (1, 1))
    monkeypatch.setattr(oci, "_GUEST", elsewhere)
    assert write_oci(image, tmp_path / "two.tar") == digest


def test_existing_files_are_kept(image: Image, tmp_path: Path) -> None:
    (tmp_path / "mine.tar").write_text("mine")
    with pytest.raises(ImageError, match="the file exists"):
        write_oci(image, tmp_path / "mine.tar")
    with pytest.raises(ImageError, match="cannot be written"):
        write_oci(image, tmp_path / "no/folder.tar")
    assert (tmp_path / "mine.tar").read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["image", "mine.tar"]


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, int]]:
    """Unpack the archive and run it by bubblewrap; yield address, token file and process id."""
    if os.getuid() != 0:
        pytest.skip("a container's root needs root here")
    folder = tmp_path_factory.mktemp("container")
    write_oci(require_image(), folder / "pptarena.tar")
    config, layers = read(folder / "pptarena.tar")
    for layer in layers:
        with tarfile.open(fileobj=BytesIO(layer)) as tar:
            tar.extractall(folder / "root", filter="fully_trusted")
    token = folder / "token"
    token.write_text("a token that only tests know\n")
    folder.chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp:127.0.0.1:{free.getsockname()[1]}"
    capabilities = ("SYS_ADMIN", "SETPCAP", "SETUID", "SETGID", "CHOWN", "DAC_OVERRIDE", "KILL")
    settings = [word.partition("=")[::2] for word in config["config"]["Env"]]
    command = [
        *("bwrap", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--cap-drop", "ALL"),
        *(word for name in capabilities for word in ("--cap-add", f"CAP_{name}")),
        *("--bind", str(folder / "root"), "/", "--proc", "/proc", "--dev", "/dev"),
        *("--tmpfs", "/run", "--perms", "0755", "--dir", "/run/secrets"),
        *("--ro-bind", str(token), "/run/secrets/token", "--clearenv"),
        *(word for name, value in settings for word in ("--setenv", name, value)),
        *config["config"]["Entrypoint"],
        *("--listen", address, "--token-file", "/run/secrets/token"),
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        yield address, token, process.pid
    finally:
        process.kill()
        _, errors = process.communicate(timeout=20)
        shutil.rmtree(folder)  # pytest would keep a gigabyte
        assert b"network" not in errors


@pytest.mark.image
@pytest.mark.timeout(300)
def test_machine_runs_from_the_archive_without_network(
    container: tuple[str, Path, int], tmp_path: Path
) -> None:
    address, token, pid = container
    wait_for_listener(address)
    env = make_env("remote", remote_address=address, remote_token_file=str(token))
    task = get_task(TASK)
    try:
        episode = play(
            env, DemonstrationAgent(get_task), agent_name="demonstration", task=task, seed=0,
            folder=tmp_path / "good", failed_folder=tmp_path / "bad",
        )  # fmt: skip
        assert (episode.meta.infra_error, episode.meta.score, episode.meta.end) == (
            None,
            1.0,
            "done",
        )
        names = {Path(f"/proc/{each}/comm").read_text().strip(): each for each in process_tree(pid)}
        office = names["soffice.bin"]
        assert network_of(office) != network_of(os.getpid())
        (loopback,) = Path(f"/proc/{office}/net/dev").read_text().splitlines()[2:]
        assert loopback.strip().startswith("lo:")
    finally:
        env.close()


def network_of(pid: int) -> str:
    return os.readlink(f"/proc/{pid}/ns/net")


def wait_for_listener(address: str) -> None:
    host, port = address.split(":")[1:]
    for _ in range(200):
        try:
            socket.create_connection((host, int(port)), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the guest does not listen")
