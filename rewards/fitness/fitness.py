"""Fitness: whether the edited parts of a deck are presentable.

Checks ask whether the requested result exists. Here all new and changed shapes are inspected for
faults such as upside-down text, tiny or pale text, lines in the color of the background, and boxes
that cover text or leave the slide (see `pptarena.decks.visibility.faults`). A fault that the
original or a target deck shares is excused.

Each shape loses a share in [0, 1]. The deck loses 0.6 of its worst shape's loss plus 0.4 of the
mean loss, and the task's score is multiplied by the rest.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pptarena.decks import Deck, Paint, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.masters import match_masters
from pptarena.decks.diff.shapes import shape_differences
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.slide_variants import TextRange
from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.decks.visibility.faults import (
    SMALL_PLACEHOLDERS,
    Fault,
    is_symbol_font,
    shape_faults,
    text_size_pt,
)
from pptarena.decks.visibility.layers import paint_colors
from pptarena.decks.visibility.visibility import MIN_SHARE, visibility_of
from pptarena.rewards.checking.result import join_first
from pptarena.rewards.fitness.faults import (
    EditedShape,
    edited_shapes,
    neighbor_faults,
    shared_shape_faults,
)
from pptarena.rewards.gold.plan import plan_of
from pptarena.rewards.render_check.result import RenderCheckResult

__all__ = ["NO_FAULTS", "Fitness", "measure_fitness"]

_WORST_WEIGHT = 0.6
_MIN_LOSS = 0.03
_MAX_SHAPES = 60
_MIN_USUAL_CHARS = 20
_PICTURE_CHANGE = "pictures", "picture"

_COLOR_DISTANCE = 70.0
_MIN_NEW_COLORS = 4
_MIN_VIVID_RANGE = 90
_GAUDY_LOSS = 0.55

_BACKGROUND_DISTANCE = 100.0
_BACKGROUND_LOSS = 0.6

_SHRUNK_FACTOR = 0.55
_LARGE_ENOUGH_PT = 16.0
_MIN_CROP_SHARE = 0.4
_TITLES = ("title", "ctrTitle")

RENDER_FAULTS: Final = frozenset(("not rendered", "illegible"))
"""Types of faults yielded by this module."""

_NOT_RENDERED_LOSS = 0.9
_ILLEGIBLE_LOSS = 0.7

_GOOD_CONTRAST = 4.5
_MIN_CONTRAST = 3.0
_TEXT_AND_BACKGROUND = (("tx1", "bg1"), ("dk1", "lt1"))


@dataclass(frozen=True, slots=True)
class Fitness:
    """How presentable the edited parts of a deck are.

    Attributes:
        share: Factor for the score, in [0, 1].
        reason: Explanation in plain text; empty without faults.
    """

    share: float
    reason: str = ""


NO_FAULTS = Fitness(1.0)


def measure_fitness(
    match: DeckMatch,
    changes: Sequence[Change],
    outside: Sequence[Change],
    targets: Sequence[Deck] = (),
    render_result: RenderCheckResult | None = None,
) -> Fitness:
    """Return how presentable the new and changed parts of a deck are.

    Args:
        match: The original and the current deck.
        changes: All changes between them.
        outside: Changes that the scope does not allow; shapes with no other changes are ignored.
        targets: Target decks; the one that excuses most counts.
        render_result: Result of the render check; None if slides were not rendered.
    """
    if match.original is match.current or not changes:
        return NO_FAULTS
    shapes = list(edited_shapes(match, changes, outside))[:_MAX_SHAPES]
    faults_by_shape: list[tuple[EditedShape | None, list[Fault]]] = []
    removed_shapes = _shapes_removed_by_targets(match.original, targets)
    for each in shapes:
        faults_by_shape.append(
            (each, list(_new_faults(match, each, removed_shapes, render_result)))
        )
    faults_by_shape += [(None, [fault]) for fault in _new_slide_faults(match, targets)]
    faults_by_shape += [(None, [fault]) for fault in _color_faults(match.original, shapes, targets)]
    out_of_scope_kinds = {change.kind for change in outside if change.aspect == "master"}
    if any(c.aspect == "master" and c.kind not in out_of_scope_kinds for c in changes):
        faults_by_shape += [(None, faults) for faults in _shared_faults(match, targets)]
    if not any(faults for _, faults in faults_by_shape):
        return NO_FAULTS
    options = [
        _fitness_with_excuse(faults_by_shape, excuse) for excuse in _excuses(match.current, targets)
    ]
    return max(options, key=lambda each: each.share)


def _shared_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[list[Fault]]:
    """Yield the faults of layouts, masters and themes that no target deck shares."""
    fault_lists = _faults_of_masters(match, targets)
    if not fault_lists:
        return
    target_faults = {
        (fault.kind, fault.reason)
        for target in targets
        for faults in _faults_of_masters(plan_of(match.original, target).match, ())
        for fault in faults
    }
    for faults in fault_lists:
        yield [fault for fault in faults if (fault.kind, fault.reason) not in target_faults]


def _faults_of_masters(match: DeckMatch, targets: Sequence[Deck]) -> list[list[Fault]]:
    shapes = [list(faults) for faults in shared_shape_faults(match, targets)]
    return [*filter(None, shapes), *([fault] for fault in _theme_faults(match, targets))]


_Excuse = Callable[[EditedShape, Fault], float]


def _shapes_removed_by_targets(original: Deck, targets: Sequence[Deck]) -> set[tuple[int, int]]:
    """Return (slide, shape) indexes of shapes that a target removes or gives another picture."""
    return {
        (change.slide - 1, change.shape_index)
        for target in targets
        for change in plan_of(original, target).changes
        if change.slide is not None and change.shape_index is not None
        and (change.kind == "shape_removed" or (change.aspect, change.what) == _PICTURE_CHANGE)
    }  # fmt: skip


def _new_faults(
    match: DeckMatch,
    edited_shape: EditedShape,
    removed_shapes: Collection[tuple[int, int]],
    render_result: RenderCheckResult | None,
) -> Iterator[Fault]:
    """Yield the faults of a shape that the original lacked or had to a lesser degree."""
    current, original = match.current, match.original
    faults = list(shape_faults(current, edited_shape.slide, edited_shape.shape))
    faults += neighbor_faults(match, edited_shape, removed_shapes)
    faults += _reference_faults(match, edited_shape)
    faults += () if render_result is None else rendered_faults(match, edited_shape, render_result)
    if not faults:
        return
    original_losses: dict[str, float] = {}
    if edited_shape.before is not None and edited_shape.slide_before is not None:
        for each in shape_faults(original, edited_shape.slide_before, edited_shape.before):
            original_losses[each.kind] = max(each.loss, original_losses.get(each.kind, 0.0))
    for each in faults:
        if each.kind in ("small", "pale") and _is_usual(original, edited_shape.shape, each.kind):
            continue
        loss = each.loss - original_losses.get(each.kind, 0.0)
        if loss > _MIN_LOSS:
            yield Fault(each.kind, loss, f"{edited_shape.shape.label}: {each.reason}")


def _is_usual(original: Deck, shape: Shape, kind: str) -> bool:
    """Return whether the original deck has text as small or as pale as that of a shape."""
    sizes, colors = _usual_text_formatting(original)
    runs = [r for p in shape.paragraphs for r in p.runs if r.text.strip()]
    if kind == "small":
        return bool(runs) and min(r.style.size_pt for r in runs) >= min(sizes, default=99.0)
    return bool(runs) and all(r.style.color in colors for r in runs)


@lru_cache(maxsize=8)
def _usual_text_formatting(deck: Deck) -> tuple[frozenset[float], frozenset[str | None]]:
    """Return the font sizes of a deck's longer texts, and the colors of the pale ones."""
    sizes: set[float] = set()
    colors: set[str | None] = set()
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.hidden or len(shape.text) < _MIN_USUAL_CHARS:
                continue
            sizes |= {r.style.size_pt for p in shape.paragraphs for r in p.runs}
            colors |= {
                r.style.color
                for fault in shape_faults(deck, slide, shape)
                if fault.kind == "pale"
                for p in shape.paragraphs
                for r in p.runs
            }
    return frozenset(sizes), frozenset(colors)


