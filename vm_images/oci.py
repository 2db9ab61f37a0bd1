"""Write the image as an OCI archive for podman, Docker and Kubernetes, without these tools.

Format: OCI image layout 1.0 in one tar file, see
https://github.com/opencontainers/image-spec/blob/main/image-layout.md. The same image gives the
same bytes.
"""

import gzip
import hashlib
import json
import os
import platform
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from pptarena.errors import ImageError
from pptarena.vm_images.image import Image

__all__ = ["require_new", "write_oci"]

_PORT = 7001
_GUEST = Path(__file__).resolve().parent / "guest"
_GUEST_PATH = "opt/pptarena/pptarena/vm_images/guest"
_AGENT, _AGENTS_HOME = 1000, "home/agent"
_MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
_MEDIA = "application/vnd.oci.image"
# The container starts as root and switches to the image's user. That user keeps the capabilities
# that create the desktop's namespaces until the desktop starts. sys_resource is an additional
# safeguard that not every host supports.
_START = b"""#!/bin/sh
powers=+sys_admin,+setpcap
setpriv --inh-caps=+sys_resource true 2> /dev/null && powers=$powers,+sys_resource
exec setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=$powers --ambient-caps=$powers \\
    python3 -m pptarena.vm_images.guest "$@"
"""
_START_PATH = "opt/pptarena/start"
_ENVIRONMENT = [
    *("PATH=/usr/bin:/bin", "LANG=C.UTF-8", "PYTHONPATH=/opt/pptarena"),
    *("PYTHONDONTWRITEBYTECODE=1",),
]


@dataclass(frozen=True, slots=True)
class _Layer:
    file: Path
    digest: str
    diff_id: str


def write_oci(image: Image, out: Path, progress: Callable[[str], None] = lambda stage: None) -> str:
    """Write an image as an OCI archive.

    Args:
        image: The image.
        out: The tar file; it appears when it is complete.
        progress: Called with every stage.

    Returns:
        The digest of its manifest, ``sha256:...``.

    Raises:
        ImageError: If the file exists, or cannot be written.
    """
    require_new(out)
    try:
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as temporary:
            folder = Path(temporary)
            progress("packing the root filesystem")
            root = _layer(folder / "root", _files(image.root, ""))
            progress("packing the guest program")
            (folder / "start").write_bytes(_START)
            start = [(folder / "start", _START_PATH)]
            guest = _layer(folder / "guest", [*_files(_GUEST, _GUEST_PATH), *start])
            progress("writing the archive")
            digest = _archive(image, [root, guest], folder / "archive")
            os.link(folder / "archive", out)  # fails if the file has appeared meanwhile
    except OSError as error:
        raise ImageError(f"{out}: cannot be written: {error}") from error
    return digest


def require_new(out: Path) -> None:
    """Refuse a file that exists, before anything is built for it.

    Raises:
        ImageError: If it exists, or its folder does not.
    """
    if os.path.lexists(out):
        raise ImageError(f"{out}: the file exists; remove it first")
    if not out.parent.is_dir():
        raise ImageError(f"{out}: cannot be written: {out.parent} is not a folder")


def _archive(image: Image, layers: list[_Layer], file: Path) -> str:
    config = _json(
        {
            "architecture": _MACHINES.get(platform.machine(), platform.machine()),
            "os": "linux",
            "created": image.created,
            "config": {
                "Entrypoint": [f"/{_START_PATH}"],
                "Cmd": ["--listen", f"tcp:0.0.0.0:{_PORT}"],
                "Env": _ENVIRONMENT,
                "ExposedPorts": {f"{_PORT}/tcp": {}},
                "WorkingDir": "/",
                "Labels": {
                    "org.opencontainers.image.title": "pptarena",
                    "org.opencontainers.image.version": image.hash,
                },
            },
            "rootfs": {"type": "layers", "diff_ids": [layer.diff_id for layer in layers]},
        }
    )
    manifest = _json(
        {
            "schemaVersion": 2,
            "mediaType": f"{_MEDIA}.manifest.v1+json",
            "config": _descriptor("config.v1+json", _digest(config), len(config)),
            "layers": [
                _descriptor("layer.v1.tar+gzip", layer.digest, layer.file.stat().st_size)
                for layer in layers
            ],
        }
    )
    entry = _descriptor("manifest.v1+json", _digest(manifest), len(manifest))
    entry["annotations"] = {"org.opencontainers.image.ref.name": f"pptarena:{image.hash}"}
    index = _json(
        {"schemaVersion": 2, "mediaType": f"{_MEDIA}.index.v1+json", "manifests": [entry]}
    )
    with tarfile.open(file, "w") as tar:
        _add(tar, "oci-layout", _json({"imageLayoutVersion": "1.0.0"}))
        _add(tar, "index.json", index)
        for blob in (manifest, config):
            _add(tar, _blob(_digest(blob)), blob)
        for layer in layers:
            header = tarfile.TarInfo(_blob(layer.digest))
            header.size = layer.file.stat().st_size
            with layer.file.open("rb") as stream:
                tar.addfile(header, stream)
    return _digest(manifest)


class _HashingStream:
    """A stream that computes the hash of its data."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile) -> None:
        self._stream, self._hash = stream, hashlib.sha256()

    def write(self, data: bytes) -> int:
        self._hash.update(data)
        self._stream.write(data)
        return len(data)

    def flush(self) -> None:
        self._stream.flush()

    @property
    def digest(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"


def _layer(file: Path, files: Iterable[tuple[Path, str]]) -> _Layer:
    with file.open("wb") as stream:
        compressed = _HashingStream(stream)
        with gzip.GzipFile("", "wb", 6, compressed, mtime=0) as compressor:
            uncompressed = _HashingStream(compressor)
            with tarfile.open(mode="w|", fileobj=uncompressed, format=tarfile.PAX_FORMAT) as tar:  # type: ignore[call-overload]
                for source, name in files:
                    _add_file(tar, source, name)
    return _Layer(file, compressed.digest, uncompressed.digest)


def _files(folder: Path, prefix: str) -> Iterable[tuple[Path, str]]:
    """Yield all files below a folder with their names in the archive, parents first."""
    root = Path(prefix)
    if prefix:
        yield from ((folder, str(parent)) for parent in (*reversed(root.parents[:-1]), root))
    for source in sorted(folder.rglob("*")):
        if source.name != "__pycache__" and source.parent.name != "__pycache__":
            yield source, str(root / source.relative_to(folder))


def _add_file(tar: tarfile.TarFile, source: Path, name: str) -> None:
    header = tar.gettarinfo(source, name)
    if header is None:  # a socket
        return
    is_agents = name == _AGENTS_HOME or name.startswith(f"{_AGENTS_HOME}/")
    header.uid = header.gid = _AGENT if is_agents else 0
    header.uname = header.gname = ""
    header.mtime = int(header.mtime)
    if Path(name).parts[0] == "opt":  # the installed package, independent of path and time
        header.mtime = 0
        header.mode = 0o755 if header.isdir() or name == _START_PATH else 0o644
    if header.isreg():
        with source.open("rb") as stream:
            tar.addfile(header, stream)
    else:
        tar.addfile(header)


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    header = tarfile.TarInfo(name)
    header.size = len(data)
    tar.addfile(header, BytesIO(data))


def _descriptor(media_type: str, digest: str, size: int) -> dict[str, Any]:
    return {"mediaType": f"{_MEDIA}.{media_type}", "digest": digest, "size": size}


def _blob(digest: str) -> str:
    return f"blobs/{digest.replace(':', '/')}"


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
