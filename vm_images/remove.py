"""Remove built images, their disks, and the leftovers of interrupted builds."""

import logging
from collections.abc import Iterator
from pathlib import Path

from pptarena.errors import ImageError
from pptarena.files import Folder, remove_folder
from pptarena.vm_images.disk.disk import DISK_PREFIX
from pptarena.vm_images.disk.recipe import load_disk_recipe
from pptarena.vm_images.image import image_folder, is_image, lock_images
from pptarena.vm_images.recipe import load_recipe
from pptarena.vm_images.workspace import is_workspace

__all__ = ["images_to_remove", "remove_images"]

_log = logging.getLogger(__name__)


def images_to_remove(*, only_old: bool = False) -> list[Path]:
    """Return the folders that `remove_images` would remove now."""
    home = image_folder()
    if home.is_symlink() or not home.is_dir():
        return []
    return list(_removable(home, only_old))


def remove_images(*, only_old: bool = False) -> list[str]:
    """Remove built images with their disks, and the leftovers of interrupted builds.

    Folders that are not images of pptarena are skipped with a warning.

    Args:
        only_old: Keep the image of the current recipe and the disk of the current disk recipe.

    Returns:
        The paths of the removed folders, relative to `image_folder`.

    Raises:
        ImageError: If an image or a disk is being built, or the folder of images is a link.
    """
    home = image_folder()
    if home.is_symlink():
        raise ImageError(f"{home} is a link; remove its target with PPTARENA_HOME set there")
    if not home.is_dir():
        return []
    try:
        with lock_images(_refuse_during_build):
            return [
                str(folder.relative_to(home))
                for folder in _removable(home, only_old)
                if remove_folder(folder.parent, folder.name, _is_ours)
            ]
    except OSError as error:
        raise ImageError(f"images in {home} cannot be removed: {error}") from error


def _removable(home: Path, only_old: bool) -> Iterator[Path]:
    image_hash = load_recipe().hash
    current_disk = DISK_PREFIX + load_disk_recipe().hash(image_hash)
    for folder in sorted(home.iterdir()):
        if folder.is_symlink() or not folder.is_dir():
            continue
        with Folder(folder) as contents:
            is_ours = _is_ours(contents)
        if not is_ours:
            _log.warning("%s is skipped: it is not an image of pptarena", folder)
        elif not only_old or folder.name != image_hash:
            yield folder
        else:
            disks = (entry for entry in folder.glob(f"{DISK_PREFIX}*") if not entry.is_symlink())
            yield from sorted(disk for disk in disks if disk.name != current_disk)


def _is_ours(folder: Folder) -> bool:
    is_disk = folder.path.name.startswith(DISK_PREFIX) and folder.path.parent != image_folder()
    return is_disk or is_image(folder) or is_workspace(folder)


def _refuse_during_build() -> None:
    raise ImageError("an image is being built; remove images when it is done")
