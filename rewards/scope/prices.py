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
from pptarena.decks.diff.consequences import every_change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.overlap import words_within
from pptarena.decks.visibility.visibility import visibility_of
from pptarena.rewards.checking.result import counted, listed
from pptarena.rewards.gold.plan import GoldPlan, Part, grouped, parts_of, plan_of
from pptarena.rewards.scope.content import content_units
from pptarena.rewards.scope.loss import (
    added_shape_loss,
    aspect_loss,
    deck_loss,
    look_loss,
    slide_aspect_loss,
)

__all__ = ["Touched", "changed_thing", "price_of_changes", "share_of_work"]


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


_FIRST_INSIDE = 0.375
"""Leaves a score of 0.5."""

_WHOLE_INSIDE = 0.505
"""Leaves a score of 0.3."""

_FIRST_BESIDE = 0.312
"""Leaves a score of 0.6."""

_BESIDE_AT_MOST = 0.312
_MANY_CELLS = 4
_FIRST_OUTSIDE = 0.245
_NEXT = 0.85
_ALL = 0.7
_OF_FORMAT = 0.6
_FORMAT_AT_MOST = 0.4
_OF_MASTERS = 1.75
_MOVED = 0.6
_RESIZED = 0.7
_QUITE_ANOTHER_SIZE = 1.5
_SLIPS = 4
_EACH_THING = 0.015
_LEAST_HIT = 0.4
_LAID_OVER = 0.1
_OF_SHOWN_SLIDES = frozenset(("visibility", "transition", "background", "animation"))

Touched = Mapping[tuple[int | None, int | None], Collection[tuple[str, str]]]
"""Aspects and properties that target decks change, by original slide (1-based) and shape index.

The index is None for the slide itself, which is present if anything on it changes.
"""


@dataclass(frozen=True, slots=True)
class Price:
    """Price of unrequested changes.

    Attributes:
        share: Price as a share of the deck that is lost, in [0, 1].
        reason: Explanation in plain text; empty without a price.
        of_ceiling: Amount, in [0, 1], by which changed formatting of the task's own objects lowers
            the maximum score.
    """

    share: float = 0.0
    reason: str = ""
    of_ceiling: float = 0.0


def price_of_changes(
    match: DeckMatch,
    outside: Sequence[Change],
    unasked: Sequence[Change] = (),
    touched: Touched = MappingProxyType({}),
) -> Price:
    """Return the price of changes by content and number.

    Args:
        match: The matching of slides and shapes.
        outside: All unrequested changes.
        unasked: The changes of `outside` that the scope allows but no target deck contains.
        touched: Changes made by the target decks. Other changes of the same slides and shapes cost
            more than elsewhere.
    """
    outside = [change for change in outside if not _is_of_removed(change, touched)]
    if not outside:
        return Price()
    inside = set(map(id, unasked))
    units = [
        (content_units(change, match) or float(_covers_work(change, match, touched)), change)
        for change in outside
    ]
    false = [change for number, change in units if number >= 1]
    content = _content_price(sum(number for number, _ in units), _first(false, inside, touched))
    falsified = {(c.slide, c.shape_index, c.aspect) for c in false if c.shape_index is not None}
    looks = [
        change
        for number, change in units
        if number == 0 and (change.slide, change.shape_index, change.aspect) not in falsified
    ]
    own = [change for change in looks if id(change) in inside]
    beside = [c for c in looks if id(c) not in inside and _is_of(c, touched)]
    many = _EACH_THING * max(0, len({changed_thing(change) for change in outside}) - _SLIPS)
    own_price = min(_FORMAT_AT_MOST, _format_price(match, own))
    share = min(1.0, content + own_price + min(_ALL, many))
    ceiling = min(_BESIDE_AT_MOST, _format_price(match, beside))
    return Price(share, _reason(units, [*own, *beside], many), ceiling)


