"""Machines by name."""

import dataclasses
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.envs.machines.base import Machine
from pptarena.envs.machines.config import MachineConfig, field_names
from pptarena.errors import ConfigError
from pptarena.plugins import import_object
from pptarena.suggestions import not_found

__all__ = ["MACHINES", "choose_machine", "machine_class", "make_machine"]

_log = logging.getLogger(__name__)

_CLASSES = {
    "qemu": "pptarena.envs.machines.qemu.machine:QemuMachine",
    "sandbox": "pptarena.envs.machines.sandbox:SandboxMachine",
    "remote": "pptarena.envs.machines.remote:RemoteMachine",
    "fake": "pptarena.envs.machines.fake:FakeMachine",
}
_PREFERRED, _FALLBACK = "qemu", "sandbox"  # the choices of "auto"

MACHINES = ("auto", *_CLASSES)
"""The names that `make_machine` accepts."""


def make_machine(kind: str | type[Machine], config: MachineConfig | None = None) -> Machine:
    """Return a new machine that is not started yet.

    Args:
        kind: ``"qemu"``, ``"sandbox"``, ``"remote"``, ``"fake"``, a machine class, or ``"auto"``: a
            virtual machine if its disk is built and KVM works here, else the sandbox. The choice
            and its reason are logged.
        config: Its settings; None, and fields that a `MachineConfig` does not have, use the
            defaults.

    Raises:
        ConfigError: If the machine is unknown, lacks a requested feature, or the settings are those
            of another machine.
    """
    if kind == "auto":
        config = config or MachineConfig()
        defaults = dataclasses.asdict(type(config)())
        changed = {
            name: value
            for name, value in dataclasses.asdict(config).items()
            if value != defaults[name]
        }
        kind, config = choose_machine(kind, changed)
    return machine_class(kind)(config)


def machine_class(kind: str | type[Machine]) -> type[Machine]:
    """Return the class of a machine; a class is returned unchanged.

    Raises:
        ConfigError: If the machine is unknown.
    """
    if isinstance(kind, str) and kind in _CLASSES:
        kind = import_object(_CLASSES[kind])
    if not isinstance(kind, type) or not issubclass(kind, Machine):
        raise ConfigError(not_found("machine", kind, MACHINES))
    return kind


def choose_machine(
    kind: str | type[Machine], options: Mapping[str, Any], other_names: Sequence[str] = ()
) -> tuple[type[Machine], MachineConfig]:
    """Return the class of the selected machine, and its settings.

    Args:
        kind: As in `make_machine`.
        options: Settings by name. With ``"auto"``, settings of either candidate are allowed; those
            that the selected one does not have are ignored.
        other_names: Other argument names of the caller, for suggestions in error messages.

    Raises:
        ConfigError: If a machine or setting is unknown, or a value is not allowed.
    """
    classes = [
        machine_class(machine)
        for machine in ((_PREFERRED, _FALLBACK) if kind == "auto" else (kind,))
    ]
    fields = [field_names(machine.config_class) for machine in classes]
    if unknown := options.keys() - {name for names in fields for name in names}:
        raise ConfigError(_unknown_setting(classes, min(unknown), other_names))
    settings_by_class = [
        {name: options[name] for name in names if name in options} for names in fields
    ]
    configs = [
        machine.config_class(**settings)
        for machine, settings in zip(classes, settings_by_class, strict=True)
    ]
    index = 0
    if kind == "auto":
        suits, reason = classes[0].suits(configs[0])
        index = 0 if suits else 1
        _log.info("machine 'auto' is %r: %s", classes[index].kind, reason)
    return classes[index], configs[index]


def _unknown_setting(classes: list[type[Machine]], name: str, other_names: Sequence[str]) -> str:
    """Return the message for an unknown setting: the machine that has it, or similar names."""
    kinds = [kind for kind in _CLASSES if name in field_names(machine_class(kind).config_class)]
    if kinds:
        expected, actual = (
            " or ".join(map(repr, names)) for names in (kinds, [c.kind for c in classes])
        )
        return f"{name} needs machine={expected}, got machine={actual}"
    known_names = [
        *other_names,
        *(field for kind in classes for field in field_names(kind.config_class)),
    ]
    return not_found("argument", name, known_names)
