"""Machines by name."""

import importlib
import logging

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.base import Machine
from pptarena.errors import ConfigError, PPTArenaError

__all__ = ["MACHINES", "machine_kind", "make_machine"]

_log = logging.getLogger(__name__)

MACHINES = ("auto", "qemu", "sandbox", "remote", "fake")
"""The names that `make_machine` knows."""

_CLASSES = {
    "qemu": "pptarena.envs.machines.qemu.machine:QemuMachine",
    "sandbox": "pptarena.envs.machines.sandbox:SandboxMachine",
    "remote": "pptarena.envs.machines.remote:RemoteMachine",
    "fake": "pptarena.envs.machines.fake:FakeMachine",
}


def make_machine(kind: str, config: MachineConfig) -> Machine:
    """Return a machine that is not started yet.

    Args:
        kind: ``"qemu"``, ``"sandbox"``, ``"remote"``, ``"fake"``, or ``"auto"``: a virtual machine
            if its disk is built and KVM works here, else the sandbox; which one it took, and why,
            is logged.
        config: Its settings.

    Raises:
        ConfigError: If there is no such machine in this version, or it cannot do what is asked.
    """
    kind = machine_kind(kind, config)
    if config.watch and kind != "qemu":
        raise ConfigError(
            f"a VNC viewer can look at the machine 'qemu' only, not at {kind!r}; "
            "use machine='qemu', or leave out watch"
        )
    module, _, name = _CLASSES[kind].partition(":")
    try:
        machine = getattr(importlib.import_module(module), name)(config)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pptarena":
            raise
        raise ConfigError(
            f"machine {kind!r} needs the package {error.name}; install it with: "
            "pip install 'pptarena[vm]'"
        ) from error
    if not isinstance(machine, Machine):
        raise TypeError(f"expected {_CLASSES[kind]} to be a Machine, got {type(machine)}")
    return machine


def machine_kind(kind: str, config: MachineConfig) -> str:
    """Return the kind itself, for ``"auto"`` what it stands for here.

    Raises:
        ConfigError: If there is no such machine in this version.
    """
    if kind == "auto":
        kind, why = _best(config)
        _log.info("machine 'auto' is %r: %s", kind, why)
    if kind not in _CLASSES:
        raise ConfigError(f"expected machine to be one of {', '.join(MACHINES)}, got {kind!r}")
    return kind


def _best(config: MachineConfig) -> tuple[str, str]:
    """Return the kind that ``"auto"`` stands for on this computer, and why."""
    if config.watch:
        return "qemu", "a VNC viewer can look at no other"
    if config.accelerator == "tcg":
        return "sandbox", "emulation is asked for, which is slower than the sandbox"
    try:
        from pptarena.envs.machines.qemu.program import choose_accelerator, find_qemu
        from pptarena.vm_images.disk import find_disk

        if find_disk() is None:
            return "sandbox", "no disk for virtual machines is built (pptarena image build --vm)"
        accelerator = choose_accelerator("auto", find_qemu())
    except PPTArenaError as error:
        return "sandbox", str(error)
    if accelerator.name != "kvm":
        return "sandbox", f"virtual machines would be emulated: {accelerator.reason}"
    return "qemu", accelerator.reason
