"""Faults of new or changed shapes of layouts and masters, on the slides that show them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pptarena.decks import Deck, Master, Shape, Slide
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.fitness import Fault, shape_faults
from pptarena.decks.visibility.slide_visibility import LEAST_SHARE, SlideVisibility
from pptarena.rewards.fitness.neighbors import overlap_loss
from pptarena.rewards.fitness.work import backdrop_shapes

__all__ = ["shared_shape_faults"]

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
