"""Attacks: decks that look solved to a careless scorer, and variants that an unfair one refuses.

Every attack and every variant is a pure function of a task, its deck, the deck with the goal
reached, and a seed. No machine and no clock has a part in it. `ATTACKS` and `VARIANTS` are the same
for every task; `attack_target` and `try_equivalents` derive more from what the goal changes.
"""

from pptarena.audits.attacks.attack import Attack, Attempt
from pptarena.audits.attacks.battery import (
    ALLOWED_GAIN,
    ATTACKS,
    VARIANTS,
    AttackResult,
    attack_target,
    attack_task,
    try_equivalents,
    try_variants,
)
from pptarena.audits.attacks.kinds import KINDS
from pptarena.audits.attacks.material import Material
from pptarena.audits.attacks.share import KindShare, shares

__all__ = [
    "ALLOWED_GAIN",
    "ATTACKS",
    "KINDS",
    "VARIANTS",
    "Attack",
    "AttackResult",
    "Attempt",
    "KindShare",
    "Material",
    "attack_target",
    "attack_task",
    "shares",
    "try_equivalents",
    "try_variants",
]
