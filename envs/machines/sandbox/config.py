"""Settings of the sandbox."""

from dataclasses import dataclass

from pptarena.envs.machines.config import MachineConfig, within

__all__ = ["SandboxConfig"]


@dataclass(frozen=True, slots=True)
class SandboxConfig(MachineConfig):
    """Settings of a sandbox, in addition to those of all machines.

    Attributes:
        spare: Whether to prepare the next machine in the background, so that `reset` need not wait.
        reuse: Number of further episodes that a running sandbox may serve. It is reused only if no
            dialog was open and, after the next deck is opened, every pixel, the whole tree,
            processes, files and settings match a fresh sandbox. Reuse saves most of the cost of
            short episodes. State in memory alone (such as the last search term) may persist, so
            keep 0 where scores are compared.
    """

    spare: bool = True
    reuse: int = within(0, 0, 1_000_000)
