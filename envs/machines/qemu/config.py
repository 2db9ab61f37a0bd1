"""Settings of virtual machines."""

import dataclasses
from dataclasses import dataclass
from typing import Self

from pptarena.envs.machines.config import MachineConfig, one_of, within

__all__ = ["QemuConfig"]


@dataclass(frozen=True, slots=True)
class QemuConfig(MachineConfig):
    """What a virtual machine is made of and how it runs, besides what every machine has.

    Attributes:
        realtime: Whether it runs on while the agent thinks; by default it stands still between two
            steps, its clocks included.
        watch: Whether a VNC viewer can look at its screen and use its mouse and keyboard, at the
            machine's `viewer`; it then runs on while the agent thinks.
        accelerator: How it runs: ``"kvm"``, ``"tcg"`` (emulation, 15 to 30 times slower) or
            ``"auto"``, which takes KVM if a probe runs under it.
        vm_memory_bytes: Its memory; its files count, too.
        vm_cpus: Number of its processors.
        snapshot_limit_bytes: Most disk space that snapshots and checkpoints take together.
    """

    realtime: bool = False
    watch: bool = False
    accelerator: str = one_of("auto", "kvm", "tcg")
    vm_memory_bytes: int = within(2**30, 2**29, 2**37)
    vm_cpus: int = within(2, 1, 64)
    snapshot_limit_bytes: int = within(20 * 2**30, 2**29, 2**50)

    def with_viewer(self) -> Self:
        """Return settings with which a viewer can look on."""
        return dataclasses.replace(self, watch=True)
