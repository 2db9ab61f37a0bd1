"""The ingredients of a virtual machine in addition to the image, and the hash of its disk."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pptarena.vm_images.recipe import recipe_lines

__all__ = ["DiskRecipe", "load_disk_recipe"]

_FOLDER = Path(__file__).parent / "recipe"
_FORMAT = "1"  # increase it when the builder itself changes its result


@dataclass(frozen=True, slots=True)
class DiskRecipe:
    """The ingredients of kernel and initial file system.

    Attributes:
        packages: Debian packages with kernel, modules and busybox.
        modules: Kernel modules that the boot loads, without their dependencies.
        init: The script that is process 1.
    """

    packages: tuple[str, ...]
    modules: tuple[str, ...]
    init: str

    def hash(self, image_hash: str) -> str:
        """Return twelve hex digits that change with every ingredient and with the image."""
        parts = (_FORMAT, image_hash, *self.packages, "", *self.modules, "", self.init)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def load_disk_recipe() -> DiskRecipe:
    """Return the disk recipe of the package."""
    return DiskRecipe(
        packages=recipe_lines(_FOLDER / "packages.txt"),
        modules=recipe_lines(_FOLDER / "modules.txt"),
        init=(_FOLDER / "init.sh").read_text("utf-8"),
    )
