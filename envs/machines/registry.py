"""Machines by name."""

import importlib
import logging

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.base import Machine
from pptarena.errors import ConfigError

__all__ = ["MACHINES", "make_machine"]

_log = logging.getLogger(__name__)

MACHINES = ("auto", "qemu", "sandbox", "remote", "fake")
"""The names that `make_machine` knows."""

_CLASSES = {
    "sandbox": "pptarena.envs.machines.sandbox:SandboxMachine",
    "fake": "pptarena.envs.machines.fake:FakeMachine",
}


def make_machine(kind: str, config: MachineConfig) -> Machine:
    """Return a machine that is not started yet.

    Args:
        kind: ``"sandbox"``, ``"fake"``, or ``"auto"`` for the best one this version has; which one
            it took, and why, is logged.
        config: Its settings.

    Raises:
        ConfigError: If there is no such machine in this version.
    """
    if kind == "auto":
        kind = "sandbox"
        _log.info("machine 'auto' is 'sandbox': this version has no virtual machines yet")
    if kind in ("qemu", "remote"):
        raise ConfigError(f"machine {kind!r} is not in this version yet; use 'sandbox'")
    if kind not in _CLASSES:
        raise ConfigError(f"expected machine to be one of {', '.join(MACHINES)}, got {kind!r}")
    module, _, name = _CLASSES[kind].partition(":")
    machine = getattr(importlib.import_module(module), name)(config)
    if not isinstance(machine, Machine):
        raise TypeError(f"expected {_CLASSES[kind]} to be a Machine, got {type(machine)}")
    return machine
