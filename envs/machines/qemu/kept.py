"""The kept state of a virtual machine: two files in a folder."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["KeptState"]


@dataclass(frozen=True, slots=True)
class KeptState:
    """Where the state of a virtual machine at one moment lies.

    Any number of machines can go on from it at once; they share what none of them wrote.

    Attributes:
        folder: Holds the files.
    """

    folder: Path

    @property
    def memory(self) -> Path:
        """The memory, byte by byte; zeros are holes."""
        return self.folder / "memory"

    @property
    def devices(self) -> Path:
        """Processors and devices, in QEMU's own format."""
        return self.folder / "devices"

    @property
    def disk_bytes(self) -> int:
        """Space that the files take on the disk, in bytes."""
        return sum(file.stat().st_blocks * 512 for file in self.folder.iterdir())
