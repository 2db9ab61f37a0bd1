"""Faults of new and changed shapes, also of layouts and masters, toward their neighbors."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pptarena.decks import Deck, Master, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.consequences import flatten_changes
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.faults import SMALL_PLACEHOLDERS, Fault, shape_faults
from pptarena.decks.visibility.overlap import (
    hidden_share,
    overlapping_text_share,
    text_share_within,
)
from pptarena.decks.visibility.visibility import MIN_SHARE, SlideVisibility

__all__ = [
    "EditedShape",
    "backdrop_shapes",
    "edited_shapes",
    "neighbor_faults",
    "shared_shape_faults",
]


# Aspects whose changes do not affect a shape's appearance.
_INVISIBLE_ASPECTS = frozenset(
    (
        *("alt_text", "hyperlinks", "notes", "comments", "animation", "transition", "order"),
        *("sections", "properties", "slides", "other", "layout", "visibility"),
    )
)
_INVISIBLE_PROPERTIES = ("name", "decorative")


@dataclass(frozen=True, slots=True)
class EditedShape:
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


def edited_shapes(
    match: DeckMatch, changes: Iterable[Change], outside: Iterable[Change]
) -> Iterator[EditedShape]:
    """Yield the shapes that allowed changes added or changed, including those of new slides.

    Args:
        match: The matching of slides and shapes.
        changes: All changes between the decks.
        outside: Changes outside the task's scope, which have a price of their own.
    """
    out_of_scope_keys = {_change_key(change) for change in flatten_changes(tuple(outside))}
    locations: dict[tuple[int, int], None] = {}
    for change in changes:
        if _change_key(change) in out_of_scope_keys:
            continue
        if change.kind == "slide_added" and change.slide_now is not None:
            slide = match.current.slides[change.slide_now - 1]
            locations |= {(slide.index, shape.index): None for shape in slide.shapes}
            continue
        slide_now, shape_now = change.slide_now, change.shape_index_now
        if slide_now is not None and shape_now is not None and _is_visible_change(change):
            locations[slide_now - 1, shape_now] = None
    for index, shape in locations:
        yield _edited_shape(match, index, shape)


def backdrop_shapes(deck: Deck, slide: Slide) -> tuple[Shape, ...]:
    """Return the shapes a slide inherits from its master and layout, from bottom to top."""
    layout, master = deck.layout_of(slide), deck.master_of(slide)
    if not slide.show_master_shapes or layout is None:
        return ()
    inherited = () if master is None or not layout.show_master_shapes else master.shapes
    return tuple(s for s in (*inherited, *layout.shapes) if not s.placeholder and not s.hidden)


def _edited_shape(match: DeckMatch, index: int, shape: int) -> EditedShape:
    slide = match.current.slides[index]
    original_index = match.to_original.get(index)
    if original_index is None:
        return EditedShape(slide, slide.shapes[shape], None, None)
    before = match.original.slides[original_index]
    at = match.shapes(original_index).to_original.get(shape)
    old = None if at is None else before.shapes[at]
    return EditedShape(slide, slide.shapes[shape], before, old)


def _is_visible_change(change: Change) -> bool:
    if change.aspect == "shapes" and change.what in _INVISIBLE_PROPERTIES:
        return False
    return change.aspect not in _INVISIBLE_ASPECTS


def _change_key(change: Change) -> tuple[object, ...]:
    positions = change.slide, change.slide_now, change.shape_index, change.shape_index_now
    return (change.kind, change.what, *positions)


_MIN_TEXT_OVERLAP = 0.2
_MIN_HIDDEN_SHARE = 0.25
_MAX_OVERLAP_LOSS = 0.65
_OVERLAP_STEEPNESS = 2.0
_FOOTER_FACTOR = 0.5
_MOVED_ONTO_LOSS = 0.55


def neighbor_faults(
    match: DeckMatch, edited_shape: EditedShape, removed_shapes: Collection[tuple[int, int]] = ()
) -> Iterator[Fault]:
    """Yield a fault if a shape and its neighbors newly cover each other.

    Args:
        match: The matching of slides and shapes.
        edited_shape: The shape.
        removed_shapes: (slide, shape) indexes in the original of shapes that the task removes. If
            one of them still lies behind the new shape, the rubric charges for it.
    """
    shape = edited_shape.shape
    if shape.hidden or shape.kind == "group":
        return
    worst, other, severe_count = 0.0, None, 0
    for each in edited_shape.slide.shapes:
        if each.index == shape.index or each.hidden or each.kind == "group":
            continue
        if (
            removed_shapes
            and each.index < shape.index
            and _original_key(match, edited_shape, each) in removed_shapes
        ):
            continue
        loss = overlap_loss(*((shape, each) if shape.index < each.index else (each, shape)))
        if loss < _MOVED_ONTO_LOSS and each.fill.kind != "none" and each.text.strip():
            loss = max(loss, _MOVED_ONTO_LOSS * _moved_onto(edited_shape, each))
        if loss > worst or loss >= _MAX_OVERLAP_LOSS:
            loss -= _overlap_before(match, edited_shape, each)
        severe_count += loss >= _MAX_OVERLAP_LOSS
        if loss > worst:
            worst, other = loss, each
    for each in backdrop_shapes(match.current, edited_shape.slide):
        if edited_shape.before is None or edited_shape.before.box != shape.box:
            loss = overlapping_text_share(shape, each)
            loss = (
                _MAX_OVERLAP_LOSS * min(1.0, _OVERLAP_STEEPNESS * loss)
                if loss >= _MIN_TEXT_OVERLAP
                else 0.0
            )
            if loss > worst and not _had_text_on_it(match, edited_shape, each):
                worst, other = loss, each
    if other is not None:
        worst = max(worst, 1 - (1 - _MAX_OVERLAP_LOSS) ** severe_count if severe_count > 1 else 0.0)
        yield Fault("overlap", worst, f"it and {other.label} overlap")


def _original_key(
    match: DeckMatch, edited_shape: EditedShape, other: Shape
) -> tuple[int, int] | None:
    if edited_shape.slide_before is None:
        return None
    index = edited_shape.slide_before.index
    at = match.shapes(index).to_original.get(other.index)
    return None if at is None else (index, at)


def _moved_onto(edited_shape: EditedShape, other: Shape) -> float:
    """Return the share of a moved shape's text that now lies in another text's box."""
    if (
        edited_shape.before is None
        or same_box(edited_shape.before.box, edited_shape.shape.box)
        or edited_shape.shape.table
    ):
        return 0.0
    if edited_shape.shape.index < other.index:
        return 0.0
    now, before = (
        text_share_within(shape, other.box) for shape in (edited_shape.shape, edited_shape.before)
    )
    return now if before == 0 else 0.0


def overlap_loss(lower: Shape, upper: Shape) -> float:
    """Return the loss by two shapes covering each other, in [0, 1].

    Args:
        lower: The shape below.
        upper: The shape on top.
    """
    text_overlap = overlapping_text_share(lower, upper)
    hidden = hidden_share(lower, upper)
    if upper.picture is not None and upper.picture.media_kind == "audio":
        # The transparency of an audio icon is unknown, so text beneath it counts as unreadable.
        hidden = max(hidden, text_share_within(lower, upper.box))
    loss = 0.0
    if text_overlap >= _MIN_TEXT_OVERLAP:
        loss = _MAX_OVERLAP_LOSS * min(1.0, _OVERLAP_STEEPNESS * text_overlap)
    if hidden >= _MIN_HIDDEN_SHARE:
        loss = max(loss, _MAX_OVERLAP_LOSS * min(1.0, _OVERLAP_STEEPNESS * hidden))
    small = {lower.placeholder, upper.placeholder} & SMALL_PLACEHOLDERS
    return loss * _FOOTER_FACTOR if small else loss


def _overlap_before(match: DeckMatch, edited_shape: EditedShape, other: Shape) -> float:
    """Return the loss by the same two shapes in the original."""
    if edited_shape.before is None or edited_shape.slide_before is None:
        return 0.0
    at = match.shapes(edited_shape.slide_before.index).to_original.get(other.index)
    if at is None:
        return 0.0
    pair = sorted(
        (edited_shape.before, edited_shape.slide_before.shapes[at]), key=lambda each: each.index
    )
    return overlap_loss(*pair)


def _had_text_on_it(match: DeckMatch, edited_shape: EditedShape, other: Shape) -> bool:
    """Return whether another original slide has text on the same layout shape."""
    for slide in match.original.slides:
        if slide.layout == edited_shape.slide.layout and _has_text_on(slide, other):
            return True
    return False


def _has_text_on(slide: Slide, other: Shape) -> bool:
    return any(overlapping_text_share(each, other) >= _MIN_TEXT_OVERLAP for each in slide.shapes)


_MAX_SLIDES = 8
_MIN_LOSS = 0.03


def shared_shape_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[list[Fault]]:
    """Yield the new faults of each layout or master shape.

    For a shape shown on several slides, the mean loss counts.
    """
    occurrences: dict[int, list[tuple[int, Shape, Shape | None]]] = {}
    for index in range(len(match.current.slides)):
        for shape, before in _new_backdrop_shapes(match, index):
            occurrences.setdefault(id(shape), []).append((index, shape, before))
    for shape_occurrences in occurrences.values():
        sampled = shape_occurrences[:: -(-len(shape_occurrences) // _MAX_SLIDES)]
        shape = sampled[0][1]
        target_losses = [_target_losses(target, shape) for target in targets]
        losses: dict[str, float] = {}
        reasons: dict[str, str] = {}
        for index, _, before in sampled:
            original_losses = _faults_before(match, index, before)
            for fault in _faults_on(match.current, match.current.slides[index], shape):
                new_loss = max(0.0, fault.loss - original_losses.get(fault.kind, 0.0)) / len(
                    sampled
                )
                losses[fault.kind] = losses.get(fault.kind, 0.0) + new_loss
                reasons.setdefault(fault.kind, fault.reason)
        yield [
            Fault(kind, remaining, f"{shape.label} of the layout: {reasons[kind]}")
            for kind, loss in losses.items()
            if (remaining := loss - max((e.get(kind, 0.0) for e in target_losses), default=0.0))
            > _MIN_LOSS
        ]


def _new_backdrop_shapes(match: DeckMatch, index: int) -> Iterator[tuple[Shape, Shape | None]]:
    """Yield the shapes that a slide newly inherits, each with the shape it replaced or None."""
    slide = match.current.slides[index]
    original_index = match.to_original.get(index)
    if original_index is None:
        original_shapes = [
            s for m in match.original.masters for each in m.layouts for s in each.shapes
        ]
        original_shapes += [s for m in match.original.masters for s in m.shapes]
    else:
        original_shapes = list(
            backdrop_shapes(match.original, match.original.slides[original_index])
        )
    for shape in backdrop_shapes(match.current, slide):
        if shape.kind != "group" and not any(
            _is_equal_shape(shape, each) for each in original_shapes
        ):
            yield (
                shape,
                next(
                    (each for each in original_shapes if _is_same_kind_and_place(shape, each)), None
                ),
            )


def _is_equal_shape(first: Shape, second: Shape) -> bool:
    if first is second:
        return True
    same_style = first.fill == second.fill and first.line == second.line
    same_content = first.paragraphs == second.paragraphs and first.picture == second.picture
    return same_style and same_content and _is_same_kind_and_place(first, second)


def _is_same_kind_and_place(first: Shape, second: Shape) -> bool:
    return first.kind == second.kind and same_box(first.box, second.box)


def _faults_before(match: DeckMatch, index: int, before: Shape | None) -> dict[str, float]:
    original_index = match.to_original.get(index)
    if before is None or original_index is None:
        return {}
    faults = _faults_on(match.original, match.original.slides[original_index], before)
    return {fault.kind: fault.loss for fault in faults}


def _faults_on(source_deck: Deck, source_slide: Slide, backdrop_shape: Shape) -> Iterator[Fault]:
    """Yield the faults of a layout or master shape on one slide that shows it."""
    slide, shape = _with_shape(source_slide, backdrop_shape)
    masters = tuple(_without_shape(master, backdrop_shape) for master in source_deck.masters)
    deck = replace(source_deck, slides=(slide,), masters=masters)
    visibility = SlideVisibility(deck, slide)
    reason = visibility.reasons.get(shape.index, "")
    if reason:
        yield Fault("unseen", 0.95, f"its text is not visible: {reason}")
        return
    if shape.text.strip() and visibility.box_share(shape.index) < MIN_SHARE:
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


def _without_shape(master: Master, shape: Shape) -> Master:
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
    backdrop_shape = replace(shape, index=0, group=None, connects=(None, None))
    others = (
        replace(
            each,
            index=each.index + 1,
            group=None if each.group is None else each.group + 1,
            connects=(None, None),
        )
        for each in slide.shapes
    )
    return replace(slide, index=0, shapes=(backdrop_shape, *others), animations=()), backdrop_shape


def _target_losses(target: Deck, shape: Shape) -> dict[str, float]:
    """Return the mean loss, by fault, of the same shape in a target deck."""
    losses: dict[str, float] = {}
    slide_count = 0
    for slide in target.slides:
        twins = [
            each
            for each in backdrop_shapes(target, slide)
            if each.kind == shape.kind and each.text.strip() == shape.text.strip()
        ]
        if not twins or slide_count >= _MAX_SLIDES:
            continue
        slide_count += 1
        for fault in _faults_on(target, slide, twins[0]):
            losses[fault.kind] = losses.get(fault.kind, 0.0) + fault.loss
    return {kind: loss / slide_count for kind, loss in losses.items()}
