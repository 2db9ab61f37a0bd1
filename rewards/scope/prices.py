"""Price of unrequested changes by type and number, independent of the deck's size.

Three prices add up:

- wrong content: the first unit costs more on the objects that the task edits; each further unit
  takes about a seventh of the remainder. An object with wrong content is not charged for its
  formatting as well;
- changed formatting inside the scope that no target deck contains: by the share of each object that
  is affected;
- the number of edits beyond a few that may be slips.

Other formatting changes of an object that a target edits are no additional loss, because leaves
often measure the same. They lower the ceiling of the score.

`share_of_work` weighs the number of unrequested edits against the size of the requested work. A
single small edit costs little, but a user who gets five of them has five things to review and
revert. The same edit in many places, such as a transition on every slide, is one item whose size
grows with the logarithm of its places, in requested and unrequested work alike.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import log10
from types import MappingProxyType

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.consequences import flatten_changes
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.overlap import text_share_within
from pptarena.decks.visibility.visibility import visibility_of
from pptarena.rewards.checking.result import join_first, pluralize
from pptarena.rewards.gold.plan import GoldPlan, Part, group_equal_edits, parts_of, plan_of
from pptarena.rewards.scope.content import content_units
from pptarena.rewards.scope.loss import (
    added_shape_loss,
    aspect_loss,
    deck_loss,
    formatting_loss,
    slide_aspect_loss,
)

__all__ = ["TargetChanges", "changed_object_key", "price_of_changes", "share_of_work"]


_SLIP_ITEMS = 0.5
"""Amount of unrequested work that may be a slip, in items."""

_INVISIBLE_CHANGES = frozenset(("z_order_changed", "layout_added", "name"))
"""Changes that a viewer does not notice; occlusion by a new order counts as out of sight."""

_MIN_EXCESS = 0.45
"""Minimum weight of unrequested work beyond a slip."""

_EXCESS_EXPONENT = 1.5
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
    items = _group_items(_one_part_per_shape(parts_of(outside)))
    excess = sum(_item_size(parts, match) for parts in items) - _SLIP_ITEMS
    if excess <= 0:
        return 1.0
    requested = 1 + max(_requested_work(plan_of(match.original, target)) for target in targets)
    share: float = requested / (requested + max(_MIN_EXCESS, excess**_EXCESS_EXPONENT))
    return share


def _one_part_per_shape(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts that a viewer notices; only the first one of each shape."""
    visited: set[tuple[int | None, int]] = set()
    for part in parts:
        if all(
            change.kind in _INVISIBLE_CHANGES or change.what in _INVISIBLE_CHANGES
            for change in part.changes
        ):
            continue
        if part.shape is not None:
            if (part.slide, part.shape) in visited:
                continue
            visited.add((part.slide, part.shape))
        yield part


def _requested_work(plan: GoldPlan) -> float:
    parts = [part for group in plan.groups for part in group.parts]
    return sum(1 + log10(len(items)) for items in _group_items(parts))


def _group_items(parts: Iterable[Part]) -> list[list[Part]]:
    """Return the parts grouped into items: equal edits together, removals of one type together."""
    items: list[list[Part]] = []
    removed: dict[str, list[Part]] = defaultdict(list)
    others: list[Part] = []
    for part in parts:
        kinds = {change.kind for change in part.changes}
        kind = kinds.pop() if len(kinds) == 1 else ""
        (removed[kind] if kind.endswith("_removed") else others).append(part)
    items += (list(group.parts) for group in group_equal_edits(others))
    return [*items, *removed.values()]


def _item_size(parts: Sequence[Part], match: DeckMatch) -> float:
    """Return the size of an unrequested edit; a corrected spelling is below 1."""
    changes = [change for part in parts for change in part.changes]
    units = max(content_units(change, match) for change in changes)
    return (units if 0 < units < 1 else 1.0) * (1 + log10(len(parts)))


_FIRST_IN_SCOPE = 0.375
"""Leaves a score of 0.5."""

_ALL_CONTENT_IN_SCOPE = 0.505
"""Leaves a score of 0.3."""

