"""The machines that episodes run on."""

from pptarena.envs.machines.base import Machine, MachineCheckpoint, MachineObservation, Node, Tree
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.registry import MACHINES, make_machine

__all__ = [
    "MACHINES",
    "Machine",
    "MachineCheckpoint",
    "MachineConfig",
    "MachineObservation",
    "Node",
    "Tree",
    "make_machine",
]