def _first(false: Sequence[Change], inside: Collection[int], touched: Touched) -> float:
    """Return the price of the first unit of wrong content."""
    worked = [change for change in false if id(change) in inside]
    if worked:
        return _WHOLE_INSIDE if _is_wholly_false(worked) else _FIRST_INSIDE
    beside = any(_is_of(c, touched) or _is_of_new(c) or c.kind == "shape_added" for c in false)
    return _FIRST_BESIDE if beside else _FIRST_OUTSIDE


def _is_of_new(change: Change) -> bool:
    """Return whether a change is on a new slide, such as a copy compared with its model."""
    return change.slide is None and change.slide_now is not None


def _is_of_removed(change: Change, touched: Touched) -> bool:
    """Return whether a change is on a slide or shape that a target removes: nothing is lost."""
    slide = touched.get((change.slide, None), ())
    shape = touched.get((change.slide, change.shape_index), ())
    return ("slides", "") in slide or (change.shape_index is not None and ("shapes", "") in shape)


def _covers_work(change: Change, match: DeckMatch, touched: Touched) -> bool:
    """Return whether a change lays a new shape, or its text, over a shape of the task."""
    if change.kind != "shape_added" or change.slide is None or change.shape_index_now is None:
        return False
    slide = match.current.slides[match.to_current[change.slide - 1]]
    pairs = match.shapes(change.slide - 1).to_current
    own = [index for number, index in touched if number == change.slide and index is not None]
    visibility, over = visibility_of(match.current), slide.shapes[change.shape_index_now]
    for shape in (slide.shapes[pairs[index]] for index in own if index in pairs):
        if visibility.laid_over(slide.index, shape.index, [over.index]) > _LAID_OVER:
            return True
        graphic = shape.picture or shape.chart or shape.table
        if graphic and shape.index < over.index and words_within(over, shape.box) > _LAID_OVER:
            return True
    return False


def _is_of(change: Change, touched: Touched) -> bool:
    """Return whether a change is on a shape of the task, or on how its slide is shown.

    Properties that a target changes are excluded: they are the requested work, which leaves score.
    """
    if change.shape_index is None and change.aspect not in _OF_SHOWN_SLIDES:
        return False
    asked = touched.get((change.slide, change.shape_index))
    return asked is not None and (change.aspect, change.what) not in asked


def _is_wholly_false(changes: Sequence[Change]) -> bool:
    """Return whether almost nothing remains of the content of a task's object."""
    if any(change.what == "picture" or _has_no_value_left(change) for change in changes):
        return True
    cells = Counter((c.slide, c.shape_index) for c in changes if c.aspect == "tables")
    return max(cells.values(), default=0) >= _MANY_CELLS