_FIRST_ON_TARGET = 0.312
"""Leaves a score of 0.6."""

_MAX_CEILING_CUT = 0.312
_MANY_CELLS = 4
_FIRST_ELSEWHERE = 0.245
_DECAY = 0.85
_MAX_CONTENT_PRICE = 0.7
_FORMAT_WEIGHT = 0.6
_MAX_FORMAT_PRICE = 0.4
_MASTER_WEIGHT = 1.75
_MOVED_LOSS = 0.6
_RESIZED_LOSS = 0.7
_LARGE_RESIZE_FACTOR = 1.5
_FREE_OBJECTS = 4
_PER_OBJECT = 0.015
_MIN_AFFECTED_SHARE = 0.4
_MIN_COVERED_SHARE = 0.1
_SLIDE_SHOW_ASPECTS = frozenset(("visibility", "transition", "background", "animation"))

TargetChanges = Mapping[tuple[int | None, int | None], Collection[tuple[str, str]]]
"""Aspects and properties that target decks change, by original slide (1-based) and shape index.

The index is None for the slide itself, which is present if anything on it changes.
"""


@dataclass(frozen=True, slots=True)
class Price:
    """Price of unrequested changes.

    Attributes:
        share: Price as a share of the deck that is lost, in [0, 1].
        reason: Explanation in plain text; empty without a price.
        ceiling_cut: Amount, in [0, 1], by which changed formatting of the task's own objects lowers
            the maximum score.
    """

    share: float = 0.0
    reason: str = ""
    ceiling_cut: float = 0.0


def price_of_changes(
    match: DeckMatch,
    outside: Sequence[Change],
    unasked: Sequence[Change] = (),
    touched: TargetChanges = MappingProxyType({}),
) -> Price:
    """Return the price of changes by content and number.

    Args:
        match: The matching of slides and shapes.
        outside: All unrequested changes.
        unasked: The changes of `outside` that the scope allows but no target deck contains.
        touched: Changes made by the target decks. Other changes of the same slides and shapes cost
            more than elsewhere.
    """
    outside = [change for change in outside if not _is_on_removed_target(change, touched)]
    if not outside:
        return Price()
    inside = set(map(id, unasked))
    units = [
        (content_units(change, match) or float(_covers_target(change, match, touched)), change)
        for change in outside
    ]
    falsifying = [change for number, change in units if number >= 1]
    content = _price_of_content(
        sum(number for number, _ in units), _first_unit_price(falsifying, inside, touched)
    )
    falsified = {
        (c.slide, c.shape_index, c.aspect) for c in falsifying if c.shape_index is not None
    }
    formatting = [
        change
        for number, change in units
        if number == 0 and (change.slide, change.shape_index, change.aspect) not in falsified
    ]
    in_scope = [change for change in formatting if id(change) in inside]
    on_target = [c for c in formatting if id(c) not in inside and _is_on_target(c, touched)]
    count_price = _PER_OBJECT * max(
        0, len({changed_object_key(change) for change in outside}) - _FREE_OBJECTS
    )
    formatting_price = min(_MAX_FORMAT_PRICE, _price_of_formatting(match, in_scope))
    share = min(1.0, content + formatting_price + min(_MAX_CONTENT_PRICE, count_price))
    ceiling = min(_MAX_CEILING_CUT, _price_of_formatting(match, on_target))
    return Price(share, _reason(units, [*in_scope, *on_target], count_price), ceiling)


def _first_unit_price(
    falsifying: Sequence[Change], inside: Collection[int], touched: TargetChanges
) -> float:
    """Return the price of the first unit of wrong content."""
    in_scope = [change for change in falsifying if id(change) in inside]
    if in_scope:
        return _ALL_CONTENT_IN_SCOPE if _is_mostly_falsified(in_scope) else _FIRST_IN_SCOPE
    is_on_target = any(
        _is_on_target(c, touched) or _is_on_new_slide(c) or c.kind == "shape_added"
        for c in falsifying
    )
    return _FIRST_ON_TARGET if is_on_target else _FIRST_ELSEWHERE


