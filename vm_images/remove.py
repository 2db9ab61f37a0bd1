"""Remove built images, their disks, and what interrupted builds left."""

from collections.abc import Iterator
from pathlib import Path

from pptarena.errors import ImageError
from pptarena.vm_images.disk.disk import DISK_PREFIX
from pptarena.vm_images.disk.recipe import load_disk_recipe
from pptarena.vm_images.image import image_folder, lock_images, remove_tree
from pptarena.vm_images.recipe import load_recipe

__all__ = ["remove_images"]


def remove_images(*, only_old: bool = False) -> list[str]:
    """Remove built images with their disks, and what interrupted builds left.

    Args:
        only_old: Keep the image of the present recipe and the disk of the present disk recipe.

    Returns:
        The paths of the removed folders, relative to `image_folder`.

    Raises:
        ImageError: If an image or a disk is being built.
    """
    if not image_folder().is_dir():
        return []
    removed = []
    with lock_images(_refuse):
        for folder in _doomed(only_old):
            remove_tree(folder)
            removed.append(str(folder.relative_to(image_folder())))
    return removed


def _doomed(only_old: bool) -> Iterator[Path]:
    image_hash = load_recipe().hash
    kept_disk = DISK_PREFIX + load_disk_recipe().hash(image_hash)
    for folder in sorted(image_folder().iterdir()):
        if not folder.is_dir():
            continue
        if not only_old or folder.name != image_hash:
            yield folder
            continue
        for disk in sorted(folder.glob(f"{DISK_PREFIX}*")):
            if disk.name != kept_disk:
                yield disk


def _refuse() -> None:
    raise ImageError("an image is being built; remove images when it is done")
