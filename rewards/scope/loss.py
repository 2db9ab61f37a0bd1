"""What a slide loses by changes, as a share of what was on it.

The weights below say how much of a shape or a slide a change of one aspect takes: a removed shape
is lost, a shape with another frame is not.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pptarena.rewards.deck import Chart, Deck, Shape, Slide, Table
from pptarena.rewards.diff.change import Change
from pptarena.rewards.looks.looked import Looked
from pptarena.rewards.matching.decks import DeckMatch
from pptarena.rewards.matching.likeness import box_likeness, multiset_likeness, words
from pptarena.rewards.sight.visibility import Sight, sight_of

__all__ = ["added_slide_loss", "deck_loss", "slide_loss"]

_SHAPE_ASPECTS = {
    "formatting": 0.3,
    "style": 0.3,
    "charts": 0.6,
    "diagrams": 0.6,
    "other": 0.2,
    "hyperlinks": 0.2,
    "alt_text": 0.15,
    "animation": 0.1,
    "shapes": 0.1,
}
_SLIDE_ASPECTS = {
    "visibility": 0.9,
    "background": 0.3,
    "order": 0.3,
    "layout": 0.2,
    "notes": 0.2,
    "animation": 0.15,
    "comments": 0.1,
    "other": 0.1,
    "transition": 0.05,
    "shapes": 0.1,
}
_DECK_ASPECTS = {"master": 0.2, "sections": 0.05, "properties": 0.02, "other": 0.05}
_DECK_AT_MOST = 0.4
_UNKNOWN = 0.1
_SMALL = frozenset(("sldNum", "ftr", "dt"))
_SMALL_WEIGHT = 0.25
_DECOR_WEIGHT = 0.5
_MOVED = 0.5
_CROPPED = 0.3
_CHART_LOOK = 0.25
_ADDED_SLIDE = 0.6
_ADDED_SHAPE = 0.1


def slide_loss(
    match: DeckMatch, index: int, changes: Sequence[Change], looked: Looked | None = None
) -> float:
    """Return what a slide of the original lost, in [0, 1].

    Args:
        match: Which slide and shape is which.
        index: Of the slide, from 0.
        changes: Those of this slide that no task asked for.
        looked: What pictures of the slides say; None if nobody looked.
    """
    if any(change.kind == "slide_removed" for change in changes):
        return 1.0
    before = match.original.slides[index]
    after = match.current.slides[match.to_current[index]]
    kept = _kept_shapes(match, before, after, changes, looked or Looked())
    weights = [_weight(shape) for shape in before.shapes]
    total = sum(weights)
    lost = sum(weight * (1 - kept[i]) for i, weight in enumerate(weights))
    own = {change.aspect for change in changes if _is_of_slide(change)}
    extra = sum(_SLIDE_ASPECTS.get(aspect, _UNKNOWN) for aspect in own)
    extra += _ADDED_SHAPE * sum(change.kind == "shape_added" for change in changes)
    return min(1.0, (lost / total if total else 0.0) + extra)


def added_slide_loss(changes: Iterable[Change]) -> float:
    """Return how many slides are as good as lost by what nobody asked for of new slides."""
    new = [change for change in changes if change.slide is None and change.slide_now is not None]
    whole = sum(change.kind == "slide_added" for change in new)
    return _ADDED_SLIDE * whole + _ADDED_SHAPE * (len(new) - whole)


def deck_loss(changes: Iterable[Change]) -> float:
    """Return the share of the deck that changes of the deck as a whole take.

    A layout more takes nothing.
    """
    kinds = {
        (change.kind, change.aspect)
        for change in changes
        if change.slide is change.slide_now is None and change.kind != "layout_added"
    }
    return min(_DECK_AT_MOST, sum(_DECK_ASPECTS.get(aspect, _UNKNOWN) for _, aspect in kinds))


def _is_of_slide(change: Change) -> bool:
    return change.shape_index is None and change.kind not in ("shape_added", "shape_removed")


def _kept_shapes(
    match: DeckMatch, before: Slide, after: Slide, changes: Sequence[Change], looked: Looked
) -> list[float]:
    """Return how much is left of each shape of the original, in [0, 1]."""
    aspects: dict[int, set[str]] = defaultdict(set)
    gone = set()
    for change in changes:
        if change.shape_index is not None:
            aspects[change.shape_index].add(change.aspect)
            gone |= {change.shape_index} if change.kind == "shape_removed" else set()
    pairs = match.shapes(before.index)
    kept = []
    for shape in before.shapes:
        now = pairs.to_current.get(shape.index)
        if shape.index in gone or (now is None and _ancestor_in(shape, before, gone)):
            kept.append(0.0)
        elif now is None:
            kept.append(1.0)
        else:
            place = before.index, shape.index
            left = 1 - max(
                _out_of_sight(match, place, (after.index, now)), looked.lost.get(place, 0.0)
            )
            for aspect in sorted(aspects[shape.index]):
                left *= 1 - _loss(shape, after.shapes[now], aspect)
            kept.append(left)
    return kept


def _out_of_sight(match: DeckMatch, old: tuple[int, int], new: tuple[int, int]) -> float:
    """Return how much of a shape went out of sight: hidden, covered, off the slide, unreadable."""
    before, now = sight_of(match.original), sight_of(match.current)
    if before.is_seen(*old) and not now.is_seen(*new):
        return 1.0
    return max(0.0, _unread(match.current, now, new) - _unread(match.original, before, old))


def _unread(deck: Deck, sight: Sight, place: tuple[int, int]) -> float:
    """Return the share of a shape's words that cannot be seen."""
    if not sight.why_hidden(*place):
        return 0.0
    every = words(deck.slides[place[0]].shapes[place[1]].all_text)
    return 1 - len(words(sight.shape(*place).all_text)) / len(every) if every else 0.0


