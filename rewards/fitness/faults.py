"""Faults of new and changed shapes, also of layouts and masters, toward their neighbors."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pptarena.decks import Deck, Master, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.consequences import every_change
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.fitness import SMALL_PLACEHOLDERS, Fault, shape_faults
from pptarena.decks.visibility.overlap import words_hidden, words_on_words, words_within
from pptarena.decks.visibility.visibility import LEAST_SHARE, SlideVisibility

__all__ = [
    "WorkedShape",
    "backdrop_shapes",
    "neighbor_faults",
    "shared_shape_faults",
    "worked_shapes",
]


# Aspects whose changes do not affect a shape's appearance.
_UNSEEN_ASPECTS = frozenset(
    (
        *("alt_text", "hyperlinks", "notes", "comments", "animation", "transition", "order"),
        *("sections", "properties", "slides", "other", "layout", "visibility"),
    )
)
_ONLY_NAMED = ("name", "decorative")


@dataclass(frozen=True, slots=True)
class WorkedShape:
    """A shape that is new or whose appearance changed.

    Attributes:
        slide: The current slide.
        shape: The current shape.
        slide_before: The original slide; None for a new slide.
        before: The original shape; None for a new shape.
    """

    slide: Slide
    shape: Shape
    slide_before: Slide | None
    before: Shape | None


def worked_shapes(
    match: DeckMatch, changes: Iterable[Change], outside: Iterable[Change]
) -> Iterator[WorkedShape]:
    """Yield the shapes that allowed changes added or changed, including those of new slides.

    Args:
        match: The matching of slides and shapes.
        changes: All changes between the decks.
        outside: Changes outside the task's scope, which have a price of their own.
    """
    refused = {_key(change) for change in every_change(tuple(outside))}
    places: dict[tuple[int, int], None] = {}
    for change in changes:
        if _key(change) in refused:
            continue
        if change.kind == "slide_added" and change.slide_now is not None:
            slide = match.current.slides[change.slide_now - 1]
            places |= {(slide.index, shape.index): None for shape in slide.shapes}
            continue
        slide_now, shape_now = change.slide_now, change.shape_index_now
        if slide_now is not None and shape_now is not None and _is_seen(change):
            places[slide_now - 1, shape_now] = None
    for index, shape in places:
        yield _worked(match, index, shape)


def backdrop_shapes(deck: Deck, slide: Slide) -> tuple[Shape, ...]:
    """Return the shapes a slide inherits from its master and layout, from bottom to top."""
    layout, master = deck.layout_of(slide), deck.master_of(slide)
    if not slide.show_master_shapes or layout is None:
        return ()
    inherited = () if master is None or not layout.show_master_shapes else master.shapes
    return tuple(s for s in (*inherited, *layout.shapes) if not s.placeholder and not s.hidden)


def _worked(match: DeckMatch, index: int, shape: int) -> WorkedShape:
    slide = match.current.slides[index]
    was = match.to_original.get(index)
    if was is None:
        return WorkedShape(slide, slide.shapes[shape], None, None)
    before = match.original.slides[was]
    at = match.shapes(was).to_original.get(shape)
    old = None if at is None else before.shapes[at]
    return WorkedShape(slide, slide.shapes[shape], before, old)


def _is_seen(change: Change) -> bool:
    if change.aspect == "shapes" and change.what in _ONLY_NAMED:
        return False
    return change.aspect not in _UNSEEN_ASPECTS


def _key(change: Change) -> tuple[object, ...]:
    places = change.slide, change.slide_now, change.shape_index, change.shape_index_now
    return (change.kind, change.what, *places)


_LEAST_ON_WORDS = 0.2
_LEAST_HIDDEN = 0.25
_MOST = 0.65
_STEEP = 2.0
_OF_SMALL = 0.5
_MOVED_ONTO = 0.55


def neighbor_faults(
    match: DeckMatch, work: WorkedShape, going: Collection[tuple[int, int]] = ()
) -> Iterator[Fault]:
    """Yield a fault if a shape and its neighbors newly cover each other.

    Args:
        match: The matching of slides and shapes.
        work: The shape.
        going: (slide, shape) indexes in the original of shapes that the task removes. If such a
            shape still lies behind the new one, the rubric charges for it.
    """
    shape = work.shape
    if shape.hidden or shape.kind == "group":
        return
    worst, other, covered = 0.0, None, 0
    for each in work.slide.shapes:
        if each.index == shape.index or each.hidden or each.kind == "group":
            continue
        if going and each.index < shape.index and _place_before(match, work, each) in going:
            continue
        loss = overlap_loss(*((shape, each) if shape.index < each.index else (each, shape)))
        if loss < _MOVED_ONTO and each.fill.kind != "none" and each.text.strip():
            loss = max(loss, _MOVED_ONTO * _moved_onto(work, each))
        if loss > worst or loss >= _MOST:
            loss -= _before(match, work, each)
        covered += loss >= _MOST
        if loss > worst:
            worst, other = loss, each
    for each in backdrop_shapes(match.current, work.slide):
        if work.before is None or work.before.box != shape.box:
            loss = words_on_words(shape, each)
            loss = _MOST * min(1.0, _STEEP * loss) if loss >= _LEAST_ON_WORDS else 0.0
            if loss > worst and not _was_behind(match, work, each):
                worst, other = loss, each
    if other is not None:
        worst = max(worst, 1 - (1 - _MOST) ** covered if covered > 1 else 0.0)
        yield Fault("overlap", worst, f"it and {other.label} overlap")


def _place_before(match: DeckMatch, work: WorkedShape, other: Shape) -> tuple[int, int] | None:
    if work.slide_before is None:
        return None
    index = work.slide_before.index
    at = match.shapes(index).to_original.get(other.index)
    return None if at is None else (index, at)


def _moved_onto(work: WorkedShape, other: Shape) -> float:
    """Return the share of a moved shape's text that now lies in another text's box."""
    if work.before is None or same_box(work.before.box, work.shape.box) or work.shape.table:
        return 0.0
    if work.shape.index < other.index:
        return 0.0
    now, before = (words_within(shape, other.box) for shape in (work.shape, work.before))
    return now if before == 0 else 0.0


def overlap_loss(lower: Shape, upper: Shape) -> float:
    """Return the loss by two shapes covering each other, in [0, 1].

    Args:
        lower: The shape below.
        upper: The shape on top.
    """
    on_words = words_on_words(lower, upper)
    hidden = words_hidden(lower, upper)
    if upper.picture is not None and upper.picture.media_kind == "audio":
        # The transparency of an audio icon is unknown, so text beneath it counts as unreadable.
        hidden = max(hidden, words_within(lower, upper.box))
    loss = 0.0
    if on_words >= _LEAST_ON_WORDS:
        loss = _MOST * min(1.0, _STEEP * on_words)
    if hidden >= _LEAST_HIDDEN:
        loss = max(loss, _MOST * min(1.0, _STEEP * hidden))
    small = {lower.placeholder, upper.placeholder} & SMALL_PLACEHOLDERS
    return loss * _OF_SMALL if small else loss


def _before(match: DeckMatch, work: WorkedShape, other: Shape) -> float:
    """Return the loss by the same two shapes in the original."""
    if work.before is None or work.slide_before is None:
        return 0.0
    at = match.shapes(work.slide_before.index).to_original.get(other.index)
    if at is None:
        return 0.0
    pair = sorted((work.before, work.slide_before.shapes[at]), key=lambda each: each.index)
    return overlap_loss(*pair)


def _was_behind(match: DeckMatch, work: WorkedShape, other: Shape) -> bool:
    """Return whether another original slide has text on the same layout shape."""
    for slide in match.original.slides:
        if slide.layout == work.slide.layout and _has_words_on(slide, other):
            return True
    return False


def _has_words_on(slide: Slide, other: Shape) -> bool:
    return any(words_on_words(each, other) >= _LEAST_ON_WORDS for each in slide.shapes)


_MOST_SLIDES = 8
_LEAST = 0.03


def shared_shape_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[list[Fault]]:
    """Yield the new faults of each layout or master shape.

    For a shape shown on several slides, the mean loss counts.
    """
    shown: dict[int, list[tuple[int, Shape, Shape | None]]] = {}
    for index in range(len(match.current.slides)):
        for shape, before in _new_behind(match, index):
            shown.setdefault(id(shape), []).append((index, shape, before))
    for places in shown.values():
        looked = places[:: -(-len(places) // _MOST_SLIDES)]
        shape = looked[0][1]
        excused = [_excuse(target, shape) for target in targets]
        losses: dict[str, float] = {}
        reasons: dict[str, str] = {}
        for index, _, before in looked:
            known = _faults_before(match, index, before)
            for fault in _faults_on(match.current, match.current.slides[index], shape):
                lost = max(0.0, fault.loss - known.get(fault.kind, 0.0)) / len(looked)
                losses[fault.kind] = losses.get(fault.kind, 0.0) + lost
                reasons.setdefault(fault.kind, fault.reason)
        yield [
            Fault(kind, left, f"{shape.label} of the layout: {reasons[kind]}")
            for kind, loss in losses.items()
            if (left := loss - max((e.get(kind, 0.0) for e in excused), default=0.0)) > _LEAST
        ]


def _new_behind(match: DeckMatch, index: int) -> Iterator[tuple[Shape, Shape | None]]:
    """Yield the shapes that a slide newly inherits, each with the shape it replaced or None."""
    slide = match.current.slides[index]
    was = match.to_original.get(index)
    if was is None:
        known = [s for m in match.original.masters for each in m.layouts for s in each.shapes]
        known += [s for m in match.original.masters for s in m.shapes]
    else:
        known = list(backdrop_shapes(match.original, match.original.slides[was]))
    for shape in backdrop_shapes(match.current, slide):
        if shape.kind != "group" and not any(_is_same(shape, each) for each in known):
            yield shape, next((each for each in known if _is_in_place(shape, each)), None)


def _is_same(first: Shape, second: Shape) -> bool:
    if first is second:
        return True
    same_looks = first.fill == second.fill and first.line == second.line
    same_words = first.paragraphs == second.paragraphs and first.picture == second.picture
    return same_looks and same_words and _is_in_place(first, second)


def _is_in_place(first: Shape, second: Shape) -> bool:
    return first.kind == second.kind and same_box(first.box, second.box)


def _faults_before(match: DeckMatch, index: int, before: Shape | None) -> dict[str, float]:
    was = match.to_original.get(index)
    if before is None or was is None:
        return {}
    found = _faults_on(match.original, match.original.slides[was], before)
    return {fault.kind: fault.loss for fault in found}


def _faults_on(of: Deck, on: Slide, behind: Shape) -> Iterator[Fault]:
    """Yield the faults of a layout or master shape on one slide that shows it."""
    slide, shape = _with_shape(on, behind)
    masters = tuple(_without(master, behind) for master in of.masters)
    deck = replace(of, slides=(slide,), masters=masters)
    visibility = SlideVisibility(deck, slide)
    reason = visibility.reasons.get(shape.index, "")
    if reason:
        yield Fault("unseen", 0.95, f"its text is not visible: {reason}")
        return
    if shape.text.strip() and visibility.place_share(shape.index) < LEAST_SHARE:
        yield Fault("unseen", 0.95, "it is off the slide or covered")
        return
    yield from shape_faults(deck, slide, shape)
    worst, other = 0.0, None
    for each in slide.shapes[1:]:
        if each.hidden or each.kind == "group" or (each.placeholder and not each.all_text.strip()):
            continue
        loss = overlap_loss(shape, each)
        if loss > worst:
            worst, other = loss, each
    if other is not None:
        yield Fault("overlap", worst, f"it and {other.label} overlap")


def _without(master: Master, shape: Shape) -> Master:
    layouts = tuple(
        replace(each, shapes=tuple(s for s in each.shapes if s is not shape))
        if any(s is shape for s in each.shapes)
        else each
        for each in master.layouts
    )
    shapes = tuple(s for s in master.shapes if s is not shape)
    return replace(master, layouts=layouts, shapes=shapes)


def _with_shape(slide: Slide, shape: Shape) -> tuple[Slide, Shape]:
    """Return the slide with a layout shape added at the bottom, at index 0."""
    own = replace(shape, index=0, group=None, connects=(None, None))
    others = (
        replace(
            each,
            index=each.index + 1,
            group=None if each.group is None else each.group + 1,
            connects=(None, None),
        )
        for each in slide.shapes
    )
    return replace(slide, index=0, shapes=(own, *others), animations=()), own


def _excuse(target: Deck, shape: Shape) -> dict[str, float]:
    """Return the mean loss, by fault, of the same shape in a target deck."""
    found: dict[str, float] = {}
    looked = 0
    for slide in target.slides:
        twins = [
            each
            for each in backdrop_shapes(target, slide)
            if each.kind == shape.kind and each.text.strip() == shape.text.strip()
        ]
        if not twins or looked >= _MOST_SLIDES:
            continue
        looked += 1
        for fault in _faults_on(target, slide, twins[0]):
            found[fault.kind] = found.get(fault.kind, 0.0) + fault.loss
    return {kind: loss / looked for kind, loss in found.items()}
