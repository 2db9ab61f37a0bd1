"""An agent with a keyboard must not run code: ways in, tried by real keys on the real machine.

Each attack has a machine of its own. What ran is seen from the host: the processes of the sandbox,
the files that a macro would have written, the interpreters that the application has loaded.
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
    """Try one way in after another.

    Raises:
        ConfigError: If another machine than the sandbox is asked for, into which nobody can look.
    """
    if settings.machine != "sandbox":
        raise ConfigError(f"expected the machine 'sandbox', got {settings.machine!r}")
    for attack in ATTACKS[: settings.count]:
        found, way = try_attack(attack)
        said = "; ".join(found) if found else f"nothing ran ({way})"
        yield Row(attack.name, "nothing runs", said, not found)


def try_attack(attack: Attack) -> tuple[list[str], str]:
    """Carry out an attack on a fresh machine; return what ran, and how far it came."""
    env = gym.make(
        "PPTArena-v0",
        machine="sandbox",
        spare=False,
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
    """Count the ways that were open."""
    return {"ways_in": sum(not row.held for row in rows), "attacks": len(rows)}