def _loss(old: Shape, new: Shape, aspect: str) -> float:
    """Return how much of a shape a change of one aspect takes, in [0, 1]."""
    if aspect == "text":
        return 1 - multiset_likeness(words(old.text), words(new.text))
    if aspect == "visibility":
        return 1.0
    if aspect == "geometry":
        return _MOVED * (1 - box_likeness(old.box, new.box))
    if aspect == "pictures" and old.picture is not None and new.picture is not None:
        same = old.picture.sha256 == new.picture.sha256
        return _CROPPED if same else 1.0
    if aspect == "tables" and old.table is not None and new.table is not None:
        return 1 - multiset_likeness(_cells(old.table), _cells(new.table))
    if aspect == "charts" and old.chart is not None and new.chart is not None:
        return _SHAPE_ASPECTS[aspect] if _data(old.chart) != _data(new.chart) else _CHART_LOOK
    return _SHAPE_ASPECTS.get(aspect, _UNKNOWN)


def _data(chart: Chart) -> tuple[object, ...]:
    return chart.type, tuple((s.name, s.categories, s.values) for s in chart.series)


def _cells(table: Table) -> list[tuple[int, int, str]]:
    rows = enumerate(table.rows)
    return [(r, c, cell.text.strip()) for r, row in rows for c, cell in enumerate(row)]


def _weight(shape: Shape) -> float:
    if shape.kind == "group" or shape.shows_nothing:
        return 0.0
    if shape.placeholder in _SMALL:
        return _SMALL_WEIGHT
    bare = not shape.all_text.strip() and not shape.opaque
    graphic = shape.picture is not None or shape.table is not None or shape.chart is not None
    return _DECOR_WEIGHT if bare and not graphic else 1.0


def _ancestor_in(shape: Shape, slide: Slide, gone: set[int]) -> bool:
    while shape.group is not None:
        if shape.group in gone:
            return True
        shape = slide.shapes[shape.group]
    return False
