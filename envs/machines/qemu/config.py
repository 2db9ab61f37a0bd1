"""Settings of virtual machines."""

import dataclasses
from dataclasses import dataclass
from typing import Self

from pptarena.envs.machines.config import MachineConfig, one_of, within

__all__ = ["QemuConfig"]


@dataclass(frozen=True, slots=True)
class QemuConfig(MachineConfig):
    """Settings of a virtual machine, in addition to those of all machines.

    Attributes:
        realtime: Whether the machine runs while the agent thinks; by default it is paused between
            steps, including its clocks.
        watch: Whether a VNC viewer can watch and control it at the machine's `viewer`; the machine
            then runs while the agent thinks.
        accelerator: ``"kvm"``; ``"tcg"``, emulation, under which a step takes about ten times as
            long; or ``"auto"``, which uses KVM if a probe runs under it.
        vm_memory_bytes: Memory size; includes the guest's files.
        vm_cpus: Number of CPUs.
        snapshot_limit_bytes: Most disk space of all snapshots and checkpoints together.
    """

    realtime: bool = False
    watch: bool = False
    accelerator: str = one_of("auto", "kvm", "tcg")
    vm_memory_bytes: int = within(2**30, 2**29, 2**37)
    vm_cpus: int = within(2, 1, 64)
    snapshot_limit_bytes: int = within(20 * 2**30, 2**29, 2**50)

    def with_viewer(self) -> Self:
        """Return settings with the viewer enabled."""
        return dataclasses.replace(self, watch=True)
