"""Loss of a slide or shape by changes, as a share of its content."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from pptarena.decks import Animation, Chart, Deck, Picture, Shape, Slide, Table, Transition
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.new_text import BLANKS
from pptarena.decks.diff.text import TRAILING_LINES
from pptarena.decks.match.decks import DeckMatch, ShapeMatch
from pptarena.decks.match.similarity import box_similarity, multiset_similarity, words
from pptarena.decks.read.deck_facts import CUSTOM_SHOW
from pptarena.decks.visibility.faults import SMALL_PLACEHOLDERS
from pptarena.decks.visibility.visibility import MIN_SHARE, Visibility, visibility_of
from pptarena.rewards.render_check.result import RenderCheckResult

__all__ = [
    "added_shape_loss",
    "added_slide_loss",
    "advances_too_soon",
    "aspect_loss",
    "deck_loss",
    "formatting_loss",
    "has_content",
    "has_slow_transition",
    "is_harmless_show_change",
    "out_of_sight_loss",
    "retained_shapes",
    "shape_out_of_sight",
    "show_loss",
    "slide_aspect_loss",
    "slide_loss",
]


_SKIPPED_SLIDE_LOSS = 0.9  # equals the loss of a hidden slide
_MIN_RANGE_LOSS = 0.5
_RANGE_KEY = "slides"


def show_loss(match: DeckMatch, outside: Iterable[Change]) -> float:
    """Return the share of a deck lost to a restricted show, in [0, 1].

    A show restricted to a range loses at least half of the deck. LibreOffice rewrites the end of
    the range when saving, so the number of shown slides cannot be read from its files.
    """
    if not any(each.kind == "show_changed" and each.what == _RANGE_KEY for each in outside):
        return 0.0
    deck = match.current
    if _RANGE_KEY not in dict(deck.show):
        return 0.0  # the entire deck is shown now
    count = len(deck.slides)
    hidden_slides = set(range(1, count + 1)) - _slides_in_show(deck)
    return max(_MIN_RANGE_LOSS, _SKIPPED_SLIDE_LOSS * len(hidden_slides) / max(1, count))


def is_harmless_show_change(change: Change, match: DeckMatch) -> bool:
    """Return whether a show only gained looping and all its slides advance automatically."""
    if change.kind != "show_changed" or change.what != "loop":
        return False
    slides = [slide for slide in match.current.slides if not slide.hidden]
    return bool(slides) and all(each.transition.advance_after_sec is not None for each in slides)


def _slides_in_show(deck: Deck) -> set[int]:
    """Return the 1-based positions of the slides that the show may contain."""
    show = dict(deck.show)
    first, _, last = show[_RANGE_KEY].partition("-")
    if first.isdecimal() and last.isdecimal():
        return set(range(int(first), min(int(last), len(deck.slides)) + 1))
    return {number for name, text in show.items() for number in _custom_show_slides(name, text)}


def _custom_show_slides(name: str, text: str) -> Iterator[int]:
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
_DEFAULT_LOSS = 0.1
_MOVED_LOSS = 0.4
_CROPPED_LOSS = 0.3
_DEFACED_LOSS = 0.6
_MIN_REMAINING = 0.5
_CHART_DATA_LOSS = 0.4
_CHART_FORMAT_LOSS = 0.25
_CELL_WEIGHT = 2.0
_FORMAT_LOSS = 0.4
_FORMAT_LOSS_STEP = 0.1
_MAX_FORMAT_LOSS = 0.7
_LARGE_RESIZE_FACTOR = 2.0
_SIDEWAYS_DEG = 45
_ORIENTATION_PROPERTIES = frozenset(("rotation", "vertical", BLANKS))


def aspect_loss(old: Shape, new: Shape, aspect: str, changes: Sequence[Change]) -> float:
    """Return the loss of a shape by the changes of one aspect, in [0, 1]."""
    if aspect == "text":
        return max(_rewording_loss(old, new, changes), _shifted_text_loss(changes))
    if aspect == "visibility":
        return 1.0
    if aspect == "geometry":
        moved = _MOVED_LOSS * (1 - box_similarity(old.box, new.box))
        turned = abs(new.box.rotation_deg - old.box.rotation_deg) % 360
        upside_down = _SIDEWAYS_DEG <= turned <= 360 - _SIDEWAYS_DEG
        return max(moved, _MAX_FORMAT_LOSS if upside_down and new.all_text.strip() else 0.0)
    if aspect == "formatting":
        return formatting_loss([change for change in changes if change.aspect == aspect])
    if aspect == "pictures" and old.picture is not None and new.picture is not None:
        same = old.picture.sha256 == new.picture.sha256
        return (
            (_DEFACED_LOSS if _is_defaced(old.picture, new.picture) else _CROPPED_LOSS)
            if same
            else 1.0
        )
    if aspect == "tables" and old.table is not None and new.table is not None:
        cells = min(
            1.0,
            _CELL_WEIGHT
            * (1 - multiset_similarity(_cell_texts(old.table), _cell_texts(new.table))),
        )
        return max(cells, _shifted_text_loss(changes))
    if aspect == "charts" and old.chart is not None and new.chart is not None:
        return _chart_loss(old.chart, new.chart)
    return _SHAPE_ASPECTS.get(aspect, _DEFAULT_LOSS)


def _rewording_loss(old: Shape, new: Shape, changes: Sequence[Change]) -> float:
    """Return the changed share of a text; if only lines are listed, weighted by their length."""
    texts = [(c.value_before, c.value_after) for c in changes if c.aspect == "text"]
    lines = [(a, b) for a, b in texts if isinstance(a, str) and isinstance(b, str) and a]
    words_before = words(old.text)
    if not lines or not words_before or len(lines) < len(texts):
        return 1 - multiset_similarity(words_before, words(new.text))
    lost_words = ((1 - multiset_similarity(words(a), words(b))) * len(words(a)) for a, b in lines)
    return min(1.0, sum(lost_words) / len(words_before))


def _shifted_text_loss(changes: Sequence[Change]) -> float:
    """Return the loss of a text that was moved by empty lines after it, in [0, 1]."""
    return _FORMAT_LOSS if any(change.what.endswith(TRAILING_LINES) for change in changes) else 0.0


def formatting_loss(changes: Sequence[Change]) -> float:
    """Return the loss by changed formatting, which grows with the number of properties."""
    properties = {change.what for change in changes}
    if properties & _ORIENTATION_PROPERTIES or any(map(_is_large_resize, changes)):
        return _MAX_FORMAT_LOSS
    return min(_MAX_FORMAT_LOSS, _FORMAT_LOSS + _FORMAT_LOSS_STEP * (len(properties) - 1))


def _is_large_resize(change: Change) -> bool:
    """Return whether the font size changed at least by the factor `_LARGE_RESIZE_FACTOR`."""
    if change.what.rpartition(" ")[2] != "size":
        return False
    old, new = (list(_flatten_numbers(each)) for each in (change.value_before, change.value_after))
    factors = (max(a, b) / min(a, b) for a, b in zip(old, new, strict=False) if min(a, b) > 0)
    return any(factor >= _LARGE_RESIZE_FACTOR for factor in factors)


def _flatten_numbers(value: object) -> Iterator[float]:
    if isinstance(value, tuple):
        for each in value:
            yield from _flatten_numbers(each)
    elif isinstance(value, int | float):
        yield float(value)


def _is_defaced(old: Picture, new: Picture) -> bool:
    """Return whether a picture with the same file is mostly cropped, faded or altered."""
    crops = old.crop_pct, new.crop_pct
    visible_before, visible_now = (
        max(0.0, 1 - (c[0] + c[2]) / 100) * max(0.0, 1 - (c[1] + c[3]) / 100) for c in crops
    )
    if (
        visible_now < _MIN_REMAINING * visible_before
        or new.opacity_pct < _MIN_REMAINING * old.opacity_pct
    ):
        return True
    return replace(old, crop_pct=new.crop_pct, opacity_pct=new.opacity_pct) != new


def _chart_loss(old: Chart, new: Chart) -> float:
    """Return the loss by changed data, names or formatting of a chart."""
    if _chart_data(old) == _chart_data(new):
        return _CHART_FORMAT_LOSS
    sides = [[(s.name, i, v) for s in c.series for i, v in enumerate(s.values)] for c in (old, new)]
    return _CHART_DATA_LOSS + (1 - _CHART_DATA_LOSS) * (1 - multiset_similarity(*sides))


def _chart_data(chart: Chart) -> tuple[object, ...]:
    return chart.type, tuple((s.name, s.categories, s.values) for s in chart.series)


def _cell_texts(table: Table) -> list[tuple[int, int, str]]:
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
_MAX_DECK_LOSS = 0.4
_SMALL_WEIGHT = 0.25
_DECORATION_WEIGHT = 0.5
_GRAPHIC_WEIGHT = 1.5
_ADDED_SLIDE_LOSS = 0.6
_ADDED_SHAPE_LOSS = 0.1
_ADDED_TEXT_LOSS = 0.2
_ADDED_GRAPHIC_LOSS = 0.3
_COVERED_LOSS = 0.8
_BACKGROUND_PICTURE_LOSS = 0.2
_MIN_READING_SEC = 2.0
_EARLY_ADVANCE_LOSS = 0.25
_MAX_TRANSITION_SEC = 10.0
_SLOW_LOSS = 0.2
_EXIT_EFFECT_LOSS = 0.4
_COVERING_ASPECTS = frozenset(("geometry", "style", "pictures", "tables", "charts"))

_Covers = Sequence[tuple[int | None, int]]
"""Shapes that overlie others: (index before, or None for a new one; index now)."""


def slide_loss(
    match: DeckMatch,
    index: int,
    changes: Sequence[Change],
    render_result: RenderCheckResult | None = None,
    hideable: Collection[int] = (),
) -> float:
    """Return the loss of an original slide by unrequested changes, in [0, 1].

    Shapes in `hideable` lose nothing by becoming invisible.
    """
    if any(change.kind == "slide_removed" for change in changes):
        return 1.0
    before = match.original.slides[index]
    after = match.current.slides[match.to_current[index]]
    retained = retained_shapes(match, index, changes, render_result, hideable)
    weights = [_weight(shape) for shape in before.shapes]
    total = sum(weights)
    lost_weight = sum(weight * (1 - retained[i]) for i, weight in enumerate(weights))
    changed_aspects = {change.aspect for change in changes if _is_on_slide_itself(change)}
    extra = sum(map(slide_aspect_loss, changed_aspects))
    extra += sum(
        added_shape_loss(after, change) for change in changes if change.kind == "shape_added"
    )
    extra += _pace_loss(before, after, changed_aspects) + _EXIT_EFFECT_LOSS * any(
        map(_adds_exit_effect, changes)
    )
    if "background" in changed_aspects and after.background.kind == "picture":
        extra += _BACKGROUND_PICTURE_LOSS
    return min(1.0, (lost_weight / total if total else 0.0) + extra)


def slide_aspect_loss(aspect: str) -> float:
    """Return the share of a slide that a change of one of its own aspects takes."""
    return _SLIDE_ASPECTS.get(aspect, _DEFAULT_LOSS)


def added_shape_loss(after: Slide, change: Change) -> float:
    """Return the loss by an added shape itself, without what it covers."""
    new = None if change.shape_index_now is None else after.shapes[change.shape_index_now]
    graphic = new and (new.picture or new.table or new.chart or new.smart_art or new.embedded)
    if graphic:
        return _ADDED_GRAPHIC_LOSS
    return _ADDED_TEXT_LOSS if new and new.text.strip() else _ADDED_SHAPE_LOSS


def _pace_loss(before: Slide, after: Slide, changed_aspects: Collection[str]) -> float:
    """Return the loss by automatic advance before a slide can be read, or by a slow transition."""
    if "transition" not in changed_aspects:
        return 0.0
    old, new = before.transition, after.transition
    return _EARLY_ADVANCE_LOSS * advances_too_soon(old, new) + _SLOW_LOSS * has_slow_transition(
        old, new
    )


def advances_too_soon(old: Transition, new: Transition) -> bool:
    """Return whether a slide now advances before it can be read."""
    sec_before, sec_now = old.advance_after_sec, new.advance_after_sec
    return (
        sec_now is not None
        and sec_now < _MIN_READING_SEC
        and (sec_before is None or sec_before >= _MIN_READING_SEC)
    )


def has_slow_transition(old: Transition, new: Transition) -> bool:
    """Return whether a slide's transition now takes so long that viewers wait for it."""
    return (new.duration_sec or 0.0) >= _MAX_TRANSITION_SEC > (old.duration_sec or 0.0)


