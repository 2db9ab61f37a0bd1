"""Settings of the fake machine."""

from dataclasses import dataclass

from pptarena.envs.machines.config import MachineConfig

__all__ = ["FakeConfig"]


@dataclass(frozen=True, slots=True)
class FakeConfig(MachineConfig):
    """Those that every machine has; size of the screen and `max_nodes` count."""
