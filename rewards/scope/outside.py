"""Changes outside the part of a deck that may change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched, diff_slide
from pptarena.decks.diff.consequences import with_consequences
from pptarena.decks.diff.new_words import look_changes, new_place_looks, new_slide_looks
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.diff.text import LINES_AFTER
from pptarena.decks.equivalence.changes import (
    is_fitted,
    is_new_alt_text,
    is_unnoticed,
    is_usual_alt_text,
)
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.selectors import find_shape
from pptarena.rewards.scope.finer import allows_look, is_finely_inside
from pptarena.rewards.scope.loss import is_harmless_show_change
from pptarena.rewards.scope.scope import Scope, ScopePart

__all__ = [
    "changes_outside",
    "copy_changes",
    "costs_nothing",
    "is_free",
    "part_shapes",
    "shapes_in_scope",
]

_WORDED = {
    **dict.fromkeys(("text", "notes", "alt_text"), ("",)),
    "tables": tuple(map(str, range(10))),  # the location of a cell, without a property
    "charts": (" name", " categories", "title"),
}
"""Suffixes of the names of text differences, by aspect."""

_MOST_DESCRIBED = 3  # more alt texts than that amount to separate work
_OF_SLIDES = frozenset(
    (
        *("notes", "layout", "background", "transition", "animation", "visibility", "slides"),
        *("order", "master", "comments", "sections", "properties"),
    )
)
# Aspects of the deck as a whole.
_OF_DECKS = frozenset(("master", "sections", "properties", "other"))


def changes_outside(match: DeckMatch, scope: Scope) -> tuple[Change, ...]:
    """Return the changes that a scope does not allow and that no allowed change entails.

    Changes that `costs_nothing` accepts are left out.
    """
    parts = _Parts(match, scope.all_parts)
    found = diff_matched(match, _free_slides(match, scope), parts.free_shapes)
    changes = [change for change in found if not costs_nothing(change, match)]
    outside = _without_allowed_additions(parts.outside(changes), scope)
    looks = (each for index, _ in match.pairs for each in parts.outside_looks(index))
    copies = (each for _, changes in copy_changes(match, scope) for each in changes)
    of_copies = (replace(each, slide=None, shape_index=None) for each in copies)
    has_own = bool(scope.new_slides) and scope.copy_of is None and not scope.new_looks
    return (*outside, *looks, *of_copies, *(new_slide_looks(match) if has_own else ()))


def is_free(change: Change, scope: Scope, match: DeckMatch) -> bool:
    """Return whether a scope explicitly allows a change, so that no target needs to contain it.

    A part with `words` lists text that may be written anywhere.
    """
    free = list(scope.free)
    if change.aspect in _WORDED and change.what.endswith(_WORDED[change.aspect]):
        free += [part for part in scope.parts if part.words is not None]
    return any(_is_inside(change, part, part_shapes(match, part), match) for part in free)


def costs_nothing(change: Change, match: DeckMatch) -> bool:
    """Return whether a change is free everywhere.

    An additional or missing empty line after a text is a byproduct of typing. The other free
    changes are not noticeable to viewers.
    """
    if change.what.endswith(LINES_AFTER) and abs(int(change.after) - int(change.before)) == 1:
        return True
    return is_unnoticed(change, match) or is_harmless_show_change(change, match)


def shapes_in_scope(match: DeckMatch, scope: Scope) -> dict[int, set[int]]:
    """Return the shapes that a scope covers, by slide of the original (0-based)."""
    return _Parts(match, scope.all_parts).free_shapes


class _Parts:
    """Parts of a scope, with the shapes that each selects in a deck."""

    def __init__(self, match: DeckMatch, parts: Iterable[ScopePart]) -> None:
        self._match = match
        self._parts = [(part, part_shapes(match, part)) for part in parts]
        self.free_shapes = _free_shapes(self._parts)

    def outside(self, changes: Sequence[Change]) -> list[Change]:
        """Return the changes in no part; side effects follow their cause."""
        match = self._match
        found = with_consequences(match, changes)
        inside = [any(_is_inside(change, *part, match) for part in self._parts) for change in found]
        inside = self._with_additions(found, inside)
        described = sum(map(is_new_alt_text, found)) <= _MOST_DESCRIBED
        return [
            change
            for change, is_inside in zip(found, inside, strict=True)
            if not is_inside
            and not _is_of_remade(change, match, self.free_shapes)
            and not (described and _is_described(change, self.free_shapes))
        ]

    def outside_looks(self, index: int) -> Iterator[Change]:
        """Yield the formatting differences between new text of a slide and the text it replaced.

        Where the text itself may not change, the text change is outside already and its formatting
        is not reported.
        """
        for change in look_changes(self._match, index):
            parts = [p for p, shapes in self._parts if _is_about(change, p, shapes)]
            reworded = any(p.has_aspect("text") or p.has_aspect("tables") for p in parts)
            free = any(p.has_aspect("formatting") and allows_look(change, p) for p in parts)
            if reworded and not free:
                yield change
        free_new = any(p.has_slide(index + 1) and _frees_new_looks(p) for p, _ in self._parts)
        yield from () if free_new else new_place_looks(self._match, index)

    def _with_additions(self, changes: Sequence[Change], inside: list[bool]) -> list[bool]:
        """Mark added shapes as outside beyond the number that the parts allow on a slide."""
        left: dict[int, float] = {}
        found = list(inside)
        for at, change in enumerate(changes):
            if change.kind != "shape_added" or change.slide is None:
                continue
            number = change.slide
            allowed = (p.most_new_shapes for p, _ in self._parts if p.has_slide(number))
            left.setdefault(number, sum(allowed))
            found[at] = left[number] >= 1
            left[number] -= 1
        return found


def copy_changes(match: DeckMatch, scope: Scope) -> Iterator[tuple[DeckMatch, list[Change]]]:
    """Yield the differences between allowed new slides and their model that the scope forbids.

    Each list comes with a match that pairs the new slide with its model.
    """
    if scope.copy_of is None or scope.copy_of > len(match.original.slides):
        return
    source = scope.copy_of - 1
    count = len(match.added) if scope.new_slides is True else int(scope.new_slides)
    for index in match.added[:count]:
        pair = DeckMatch(match.original, match.current, [(source, index)], match.saving)
        parts = _Parts(pair, [ScopePart((scope.copy_of,), scope.copy_aspects)])
        found = [
            each
            for each in parts.outside(diff_slide(pair, source, ()))
            if not is_fitted(each, ShapePair.of(pair, each))
        ]
        yield pair, [*found, *parts.outside_looks(source)]


def _free_slides(match: DeckMatch, scope: Scope) -> set[int]:
    """Return the slides that may move; a changed order is attributed to them if possible."""
    parts = [part for part in scope.all_parts if part.has_aspect("order")]
    return {i for i, _ in match.pairs if any(part.has_slide(i + 1) for part in parts)}


def _free_shapes(parts: Iterable[tuple[ScopePart, dict[int, set[int]]]]) -> dict[int, set[int]]:
    """Return the shapes that any part covers, by slide."""
    found: dict[int, set[int]] = {}
    for part, allowed in parts:
        for index, shapes in allowed.items() if _is_about_shapes(part) else ():
            found.setdefault(index, set()).update(shapes)
    return found


def part_shapes(match: DeckMatch, part: ScopePart) -> dict[int, set[int]]:
    """Return the indexes of original shapes that may change, by slide of the original."""
    found: dict[int, set[int]] = {}
    for index, _ in match.pairs:
        if not part.has_slide(index + 1):
            continue
        slide = match.original.slides[index]
        named = (find_shape(slide, spec) for spec in part.shapes or ())
        meant = slide.shapes if part.shapes is None else filter(None, named)
        found[index] = {shape.index for shape in meant}
    return found


def _is_inside(
    change: Change, part: ScopePart, allowed_shapes: dict[int, set[int]], match: DeckMatch
) -> bool:
    if change.slide is None:
        # Added slides are counted later; the remaining changes are deck-level.
        if part.slides != "all" or change.aspect not in _OF_DECKS:
            return False
        # A part that leaves all aspects open does not include these.
        is_named = change.aspect == "master" or part.aspects is not None
        return is_named and part.has_aspect(change.aspect)
    if not part.has_slide(change.slide) or not part.has_aspect(change.aspect):
        return False
    index = change.shape_index
    if index is not None and index not in allowed_shapes.get(change.slide - 1, ()):
        return False
    return is_finely_inside(change, part, match)


def _is_about(change: Change, part: ScopePart, allowed_shapes: dict[int, set[int]]) -> bool:
    """Return whether a part covers the shape of a change."""
    index = (change.slide or 0) - 1
    return part.has_slide(index + 1) and change.shape_index in allowed_shapes.get(index, ())


def _frees_new_looks(part: ScopePart) -> bool:
    """Return whether new shapes may be formatted freely: the part names no shape."""
    return part.has_aspect("formatting") and not part.shapes


def _is_about_shapes(part: ScopePart) -> bool:
    return part.aspects is None or not _OF_SLIDES.issuperset(part.aspects)


def _is_of_remade(change: Change, match: DeckMatch, allowed: Mapping[int, set[int]]) -> bool:
    """Return whether a shape that may change was only recreated.

    A recreated shape has the name that its application assigned, and lies on top without covering
    anything.
    """
    if change.slide is None or change.shape_index is None:
        return False
    index = change.slide - 1
    remade = allowed.get(index, set())
    if change.shape_index not in remade:
        # When shapes swap order, the diff reports the smaller group as moved.
        return change.kind == "z_order_changed" and _others_in_order(match, index, remade)
    if change.aspect == "shapes" and change.what == "name":
        return True
    if is_usual_alt_text(change, match):
        return True
    return change.kind == "z_order_changed" and _lies_alone(match, index, change.shape_index)


def _is_described(change: Change, allowed: Mapping[int, set[int]]) -> bool:
    """Return whether a shape that may change got its first alt text."""
    mine = allowed.get((change.slide or 0) - 1, ())
    return is_new_alt_text(change) and change.shape_index in mine


def _others_in_order(match: DeckMatch, index: int, remade: set[int]) -> bool:
    """Return whether the other shapes kept their relative order, and the remade ones lie alone."""
    to_current = match.shapes(index).to_current
    others = [now for old, now in sorted(to_current.items()) if old not in remade]
    moved = [old for old in remade if old in to_current]
    return others == sorted(others) and all(_lies_alone(match, index, old) for old in moved)


def _lies_alone(match: DeckMatch, index: int, shape_index: int) -> bool:
    shapes = match.current.slides[match.to_current[index]].shapes
    now = match.shapes(index).to_current.get(shape_index)
    if now is None or shapes[now].kind == "group" or shapes[now].group is not None:
        return False
    own = shapes[now].box
    return not any(
        own.left < box.right and box.left < own.right
        and own.top < box.bottom and box.top < own.bottom
        for box in (shape.box for shape in shapes if shape.index != now)
    )  # fmt: skip


def _without_allowed_additions(changes: Iterable[Change], scope: Scope) -> Iterable[Change]:
    left = float("inf") if scope.new_slides is True else int(scope.new_slides)
    for change in changes:
        if change.kind == "slide_added" and left > 0:
            left -= 1
            continue
        # Applications add the layout of a pasted slide.
        if change.kind == "layout_added" and scope.new_slides:
            continue
        yield change