def _adds_exit_effect(change: Change) -> bool:
    effect = change.value_after
    return isinstance(effect, Animation) and effect.kind == "exit" and change.value_before is None


def out_of_sight_loss(match: DeckMatch, index: int, free: Collection[int]) -> float:
    """Return the loss of a slide by protected shapes that went out of sight."""
    shapes, pairs = match.original.slides[index].shapes, match.shapes(index).to_current
    weights = [_weight(shape) for shape in shapes]
    lost_weight = sum(
        weights[i] * _out_of_sight(match, (index, i), (match.to_current[index], pairs[i]))
        for i in range(len(shapes))
        if weights[i] and i not in free and i in pairs
    )
    return lost_weight / sum(weights) if lost_weight else 0.0


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
    if before.share(*old) >= MIN_SHARE > after.share(*new):
        return 1.0
    return max(
        0.0,
        _unreadable_share(match.current, after, new)
        - _unreadable_share(match.original, before, old),
    )


def added_slide_loss(changes: Iterable[Change]) -> float:
    """Return the number of slides that unrequested new slides and changes on them are worth."""
    new = [change for change in changes if change.slide is None and change.slide_now is not None]
    slides = sum(change.kind == "slide_added" for change in new)
    return _ADDED_SLIDE_LOSS * slides + _ADDED_SHAPE_LOSS * (len(new) - slides)


