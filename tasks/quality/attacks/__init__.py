"""Attacks that a careless scorer accepts, and variants that an overly strict one rejects.

Attacks and variants are pure functions of a task, its deck, its target deck and a seed, without a
machine or a clock. `ATTACKS` and `VARIANTS` are the same for every task; `attack_target` and
`try_equivalents` derive more from the changes of the target.
"""

from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck
from pptarena.tasks.quality.attacks.battery import (
    ALLOWED_GAIN,
    ATTACKS,
    VARIANTS,
    AttackResult,
    KindShare,
    attack_target,
    attack_task,
    shares,
    try_equivalents,
    try_variants,
)
from pptarena.tasks.quality.attacks.kinds import KINDS
from pptarena.tasks.quality.attacks.material import Material

__all__ = [
    "ALLOWED_GAIN",
    "ATTACKS",
    "KINDS",
    "VARIANTS",
    "Attack",
    "AttackResult",
    "AttackedDeck",
    "KindShare",
    "Material",
    "attack_target",
    "attack_task",
    "shares",
    "try_equivalents",
    "try_variants",
]
