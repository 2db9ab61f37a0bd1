"""Fitness: whether the edited parts of a deck are presentable.

Checks ask whether the requested result exists. Here all new and changed shapes are inspected for
faults such as upside-down text, tiny or pale text, lines in the color of the background, and boxes
that cover text or leave the slide (see `pptarena.decks.visibility.fitness`). A fault that the
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
from pptarena.decks.edits import Spot
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.decks.visibility.fitness import (
    SMALL_PLACEHOLDERS,
    Fault,
    is_symbol_font,
    shape_faults,
    text_size_pt,
)
from pptarena.decks.visibility.layers import paint_colors
from pptarena.decks.visibility.visibility import LEAST_SHARE, visibility_of
from pptarena.rewards.checking.result import listed
from pptarena.rewards.fitness.faults import (
    WorkedShape,
    neighbor_faults,
    shared_shape_faults,
    worked_shapes,
)
from pptarena.rewards.gold.plan import plan_of
from pptarena.rewards.looks.looked import Looked

__all__ = ["FIT", "Fitness", "measure_fitness"]

_OF_WORST = 0.6
_LEAST = 0.03
_MOST_SHAPES = 60
_USUAL_LETTERS = 20
_OTHER_PICTURE = "pictures", "picture"

_OTHER_COLOR = 70.0
_MANY = 4
_VIVID = 90
_GAUDY = 0.55

_OTHER_BACKGROUND = 100.0
_GLARING = 0.6

_SHRUNK = 0.55
_LARGE_ENOUGH_PT = 16.0
_CUT = 0.4
_TITLES = ("title", "ctrTitle")

RENDERED: Final = frozenset(("not rendered", "illegible"))
"""Types of faults yielded by this module."""

_NOTHING = 0.9
_ILLEGIBLE = 0.7

_READABLE = 4.5
_UNREADABLE = 3.0
_PAPER_AND_TEXT = (("tx1", "bg1"), ("dk1", "lt1"))


@dataclass(frozen=True, slots=True)
class Fitness:
    """How presentable the edited parts of a deck are.

    Attributes:
        share: Factor for the score, in [0, 1].
        reason: Explanation in plain text; empty without faults.
    """

    share: float
    reason: str = ""


FIT = Fitness(1.0)


def measure_fitness(
    match: DeckMatch,
    changes: Sequence[Change],
    outside: Sequence[Change],
    targets: Sequence[Deck] = (),
    looked: Looked | None = None,
) -> Fitness:
    """Return how presentable the new and changed parts of a deck are.

    Args:
        match: The original and the current deck.
        changes: All changes between them.
        outside: Changes that the scope does not allow; shapes with no other changes are ignored.
        targets: Target decks; the one that excuses most counts.
        looked: Result of the render check; None if slides were not rendered.
    """
    if match.original is match.current or not changes:
        return FIT
    work = list(worked_shapes(match, changes, outside))[:_MOST_SHAPES]
    found: list[tuple[WorkedShape | None, list[Fault]]] = []
    going = _going(match.original, targets)
    for each in work:
        found.append((each, list(_own_faults(match, each, going, looked))))
    found += [(None, [fault]) for fault in _new_slide_faults(match, targets)]
    found += [(None, [fault]) for fault in _color_faults(match.original, work, targets)]
    refused = {change.kind for change in outside if change.aspect == "master"}
    if any(c.aspect == "master" and c.kind not in refused for c in changes):
        found += [(None, faults) for faults in _shared_faults(match, targets)]
    if not any(faults for _, faults in found):
        return FIT
    options = [_loss_of(found, excuse) for excuse in _excuses(match.current, targets)]
    return max(options, key=lambda each: each.share)


def _shared_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[list[Fault]]:
    """Yield the faults of layouts, masters and themes that no target deck shares."""
    found = _faults_of_masters(match, targets)
    if not found:
        return
    known = {
        (fault.kind, fault.reason)
        for target in targets
        for faults in _faults_of_masters(plan_of(match.original, target).match, ())
        for fault in faults
    }
    for faults in found:
        yield [fault for fault in faults if (fault.kind, fault.reason) not in known]


def _faults_of_masters(match: DeckMatch, targets: Sequence[Deck]) -> list[list[Fault]]:
    shapes = [list(faults) for faults in shared_shape_faults(match, targets)]
    return [*filter(None, shapes), *([fault] for fault in _theme_faults(match, targets))]


_Excuse = Callable[[WorkedShape, Fault], float]


def _going(original: Deck, targets: Sequence[Deck]) -> set[tuple[int, int]]:
    """Return (slide, shape) indexes of shapes that a target removes or gives another picture."""
    return {
        (change.slide - 1, change.shape_index)
        for target in targets
        for change in plan_of(original, target).changes
        if change.slide is not None and change.shape_index is not None
        and (change.kind == "shape_removed" or (change.aspect, change.what) == _OTHER_PICTURE)
    }  # fmt: skip


def _own_faults(
    match: DeckMatch,
    work: WorkedShape,
    going: Collection[tuple[int, int]],
    looked: Looked | None,
) -> Iterator[Fault]:
    """Yield the faults of a shape that the original lacked or had to a lesser degree."""
    current, original = match.current, match.original
    faults = list(shape_faults(current, work.slide, work.shape))
    faults += neighbor_faults(match, work, going)
    faults += _reference_faults(match, work)
    faults += () if looked is None else rendered_faults(match, work, looked)
    if not faults:
        return
    known: dict[str, float] = {}
    if work.before is not None and work.slide_before is not None:
        for each in shape_faults(original, work.slide_before, work.before):
            known[each.kind] = max(each.loss, known.get(each.kind, 0.0))
    for each in faults:
        if each.kind in ("small", "pale") and _is_usual(original, work.shape, each.kind):
            continue
        loss = each.loss - known.get(each.kind, 0.0)
        if loss > _LEAST:
            yield Fault(each.kind, loss, f"{work.shape.label}: {each.reason}")


def _is_usual(original: Deck, shape: Shape, kind: str) -> bool:
    """Return whether the original deck has text as small or as pale as that of a shape."""
    sizes, colors = _looks_of(original)
    runs = [r for p in shape.paragraphs for r in p.runs if r.text.strip()]
    if kind == "small":
        return bool(runs) and min(r.style.size_pt for r in runs) >= min(sizes, default=99.0)
    return bool(runs) and all(r.style.color in colors for r in runs)


@lru_cache(maxsize=8)
def _looks_of(deck: Deck) -> tuple[frozenset[float], frozenset[str | None]]:
    """Return the font sizes of a deck's longer texts, and the colors of the pale ones."""
    sizes: set[float] = set()
    colors: set[str | None] = set()
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.hidden or len(shape.text) < _USUAL_LETTERS:
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
        yield lambda work, fault: 0.0


