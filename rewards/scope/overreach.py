"""Overreach: the cost of many unrequested edits next to the requested one.

A single small edit costs little: a leveled box, a corrected typo, a repaired link. A user who gets
five of them for one request has five things to review and revert. Their number is therefore weighed
against the size of the requested work. The same edit in many places, such as a transition on every
slide, is one item whose size grows with the logarithm of its places, in requested and unrequested
work alike.
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
"""Amount of unrequested work that may be a slip, in items."""

_UNSEEN = frozenset(("z_order_changed", "layout_added", "name"))
"""Changes that a viewer does not notice; occlusion by a new order counts as out of sight."""

_LEAST = 0.45
"""Minimum weight of unrequested work beyond a slip."""

_GROWTH = 1.5
"""Exponent: each further item weighs more, because the user starts to expect them everywhere."""


def share_of_work(
    match: DeckMatch, outside: Sequence[Change], targets: Sequence[Deck] = ()
) -> float:
    """Return the requested share of all work done, in (0, 1]; 1 up to a slip.

    Args:
        match: The matching of slides and shapes.
        outside: All unrequested changes.
        targets: Target decks. The one with the most work counts; without any the share is 1.
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
    """Yield the parts that a viewer notices; only the first one of each shape."""
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
    """Return the parts grouped into items: equal edits together, removals of one type together."""
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
    """Return the size of an unrequested edit; a corrected spelling is below 1."""
    changes = [change for part in parts for change in part.changes]
    units = max(content_units(change, match) for change in changes)
    return (units if 0 < units < 1 else 1.0) * (1 + log10(len(parts)))
