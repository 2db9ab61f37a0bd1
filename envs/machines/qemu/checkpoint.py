"""The kept state of a virtual machine in mid-episode."""

from pptarena.envs.machines.checkpoint import MachineCheckpoint
from pptarena.envs.machines.qemu.kept import KeptState
from pptarena.envs.machines.qemu.process import VirtualMachine
from pptarena.envs.machines.qemu.scratch import Scratch
from pptarena.errors import ConfigError

__all__ = ["QemuCheckpoint"]


class QemuCheckpoint(MachineCheckpoint):
    """Memory and devices of a virtual machine at one moment, in a private folder.

    Args:
        machine: A paused machine.

    Raises:
        HostError: If the disk is full.
        MachineError: If the machine went away.
    """

    def __init__(self, machine: VirtualMachine) -> None:
        scratch = Scratch()
        try:
            machine.keep(scratch.folder)
        except BaseException:
            scratch.release()
            raise
        self._state = KeptState(scratch.folder)
        super().__init__("qemu", scratch.release)

    def state(self) -> KeptState:
        """Return where the state lies.

        Raises:
            ConfigError: If the checkpoint was closed meanwhile.
        """
        if self.closed:
            raise ConfigError("the checkpoint was closed while a machine took it on")
        return self._state
