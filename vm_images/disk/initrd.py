"""The initial file system of the virtual machine: busybox, kernel modules and the boot script."""

from collections.abc import Sequence

from pptarena.vm_images.disk.cpio import CpioArchive
from pptarena.vm_images.disk.modules import KernelModule

__all__ = ["make_initrd"]

_FOLDERS = ("bin", "dev", "image", "modules", "proc", "sys")
_CONSOLE = (5, 1)


def make_initrd(busybox: bytes, modules: Sequence[KernelModule], init: str) -> bytes:
    """Return the archive, uncompressed, because unpacking costs more under emulation.

    Args:
        busybox: The program, linked statically.
        modules: Loaded in this order.
        init: The script that is process 1.
    """
    archive = CpioArchive()
    for name in _FOLDERS:
        archive.add_folder(name)
    # The kernel opens it for process 1 before anything is mounted.
    archive.add_character_device("dev/console", *_CONSOLE)
    archive.add_file("bin/busybox", busybox, 0o755)
    archive.add_link("bin/sh", "busybox")
    for number, module in enumerate(modules):
        archive.add_file(f"modules/{number:02}-{module.name}.ko", module.content)
    archive.add_file("init", init.encode(), 0o755)
    return archive.to_bytes()
