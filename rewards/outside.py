"""Which changes between two decks lie outside the part that may change."""

from collections.abc import Iterable

from pptarena.rewards.change import Change
from pptarena.rewards.diff import diff_matched
from pptarena.rewards.likeness import box_likeness
from pptarena.rewards.lookup import find_shape
from pptarena.rewards.matching import DeckMatch
from pptarena.rewards.scope import Scope

__all__ = ["changes_outside"]

_CAUSES = frozenset(("text", "formatting", "tables"))
_SAME_PLACE = 0.2


def changes_outside(match: DeckMatch, scope: Scope) -> tuple[Change, ...]:
    """Return the changes that a scope does not allow and that no allowed one brings with it."""
    allowed_shapes = _allowed_shapes(match, scope)
    free_slides: Iterable[int] = ()
    if scope.has_aspect("order"):
        free_slides = [i for i, _ in match.pairs if scope.has_slide(i + 1)]
    changes = diff_matched(match, set(free_slides), allowed_shapes)
    inside = [_is_inside(change, scope, allowed_shapes) for change in changes]
    causes: set[tuple[int | None, int | None]] = {
        (change.slide, change.shape_index)
        for change, is_inside in zip(changes, inside, strict=True)
        if is_inside and change.aspect in _CAUSES and change.shape_index is not None
    }
    outside = [
        change
        for change, is_inside in zip(changes, inside, strict=True)
        if not is_inside and not _is_consequence(change, match, causes)
    ]
    return tuple(_without_allowed_additions(outside, scope))


def _allowed_shapes(match: DeckMatch, scope: Scope) -> dict[int, set[int]]:
    """Return the indexes of original shapes that may change, by slide of the original."""
    found: dict[int, set[int]] = {}
    for index, _ in match.pairs:
        if not scope.has_slide(index + 1):
            continue
        slide = match.original.slides[index]
        if scope.shapes is None:
            found[index] = set(range(len(slide.shapes)))
            continue
        named = (find_shape(slide, spec) for spec in scope.shapes)
        found[index] = {shape.index for shape in named if shape is not None}
    return found


def _is_inside(change: Change, scope: Scope, allowed_shapes: dict[int, set[int]]) -> bool:
    if change.slide is None:
        # Added slides are counted later; what is left are changes of the deck as a whole.
        return change.aspect == "master" and scope.slides == "all" and scope.has_aspect("master")
    if not scope.has_slide(change.slide) or not scope.has_aspect(change.aspect):
        return False
    if change.shape_index is None:
        return True
    return change.shape_index in allowed_shapes.get(change.slide - 1, ())


def _is_consequence(
    change: Change, match: DeckMatch, causes: set[tuple[int | None, int | None]]
) -> bool:
    """Return whether a shape merely grew with its text, or a table with its rows."""
    if change.aspect != "geometry" or (change.slide, change.shape_index) not in causes:
        return False
    index, shape_index = (change.slide or 0) - 1, change.shape_index or 0
    before = match.original.slides[index].shapes[shape_index]
    now_index = match.shapes(index).to_current[shape_index]
    now = match.current.slides[match.to_current[index]].shapes[now_index]
    if before.table is None and "shape" not in (before.autofit, now.autofit):
        return False
    turned = before.box.rotation_deg != now.box.rotation_deg
    return not turned and box_likeness(before.box, now.box) >= _SAME_PLACE


def _without_allowed_additions(changes: Iterable[Change], scope: Scope) -> Iterable[Change]:
    left = float("inf") if scope.new_slides is True else int(scope.new_slides)
    for change in changes:
        if change.kind == "slide_added" and left > 0:
            left -= 1
            continue
        yield change
