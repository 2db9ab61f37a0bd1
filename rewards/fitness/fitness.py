"""How far the work on a task is fit to be seen.

Checks ask whether what the task wants is there. Here all that is new or changed is looked at: text
that stands on its head, tiny or pale letters, lines in the color of the paper, boxes on other
words or beside the slide (see `pptarena.decks.visibility.fitness`). What the original showed in
the same way, or what a target of the task shows, is no fault.

Each shape loses a share in [0, 1]; the work loses 0.6 of what its worst shape does and 0.4
of the mean of all of them, and the score of the task is multiplied by the rest.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.visibility.fitness import Fault, shape_faults
from pptarena.rewards.checking.result import listed
from pptarena.rewards.fitness.colors import color_faults
from pptarena.rewards.fitness.neighbors import neighbor_faults
from pptarena.rewards.fitness.new_slides import new_slide_faults
from pptarena.rewards.fitness.reference import reference_faults
from pptarena.rewards.fitness.rendered import RENDERED, is_as_in_target, rendered_faults
from pptarena.rewards.fitness.shared_shapes import shared_shape_faults
from pptarena.rewards.fitness.themes import theme_faults
from pptarena.rewards.fitness.work import WorkedShape, worked_shapes
from pptarena.rewards.gold.plan import plan_of
from pptarena.rewards.looks.looked import Looked

__all__ = ["FIT", "Fitness", "measure_fitness"]

_OF_WORST = 0.6
_LEAST = 0.03
_MOST_SHAPES = 60
_USUAL_LETTERS = 20
_OTHER_PICTURE = "pictures", "picture"


@dataclass(frozen=True, slots=True)
class Fitness:
    """How far the work is fit to be seen.

    Attributes:
        share: Factor for the score, in [0, 1].
        reason: What is wrong, in plain words; empty if nothing is.
    """

    share: float
    reason: str = ""


FIT = Fitness(1.0)


@dataclass(frozen=True, slots=True)
class _Loss:
    """What one shape or slide loses."""

    share: float
    reason: str = ""


def measure_fitness(
    match: DeckMatch,
    changes: Sequence[Change],
    outside: Sequence[Change],
    targets: Sequence[Deck] = (),
    looked: Looked | None = None,
) -> Fitness:
    """Return how far what is new or changed is fit to be seen.

    Args:
        match: The original and the deck now.
        changes: All changes between them.
        outside: Those that the scope does not allow; shapes with such changes alone are left out.
        targets: Decks with the goal reached; the one that excuses most counts.
        looked: What pictures of the slides show; None if none were taken.
    """
    if match.original is match.current or not changes:
        return FIT
    work = list(worked_shapes(match, changes, outside))[:_MOST_SHAPES]
    found: list[tuple[WorkedShape | None, list[Fault]]] = []
    going = _going(match.original, targets)
    for each in work:
        found.append((each, list(_own_faults(match, each, going, looked))))
    found += [(None, [fault]) for fault in new_slide_faults(match, targets)]
    found += [(None, [fault]) for fault in color_faults(match.original, work, targets)]
    refused = {change.kind for change in outside if change.aspect == "master"}
    if any(c.aspect == "master" and c.kind not in refused for c in changes):
        found += [(None, faults) for faults in _shared_faults(match, targets)]
    if not any(faults for _, faults in found):
        return FIT
    options = [_loss_of(found, excuse) for excuse in _excuses(match.current, targets)]
    return max(options, key=lambda each: each.share)


def _shared_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[list[Fault]]:
    """Yield the faults of layouts, masters and themes that no target has, too."""
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
    return [*filter(None, shapes), *([fault] for fault in theme_faults(match, targets))]


_Excuse = Callable[[WorkedShape, Fault], float]


def _going(original: Deck, targets: Sequence[Deck]) -> set[tuple[int, int]]:
    """Return slide and shape, by index, of what a target removes, or puts another picture in."""
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
    """Yield the faults of a shape that the original did not have, or not as bad."""
    current, original = match.current, match.original
    faults = list(shape_faults(current, work.slide, work.shape))
    faults += neighbor_faults(match, work, going)
    faults += reference_faults(match, work)
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
    """Return whether the deck itself has text as small, or as pale, as that of a shape."""
    sizes, colors = _looks_of(original)
    runs = [r for p in shape.paragraphs for r in p.runs if r.text.strip()]
    if kind == "small":
        return bool(runs) and min(r.style.size_pt for r in runs) >= min(sizes, default=99.0)
    return bool(runs) and all(r.style.color in colors for r in runs)


@lru_cache(maxsize=8)
def _looks_of(deck: Deck) -> tuple[frozenset[float], frozenset[str | None]]:
    """Return the sizes of longer texts of a deck, and the colors of the pale ones among them."""
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
    """Return how far a target has a fault of a shape, too."""
    match = match_decks(target, current)

    def excuse(work: WorkedShape, fault: Fault) -> float:
        at = match.to_original.get(work.slide.index)
        if at is None:
            return 0.0
        slide = target.slides[at]
        index = match.shapes(at).to_original.get(work.shape.index)
        if fault.kind in RENDERED:  # of targets there are no pictures
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
    yield from reference_faults(twin, WorkedShape(slide, shape, work.slide_before, work.before))


def _loss_of(found: Sequence[tuple[WorkedShape | None, list[Fault]]], excuse: _Excuse) -> Fitness:
    losses = [_shape_loss(work, faults, excuse) for work, faults in found]
    worst = max(losses, key=lambda each: each.share)
    if worst.share <= _LEAST:
        return FIT
    mean = sum(each.share for each in losses) / len(losses)
    share = _OF_WORST * worst.share + (1 - _OF_WORST) * mean
    bad = sorted((each for each in losses if each.share > _LEAST), key=lambda each: -each.share)
    return Fitness(1 - share, f"not presentable: {listed([each.reason for each in bad])}")


def _shape_loss(work: WorkedShape | None, faults: Iterable[Fault], excuse: _Excuse) -> _Loss:
    left = 1.0
    reasons = []
    for fault in faults:
        loss = fault.loss - (0.0 if work is None else excuse(work, fault))
        if loss > _LEAST:
            left *= 1 - loss
            reasons.append((loss, fault.reason))
    reasons.sort(key=lambda each: -each[0])
    return _Loss(1 - left, reasons[0][1] if reasons else "")
