"""Settings of the sandbox."""

from dataclasses import dataclass

from pptarena.envs.machines.config import MachineConfig, within

__all__ = ["SandboxConfig"]


@dataclass(frozen=True, slots=True)
class SandboxConfig(MachineConfig):
    """Settings of a sandbox, in addition to those of all machines.

    Attributes:
        snapshots: Whether to restore each sandbox from a snapshot where this computer supports it,
            which takes a tenth of the CPU time of a start.
        snapshot_limit_bytes: Most disk space of all snapshots and checkpoints together.
    """

    snapshots: bool = True
    snapshot_limit_bytes: int = within(20 * 2**30, 2**29, 2**50)
