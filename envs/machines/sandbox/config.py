"""Settings of the sandbox."""

from dataclasses import dataclass

from pptarena.envs.machines.config import MachineConfig, within

__all__ = ["SandboxConfig"]


@dataclass(frozen=True, slots=True)
class SandboxConfig(MachineConfig):
    """How a sandbox is prepared and used again, besides what every machine has.

    Attributes:
        spare: Whether to prepare the next machine in the background, so that reset need not wait.
        reuse: How many further episodes a running sandbox may serve. After the next deck is opened
            in it, every pixel, the whole tree, processes, files and settings must be as on a fresh
            one, and no dialog may have been open before, else a fresh one is taken. It saves most
            of the cost of short episodes; what is in memory alone (the last word searched for) may
            last, so leave it at 0 where scores are compared.
    """

    spare: bool = True
    reuse: int = within(0, 0, 1_000_000)
