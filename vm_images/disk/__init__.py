"""The disk of a virtual machine: the image as one read-only file, a kernel, and its boot files."""

from pptarena.vm_images.disk.build import build_disk
from pptarena.vm_images.disk.disk import Disk, find_disk, require_disk
from pptarena.vm_images.disk.guest_archive import guest_archive, guest_hash

__all__ = ["Disk", "build_disk", "find_disk", "guest_archive", "guest_hash", "require_disk"]
