"""Loss of a slide or shape by changes, as a share of its content."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from pptarena.decks import Animation, Chart, Deck, Picture, Shape, Slide, Table, Transition
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.new_words import BLANKS
from pptarena.decks.diff.text import LINES_AFTER
from pptarena.decks.match.decks import DeckMatch, ShapeMatch
from pptarena.decks.match.likeness import box_likeness, multiset_likeness, words
from pptarena.decks.read.deck_facts import CUSTOM_SHOW
from pptarena.decks.visibility.fitness import SMALL_PLACEHOLDERS
from pptarena.decks.visibility.visibility import LEAST_SHARE, Visibility, visibility_of
from pptarena.rewards.looks.looked import Looked

__all__ = [
    "added_shape_loss",
    "added_slide_loss",
    "aspect_loss",
    "deck_loss",
    "has_content",
    "is_harmless_show_change",
    "is_hasty",
    "is_slow",
    "look_loss",
    "out_of_sight_loss",
    "retained_shapes",
    "shape_out_of_sight",
    "show_loss",
    "slide_aspect_loss",
    "slide_loss",
]


_SKIPPED = 0.9  # equals the loss of a hidden slide
_CURTAILED = 0.5
_RANGE = "slides"


def show_loss(match: DeckMatch, outside: Iterable[Change]) -> float:
    """Return the share of a deck lost to a restricted show, in [0, 1].

    A show restricted to a range loses at least half of the deck. LibreOffice rewrites the end of
    the range when saving, so the number of shown slides cannot be read from its files.
    """
    if not any(each.kind == "show_changed" and each.what == _RANGE for each in outside):
        return 0.0
    deck = match.current
    if _RANGE not in dict(deck.show):
        return 0.0  # the entire deck is shown now
    count = len(deck.slides)
    left = set(range(1, count + 1)) - _shown(deck)
    return max(_CURTAILED, _SKIPPED * len(left) / max(1, count))


def is_harmless_show_change(change: Change, match: DeckMatch) -> bool:
    """Return whether a show only gained looping and all its slides advance automatically."""
    if change.kind != "show_changed" or change.what != "loop":
        return False
    shown = [slide for slide in match.current.slides if not slide.hidden]
    return bool(shown) and all(each.transition.advance_after_sec is not None for each in shown)


def _shown(deck: Deck) -> set[int]:
    """Return the 1-based positions of the slides that the show may contain."""
    show = dict(deck.show)
    first, _, last = show[_RANGE].partition("-")
    if first.isdecimal() and last.isdecimal():
        return set(range(int(first), min(int(last), len(deck.slides)) + 1))
    return {number for name, text in show.items() for number in _custom_show(name, text)}


def _custom_show(name: str, text: str) -> Iterator[int]:
    if name.startswith(CUSTOM_SHOW):
        yield from (int(each) for each in text.split() if each.isdecimal())


_SHAPE_ASPECTS = {
    "style": 0.3,
    "diagrams": 0.6,
    "other": 0.2,
    "hyperlinks": 0.2,
    "alt_text": 0.15,
    "animation": 0.1,
    "shapes": 0.1,
}
_UNKNOWN = 0.1
_MOVED = 0.4
_CROPPED = 0.3
_SPOILED = 0.6
_PART_LEFT = 0.5
_CHART_DATA = 0.4
_CHART_LOOK = 0.25
_CELLS = 2.0
_LOOK = 0.4
_EACH_LOOK = 0.1
_LOOK_AT_MOST = 0.7
_QUITE_ANOTHER_SIZE = 2.0
_ON_ITS_SIDE_DEG = 45
_OTHER_WAY_UP = frozenset(("rotation", "vertical", BLANKS))


def aspect_loss(old: Shape, new: Shape, aspect: str, changes: Sequence[Change]) -> float:
    """Return the loss of a shape by the changes of one aspect, in [0, 1]."""
    if aspect == "text":
        return max(_reworded(old, new, changes), _moved_text(changes))
    if aspect == "visibility":
        return 1.0
    if aspect == "geometry":
        moved = _MOVED * (1 - box_likeness(old.box, new.box))
        turned = abs(new.box.rotation_deg - old.box.rotation_deg) % 360
        upside_down = _ON_ITS_SIDE_DEG <= turned <= 360 - _ON_ITS_SIDE_DEG
        return max(moved, _LOOK_AT_MOST if upside_down and new.all_text.strip() else 0.0)
    if aspect == "formatting":
        return look_loss([change for change in changes if change.aspect == aspect])
    if aspect == "pictures" and old.picture is not None and new.picture is not None:
        same = old.picture.sha256 == new.picture.sha256
        return (_SPOILED if _is_spoiled(old.picture, new.picture) else _CROPPED) if same else 1.0
    if aspect == "tables" and old.table is not None and new.table is not None:
        cells = min(1.0, _CELLS * (1 - multiset_likeness(_cells(old.table), _cells(new.table))))
        return max(cells, _moved_text(changes))
    if aspect == "charts" and old.chart is not None and new.chart is not None:
        return _chart_loss(old.chart, new.chart)
    return _SHAPE_ASPECTS.get(aspect, _UNKNOWN)


def _reworded(old: Shape, new: Shape, changes: Sequence[Change]) -> float:
    """Return the changed share of a text; if only lines are listed, weighted by their length."""
    texts = [(c.value_before, c.value_after) for c in changes if c.aspect == "text"]
    lines = [(a, b) for a, b in texts if isinstance(a, str) and isinstance(b, str) and a]
    whole = words(old.text)
    if not lines or not whole or len(lines) < len(texts):
        return 1 - multiset_likeness(whole, words(new.text))
    lost = ((1 - multiset_likeness(words(a), words(b))) * len(words(a)) for a, b in lines)
    return min(1.0, sum(lost) / len(whole))


def _moved_text(changes: Sequence[Change]) -> float:
    """Return the loss of a text that was moved by empty lines after it, in [0, 1]."""
    return _LOOK if any(change.what.endswith(LINES_AFTER) for change in changes) else 0.0


def look_loss(changes: Sequence[Change]) -> float:
    """Return the loss by changed formatting, which grows with the number of properties."""
    properties = {change.what for change in changes}
    if properties & _OTHER_WAY_UP or any(map(_is_far_off, changes)):
        return _LOOK_AT_MOST
    return min(_LOOK_AT_MOST, _LOOK + _EACH_LOOK * (len(properties) - 1))


def _is_far_off(change: Change) -> bool:
    """Return whether the font size changed at least by the factor `_QUITE_ANOTHER_SIZE`."""
    if change.what.rpartition(" ")[2] != "size":
        return False
    old, new = (list(_numbers(each)) for each in (change.value_before, change.value_after))
    factors = (max(a, b) / min(a, b) for a, b in zip(old, new, strict=False) if min(a, b) > 0)
    return any(factor >= _QUITE_ANOTHER_SIZE for factor in factors)


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, tuple):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, int | float):
        yield float(value)


def _is_spoiled(old: Picture, new: Picture) -> bool:
    """Return whether a picture with the same file is mostly cropped, faded or altered."""
    crops = old.crop_pct, new.crop_pct
    was, now = (
        max(0.0, 1 - (c[0] + c[2]) / 100) * max(0.0, 1 - (c[1] + c[3]) / 100) for c in crops
    )
    if now < _PART_LEFT * was or new.opacity_pct < _PART_LEFT * old.opacity_pct:
        return True
    return replace(old, crop_pct=new.crop_pct, opacity_pct=new.opacity_pct) != new


def _chart_loss(old: Chart, new: Chart) -> float:
    """Return the loss by changed data, names or formatting of a chart."""
    if _data(old) == _data(new):
        return _CHART_LOOK
    sides = [[(s.name, i, v) for s in c.series for i, v in enumerate(s.values)] for c in (old, new)]
    return _CHART_DATA + (1 - _CHART_DATA) * (1 - multiset_likeness(*sides))


def _data(chart: Chart) -> tuple[object, ...]:
    return chart.type, tuple((s.name, s.categories, s.values) for s in chart.series)


def _cells(table: Table) -> list[tuple[int, int, str]]:
    rows = enumerate(table.rows)
    return [(r, c, cell.text.strip()) for r, row in rows for c, cell in enumerate(row)]


_SLIDE_ASPECTS = {
    "visibility": 0.9,
    "background": 0.3,
    "order": 0.34,
    "layout": 0.2,
    "notes": 0.2,
    "animation": 0.2,
    "comments": 0.1,
    "other": 0.1,
    "transition": 0.05,
    "shapes": 0.1,
}
_DECK_ASPECTS = {"master": 0.2, "sections": 0.05, "properties": 0.02, "other": 0.05}
_DECK_AT_MOST = 0.4
_SMALL_WEIGHT = 0.25
_DECOR_WEIGHT = 0.5
_GRAPHIC_WEIGHT = 1.5
_ADDED_SLIDE = 0.6
_ADDED_SHAPE = 0.1
_ADDED_WORDS = 0.2
_ADDED_GRAPHIC = 0.3
_LAID_OVER = 0.8
_NEW_PICTURE_BEHIND = 0.2
_HASTY_SEC = 2.0
_HASTY = 0.25
_SLOW_SEC = 10.0
_SLOW = 0.2
_LEAVING = 0.4
_BRINGS_OVER = frozenset(("geometry", "style", "pictures", "tables", "charts"))

_Over = Sequence[tuple[int | None, int]]
"""Shapes that overlie others: (index before, or None for a new one; index now)."""


def slide_loss(
    match: DeckMatch,
    index: int,
    changes: Sequence[Change],
    looked: Looked | None = None,
    hideable: Collection[int] = (),
) -> float:
    """Return the loss of an original slide by unrequested changes, in [0, 1].

    Shapes in `hideable` lose nothing by becoming invisible.
    """
    if any(change.kind == "slide_removed" for change in changes):
        return 1.0
    before = match.original.slides[index]
    after = match.current.slides[match.to_current[index]]
    retained = retained_shapes(match, index, changes, looked, hideable)
    weights = [_weight(shape) for shape in before.shapes]
    total = sum(weights)
    lost = sum(weight * (1 - retained[i]) for i, weight in enumerate(weights))
    own = {change.aspect for change in changes if _is_of_slide(change)}
    extra = sum(map(slide_aspect_loss, own))
    extra += sum(
        added_shape_loss(after, change) for change in changes if change.kind == "shape_added"
    )
    extra += _haste(before, after, own) + _LEAVING * any(map(_leaves, changes))
    if "background" in own and after.background.kind == "picture":
        extra += _NEW_PICTURE_BEHIND
    return min(1.0, (lost / total if total else 0.0) + extra)


def slide_aspect_loss(aspect: str) -> float:
    """Return the share of a slide that a change of one of its own aspects takes."""
    return _SLIDE_ASPECTS.get(aspect, _UNKNOWN)


def added_shape_loss(after: Slide, change: Change) -> float:
    """Return the loss by an added shape itself, without what it covers."""
    new = None if change.shape_index_now is None else after.shapes[change.shape_index_now]
    graphic = new and (new.picture or new.table or new.chart or new.smart_art or new.embedded)
    if graphic:
        return _ADDED_GRAPHIC
    return _ADDED_WORDS if new and new.text.strip() else _ADDED_SHAPE


def _haste(before: Slide, after: Slide, own: Collection[str]) -> float:
    """Return the loss by automatic advance before a slide can be read, or by a slow transition."""
    if "transition" not in own:
        return 0.0
    old, new = before.transition, after.transition
    return _HASTY * is_hasty(old, new) + _SLOW * is_slow(old, new)


def is_hasty(old: Transition, new: Transition) -> bool:
    """Return whether a slide now advances before it can be read."""
    was, now = old.advance_after_sec, new.advance_after_sec
    return now is not None and now < _HASTY_SEC and (was is None or was >= _HASTY_SEC)


def is_slow(old: Transition, new: Transition) -> bool:
    """Return whether a slide's transition now takes so long that viewers wait for it."""
    return (new.duration_sec or 0.0) >= _SLOW_SEC > (old.duration_sec or 0.0)