def deck_loss(changes: Iterable[Change]) -> float:
    """Return the share of the deck lost by deck-level changes; added layouts are free."""
    deck_changes = [change for change in changes if change.slide is change.slide_now is None]
    kinds = {
        (change.kind, change.aspect) for change in deck_changes if change.kind != "layout_added"
    }
    loss = sum(_DECK_ASPECTS.get(aspect, _DEFAULT_LOSS) for _, aspect in kinds)
    return min(_MAX_DECK_LOSS, loss + sum(map(_slide_resize_loss, deck_changes)))


def _slide_resize_loss(change: Change) -> float:
    """Return the loss by a new slide size, which shrinks or cuts off all content."""
    before, now = change.value_before, change.value_after
    if change.kind == "slide_size_changed" and isinstance(before, tuple) and isinstance(now, tuple):
        shares = (float(old) / max(1.0, float(new)) for old, new in zip(before, now, strict=True))
        return _MAX_DECK_LOSS * (1 - min(1.0, *shares))
    return 0.0


def _is_on_slide_itself(change: Change) -> bool:
    return change.shape_index is None and change.kind not in ("shape_added", "shape_removed")


def retained_shapes(
    match: DeckMatch,
    index: int,
    changes: Sequence[Change],
    render_result: RenderCheckResult | None = None,
    hideable: Collection[int] = (),
) -> list[float]:
    """Return how much of each shape of an original slide is retained, in [0, 1]."""
    before = match.original.slides[index]
    after = match.current.slides[match.to_current[index]]
    removed = {each.shape_index for each in changes if each.kind == "shape_removed"}
    pairs = match.shapes(index)
    covering = _covering_shapes(before, pairs, changes)
    retained = []
    for shape in before.shapes:
        now = pairs.to_current.get(shape.index)
        if shape.index in removed or (now is None and _has_ancestor_in(shape, before, removed)):
            retained.append(0.0)
            continue
        share = 1.0
        if now is not None and shape.index not in hideable:
            shape_key = index, shape.index
            out_of_sight = _out_of_sight(match, shape_key, (after.index, now))
            share -= max(
                out_of_sight,
                0.0 if render_result is None else render_result.lost_shares.get(shape_key, 0.0),
            )
            share *= 1 - _COVERED_LOSS * _newly_covered_share(
                match, covering, shape, (after.index, now)
            )
        if now is not None:
            shape_changes = [change for change in changes if change.shape_index == shape.index]
            for aspect in sorted({change.aspect for change in shape_changes}):
                share *= 1 - aspect_loss(shape, after.shapes[now], aspect, shape_changes)
        retained.append(share)
    return retained


