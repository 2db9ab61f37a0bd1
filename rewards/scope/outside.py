"""Which changes between two decks lie outside the part that may change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pptarena.rewards.deck import Box
from pptarena.rewards.diff.change import Change
from pptarena.rewards.diff.compare import diff_matched, diff_slide
from pptarena.rewards.diff.consequences import with_consequences
from pptarena.rewards.lookup import find_shape
from pptarena.rewards.matching.decks import DeckMatch
from pptarena.rewards.scope.finer import is_finely_inside
from pptarena.rewards.scope.scope import Scope, ScopePart

__all__ = ["changes_outside"]

_OF_SLIDES = frozenset(
    (
        *("notes", "layout", "background", "transition", "animation", "visibility", "slides"),
        *("order", "master", "comments", "sections", "properties"),
    )
)


def changes_outside(match: DeckMatch, scope: Scope) -> tuple[Change, ...]:
    """Return the changes that a scope does not allow and that no allowed one brings with it."""
    parts = _Parts(match, scope.all_parts)
    changes = diff_matched(match, _free_slides(match, scope), parts.free_shapes)
    outside = _without_allowed_additions(parts.outside(changes), scope)
    return (*outside, *_changes_of_copies(match, scope))


class _Parts:
    """Parts of a scope, with the shapes that each means in a deck."""

    def __init__(self, match: DeckMatch, parts: Iterable[ScopePart]) -> None:
        self._match = match
        self._parts = [(part, _allowed_shapes(match, part)) for part in parts]
        self.free_shapes = _free_shapes(part for part in self._parts if _is_about_shapes(part[0]))

    def outside(self, changes: Sequence[Change]) -> list[Change]:
        """Return the changes that are in no part; what a change brings along goes with it."""
        match = self._match
        return [
            change
            for change in with_consequences(match, changes)
            if not any(_is_inside(change, *part, match) for part in self._parts)
            and not _is_of_remade(change, match, self.free_shapes)
        ]


def _changes_of_copies(match: DeckMatch, scope: Scope) -> Iterator[Change]:
    """Yield what allowed new slides have that neither their model has nor the scope allows."""
    if scope.copy_of is None or scope.copy_of > len(match.original.slides):
        return
    source = scope.copy_of - 1
    count = len(match.added) if scope.new_slides is True else int(scope.new_slides)
    for index in match.added[:count]:
        pair = DeckMatch(match.original, match.current, [(source, index)])
        parts = _Parts(pair, [ScopePart((scope.copy_of,), scope.copy_aspects)])
        for change in parts.outside(diff_slide(pair, source, ())):
            yield replace(change, slide=None, shape_index=None)


def _free_slides(match: DeckMatch, scope: Scope) -> set[int]:
    """Return the slides that may move; a changed order is put down to them where it can be."""
    parts = [part for part in scope.all_parts if part.has_aspect("order")]
    return {i for i, _ in match.pairs if any(part.has_slide(i + 1) for part in parts)}


def _free_shapes(parts: Iterable[tuple[ScopePart, dict[int, set[int]]]]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for _, allowed in parts:
        for index, shapes in allowed.items():
            found.setdefault(index, set()).update(shapes)
    return found


def _allowed_shapes(match: DeckMatch, part: ScopePart) -> dict[int, set[int]]:
    """Return the indexes of original shapes that may change, by slide of the original."""
    found: dict[int, set[int]] = {}
    for index, _ in match.pairs:
        if not part.has_slide(index + 1):
            continue
        slide = match.original.slides[index]
        if part.shapes is None:
            found[index] = set(range(len(slide.shapes)))
            continue
        named = (find_shape(slide, spec) for spec in part.shapes)
        found[index] = {shape.index for shape in named if shape is not None}
    return found


def _is_inside(
    change: Change, part: ScopePart, allowed_shapes: dict[int, set[int]], match: DeckMatch
) -> bool:
    if change.slide is None:
        # Added slides are counted later; what is left are changes of the deck as a whole.
        return change.aspect == "master" and part.slides == "all" and part.has_aspect("master")
    if not part.has_slide(change.slide) or not part.has_aspect(change.aspect):
        return False
    index = change.shape_index
    if index is not None and index not in allowed_shapes.get(change.slide - 1, ()):
        return False
    return is_finely_inside(change, part, match)


def _is_about_shapes(part: ScopePart) -> bool:
    return part.aspects is None or not _OF_SLIDES.issuperset(part.aspects)


def _is_of_remade(change: Change, match: DeckMatch, allowed: Mapping[int, set[int]]) -> bool:
    """Return whether a shape that may change was merely made again.

    It has a name that its application gave it then, and lies on top, where it covers nothing.
    """
    index = (change.slide or 0) - 1
    if change.shape_index is None or change.shape_index not in allowed.get(index, ()):
        return False
    if change.aspect == "shapes" and change.what == "name":
        return True
    return change.kind == "z_order_changed" and _lies_alone(match, index, change.shape_index)


def _lies_alone(match: DeckMatch, index: int, shape_index: int) -> bool:
    slide = match.current.slides[match.to_current[index]]
    now = match.shapes(index).to_current.get(shape_index)
    if now is None or slide.shapes[now].kind == "group" or slide.shapes[now].group is not None:
        return False
    box = slide.shapes[now].box
    others = (shape for shape in slide.shapes if shape.index != now)
    return not any(_meet(box, other.box) for other in others)


def _meet(first: Box, second: Box) -> bool:
    across = first.left < second.right and second.left < first.right
    return across and first.top < second.bottom and second.top < first.bottom


def _without_allowed_additions(changes: Iterable[Change], scope: Scope) -> Iterable[Change]:
    left = float("inf") if scope.new_slides is True else int(scope.new_slides)
    for change in changes:
        if change.kind == "slide_added" and left > 0:
            left -= 1
            continue
        # Applications bring a layout of its own with a slide that is pasted.
        if change.kind == "layout_added" and scope.new_slides:
            continue
        yield change