def _leaves(change: Change) -> bool:
    effect = change.value_after
    return isinstance(effect, Animation) and effect.kind == "exit" and change.value_before is None


def out_of_sight_loss(match: DeckMatch, index: int, free: Collection[int]) -> float:
    """Return the loss of a slide by protected shapes that went out of sight."""
    shapes, pairs = match.original.slides[index].shapes, match.shapes(index).to_current
    weights = [_weight(shape) for shape in shapes]
    lost = sum(
        weights[i] * _out_of_sight(match, (index, i), (match.to_current[index], pairs[i]))
        for i in range(len(shapes))
        if weights[i] and i not in free and i in pairs
    )
    return lost / sum(weights) if lost else 0.0


def shape_out_of_sight(match: DeckMatch, index: int, shape: int) -> float:
    """Return the share of a shape's text that went out of sight, or 1 for the entire shape.

    Removed text, shapes and slides do not count. A partly covered shape counts 0, because a task
    that moves a shape may bring it under another one.
    """
    now = match.to_current.get(index)
    at = None if now is None else match.shapes(index).to_current.get(shape)
    if now is None or at is None:
        return 0.0
    old, new = (index, shape), (now, at)
    before, after = visibility_of(match.original), visibility_of(match.current)
    if before.share(*old) >= LEAST_SHARE > after.share(*new):
        return 1.0
    return max(0.0, _unread(match.current, after, new) - _unread(match.original, before, old))


