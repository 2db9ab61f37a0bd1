"""The battery: every attack and every variant on a task, without a machine."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from pptarena.audits.attacks.attack import Attack
from pptarena.audits.attacks.derived import derive
from pptarena.audits.attacks.destroying import DESTROYING
from pptarena.audits.attacks.equivalents import EQUIVALENTS
from pptarena.audits.attacks.flooding import FLOODING
from pptarena.audits.attacks.marking import mark, read_known
from pptarena.audits.attacks.material import Material
from pptarena.audits.attacks.overdoing import OVERDOING
from pptarena.audits.attacks.placing import PLACING
from pptarena.audits.attacks.repeating import REPEATING
from pptarena.audits.attacks.swapping import SWAPPING
from pptarena.audits.attacks.variants import KEEPING
from pptarena.audits.attacks.veiling import VEILING
from pptarena.rewards import diff_decks
from pptarena.rewards.looks import Looker

__all__ = [
    "ALLOWED_GAIN",
    "ATTACKS",
    "VARIANTS",
    "AttackResult",
    "attack_target",
    "attack_task",
    "try_equivalents",
    "try_variants",
]

ALLOWED_GAIN = 0.1
"""What an attack may score beyond what it deserves."""

_FAMILIES = {
    "destruction": DESTROYING,
    "another file": SWAPPING,
    "words elsewhere": PLACING,
    "goal hidden": VEILING,
    "over-editing": OVERDOING,
    "repetition": REPEATING,
    "stuffing": FLOODING,
}

ATTACKS: tuple[Attack, ...] = tuple(
    replace(each, kind=kind) for kind, family in _FAMILIES.items() for each in family
)
"""The attacks that are the same for every task, in the order in which they are shown."""

VARIANTS: tuple[Attack, ...] = tuple(replace(each, kind="variant") for each in KEEPING)
"""Decks that reach the goal, or leave it, another way: they deserve what the goal does."""

_EXACT = 1e-6
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class AttackResult:
    """What an attack, or a variant, came to.

    Attributes:
        task: Id of the task.
        attack: Name of the attack or variant.
        score: What the deck scores.
        deserved: What it deserves: at most for an attack, exactly for a variant.
        ok: Whether the score is within the bound.
        spoils: Whether the goal is reached, and the rest of the deck spoilt.
        kind: Its kind: a key of `KINDS` for what is derived from the target, else its family.
    """

    task: str
    attack: str
    score: float
    deserved: float
    ok: bool
    spoils: bool = False
    kind: str = ""

    @property
    def gain(self) -> float:
        """What it scores beyond what it deserves; negative for less."""
        return self.score - self.deserved

    def to_json(self) -> dict[str, Any]:
        """Return the result as a JSON object."""
        return {
            "task": self.task,
            "attack": self.attack,
            "score": self.score,
            "deserved": self.deserved,
            "gain": self.gain,
            "ok": self.ok,
            "spoils": self.spoils,
            "kind": self.kind,
        }


def attack_task(
    material: Material,
    on_run: Callable[[str], None] = lambda name: None,
    attacks: Sequence[Attack] = ATTACKS,
    looker: Looker | None = None,
) -> tuple[AttackResult, ...]:
    """Return what every attack that applies to a task comes to.

    An attack that changes nothing, of the original or of the goal, is none and left out: no deck
    is worth less for having been attacked in vain.

    Args:
        material: The task, its deck and its goal.
        on_run: Called with the name of each attack before it is tried.
        attacks: Those to try.
        looker: Looks at pictures of the decks, as at an episode's end; without it facts decide.

    Raises:
        DeckError: If an attacked deck cannot be read; that would be a fault of the attack.
    """
    return tuple(_results(material, attacks, ALLOWED_GAIN, on_run, looker))


def try_variants(
    material: Material,
    on_run: Callable[[str], None] = lambda name: None,
    variants: Sequence[Attack] = VARIANTS,
    looker: Looker | None = None,
) -> tuple[AttackResult, ...]:
    """Return what every legitimate variant that applies to a task comes to.

    Args:
        material: The task, its deck and its goal.
        on_run: Called with the name of each variant before it is tried.
        variants: Those to try.
        looker: Looks at pictures of the decks, as at an episode's end; without it facts decide.

    Raises:
        DeckError: If a deck cannot be read; that would be a fault of the variant.
    """
    return tuple(_results(material, variants, None, on_run, looker))


def attack_target(
    material: Material,
    most: int,
    on_run: Callable[[str], None] = lambda name: None,
    looker: Looker | None = None,
    seed: int = 0,
) -> tuple[AttackResult, ...]:
    """Return what attacks derived from the target deck come to, of all kinds in turn.

    Args:
        material: The task, its deck and its goal.
        most: How many results there are at most.
        on_run: Called with the name of each attack before it is tried.
        looker: Looks at pictures of the decks, as at an episode's end; without it facts decide.
        seed: Draws which are tried.

    Raises:
        DeckError: If an attacked deck cannot be read; that would be a fault of the attack.
    """
    attacks = derive(material, seed) if most else ()
    return tuple(_results(material, attacks, ALLOWED_GAIN, on_run, looker, most))


def try_equivalents(
    material: Material,
    most: int,
    on_run: Callable[[str], None] = lambda name: None,
    looker: Looker | None = None,
    seed: int = 0,
) -> tuple[AttackResult, ...]:
    """Return what decks come to that are equal to the target deck for a viewer.

    The arguments are those of `attack_target`.

    Raises:
        DeckError: If a deck cannot be read; that would be a fault of the variant.
    """
    drawn = Random(f"{material.task.id} {seed}").sample(EQUIVALENTS, len(EQUIVALENTS))
    return tuple(_results(material, drawn if most else (), None, on_run, looker, most))


def _results(
    material: Material,
    attacks: Iterable[Attack],
    allowed: float | None,
    on_run: Callable[[str], None],
    looker: Looker | None,
    most: int | None = None,
) -> list[AttackResult]:
    targets = (material.goal,)

    @lru_cache(maxsize=4)  # Most attacks deserve what the same goal does.
    def worth_of(deck: bytes) -> float:
        return mark(material.task, material.original, deck, looker, targets)

    found: list[AttackResult] = []
    for attack in attacks:
        if len(found) == most:
            break
        on_run(attack.name)
        attempt = attack.make(material)
        if attempt is None:
            continue
        value = mark(material.task, material.original, attempt.deck, looker, targets)
        if allowed is not None and _is_vain(material, attempt.deck, value):
            continue
        deserved = 0.0 if attempt.honest is None else attempt.worth * worth_of(attempt.honest)
        limit = _EXACT if allowed is None else allowed + _EXACT
        off = abs(value - deserved) if allowed is None else value - deserved
        spoils = attempt.honest == material.goal and attempt.worth < 1
        ok = off <= limit
        result = AttackResult(
            material.task.id, attack.name, value, deserved, ok, spoils, attack.kind
        )
        found.append(result)
    return found


def _is_vain(material: Material, deck: bytes, value: float) -> bool:
    """Return whether an attack left the original or the goal as it was, by their facts.

    What scores less than half is compared with the original alone, and else with the goal.
    """
    if deck == material.original:
        return False  # that is the attack of doing nothing
    known = material.original if value < _HALF else material.goal
    return not diff_decks(read_known(known), read_known(deck))
