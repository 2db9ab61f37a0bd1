"""Candidate leaves for the changes of a part."""

from collections.abc import Sequence
from typing import Any

from pptarena.decks.diff.change import Change
from pptarena.decks.selectors import find_shape, spec_of
from pptarena.tasks.draft.leaf import Leaf, Seen
from pptarena.tasks.draft.looks import (
    chart_leaves,
    format_leaves,
    picture_leaves,
    place_leaves,
    style_leaves,
)
from pptarena.tasks.draft.slides import (
    animation_leaves,
    coming_leaves,
    deck_leaves,
    order_leaves,
    slide_leaves,
)
from pptarena.tasks.draft.words import (
    alt_text_leaves,
    comment_leaves,
    link_leaves,
    note_leaves,
    table_leaves,
    text_leaves,
)

__all__ = ["fallback", "slots"]

_ONE_BY_ONE = {
    "text": text_leaves,
    "notes": note_leaves,
    "tables": table_leaves,
    "alt_text": alt_text_leaves,
    "hyperlinks": link_leaves,
    "style": style_leaves,
    "geometry": place_leaves,
    "pictures": picture_leaves,
    "charts": chart_leaves,
}
_OF_SLIDES = frozenset(("visibility", "layout", "background", "transition"))


def slots(seen: Seen) -> list[list[Leaf]]:
    """Return candidate leaves for each change of a part, the best first.

    A part is covered if every slot has a leaf that holds; an empty slot cannot be covered.
    """
    part = seen.part
    if part.kind in ("slide_added", "shape_added"):
        # One leaf for its existence, one for its content.
        return [list(coming_leaves(seen)), [fallback(seen)]]
    if part.kind == "order":
        return [list(order_leaves(seen, change)) for change in part.changes]
    if part.kind in ("slide_removed", "shape_removed", "ungrouped"):
        return [list(coming_leaves(seen))]
    if part.aspect == "formatting":
        return _of_looks(seen, part.changes)
    if part.aspect == "animation":
        return [list(animation_leaves(seen, part.changes))]
    if part.aspect == "comments":
        return [list(comment_leaves(seen, part.changes))]
    if part.shape is not None and part.aspect in _ONE_BY_ONE:
        leaves = _ONE_BY_ONE[part.aspect]
        return [list(leaves(seen, change)) for change in part.changes]
    if part.aspect == "notes":
        return [list(note_leaves(seen, change)) for change in part.changes]
    if part.shape is None and part.aspect in _OF_SLIDES and part.slide is not None:
        return [list(slide_leaves(seen, change)) for change in part.changes]
    if part.slide is None and part.kind == "changed":
        return [list(deck_leaves(change)) for change in part.changes]
    return [[]]


def fallback(seen: Seen) -> Leaf:
    """Return a leaf that compares only this part with the gold."""
    part = seen.part
    if part.kind == "slide_added":
        number = seen.plan.match.added.index((part.slide_gold or 1) - 1) + 1
        return Leaf("gold_match", {"slide_new": number})
    args: dict[str, Any] = {}
    if part.slide is not None:
        args |= seen.at
    if part.kind == "shape_added" and seen.slide_gold is not None and seen.shape_gold is not None:
        spec = spec_of(seen.slide_gold, seen.shape_gold)
        # A selector that matches a shape of the original refers to that shape.
        is_new = spec is not None and seen.slide and find_shape(seen.slide, spec) is None
        args |= {"shape": spec} if is_new else {}
    return Leaf("gold_match", {**args, "aspects": [part.aspect]})


def _of_looks(seen: Seen, changes: Sequence[Change]) -> list[list[Leaf]]:
    """Return a single slot for all formatting changes if one leaf can cover them."""
    every = list(format_leaves(seen, changes))
    alone = [list(format_leaves(seen, [change])) for change in changes]
    known = {leaf.key for each in alone for leaf in each}
    joint = [leaf for leaf in every if leaf.key not in known]
    return [joint] if joint and all(map(_is_run, alone)) else alone


def _is_run(leaves: Sequence[Leaf]) -> bool:
    return bool(leaves) and all(leaf.check == "run_format" for leaf in leaves)