def _excuses(current: Deck, targets: Sequence[Deck]) -> Iterator[_Excuse]:
    for target in targets:
        yield _target_excuse(current, target)
    if not targets:
        yield lambda edited_shape, fault: 0.0


def _target_excuse(current: Deck, target: Deck) -> _Excuse:
    """Return a function that computes how much of a fault a target deck shares."""
    match = match_decks(target, current)

    def excuse(edited_shape: EditedShape, fault: Fault) -> float:
        at = match.to_original.get(edited_shape.slide.index)
        if at is None:
            return 0.0
        slide = target.slides[at]
        index = match.shapes(at).to_original.get(edited_shape.shape.index)
        if fault.kind in RENDER_FAULTS:  # targets are not rendered
            same = index is not None and equals_target(slide.shapes[index], edited_shape.shape)
            return fault.loss if same else 0.0
        shapes = slide.shapes if index is None else (slide.shapes[index],)
        losses = (
            each.loss
            for shape in shapes
            for each in _faults_in_target(match, edited_shape, slide, shape)
            if each.kind == fault.kind
        )
        return max(losses, default=0.0)

    return excuse


def _faults_in_target(
    match: DeckMatch, edited_shape: EditedShape, slide: Slide, shape: Shape
) -> Iterable[Fault]:
    target = match.original
    yield from shape_faults(target, slide, shape)
    identity = DeckMatch(target, target, [(i, i) for i in range(len(target.slides))])
    target_shape = EditedShape(slide, shape, None, None)
    yield from neighbor_faults(identity, target_shape)
    yield from _reference_faults(
        identity, EditedShape(slide, shape, edited_shape.slide_before, edited_shape.before)
    )


