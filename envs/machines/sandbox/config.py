"""Settings of the sandbox."""

from dataclasses import dataclass

from pptarena.envs.machines.config import MachineConfig, within

__all__ = ["SandboxConfig"]


@dataclass(frozen=True, slots=True)
class SandboxConfig(MachineConfig):
    """Settings of a sandbox, in addition to those of all machines.

    Attributes:
        spare: Whether to prepare the next machine in the background, so that `reset` need not wait.
            Not used where sandboxes are restored from snapshots.
        reuse: Number of further episodes that a running sandbox may serve. It is reused only if no
            dialog was open and, after the next deck is opened, every pixel, the whole tree,
            processes, files and settings match a fresh sandbox. Reuse saves most of the cost of
            short episodes. State in memory alone (such as the last search term) may persist, so
            keep 0 where scores are compared.
        snapshots: Whether to restore each sandbox from a snapshot where this computer supports it,
            which takes a tenth of the CPU time of a start.
        snapshot_limit_bytes: Most disk space of all snapshots and checkpoints together.
    """

    spare: bool = True
    reuse: int = within(0, 0, 1_000_000)
    snapshots: bool = True
    snapshot_limit_bytes: int = within(20 * 2**30, 2**29, 2**50)
