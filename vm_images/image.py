"""The built image: where it lies, what is in it."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import ImageError
from pptarena.paths import cache_home
from pptarena.vm_images.recipe import load_recipe

__all__ = ["Image", "find_image", "image_folder", "remove_images", "require_image"]

_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Image:
    """One built image.

    Attributes:
        folder: Holds ``root`` (the root filesystem) and ``manifest.json``.
        hash: Hash of the recipe it was built from.
        size_bytes: Size of all files on the disk.
        versions: Version by Debian or Python package.
        created: When it was built, ISO 8601, UTC.
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
        """Return what ``pptarena image info --json`` prints."""
        return {
            "hash": self.hash,
            "folder": str(self.folder),
            "size_mb": round(self.size_bytes / 2**20, 1),
            "created": self.created,
            "versions": self.versions,
        }


def image_folder() -> Path:
    """Return the folder that holds all images."""
    return cache_home() / "images"


def find_image() -> Image | None:
    """Return the image of the present recipe, None if it is not built."""
    return _read(image_folder() / load_recipe().hash)


def require_image() -> Image:
    """Return the image of the present recipe.

    Raises:
        ImageError: If it is not built; the message names the command that builds it.
    """
    image = find_image()
    if image is None:
        raise ImageError(
            f"no machine image of recipe {load_recipe().hash} in {image_folder()}; "
            "build it with: pptarena image build"
        )
    return image


def remove_images(*, only_old: bool = False) -> list[str]:
    """Remove built images and what interrupted builds left.

    Args:
        only_old: Keep the image of the present recipe.

    Returns:
        The names of the removed folders.
    """
    current = load_recipe().hash
    removed = []
    for folder in sorted(image_folder().glob("*")) if image_folder().is_dir() else []:
        if folder.is_dir() and not (only_old and folder.name == current):
            remove_tree(folder)
            removed.append(folder.name)
    return removed


def remove_tree(folder: Path) -> None:
    """Delete a folder tree; folders without write permission are no obstacle."""

    def allow(function: Any, path: str, _error: BaseException) -> None:
        os.chmod(Path(path).parent, 0o700)
        os.chmod(path, 0o700)
        function(path)

    def allow_old(function: Any, path: str, info: Any) -> None:
        allow(function, path, info[1])

    shutil.rmtree(folder, onerror=allow_old)


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest that makes a folder an image."""
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n")


def _read(folder: Path) -> Image | None:
    try:
        manifest = json.loads((folder / _MANIFEST).read_text())
        return Image(
            folder=folder,
            hash=manifest["hash"],
            size_bytes=manifest["size_bytes"],
            versions=manifest["versions"],
            created=manifest["created"],
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError) as error:
        raise ImageError(
            f"the image in {folder} is damaged ({error}); remove it with: pptarena image rm"
        ) from error