def _fitness_with_excuse(
    faults_by_shape: Sequence[tuple[EditedShape | None, list[Fault]]], excuse: _Excuse
) -> Fitness:
    losses = [_shape_loss(edited_shape, faults, excuse) for edited_shape, faults in faults_by_shape]
    worst = max(loss for loss, _ in losses)
    if worst <= _MIN_LOSS:
        return NO_FAULTS
    mean = sum(loss for loss, _ in losses) / len(losses)
    losses.sort(key=lambda each: -each[0])
    share = _WORST_WEIGHT * worst + (1 - _WORST_WEIGHT) * mean
    return Fitness(
        1 - share,
        f"not presentable: {join_first([reason for loss, reason in losses if loss > _MIN_LOSS])}",
    )


def _shape_loss(
    edited_shape: EditedShape | None, faults: Iterable[Fault], excuse: _Excuse
) -> tuple[float, str]:
    """Return the loss of one shape or slide, and the reason for its largest part."""
    remaining = 1.0
    reasons = []
    for fault in faults:
        loss = fault.loss - (0.0 if edited_shape is None else excuse(edited_shape, fault))
        if loss > _MIN_LOSS:
            remaining *= 1 - loss
            reasons.append((loss, fault.reason))
    reasons.sort(key=lambda each: -each[0])
    return 1 - remaining, reasons[0][1] if reasons else ""


def _color_faults(
    original: Deck, shapes: Sequence[EditedShape], targets: Sequence[Deck]
) -> Iterator[Fault]:
    """Yield a fault if new fills add many vivid colors that neither the deck nor a target has.

    Without a target the requested colors are unknown, and nothing is yielded.
    """
    if not targets:
        return
    new_colors: list[str] = []
    known_colors: list[str] | None = None
    for color in dict.fromkeys(c for each in shapes for c in _new_fill_colors(each)):
        if not _is_vivid(color):
            continue
        if known_colors is None:
            known_colors = [c for deck in (original, *targets) for c in _fill_colors_of_deck(deck)]
        if all(
            rgb_distance(color, each) > _COLOR_DISTANCE for each in (*known_colors, *new_colors)
        ):
            new_colors.append(color)
    if len(new_colors) >= _MIN_NEW_COLORS:
        yield Fault(
            "gaudy",
            _GAUDY_LOSS,
            f"it introduces {len(new_colors)} fill colors that the deck does not use",
        )


