"""The saved state of a virtual machine: two files in a folder."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["VmState"]


@dataclass(frozen=True, slots=True)
class VmState:
    """The saved state of a virtual machine at one moment.

    Any number of machines can resume it concurrently; they share unmodified pages.

    Attributes:
        folder: Folder of the files.
    """

    folder: Path

    @property
    def memory(self) -> Path:
        """The memory file; zero pages are holes."""
        return self.folder / "memory"

    @property
    def devices(self) -> Path:
        """State of CPUs and devices, in QEMU's format."""
        return self.folder / "devices"
