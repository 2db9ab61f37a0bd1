"""The image that a machine boots: its recipe, builder and disk, and the guest program."""

from pptarena.vm_images.disk import Disk, find_disk, require_disk
from pptarena.vm_images.image import Image, find_image, image_folder, require_image
from pptarena.vm_images.remove import images_to_remove, remove_images

__all__ = [
    "Disk",
    "Image",
    "find_disk",
    "find_image",
    "image_folder",
    "images_to_remove",
    "remove_images",
    "require_disk",
    "require_image",
]