def _new_fill_colors(edited_shape: EditedShape) -> Iterator[str]:
    before = set() if edited_shape.before is None else set(_fill_colors(edited_shape.before))
    yield from (color for color in _fill_colors(edited_shape.shape) if color not in before)


def _fill_colors_of_deck(deck: Deck) -> Iterable[str]:
    palette = {color for master in deck.masters for _, color in master.palette}
    return palette | {
        color for slide in deck.slides for s in slide.shapes for color in _fill_colors(s)
    }


def _fill_colors(shape: Shape) -> Iterator[str]:
    paints: list[Paint] = [shape.fill]
    if shape.table is not None:
        paints += [cell.fill for row in shape.table.rows for cell in row]
    yield from (paint.color for paint in paints if paint.color is not None)


def _is_vivid(color: str) -> bool:
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return max(parts) - min(parts) >= _MIN_VIVID_RANGE


def _new_slide_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[Fault]:
    """Yield a fault for each new slide with a background that neither the deck nor a target has.

    Without a target the requested background is unknown, and nothing is yielded.
    """
    if not targets:
        return
    for index in match.added:
        slide = match.current.slides[index]
        layout = match.current.layout_of(slide)
        known_backgrounds = [each.background for each in match.original.slides]
        known_backgrounds += [] if layout is None else [layout.background]
        known_backgrounds += [
            each for deck in targets for each in _target_backgrounds(match.current, deck, index)
        ]
        if not any(_are_similar_paints(slide.background, each) for each in known_backgrounds):
            yield Fault(
                "background",
                _BACKGROUND_LOSS,
                f"new slide {index + 1}: its background differs from the other slides",
            )


def _target_backgrounds(current: Deck, target: Deck, index: int) -> list[Paint]:
    at = match_decks(target, current).to_original.get(index)
    # A slide without a match in the target may correspond to any of its slides.
    return (
        [each.background for each in target.slides]
        if at is None
        else [target.slides[at].background]
    )


def _are_similar_paints(first: Paint, second: Paint) -> bool:
    if first == second:
        return True
    one, other = paint_colors(first), paint_colors(second)
    if one is None or other is None or first.kind != second.kind:
        return False
    distances = (
        min(rgb_distance(color, other_color) for other_color, _ in other) for color, _ in one
    )
    return max(distances) <= _BACKGROUND_DISTANCE


def _reference_faults(match: DeckMatch, edited_shape: EditedShape) -> Iterator[Fault]:
    """Yield faults of a shape compared with its original or with its layout placeholder."""
    shape = edited_shape.shape
    placeholder = _layout_placeholder(match.current, edited_shape.slide, shape)
    model = edited_shape.before if edited_shape.before is not None else placeholder
    if model is not None and shape.text.strip() and shape.placeholder not in SMALL_PLACEHOLDERS:
        size, usual = text_size_pt(shape), text_size_pt(model)
        if 0 < size < min(_SHRUNK_FACTOR * usual, _LARGE_ENOUGH_PT):
            yield Fault("shrunk", 0.45, f"its text is {size:g} pt instead of {usual:g} pt")
    is_above = placeholder is not None and placeholder.box.top < match.current.height_emu / 2
    is_new_title = shape.placeholder in _TITLES and edited_shape.before is None
    if is_new_title and is_above and _is_below_text(edited_shape.slide, shape):
        yield Fault("title below", 0.6, "the title is below the text")
    old = None if edited_shape.before is None else edited_shape.before.picture
    if shape.picture is not None and old is not None:
        visible_share = _uncropped_share(shape.picture.crop_pct) / max(
            1e-6, _uncropped_share(old.crop_pct)
        )
        if visible_share < _MIN_CROP_SHARE:
            yield Fault(
                "cut",
                0.65 - 0.5 * visible_share,
                f"only {visible_share:.0%} of the picture is visible",
            )


def _layout_placeholder(deck: Deck, slide: Slide, shape: Shape) -> Shape | None:
    """Return the layout placeholder that a slide placeholder inherits from."""
    layout = deck.layout_of(slide)
    if layout is None or not shape.placeholder:
        return None
    kinds = _TITLES if shape.placeholder in _TITLES else (shape.placeholder,)
    return next((each for each in layout.shapes if each.placeholder in kinds), None)