def _covering_shapes(before: Slide, pairs: ShapeMatch, changes: Iterable[Change]) -> _Covers:
    """Return the shapes that changes put over others: new, moved and repainted ones."""
    covering: set[tuple[int | None, int]] = set()
    for change in changes:
        if change.kind == "shape_added" and change.shape_index_now is not None:
            covering.add((None, change.shape_index_now))
        old = change.shape_index
        may_cover = change.aspect in _COVERING_ASPECTS or change.kind == "z_order_changed"
        if may_cover and old in pairs.to_current and before.shapes[old].kind != "group":
            covering.add((old, pairs.to_current[old]))
    return sorted(covering, key=lambda pair: pair[1])


def _out_of_sight(match: DeckMatch, old: tuple[int, int], new: tuple[int, int]) -> float:
    """Return the share of a shape that became hidden, covered, illegible or left the slide."""
    before, now = visibility_of(match.original), visibility_of(match.current)
    share_before, share_now = before.share(*old), now.share(*new)
    if share_before >= MIN_SHARE > share_now:
        return 1.0
    unread = _unreadable_share(match.current, now, new) - _unreadable_share(
        match.original, before, old
    )
    return max(0.0, unread, share_before - share_now)


def _newly_covered_share(
    match: DeckMatch, covering: _Covers, shape: Shape, new: tuple[int, int]
) -> float:
    """Return the share of a shape that lies under shapes that did not cover it before."""
    others = [(old, now) for old, now in covering if now != new[1]]
    if not others:
        return 0.0
    now = visibility_of(match.current).covered_share(*new, [now for _, now in others])
    slide = match.to_original[new[0]]
    original_indexes = [old for old, _ in others if old is not None]
    before = (
        visibility_of(match.original).covered_share(slide, shape.index, original_indexes)
        if original_indexes
        else 0.0
    )
    return max(0.0, now - before)


