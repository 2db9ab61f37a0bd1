"""Settings of virtual machines."""

from dataclasses import dataclass

from pptarena.envs.machines.config import MachineConfig, one_of, within

__all__ = ["QemuConfig"]


@dataclass(frozen=True, slots=True)
class QemuConfig(MachineConfig):
    """Settings of a virtual machine, in addition to those of all machines.

    Attributes:
        realtime: Whether the machine runs while the agent thinks; by default it is paused between
            steps, including its clocks.
        accelerator: ``"kvm"``; ``"tcg"``, emulation, under which a step takes about ten times as
            long; or ``"auto"``, which uses KVM if a probe runs under it.
        vm_memory_bytes: Memory size; includes the guest's files.
        vm_cpus: Number of CPUs.
        snapshot_limit_bytes: Most disk space of all snapshots and checkpoints together.
    """

    realtime: bool = False
    accelerator: str = one_of("auto", "kvm", "tcg")
    vm_memory_bytes: int = within(2**30, 2**29, 2**37)
    vm_cpus: int = within(2, 1, 64)
    snapshot_limit_bytes: int = within(20 * 2**30, 2**29, 2**50)
