"""Code running as the desktop's user in a real sandbox tries to exceed its limits.

Where sandboxes are restored from snapshots, the attacks run in a restored one and in a started one.
"""

import dataclasses
import itertools
from collections.abc import Iterator

from pptarena.audits.decks import audit_decks
from pptarena.audits.isolation_attacks import ATTACKS, FLOODS, Attack
from pptarena.audits.isolation_entry import run_inside
from pptarena.audits.isolation_users import HIDDEN, USER_ATTACKS
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine
from pptarena.envs.machines.sandbox.criu import separate_users
from pptarena.errors import MachineOverloadedError
from pptarena.vm_images.guest.protocol import Command

__all__ = ["figures", "rows"]

_ATTACK_SEC = 60.0
_CONFIG = SandboxConfig(step_timeout_sec=60.0)


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Try one attack after another; attacks that exhaust a resource each get their own machine.

    Args:
        settings: `count` limits the number of attacks.
    """
    _, deck = next(audit_decks(None))
    found = _all_rows(deck)
    yield from found if settings.count is None else itertools.islice(found, settings.count)


def _all_rows(deck: bytes) -> Iterator[Row]:
    with SandboxMachine(_CONFIG) as machine:
        if machine.can_checkpoint:
            yield from _attacks(deck, machine, ", restored")
    with SandboxMachine(dataclasses.replace(_CONFIG, snapshots=False)) as machine:
        yield from _attacks(deck, machine, "")
    for attack in FLOODS:
        yield _flood(deck, attack)


def _attacks(deck: bytes, machine: SandboxMachine, what: str) -> Iterator[Row]:
    machine.load(deck, "plan.pptx")
    with_users = [Attack(each.name, HIDDEN + each.code) for each in USER_ATTACKS]
    for attack in (*ATTACKS, *(with_users if separate_users() else ())):
        found = run_inside(machine.pid or 0, attack.code, _ATTACK_SEC)
        yield Row(attack.name + what, "refused", found, found.startswith("refused"))
    machine.perform(Command("observe"))


def figures(found: tuple[Row, ...]) -> dict[str, float | int | str]:
    """Return the number of attacks and of attacks that succeeded."""
    return {"attacks": len(found), "got_through": sum(not row.held for row in found)}


def _flood(deck: bytes, attack: Attack) -> Row:
    expected = "refused, or the machine is ended and the reason told"
    with SandboxMachine(_CONFIG) as machine:
        machine.load(deck, "plan.pptx")
        found = run_inside(machine.pid or 0, attack.code, _ATTACK_SEC)
        try:
            machine.perform(Command("observe"))
        except MachineOverloadedError as error:
            return Row(attack.name, expected, str(error), held=True)
    return Row(attack.name, expected, found, found.startswith("refused"))