def _target_excuse(current: Deck, target: Deck) -> _Excuse:
    """Return a function that computes how much of a fault a target deck shares."""
    match = match_decks(target, current)

    def excuse(work: WorkedShape, fault: Fault) -> float:
        at = match.to_original.get(work.slide.index)
        if at is None:
            return 0.0
        slide = target.slides[at]
        index = match.shapes(at).to_original.get(work.shape.index)
        if fault.kind in RENDERED:  # targets are not rendered
            same = index is not None and is_as_in_target(slide.shapes[index], work.shape)
            return fault.loss if same else 0.0
        shapes = slide.shapes if index is None else (slide.shapes[index],)
        losses = (
            each.loss
            for shape in shapes
            for each in _faults_in_target(match, work, slide, shape)
            if each.kind == fault.kind
        )
        return max(losses, default=0.0)

    return excuse


def _faults_in_target(
    match: DeckMatch, work: WorkedShape, slide: Slide, shape: Shape
) -> Iterable[Fault]:
    target = match.original
    yield from shape_faults(target, slide, shape)
    twin = DeckMatch(target, target, [(i, i) for i in range(len(target.slides))])
    own = WorkedShape(slide, shape, None, None)
    yield from neighbor_faults(twin, own)
    yield from _reference_faults(twin, WorkedShape(slide, shape, work.slide_before, work.before))


def _loss_of(found: Sequence[tuple[WorkedShape | None, list[Fault]]], excuse: _Excuse) -> Fitness:
    losses = [_shape_loss(work, faults, excuse) for work, faults in found]
    worst = max(loss for loss, _ in losses)
    if worst <= _LEAST:
        return FIT
    mean = sum(loss for loss, _ in losses) / len(losses)
    losses.sort(key=lambda each: -each[0])
    share = _OF_WORST * worst + (1 - _OF_WORST) * mean
    return Fitness(
        1 - share, f"not presentable: {listed([why for loss, why in losses if loss > _LEAST])}"
    )


