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
_BEST, _ELSE = "qemu", "sandbox"  # what "auto" stands for

MACHINES = ("auto", *_CLASSES)
"""The names that `make_machine` knows."""


def make_machine(kind: str | type[Machine], config: MachineConfig | None = None) -> Machine:
    """Return a machine that is not started yet.

    Args:
        kind: ``"qemu"``, ``"sandbox"``, ``"remote"``, ``"fake"``, a class of machines, or
            ``"auto"``: a virtual machine if its disk is built and KVM works here, else the sandbox;
            which one it took, and why, is logged.
        config: Its settings; None, and what a `MachineConfig` leaves open, takes the defaults.

    Raises:
        ConfigError: If there is no such machine in this version, it cannot do what is asked, or the
            settings are those of another one.
    """
    if kind == "auto":
        config = config or MachineConfig()
        usual = dataclasses.asdict(type(config)())
        given = {name: it for name, it in dataclasses.asdict(config).items() if it != usual[name]}
        kind, config = choose_machine(kind, given)
    return machine_class(kind)(config)


def machine_class(kind: str | type[Machine]) -> type[Machine]:
    """Return the class of a kind of machine; a class is returned as it is.

    Raises:
        ConfigError: If there is no such machine in this version.
    """
    if isinstance(kind, str) and kind in _CLASSES:
        kind = import_object(_CLASSES[kind])
    if not isinstance(kind, type) or not issubclass(kind, Machine):
        raise ConfigError(not_found("machine", kind, MACHINES))
    return kind


def choose_machine(
    kind: str | type[Machine], options: Mapping[str, Any], others: Sequence[str] = ()
) -> tuple[type[Machine], MachineConfig]:
    """Return which machine it is to be, and its settings.

    Args:
        kind: As `make_machine` takes it.
        options: Settings by name. With ``"auto"`` there may be those of either machine that it may
            become; what the chosen one does not have is left out.
        others: Other argument names of the caller, which an error message may suggest.

    Raises:
        ConfigError: If there is no such machine or setting, or a value is not allowed.
    """
    classes = [machine_class(each) for each in ((_BEST, _ELSE) if kind == "auto" else (kind,))]
    fields = [field_names(each.config_class) for each in classes]
    if unknown := options.keys() - {name for names in fields for name in names}:
        raise ConfigError(_no_such_setting(classes, min(unknown), others))
    given = [{name: options[name] for name in names if name in options} for names in fields]
    configs = [each.config_class(**own) for each, own in zip(classes, given, strict=True)]
    place = 0
    if kind == "auto":
        suits, why = classes[0].suits(configs[0])
        place = 0 if suits else 1
        _log.info("machine 'auto' is %r: %s", classes[place].kind, why)
    return classes[place], configs[place]


def _no_such_setting(classes: list[type[Machine]], name: str, others: Sequence[str]) -> str:
    """Return the message on a setting: which machine has it, or which names are like it."""
    kinds = [kind for kind in _CLASSES if name in field_names(machine_class(kind).config_class)]
    if kinds:
        wanted, got = (" or ".join(map(repr, each)) for each in (kinds, [c.kind for c in classes]))
        return f"{name} needs machine={wanted}, got machine={got}"
    known = [*others, *(each for kind in classes for each in field_names(kind.config_class))]
    return not_found("argument", name, known)