def _is_on_new_slide(change: Change) -> bool:
    """Return whether a change is on a new slide, such as a copy compared with its model."""
    return change.slide is None and change.slide_now is not None


def _is_on_removed_target(change: Change, touched: TargetChanges) -> bool:
    """Return whether a change is on a slide or shape that a target removes: nothing is lost."""
    slide = touched.get((change.slide, None), ())
    shape = touched.get((change.slide, change.shape_index), ())
    return ("slides", "") in slide or (change.shape_index is not None and ("shapes", "") in shape)


def _covers_target(change: Change, match: DeckMatch, touched: TargetChanges) -> bool:
    """Return whether a change lays a new shape, or its text, over a shape of the task."""
    if change.kind != "shape_added" or change.slide is None or change.shape_index_now is None:
        return False
    slide = match.current.slides[match.to_current[change.slide - 1]]
    pairs = match.shapes(change.slide - 1).to_current
    target_shapes = [
        index for number, index in touched if number == change.slide and index is not None
    ]
    visibility, new_shape = visibility_of(match.current), slide.shapes[change.shape_index_now]
    for shape in (slide.shapes[pairs[index]] for index in target_shapes if index in pairs):
        if (
            visibility.covered_share(slide.index, shape.index, [new_shape.index])
            > _MIN_COVERED_SHARE
        ):
            return True
        graphic = shape.picture or shape.chart or shape.table
        if (
            graphic
            and shape.index < new_shape.index
            and text_share_within(new_shape, shape.box) > _MIN_COVERED_SHARE
        ):
            return True
    return False


def _is_on_target(change: Change, touched: TargetChanges) -> bool:
    """Return whether a change is on a shape of the task, or on how its slide is shown.

    Properties that a target changes are excluded: they are the requested work, which leaves score.
    """
    if change.shape_index is None and change.aspect not in _SLIDE_SHOW_ASPECTS:
        return False
    requested = touched.get((change.slide, change.shape_index))
    return requested is not None and (change.aspect, change.what) not in requested


def _is_mostly_falsified(changes: Sequence[Change]) -> bool:
    """Return whether almost nothing remains of the content of a task's object."""
    if any(change.what == "picture" or _replaces_all_values(change) for change in changes):
        return True
    cells = Counter((c.slide, c.shape_index) for c in changes if c.aspect == "tables")
    return max(cells.values(), default=0) >= _MANY_CELLS