def added_slide_loss(changes: Iterable[Change]) -> float:
    """Return the number of slides that unrequested new slides and changes on them are worth."""
    new = [change for change in changes if change.slide is None and change.slide_now is not None]
    whole = sum(change.kind == "slide_added" for change in new)
    return _ADDED_SLIDE * whole + _ADDED_SHAPE * (len(new) - whole)


def deck_loss(changes: Iterable[Change]) -> float:
    """Return the share of the deck lost by deck-level changes; added layouts are free."""
    found = [change for change in changes if change.slide is change.slide_now is None]
    kinds = {(change.kind, change.aspect) for change in found if change.kind != "layout_added"}
    loss = sum(_DECK_ASPECTS.get(aspect, _UNKNOWN) for _, aspect in kinds)
    return min(_DECK_AT_MOST, loss + sum(map(_resized, found)))


def _resized(change: Change) -> float:
    """Return the loss by a new slide size, which shrinks or cuts off all content."""
    before, now = change.value_before, change.value_after
    if change.kind == "slide_size_changed" and isinstance(before, tuple) and isinstance(now, tuple):
        shares = (float(old) / max(1.0, float(new)) for old, new in zip(before, now, strict=True))
        return _DECK_AT_MOST * (1 - min(1.0, *shares))
    return 0.0