def _is_below_text(slide: Slide, title: Shape) -> bool:
    texts = [
        each
        for each in slide.shapes
        if each.index != title.index and each.all_text.strip() and not each.hidden
        and each.placeholder not in SMALL_PLACEHOLDERS
    ]  # fmt: skip
    return bool(texts) and all(each.box.bottom <= title.box.top for each in texts)


def _uncropped_share(crop_pct: tuple[float, float, float, float]) -> float:
    left, top, right, bottom = (each / 100 for each in crop_pct)
    return max(0.0, 1 - left - right) * max(0.0, 1 - top - bottom)


def rendered_faults(
    match: DeckMatch, edited_shape: EditedShape, render_result: RenderCheckResult
) -> Iterator[Fault]:
    """Yield why a shape is invisible or illegible on the rendered slide.

    Args:
        match: The original and the current deck.
        edited_shape: A new or changed shape.
        render_result: Result of the render check; without rendered slides nothing is yielded.
    """
    slide, shape = edited_shape.slide, edited_shape.shape
    if _is_unfilled(shape) or _was_invisible(match, edited_shape):
        return
    share = render_result.visible_shares.get((slide.index, shape.index), 1.0)
    if share < MIN_SHARE:
        yield Fault("not rendered", _NOT_RENDERED_LOSS, "the rendered slide does not show it")
    illegible = [
        each
        for each in render_result.illegible_texts.get(slide.index, ())
        if each.text_range.shape == shape.index
    ]
    total_characters = len("".join(shape.all_text.split()))
    if illegible and total_characters:
        illegible_characters = sum(
            _range_length(each.text_range, total_characters) for each in illegible
        )
        yield Fault(
            "illegible",
            _ILLEGIBLE_LOSS * min(1.0, illegible_characters / total_characters),
            illegible[0].reason,
        )


def equals_target(target: Shape, shape: Shape) -> bool:
    """Return whether a shape equals its target, and therefore renders equally."""
    return not any(True for _ in shape_differences(target, shape, lambda link: link))


def _range_length(text_range: TextRange, total_characters: int) -> int:
    """Return the number of characters in a range; an open end includes all characters."""
    return total_characters if text_range.end is None else text_range.end - text_range.start


def _is_unfilled(shape: Shape) -> bool:
    """Return whether a shape is an empty placeholder, which only the editor draws."""
    return shape.kind == "placeholder" and not shape.all_text.strip()


def _was_invisible(match: DeckMatch, edited_shape: EditedShape) -> bool:
    if edited_shape.before is None or edited_shape.slide_before is None:
        return False
    visibility, index = visibility_of(match.original), edited_shape.slide_before.index
    is_hidden = edited_shape.before.index in visibility.hidden(index)
    return is_hidden or not visibility.is_visible(index, edited_shape.before.index)


def _theme_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[Fault]:
    """Yield faults that a theme's fonts and colors cause in the text of all slides."""
    for before, now in match_masters(match):
        old, new = match.original.masters[before], match.current.masters[now]
        if old is new or old.theme == new.theme:
            continue
        fonts = {font for deck in targets for each in deck.masters for font in each.fonts}
        for original_font, font in zip(old.fonts, new.fonts, strict=True):
            if is_symbol_font(font) and not is_symbol_font(original_font) and font not in fonts:
                yield Fault("symbols", 0.8, f"the theme's typeface {font} is a symbol font")
        for text, paper in _TEXT_AND_BACKGROUND:
            colors = [_contrast(each.colors, text, paper) for each in (old, new)]
            target_contrasts = [
                _contrast(m.colors, text, paper) for deck in targets for m in deck.masters
            ]
            usual = min([colors[0], *target_contrasts])
            if colors[1] < _MIN_CONTRAST and usual >= _GOOD_CONTRAST:
                yield Fault("pale", 0.7, "the theme's text hardly differs from its background")
                break


def _contrast(colors: dict[str, str], text: str, paper: str) -> float:
    if text not in colors or paper not in colors:
        return _GOOD_CONTRAST
    return contrast_ratio(colors[text], colors[paper])