def _shape_loss(
    work: WorkedShape | None, faults: Iterable[Fault], excuse: _Excuse
) -> tuple[float, str]:
    """Return the loss of one shape or slide, and the reason for its largest part."""
    left = 1.0
    reasons = []
    for fault in faults:
        loss = fault.loss - (0.0 if work is None else excuse(work, fault))
        if loss > _LEAST:
            left *= 1 - loss
            reasons.append((loss, fault.reason))
    reasons.sort(key=lambda each: -each[0])
    return 1 - left, reasons[0][1] if reasons else ""


def _color_faults(
    original: Deck, work: Sequence[WorkedShape], targets: Sequence[Deck]
) -> Iterator[Fault]:
    """Yield a fault if new fills add many vivid colors that neither the deck nor a target has.

    Without a target the requested colors are unknown, and nothing is yielded.
    """
    if not targets:
        return
    found: list[str] = []
    known: list[str] | None = None
    for color in dict.fromkeys(c for each in work for c in _fresh_fills(each)):
        if not _is_vivid(color):
            continue
        if known is None:
            known = [c for deck in (original, *targets) for c in _colors_of(deck)]
        if all(rgb_distance(color, each) > _OTHER_COLOR for each in (*known, *found)):
            found.append(color)
    if len(found) >= _MANY:
        yield Fault(
            "gaudy", _GAUDY, f"it introduces {len(found)} fill colors that the deck does not use"
        )


def _fresh_fills(work: WorkedShape) -> Iterator[str]:
    before = set() if work.before is None else set(_fills(work.before))
    yield from (color for color in _fills(work.shape) if color not in before)


def _colors_of(deck: Deck) -> Iterable[str]:
    found = {color for master in deck.masters for _, color in master.palette}
    return found | {color for slide in deck.slides for s in slide.shapes for color in _fills(s)}


def _fills(shape: Shape) -> Iterator[str]:
    paints: list[Paint] = [shape.fill]
    if shape.table is not None:
        paints += [cell.fill for row in shape.table.rows for cell in row]
    yield from (paint.color for paint in paints if paint.color is not None)


def _is_vivid(color: str) -> bool:
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return max(parts) - min(parts) >= _VIVID


def _new_slide_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[Fault]:
    """Yield a fault for each new slide with a background that neither the deck nor a target has.

    Without a target the requested background is unknown, and nothing is yielded.
    """
    if not targets:
        return
    for index in match.added:
        slide = match.current.slides[index]
        layout = match.current.layout_of(slide)
        known = [each.background for each in match.original.slides]
        known += [] if layout is None else [layout.background]
        known += [each for deck in targets for each in _in_target(match.current, deck, index)]
        if not any(_alike(slide.background, each) for each in known):
            yield Fault(
                "background",
                _GLARING,
                f"new slide {index + 1}: its background differs from the other slides",
            )


def _in_target(current: Deck, target: Deck, index: int) -> list[Paint]:
    at = match_decks(target, current).to_original.get(index)
    # A slide without a match in the target may correspond to any of its slides.
    return (
        [each.background for each in target.slides]
        if at is None
        else [target.slides[at].background]
    )


def _alike(first: Paint, second: Paint) -> bool:
    if first == second:
        return True
    one, other = paint_colors(first), paint_colors(second)
    if one is None or other is None or first.kind != second.kind:
        return False
    away = (min(rgb_distance(color, back) for back, _ in other) for color, _ in one)
    return max(away) <= _OTHER_BACKGROUND


def _reference_faults(match: DeckMatch, work: WorkedShape) -> Iterator[Fault]:
    """Yield faults of a shape compared with its original or with its layout placeholder."""
    shape = work.shape
    own = _own_place(match.current, work.slide, shape)
    model = work.before if work.before is not None else own
    if model is not None and shape.text.strip() and shape.placeholder not in SMALL_PLACEHOLDERS:
        size, usual = text_size_pt(shape), text_size_pt(model)
        if 0 < size < min(_SHRUNK * usual, _LARGE_ENOUGH_PT):
            yield Fault("shrunk", 0.45, f"its text is {size:g} pt instead of {usual:g} pt")
    is_above = own is not None and own.box.top < match.current.height_emu / 2
    is_new_title = shape.placeholder in _TITLES and work.before is None
    if is_new_title and is_above and _is_below_words(work.slide, shape):
        yield Fault("title below", 0.6, "the title is below the text")
    old = None if work.before is None else work.before.picture
    if shape.picture is not None and old is not None:
        kept = _kept(shape.picture.crop_pct) / max(1e-6, _kept(old.crop_pct))
        if kept < _CUT:
            yield Fault("cut", 0.65 - 0.5 * kept, f"only {kept:.0%} of the picture is visible")