def _is_of_slide(change: Change) -> bool:
    return change.shape_index is None and change.kind not in ("shape_added", "shape_removed")


def retained_shapes(
    match: DeckMatch,
    index: int,
    changes: Sequence[Change],
    looked: Looked | None = None,
    hideable: Collection[int] = (),
) -> list[float]:
    """Return how much of each shape of an original slide is retained, in [0, 1]."""
    before = match.original.slides[index]
    after = match.current.slides[match.to_current[index]]
    gone = {each.shape_index for each in changes if each.kind == "shape_removed"}
    pairs = match.shapes(index)
    over = _brought_over(before, pairs, changes)
    retained = []
    for shape in before.shapes:
        now = pairs.to_current.get(shape.index)
        if shape.index in gone or (now is None and _ancestor_in(shape, before, gone)):
            retained.append(0.0)
            continue
        left = 1.0
        if now is not None and shape.index not in hideable:
            place = index, shape.index
            unseen = _out_of_sight(match, place, (after.index, now))
            left -= max(unseen, 0.0 if looked is None else looked.lost.get(place, 0.0))
            left *= 1 - _LAID_OVER * _newly_under(match, over, shape, (after.index, now))
        if now is not None:
            own = [change for change in changes if change.shape_index == shape.index]
            for aspect in sorted({change.aspect for change in own}):
                left *= 1 - aspect_loss(shape, after.shapes[now], aspect, own)
        retained.append(left)
    return retained