def _has_no_value_left(change: Change) -> bool:
    old, new = change.value_before, change.value_after
    if not (change.what.endswith(" values") and isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    return len(old) > 1 and all(a != b for a, b in zip_longest(old, new))


def changed_thing(change: Change) -> tuple[Hashable, ...]:
    """Return a key for the object of a change; all changes of one shape share a key.

    Formatting is keyed by property, table content by cell.
    """
    place = (change.slide, change.slide_now)
    own = {"formatting": change.what.rpartition(": ")[2], "tables": change.what}
    if change.shape_index is not None:
        return (*place, "shape", change.shape_index, own.get(change.aspect))
    if change.aspect == "formatting" and change.shape_index_now is not None:  # of new text
        return (*place, "new shape", change.shape_index_now, own["formatting"])
    if change.kind == "shape_added":
        return (*place, "shape_added", change.shape, id(change))
    return (*place, change.aspect, change.kind if change.aspect == "master" else "")


def _content_price(units: float, first: float) -> float:
    if units <= 1:
        return first * units
    further: float = 1 - _NEXT ** (units - 1)
    return first + (_ALL - first) * further


def _format_price(match: DeckMatch, changes: Iterable[Change]) -> float:
    """Return the price of formatting changes on shapes, slides and masters inside the scope."""
    of_shapes: dict[tuple[int, int], list[Change]] = defaultdict(list)
    of_new: dict[tuple[int | None, int], list[Change]] = defaultdict(list)
    others: list[Change] = []
    for change in every_change(tuple(changes)):
        if change.kind in ("shape_added", "shape_removed", "slide_added"):
            others.append(change)
        elif change.slide is not None and change.shape_index is not None:
            of_shapes[change.slide - 1, change.shape_index].append(change)
        elif change.shape_index_now is not None:
            of_new[change.slide_now, change.shape_index_now].append(change)
        else:
            others.append(change)
    shapes = sum(_shape_loss(match, *place, found) for place, found in of_shapes.items())
    shapes += sum(look_loss(found) for found in of_new.values())
    return _OF_FORMAT * shapes + _OF_MASTERS * deck_loss(others) + _slides_loss(match, others)


def _shape_loss(match: DeckMatch, index: int, shape: int, changes: Sequence[Change]) -> float:
    slide = match.to_current.get(index)
    now = None if slide is None else match.shapes(index).to_current.get(shape)
    if slide is None or now is None:
        return 1.0
    old, new = match.original.slides[index].shapes[shape], match.current.slides[slide].shapes[now]
    left = 1.0
    for aspect in sorted({change.aspect for change in changes}):
        hit = _share_hit(new.all_text, changes) if aspect == "formatting" else 1.0
        loss = aspect_loss(old, new, aspect, changes)
        left *= 1 - hit * (max(loss, _geometry_loss(changes)) if aspect == "geometry" else loss)
    return 1 - left


def _geometry_loss(changes: Iterable[Change]) -> float:
    """Return the loss of a task's shape by a changed position or size."""
    return _RESIZED if any(map(_is_quite_another_size, changes)) else _MOVED


def _is_quite_another_size(change: Change) -> bool:
    old, new = change.value_before, change.value_after
    if (change.aspect, change.what) != ("geometry", "size"):
        return False
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    factors = [max(a, b) / min(a, b) for a, b in zip(old, new, strict=True) if min(a, b) > 0]
    return max(factors, default=1.0) > _QUITE_ANOTHER_SIZE


def _share_hit(text: str, changes: Iterable[Change]) -> float:
    """Return the share of a shape's text with changed formatting, at least `_LEAST_HIT`."""
    every = len("".join(text.split()))
    hit = max((_letters(change.value_after) for change in changes), default=0)
    return 1.0 if not hit or not every else max(_LEAST_HIT, min(1.0, hit / every))


def _letters(value: object) -> int:
    """Return the number of characters that a formatting difference lists, or 0."""
    pairs = value if isinstance(value, tuple) else ()
    texts = [pair[0] for pair in pairs if isinstance(pair, tuple) and len(pair) == 2]
    return sum(len("".join(text.split())) for text in texts if isinstance(text, str))


def _slides_loss(match: DeckMatch, changes: Iterable[Change]) -> float:
    own = {(c.slide, c.slide_now, c.aspect) for c in changes if c.shape_index_now is None}
    loss = sum(slide_aspect_loss(aspect) for slide, now, aspect in own if slide or now)
    added = [c for c in changes if c.kind == "shape_added" and c.slide_now is not None]
    return loss + sum(
        added_shape_loss(match.current.slides[(c.slide_now or 1) - 1], c) for c in added
    )


def _reason(units: Iterable[tuple[float, Change]], looks: Collection[Change], many: float) -> str:
    wrong = [(number, change) for number, change in units if number >= 1]
    parts = []
    if wrong:
        facts = round(sum(number for number, _ in wrong))
        texts = listed(list(dict.fromkeys(change.text for _, change in wrong)))
        parts.append(f"{counted(facts, 'fact')} changed: {texts}")
    if looks:
        parts.append(f"other formatting: {listed([change.text for change in looks])}")
    if many > 0:
        parts.append("many other edits were made")
    return f"unrequested changes: {'; '.join(parts)}" if parts else ""
