"""Attacks: decks that look solved to a careless scorer, and variants that an unfair one refuses.

Every attack and every variant is a pure function of a task, its deck, and the deck with the goal
reached. No machine, no clock and no chance has a part in it.
"""

from pptarena.audits.attacks.attack import Attack, Attempt
from pptarena.audits.attacks.battery import (
    ALLOWED_GAIN,
    ATTACKS,
    VARIANTS,
    AttackResult,
    attack_task,
    try_variants,
)
from pptarena.audits.attacks.material import Material

__all__ = [
    "ALLOWED_GAIN",
    "ATTACKS",
    "VARIANTS",
    "Attack",
    "AttackResult",
    "Attempt",
    "Material",
    "attack_task",
    "try_variants",
]