def _replaces_all_values(change: Change) -> bool:
    old, new = change.value_before, change.value_after
    if not (change.what.endswith(" values") and isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    return len(old) > 1 and all(a != b for a, b in zip_longest(old, new))


def changed_object_key(change: Change) -> tuple[Hashable, ...]:
    """Return a key for the object of a change; all changes of one shape share a key.

    Formatting is keyed by property, table content by cell.
    """
    position = (change.slide, change.slide_now)
    subkeys = {"formatting": change.what.rpartition(": ")[2], "tables": change.what}
    if change.shape_index is not None:
        return (*position, "shape", change.shape_index, subkeys.get(change.aspect))
    if change.aspect == "formatting" and change.shape_index_now is not None:  # of new text
        return (*position, "new shape", change.shape_index_now, subkeys["formatting"])
    if change.kind == "shape_added":
        return (*position, "shape_added", change.shape, id(change))
    return (*position, change.aspect, change.kind if change.aspect == "master" else "")


def _price_of_content(units: float, first: float) -> float:
    if units <= 1:
        return first * units
    further: float = 1 - _DECAY ** (units - 1)
    return first + (_MAX_CONTENT_PRICE - first) * further


def _price_of_formatting(match: DeckMatch, changes: Iterable[Change]) -> float:
    """Return the price of formatting changes on shapes, slides and masters inside the scope."""
    of_shapes: dict[tuple[int, int], list[Change]] = defaultdict(list)
    of_new: dict[tuple[int | None, int], list[Change]] = defaultdict(list)
    others: list[Change] = []
    for change in flatten_changes(tuple(changes)):
        if change.kind in ("shape_added", "shape_removed", "slide_added"):
            others.append(change)
        elif change.slide is not None and change.shape_index is not None:
            of_shapes[change.slide - 1, change.shape_index].append(change)
        elif change.shape_index_now is not None:
            of_new[change.slide_now, change.shape_index_now].append(change)
        else:
            others.append(change)
    shapes = sum(
        _shape_loss(match, *shape_key, shape_changes)
        for shape_key, shape_changes in of_shapes.items()
    )
    shapes += sum(formatting_loss(shape_changes) for shape_changes in of_new.values())
    return _FORMAT_WEIGHT * shapes + _MASTER_WEIGHT * deck_loss(others) + _slide_loss(match, others)


def _shape_loss(match: DeckMatch, index: int, shape: int, changes: Sequence[Change]) -> float:
    slide = match.to_current.get(index)
    now = None if slide is None else match.shapes(index).to_current.get(shape)
    if slide is None or now is None:
        return 1.0
    old, new = match.original.slides[index].shapes[shape], match.current.slides[slide].shapes[now]
    remaining = 1.0
    for aspect in sorted({change.aspect for change in changes}):
        affected = _affected_share(new.all_text, changes) if aspect == "formatting" else 1.0
        loss = aspect_loss(old, new, aspect, changes)
        remaining *= 1 - affected * (
            max(loss, _geometry_loss(changes)) if aspect == "geometry" else loss
        )
    return 1 - remaining


def _geometry_loss(changes: Iterable[Change]) -> float:
    """Return the loss of a task's shape by a changed position or size."""
    return _RESIZED_LOSS if any(map(_is_large_resize, changes)) else _MOVED_LOSS


def _is_large_resize(change: Change) -> bool:
    old, new = change.value_before, change.value_after
    if (change.aspect, change.what) != ("geometry", "size"):
        return False
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    factors = [max(a, b) / min(a, b) for a, b in zip(old, new, strict=True) if min(a, b) > 0]
    return max(factors, default=1.0) > _LARGE_RESIZE_FACTOR


def _affected_share(text: str, changes: Iterable[Change]) -> float:
    """Return the share of a shape's text with changed formatting, with a minimum."""
    total = len("".join(text.split()))
    affected = max((_affected_characters(change.value_after) for change in changes), default=0)
    return (
        1.0 if not affected or not total else max(_MIN_AFFECTED_SHARE, min(1.0, affected / total))
    )


def _affected_characters(value: object) -> int:
    """Return the number of characters that a formatting difference lists, or 0."""
    pairs = value if isinstance(value, tuple) else ()
    texts = [pair[0] for pair in pairs if isinstance(pair, tuple) and len(pair) == 2]
    return sum(len("".join(text.split())) for text in texts if isinstance(text, str))


def _slide_loss(match: DeckMatch, changes: Iterable[Change]) -> float:
    aspects = {(c.slide, c.slide_now, c.aspect) for c in changes if c.shape_index_now is None}
    loss = sum(slide_aspect_loss(aspect) for slide, now, aspect in aspects if slide or now)
    added = [c for c in changes if c.kind == "shape_added" and c.slide_now is not None]
    return loss + sum(
        added_shape_loss(match.current.slides[(c.slide_now or 1) - 1], c) for c in added
    )


def _reason(
    units: Iterable[tuple[float, Change]], formatting: Collection[Change], count_price: float
) -> str:
    falsifying = [(number, change) for number, change in units if number >= 1]
    parts = []
    if falsifying:
        facts = round(sum(number for number, _ in falsifying))
        texts = join_first(list(dict.fromkeys(change.text for _, change in falsifying)))
        parts.append(f"{pluralize(facts, 'fact')} changed: {texts}")
    if formatting:
        parts.append(f"other formatting: {join_first([change.text for change in formatting])}")
    if count_price > 0:
        parts.append("many other edits were made")
    return f"unrequested changes: {'; '.join(parts)}" if parts else ""