def _brought_over(before: Slide, pairs: ShapeMatch, changes: Iterable[Change]) -> _Over:
    """Return the shapes that changes put over others: new, moved and repainted ones."""
    found: set[tuple[int | None, int]] = set()
    for change in changes:
        if change.kind == "shape_added" and change.shape_index_now is not None:
            found.add((None, change.shape_index_now))
        old = change.shape_index
        comes_over = change.aspect in _BRINGS_OVER or change.kind == "z_order_changed"
        if comes_over and old in pairs.to_current and before.shapes[old].kind != "group":
            found.add((old, pairs.to_current[old]))
    return sorted(found, key=lambda pair: pair[1])


def _out_of_sight(match: DeckMatch, old: tuple[int, int], new: tuple[int, int]) -> float:
    """Return the share of a shape that became hidden, covered, illegible or left the slide."""
    before, now = visibility_of(match.original), visibility_of(match.current)
    was, left = before.share(*old), now.share(*new)
    if was >= LEAST_SHARE > left:
        return 1.0
    unread = _unread(match.current, now, new) - _unread(match.original, before, old)
    return max(0.0, unread, was - left)


def _newly_under(match: DeckMatch, over: _Over, shape: Shape, new: tuple[int, int]) -> float:
    """Return the share of a shape that lies under shapes that did not cover it before."""
    others = [(old, now) for old, now in over if now != new[1]]
    if not others:
        return 0.0
    now = visibility_of(match.current).laid_over(*new, [now for _, now in others])
    slide = match.to_original[new[0]]
    known = [old for old, _ in others if old is not None]
    before = visibility_of(match.original).laid_over(slide, shape.index, known) if known else 0.0
    return max(0.0, now - before)


def _unread(deck: Deck, visibility: Visibility, place: tuple[int, int]) -> float:
    """Return the share of a shape's words that are invisible."""
    if not visibility.why_hidden(*place):
        return 0.0
    every = words(deck.slides[place[0]].shapes[place[1]].all_text)
    return 1 - len(words(visibility.shape(*place).all_text)) / len(every) if every else 0.0


def has_content(shape: Shape) -> bool:
    """Return whether a shape shows text or a graphic, beyond its own outline."""
    return _is_graphic(shape) or bool(shape.all_text.strip() or shape.fingerprint)


def _weight(shape: Shape) -> float:
    if shape.kind == "group" or shape.shows_nothing:
        return 0.0
    if shape.placeholder in SMALL_PLACEHOLDERS:
        return _SMALL_WEIGHT
    bare = not has_content(shape)
    return _GRAPHIC_WEIGHT if _is_graphic(shape) else _DECOR_WEIGHT if bare else 1.0


def _is_graphic(shape: Shape) -> bool:
    return shape.picture is not None or shape.table is not None or shape.chart is not None


def _ancestor_in(shape: Shape, slide: Slide, gone: Collection[int | None]) -> bool:
    while shape.group is not None:
        if shape.group in gone:
            return True
        shape = slide.shapes[shape.group]
    return False
