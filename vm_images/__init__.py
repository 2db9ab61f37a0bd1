"""What a machine boots: the recipe of the image, its builder, and the guest program."""

from pptarena.vm_images.image import Image, find_image, image_folder, remove_images, require_image

__all__ = ["Image", "find_image", "image_folder", "remove_images", "require_image"]
