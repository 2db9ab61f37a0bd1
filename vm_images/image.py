"""The built image: its location and contents."""

import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import ImageError
from pptarena.files import Folder, lock_file
from pptarena.paths import cache_home, shared_images
from pptarena.vm_images.recipe import load_recipe

__all__ = [
    "IMAGE_KIND",
    "MANIFEST",
    "Image",
    "find_image",
    "image_folder",
    "is_image",
    "lock_images",
    "missing_image",
    "other_images",
    "remove_tree",
    "require_image",
    "write_manifest",
]

MANIFEST = "manifest.json"
IMAGE_KIND = "image"
"""Contents of the mark of an image."""

_MANIFEST_BYTES = 2**20
_HASH = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Image:
    """One built image.

    Attributes:
        folder: Contains ``root`` (the root filesystem) and ``manifest.json``.
        hash: Hash of the recipe it was built from.
        size_bytes: Size of all files on the disk.
        versions: Version by Debian or Python package.
        created: Build time, ISO 8601, UTC.
    """

    folder: Path
    hash: str
    size_bytes: int
    versions: dict[str, str]
    created: str

    @property
    def root(self) -> Path:
        """The root filesystem."""
        return self.folder / "root"

    def to_json(self) -> dict[str, Any]:
        """Return the output of ``pptarena image info --json``."""
        return {
            "hash": self.hash,
            "folder": str(self.folder),
            "size_mb": round(self.size_bytes / 2**20, 1),
            "created": self.created,
            "versions": self.versions,
        }


def image_folder() -> Path:
    """Return the folder that contains all images."""
    return cache_home() / "images"


def find_image() -> Image | None:
    """Return the image of the current recipe; None if it is not built.

    `image_folder` is searched first, then `pptarena.paths.shared_images`.

    Raises:
        ImageError: If it is damaged; the message contains the command that rebuilds it.
    """
    name = load_recipe().hash
    own, shared = _read(image_folder() / name), shared_images()
    return own if own is not None or shared is None else _read(shared / name)


def other_images() -> tuple[Image, ...]:
    """Return the images of other versions of the recipe, without damaged ones."""
    images = []
    for parent in filter(None, (image_folder(), shared_images())):
        for folder in sorted(parent.glob("[0-9a-f]*")):
            if _HASH.fullmatch(folder.name) and folder.name != load_recipe().hash:
                with suppress(ImageError):
                    images.append(_read(folder))
    return tuple(image for image in images if image is not None)


def missing_image() -> str:
    """Return the message for a missing image: the searched folders, and other versions there."""
    folders = " or ".join(str(folder) for folder in (image_folder(), shared_images()) if folder)
    message = f"no machine image of this version (recipe {load_recipe().hash}) in {folders}"
    others = [f"{image.hash}, built {image.created[:10]}" for image in other_images()]
    if others:
        message += f"; images of other versions cannot be used: {'; '.join(others)}"
    return message


def require_image() -> Image:
    """Return the image of the current recipe.

    Raises:
        ImageError: If it is not built; the message contains the command that builds it.
    """
    image = find_image()
    if image is None:
        raise ImageError(f"{missing_image()}; build it with: pptarena image build")
    return image


@contextmanager
def lock_images(on_busy: Callable[[], None]) -> Iterator[int]:
    """Lock the folder of images against changes by other processes.

    Args:
        on_busy: Called if another process has the lock, before waiting for it; may raise.

    Raises:
        ImageError: If the lock file cannot be opened.

    Yields:
        A file descriptor; the lock is held until all processes that inherited it have closed it.
    """
    try:
        lock = lock_file(image_folder() / ".lock")
    except OSError as error:
        raise ImageError(f"the folder of images cannot be locked: {error}") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_busy()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock
    finally:
        os.close(lock)


def remove_tree(folder: Path) -> None:
    """Delete a folder tree, including folders without write permission."""
    try:
        shutil.rmtree(folder)
    except PermissionError:
        # An image built without root contains folders closed to their owner.
        folder.chmod(0o700)
        for parent, names, _ in os.walk(folder):
            for name in names:
                entry = Path(parent, name)
                if not entry.is_symlink():
                    entry.chmod(0o700)
        shutil.rmtree(folder)


def is_image(folder: Folder) -> bool:
    """Return whether a folder is an image of pptarena, even if damaged.

    Images of versions without a mark are recognized by the hash in their manifest.
    """
    if folder.is_marked(IMAGE_KIND):
        return True
    try:
        manifest = json.loads(folder.read(MANIFEST, _MANIFEST_BYTES))
    except (OSError, ValueError, RecursionError):
        return False
    name = folder.path.name
    return (
        bool(_HASH.fullmatch(name)) and isinstance(manifest, dict) and manifest.get("hash") == name
    )


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest that makes a folder an image."""
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n")


def _read(folder: Path) -> Image | None:
    if not folder.exists():
        return None
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        image = Image(
            folder=folder,
            hash=str(manifest["hash"]),
            size_bytes=int(manifest["size_bytes"]),
            versions={str(name): str(version) for name, version in manifest["versions"].items()},
            created=str(manifest["created"]),
        )
    except KeyError as error:
        raise _damaged(folder, f"no {error} in {MANIFEST}") from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise _damaged(folder, f"{MANIFEST}: {error}") from error
    if image.hash != folder.name:
        raise _damaged(folder, f"{MANIFEST} belongs to {image.hash}")
    if not (image.root / "usr").is_dir():
        raise _damaged(folder, "it has no root filesystem")
    return image


def _damaged(folder: Path, reason: str) -> ImageError:
    return ImageError(
        f"the image in {folder} is damaged ({reason}); build it again with: pptarena image build"
    )
