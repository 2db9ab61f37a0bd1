"""Run all attacks and variants on a task, without a machine."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from pptarena.rewards import diff_decks
from pptarena.rewards.judges.protocol import SlideRenderer
from pptarena.rewards.scored_tree import value_of
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
from pptarena.tasks.quality.attacks.variants import COMMON_VARIANTS
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
"""Maximum allowed difference between the score of an attack and its deserved score."""

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

VARIANTS: tuple[Attack, ...] = tuple(replace(each, kind="variant") for each in COMMON_VARIANTS)
"""Other ways to reach the target; they deserve the same score as the target."""

_TOLERANCE = 1e-6
_HALF_SCORE = 0.5


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
    max_results: int,
    on_run: Callable[[str], None] = lambda name: None,
    renderer: SlideRenderer | None = None,
    seed: int = 0,
) -> tuple[AttackResult, ...]:
    """Return the results of attacks derived from the target deck, alternating between all kinds.

    Args:
        material: The task, its deck and its target deck.
        max_results: Maximum number of results.
        on_run: Called with the name of each attack before it runs.
        renderer: Renders slides, as at the end of an episode; without it, only facts count.
        seed: Seed of the selection.

    Raises:
        DeckError: If an attacked deck cannot be read, which is a bug of the attack.
    """
    attacks = derive(material, seed) if max_results else ()
    return tuple(_results(material, attacks, ALLOWED_GAIN, on_run, renderer, max_results))


def try_equivalents(
    material: Material,
    max_results: int,
    on_run: Callable[[str], None] = lambda name: None,
    renderer: SlideRenderer | None = None,
    seed: int = 0,
) -> tuple[AttackResult, ...]:
    """Return the results of decks that render like the target deck.

    The arguments are those of `attack_target`.

    Raises:
        DeckError: If a deck cannot be read, which is a bug of the variant.
    """
    variants = Random(f"{material.task.id} {seed}").sample(EQUIVALENTS, len(EQUIVALENTS))
    return tuple(
        _results(material, variants if max_results else (), None, on_run, renderer, max_results)
    )


def _results(
    material: Material,
    attacks: Iterable[Attack],
    allowed_gain: float | None,
    on_run: Callable[[str], None],
    renderer: SlideRenderer | None,
    max_results: int | None = None,
) -> list[AttackResult]:
    scorer = material.scorer(renderer, targets=(material.goal,))

    @lru_cache(maxsize=4)  # Most attacks deserve the score of the same deck.
    def score_of(deck: bytes) -> float:
        return value_of(scorer.score(deck))

    results: list[AttackResult] = []
    for attack in attacks:
        if len(results) == max_results:
            break
        on_run(attack.name)
        attacked = attack.make(material)
        if attacked is None:
            continue
        value = value_of(scorer.score(attacked.deck))
        if allowed_gain is not None and _is_ineffective(material, attacked.deck, value):
            continue
        deserved = (
            0.0 if attacked.baseline is None else attacked.worth * score_of(attacked.baseline)
        )
        limit = _TOLERANCE if allowed_gain is None else allowed_gain + _TOLERANCE
        deviation = abs(value - deserved) if allowed_gain is None else value - deserved
        spoils = attacked.baseline == material.goal and attacked.worth < 1
        ok = deviation <= limit
        result = AttackResult(
            material.task.id, attack.name, value, deserved, ok, spoils, attack.kind
        )
        results.append(result)
    return results


def _is_ineffective(material: Material, deck: bytes, value: float) -> bool:
    """Return whether an attack left the facts of the original or target unchanged.

    A deck that scores below 0.5 is compared with the original, any other with the target.
    """
    if deck == material.original:
        return False  # the attack that does nothing on purpose
    reference = material.original if value < _HALF_SCORE else material.goal
    return not diff_decks(deck_facts(reference), deck_facts(deck))


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
    """Return the results by kind, in order of first appearance."""
    by_kind: dict[str, list[AttackResult]] = {}
    for each in results:
        by_kind.setdefault(each.kind, []).append(each)
    return tuple(
        KindShare(
            kind,
            len(kind_results),
            sum(r.ok for r in kind_results),
            max(_deviation(r) for r in kind_results),
        )
        for kind, kind_results in by_kind.items()
    )


def _deviation(result: AttackResult) -> float:
    return abs(result.gain) if result.kind == "variant" else max(0.0, result.gain)