def _own_place(deck: Deck, slide: Slide, shape: Shape) -> Shape | None:
    """Return the layout placeholder that a slide placeholder inherits from."""
    layout = deck.layout_of(slide)
    if layout is None or not shape.placeholder:
        return None
    kinds = _TITLES if shape.placeholder in _TITLES else (shape.placeholder,)
    return next((each for each in layout.shapes if each.placeholder in kinds), None)


def _is_below_words(slide: Slide, title: Shape) -> bool:
    words = [
        each
        for each in slide.shapes
        if each.index != title.index and each.all_text.strip() and not each.hidden
        and each.placeholder not in SMALL_PLACEHOLDERS
    ]  # fmt: skip
    return bool(words) and all(each.box.bottom <= title.box.top for each in words)


def _kept(crop_pct: tuple[float, float, float, float]) -> float:
    left, top, right, bottom = (each / 100 for each in crop_pct)
    return max(0.0, 1 - left - right) * max(0.0, 1 - top - bottom)


def rendered_faults(match: DeckMatch, work: WorkedShape, looked: Looked) -> Iterator[Fault]:
    """Yield why a shape is invisible or illegible on the rendered slide.

    Args:
        match: The original and the current deck.
        work: A new or changed shape.
        looked: Result of the render check; without rendered slides nothing is yielded.
    """
    slide, shape = work.slide, work.shape
    if _is_unfilled(shape) or _was_unseen(match, work):
        return
    share = looked.shares.get((slide.index, shape.index), 1.0)
    if share < LEAST_SHARE:
        yield Fault("not rendered", _NOTHING, "the rendered slide does not show it")
    unseen = [each for each in looked.unseen.get(slide.index, ()) if each.spot.shape == shape.index]
    letters = len("".join(shape.all_text.split()))
    if unseen and letters:
        lost = sum(_length(each.spot, letters) for each in unseen)
        yield Fault("illegible", _ILLEGIBLE * min(1.0, lost / letters), unseen[0].reason)


def is_as_in_target(target: Shape, shape: Shape) -> bool:
    """Return whether a shape equals its target, and therefore renders equally."""
    return not any(True for _ in shape_differences(target, shape, lambda link: link))


def _length(spot: Spot, letters: int) -> int:
    """Return the number of characters in a spot; all characters of the shape for an open end."""
    return letters if spot.end is None else spot.end - spot.start


def _is_unfilled(shape: Shape) -> bool:
    """Return whether a shape is an empty placeholder, which only the editor draws."""
    return shape.kind == "placeholder" and not shape.all_text.strip()


def _was_unseen(match: DeckMatch, work: WorkedShape) -> bool:
    if work.before is None or work.slide_before is None:
        return False
    visibility, index = visibility_of(match.original), work.slide_before.index
    unseen = work.before.index in visibility.hidden(index)
    return unseen or not visibility.is_visible(index, work.before.index)


def _theme_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[Fault]:
    """Yield faults that a theme's fonts and colors cause in the text of all slides."""
    for before, now in match_masters(match):
        old, new = match.original.masters[before], match.current.masters[now]
        if old is new or old.theme == new.theme:
            continue
        fonts = {font for deck in targets for each in deck.masters for font in each.fonts}
        for was, font in zip(old.fonts, new.fonts, strict=True):
            if is_symbol_font(font) and not is_symbol_font(was) and font not in fonts:
                yield Fault("symbols", 0.8, f"the theme's typeface {font} is a symbol font")
        for text, paper in _PAPER_AND_TEXT:
            colors = [_contrast(each.colors, text, paper) for each in (old, new)]
            meant = [_contrast(m.colors, text, paper) for deck in targets for m in deck.masters]
            usual = min([colors[0], *meant])
            if colors[1] < _UNREADABLE and usual >= _READABLE:
                yield Fault("pale", 0.7, "the theme's text hardly differs from its background")
                break


def _contrast(colors: dict[str, str], text: str, paper: str) -> float:
    if text not in colors or paper not in colors:
        return _READABLE
    return contrast_ratio(colors[text], colors[paper])
