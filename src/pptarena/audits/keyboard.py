"""Attempts to execute code using real keystrokes and clicks on the real machine.

Each attack runs on its own machine. The host detects code execution by the sandbox's processes, the
files that a macro would write, and the interpreters loaded by the application.
"""

from collections.abc import Iterator

import gymnasium as gym

from pptarena.audits.keyboard_attacks import ATTACKS, Attack
from pptarena.audits.keyboard_hands import Hands, ShutError, with_deck
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.errors import ConfigError
from pptarena.tasks import get_task

__all__ = ["figures", "rows", "try_attack"]

_TASK = "meridian-retitle-products"


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Try one attack after another.

    Raises:
        ConfigError: If the machine is not the sandbox: the host cannot inspect other machines.
    """
    if settings.machine != "sandbox":
        raise ConfigError(f"expected the machine 'sandbox', got {settings.machine!r}")
    for attack in ATTACKS[: settings.count]:
        found, way = try_attack(attack)
        said = "; ".join(found) if found else f"nothing ran ({way})"
        yield Row(attack.name, "nothing runs", said, not found)


def try_attack(attack: Attack) -> tuple[list[str], str]:
    """Run an attack on a fresh machine; return what was executed, and how far the attack got."""
    env = gym.make(
        "PPTArena-v0",
        machine="sandbox",
        max_steps=1000,
        disable_env_checker=True,
    )
    try:
        hands = Hands(env, with_deck(get_task(_TASK), attack.deck))
        way = "tried to the end"
        try:
            attack.steps(hands)
        except ShutError as shut:
            way = str(shut)
        return hands.outside.found(), way
    finally:
        env.close()


def figures(rows: tuple[Row, ...]) -> dict[str, float | int | str]:
    """Return the number of attacks and of attacks that executed code."""
    return {"ways_in": sum(not row.held for row in rows), "attacks": len(rows)}
