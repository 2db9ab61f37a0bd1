"""Code running as the desktop's user in a real sandbox tries to exceed its limits."""

from collections.abc import Iterator

from pptarena.audits.decks import audit_decks
from pptarena.audits.isolation_attacks import ATTACKS, FLOODS, Attack
from pptarena.audits.isolation_entry import run_inside
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine
from pptarena.errors import MachineOverloadedError
from pptarena.vm_images.guest.protocol import Command

__all__ = ["figures", "rows"]

_ATTACK_SEC = 60.0
_CONFIG = SandboxConfig(spare=False, step_timeout_sec=60.0)


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Try one attack after another; attacks that exhaust a resource each get their own machine.

    Args:
        settings: `count` limits the number of attacks.
    """
    _, deck = next(audit_decks(None))
    left = settings.count if settings.count is not None else len(ATTACKS) + len(FLOODS)
    with SandboxMachine(_CONFIG) as machine:
        machine.load(deck, "plan.pptx")
        for attack in ATTACKS[:left]:
            found = run_inside(machine.pid or 0, attack.code, _ATTACK_SEC)
            yield Row(attack.name, "refused", found, found.startswith("refused"))
    for attack in FLOODS[: max(0, left - len(ATTACKS))]:
        yield _flood(deck, attack)


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
