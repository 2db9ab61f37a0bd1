"""What it takes that a run does many things that nobody asked for, beside the one that was.

The price of each thing alone is small where it harms little: a box leveled, a typo corrected, a
link repaired elsewhere. A user who gets five of them for one wish has five things to look at and to
take back. So their number counts against the size of the work. The same edit in many places, such
as a transition on every slide, is one thing that grows with the logarithm of its places, in the
work as beside it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import log10

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.rewards.gold.parts import Part, grouped, parts_of
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.scope.content import content_units

__all__ = ["share_of_work"]

_SLIP = 0.5
"""As much of one thing in one place may be a slip."""

_UNSEEN = frozenset(("z_order_changed", "layout_added", "name"))
"""What a viewer does not notice: what is covered by another order counts as out of sight."""

_LEAST = 0.45
"""What a thing weighs at least that is no slip."""

_GROWTH = 1.5
"""Each further thing weighs more: who finds several expects them everywhere."""


def share_of_work(
    match: DeckMatch, outside: Sequence[Change], targets: Sequence[Deck] = ()
) -> float:
    """Return which share of all that a run did was asked for, in (0, 1]; 1 up to a slip.

    Args:
        match: Which slide and shape is which.
        outside: Everything that nobody asked for.
        targets: Decks with the goal reached; without any nobody knows how much was asked for, and
            the share is 1. Of several, the one counts that asks for most.
    """
    if not targets or not outside:
        return 1.0
    things = _things(_each_object_once(parts_of(outside)))
    beyond = sum(_size(parts, match) for parts in things) - _SLIP
    if beyond <= 0:
        return 1.0
    asked = 1 + max(_work(plan_of(match.original, target)) for target in targets)
    share: float = asked / (asked + max(_LEAST, beyond**_GROWTH))
    return share


def _each_object_once(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts that a viewer sees, of several aspects of one shape the first."""
    seen: set[tuple[int | None, int]] = set()
    for part in parts:
        if all(change.kind in _UNSEEN or change.what in _UNSEEN for change in part.changes):
            continue
        if part.shape is not None:
            if (part.slide, part.shape) in seen:
                continue
            seen.add((part.slide, part.shape))
        yield part


def _work(plan: GoldPlan) -> float:
    parts = [part for group in plan.groups for part in group.parts]
    return sum(1 + log10(len(things)) for things in _things(parts))


def _things(parts: Iterable[Part]) -> list[list[Part]]:
    """Return the parts, those that are the same edit, or remove things of one kind, together."""
    found: list[list[Part]] = []
    removed: dict[str, list[Part]] = defaultdict(list)
    others: list[Part] = []
    for part in parts:
        kinds = {change.kind for change in part.changes}
        kind = kinds.pop() if len(kinds) == 1 else ""
        (removed[kind] if kind.endswith("_removed") else others).append(part)
    found += (list(group.parts) for group in grouped(others))
    return [*found, *removed.values()]


def _size(parts: Sequence[Part], match: DeckMatch) -> float:
    """Return how much of an edit nobody asked for; a corrected spelling is a small thing."""
    changes = [change for part in parts for change in part.changes]
    units = max(content_units(change, match) for change in changes)
    return (units if 0 < units < 1 else 1.0) * (1 + log10(len(parts)))