def _unreadable_share(deck: Deck, visibility: Visibility, shape_key: tuple[int, int]) -> float:
    """Return the share of a shape's words that are invisible."""
    if not visibility.why_hidden(*shape_key):
        return 0.0
    shape_words = words(deck.slides[shape_key[0]].shapes[shape_key[1]].all_text)
    return (
        1 - len(words(visibility.shape(*shape_key).all_text)) / len(shape_words)
        if shape_words
        else 0.0
    )


def has_content(shape: Shape) -> bool:
    """Return whether a shape shows text or a graphic, beyond its own outline."""
    return _is_graphic(shape) or bool(shape.all_text.strip() or shape.fingerprint)


def _weight(shape: Shape) -> float:
    if shape.kind == "group" or shape.shows_nothing:
        return 0.0
    if shape.placeholder in SMALL_PLACEHOLDERS:
        return _SMALL_WEIGHT
    bare = not has_content(shape)
    return _GRAPHIC_WEIGHT if _is_graphic(shape) else _DECORATION_WEIGHT if bare else 1.0


def _is_graphic(shape: Shape) -> bool:
    return shape.picture is not None or shape.table is not None or shape.chart is not None


def _has_ancestor_in(shape: Shape, slide: Slide, removed: Collection[int | None]) -> bool:
    while shape.group is not None:
        if shape.group in removed:
            return True
        shape = slide.shapes[shape.group]
    return False
