"""Run all attacks and variants on a task, without a machine."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from pptarena.rewards import diff_decks
from pptarena.rewards.judges.protocol import SlideRenderer
from pptarena.rewards.scored import value_of
from pptarena.tasks.quality.attacks.attack import Attack
from pptarena.tasks.quality.attacks.concealment import CONCEALMENT
from pptarena.tasks.quality.attacks.derived import derive
from pptarena.tasks.quality.attacks.destruction import DESTRUCTION
from pptarena.tasks.quality.attacks.equivalents import EQUIVALENTS
from pptarena.tasks.quality.attacks.material import Material
from pptarena.tasks.quality.attacks.misplacement import MISPLACEMENT
from pptarena.tasks.quality.attacks.over_editing import OVER_EDITING
from pptarena.tasks.quality.attacks.repetition import OTHER_FILES, REPETITION
from pptarena.tasks.quality.attacks.stuffing import STUFFING
from pptarena.tasks.quality.attacks.variants import KEEPING
from pptarena.tasks.targets import deck_facts

__all__ = [
    "ALLOWED_GAIN",
    "ATTACKS",
    "VARIANTS",
    "AttackResult",
    "KindShare",
    "attack_target",
    "attack_task",
    "shares",
    "try_equivalents",
    "try_variants",
]

ALLOWED_GAIN = 0.1
"""Highest allowed score of an attack above what it deserves."""

_FAMILIES = {
    "destruction": DESTRUCTION,
    "another file": OTHER_FILES,
    "words elsewhere": MISPLACEMENT,
    "goal hidden": CONCEALMENT,
    "over-editing": OVER_EDITING,
    "repetition": REPETITION,
    "stuffing": STUFFING,
}

ATTACKS: tuple[Attack, ...] = tuple(
    replace(each, kind=kind) for kind, family in _FAMILIES.items() for each in family
)
"""The attacks that are the same for every task, in report order."""

VARIANTS: tuple[Attack, ...] = tuple(replace(each, kind="variant") for each in KEEPING)
"""Decks that reach the target in another way; they deserve the same score as the target."""

_EXACT = 1e-6
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The result of an attack or variant.

    Attributes:
        task: Task id.
        attack: Name of the attack or variant.
        score: Score of the attacked deck.
        deserved: Deserved score: an upper bound for an attack, the exact score for a variant.
        ok: Whether the score is within the bound.
        spoils: Whether the target is reached and the rest of the deck damaged.
        kind: A key of `KINDS` for attacks derived from the target; otherwise the family.
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
        """Score minus deserved score; may be negative."""
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
    renderer: SlideRenderer | None = None,
) -> tuple[AttackResult, ...]:
    """Return the results of all attacks that apply to a task.

    An attack that leaves the original or the target unchanged is omitted.

    Args:
        material: The task, its deck and its target deck.
        on_run: Called with the name of each attack before it runs.
        attacks: The attacks to run.
        renderer: Renders slides, as at the end of an episode; without it, only facts count.

    Raises:
        DeckError: If an attacked deck cannot be read, which is a bug of the attack.
    """
    return tuple(_results(material, attacks, ALLOWED_GAIN, on_run, renderer))


def try_variants(
    material: Material,
    on_run: Callable[[str], None] = lambda name: None,
    variants: Sequence[Attack] = VARIANTS,
    renderer: SlideRenderer | None = None,
) -> tuple[AttackResult, ...]:
    """Return the results of all legitimate variants that apply to a task.

    Args:
        material: The task, its deck and its target deck.
        on_run: Called with the name of each variant before it runs.
        variants: The variants to run.
        renderer: Renders slides, as at the end of an episode; without it, only facts count.

    Raises:
        DeckError: If a deck cannot be read, which is a bug of the variant.
    """
    return tuple(_results(material, variants, None, on_run, renderer))


def attack_target(
    material: Material,
    most: int,
    on_run: Callable[[str], None] = lambda name: None,
    renderer: SlideRenderer | None = None,
    seed: int = 0,
) -> tuple[AttackResult, ...]:
    """Return the results of attacks derived from the target deck, alternating between all kinds.

    Args:
        material: The task, its deck and its target deck.
        most: Maximum number of results.
        on_run: Called with the name of each attack before it runs.
        renderer: Renders slides, as at the end of an episode; without it, only facts count.
        seed: Seed of the selection.

    Raises:
        DeckError: If an attacked deck cannot be read, which is a bug of the attack.
    """
    attacks = derive(material, seed) if most else ()
    return tuple(_results(material, attacks, ALLOWED_GAIN, on_run, renderer, most))


def try_equivalents(
    material: Material,
    most: int,
    on_run: Callable[[str], None] = lambda name: None,
    renderer: SlideRenderer | None = None,
    seed: int = 0,
) -> tuple[AttackResult, ...]:
    """Return the results of decks that look the same as the target deck.

    The arguments are those of `attack_target`.

    Raises:
        DeckError: If a deck cannot be read, which is a bug of the variant.
    """
    drawn = Random(f"{material.task.id} {seed}").sample(EQUIVALENTS, len(EQUIVALENTS))
    return tuple(_results(material, drawn if most else (), None, on_run, renderer, most))


def _results(
    material: Material,
    attacks: Iterable[Attack],
    allowed: float | None,
    on_run: Callable[[str], None],
    renderer: SlideRenderer | None,
    most: int | None = None,
) -> list[AttackResult]:
    scorer = material.scorer(renderer, targets=(material.goal,))

    @lru_cache(maxsize=4)  # Most attacks deserve the score of the same deck.
    def worth_of(deck: bytes) -> float:
        return value_of(scorer.score(deck))

    found: list[AttackResult] = []
    for attack in attacks:
        if len(found) == most:
            break
        on_run(attack.name)
        attempt = attack.make(material)
        if attempt is None:
            continue
        value = value_of(scorer.score(attempt.deck))
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
    """Return whether an attack left the facts of the original or target unchanged.

    A deck that scores below 0.5 is compared with the original, any other with the target.
    """
    if deck == material.original:
        return False  # the attack that does nothing on purpose
    known = material.original if value < _HALF else material.goal
    return not diff_decks(deck_facts(known), deck_facts(deck))


@dataclass(frozen=True, slots=True)
class KindShare:
    """Results of the attacks or variants of one kind.

    Attributes:
        kind: The kind.
        tried: Number of attacks.
        held: Number of attacks with the deserved score, within the allowance.
        worst: Largest score above the deserved one; for variants, the largest deviation.
    """

    kind: str
    tried: int
    held: int
    worst: float

    @property
    def share(self) -> float:
        """Share that held, in [0, 1]."""
        return self.held / self.tried

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self) | {"share": self.share}


def shares(results: Iterable[AttackResult]) -> tuple[KindShare, ...]:
    """Return the share held of each kind, in order of first appearance."""
    by_kind: dict[str, list[AttackResult]] = {}
    for each in results:
        by_kind.setdefault(each.kind, []).append(each)
    return tuple(
        KindShare(kind, len(some), sum(r.ok for r in some), max(_miss(r) for r in some))
        for kind, some in by_kind.items()
    )


def _miss(result: AttackResult) -> float:
    return abs(result.gain) if result.kind == "variant" else max(0.0, result.gain)
