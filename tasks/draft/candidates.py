"""Candidate leaves for the changes of a part."""

from collections.abc import Sequence
from typing import Any

from pptarena.decks.diff.change import Change
from pptarena.decks.selectors import find_shape, spec_of
from pptarena.tasks.draft.format_leaves import (
    chart_leaves,
    format_leaves,
    geometry_leaves,
    picture_leaves,
    style_leaves,
)
from pptarena.tasks.draft.leaf import Leaf, PartContext
from pptarena.tasks.draft.slide_leaves import (
    animation_leaves,
    deck_leaves,
    existence_leaves,
    order_leaves,
    slide_leaves,
)
from pptarena.tasks.draft.text_leaves import (
    alt_text_leaves,
    comment_leaves,
    link_leaves,
    note_leaves,
    table_leaves,
    text_leaves,
)

__all__ = ["fallback", "leaf_slots"]

_LEAVES_BY_ASPECT = {
    "text": text_leaves,
    "notes": note_leaves,
    "tables": table_leaves,
    "alt_text": alt_text_leaves,
    "hyperlinks": link_leaves,
    "style": style_leaves,
    "geometry": geometry_leaves,
    "pictures": picture_leaves,
    "charts": chart_leaves,
}
_SLIDE_ASPECTS = frozenset(("visibility", "layout", "background", "transition"))


def leaf_slots(context: PartContext) -> list[list[Leaf]]:
    """Return candidate leaves for each change of a part, the best first.

    A part is covered if every slot has a valid leaf; see `keys_of_valid_leaves`.
    """
    part = context.part
    if part.kind in ("slide_added", "shape_added"):
        # One leaf for its existence, one for its content.
        return [list(existence_leaves(context)), [fallback(context)]]
    if part.kind == "order":
        return [list(order_leaves(context, change)) for change in part.changes]
    if part.kind in ("slide_removed", "shape_removed", "ungrouped"):
        return [list(existence_leaves(context))]
    if part.aspect == "formatting":
        return _format_slots(context, part.changes)
    if part.aspect == "animation":
        return [list(animation_leaves(context, part.changes))]
    if part.aspect == "comments":
        return [list(comment_leaves(context, part.changes))]
    if part.shape is not None and part.aspect in _LEAVES_BY_ASPECT:
        leaves = _LEAVES_BY_ASPECT[part.aspect]
        return [list(leaves(context, change)) for change in part.changes]
    if part.aspect == "notes":
        return [list(note_leaves(context, change)) for change in part.changes]
    if part.shape is None and part.aspect in _SLIDE_ASPECTS and part.slide is not None:
        return [list(slide_leaves(context, change)) for change in part.changes]
    if part.slide is None and part.kind == "changed":
        return [list(deck_leaves(change)) for change in part.changes]
    return [[]]


def fallback(context: PartContext) -> Leaf:
    """Return a leaf that compares only this part with the gold deck."""
    part = context.part
    if part.kind == "slide_added":
        number = context.plan.match.added.index((part.slide_gold or 1) - 1) + 1
        return Leaf("gold_match", {"slide_new": number})
    args: dict[str, Any] = {}
    if part.slide is not None:
        args |= context.at
    if (
        part.kind == "shape_added"
        and context.slide_gold is not None
        and context.shape_gold is not None
    ):
        spec = spec_of(context.slide_gold, context.shape_gold)
        # A selector that matches a shape of the original refers to that shape.
        is_new = spec is not None and context.slide and find_shape(context.slide, spec) is None
        args |= {"shape": spec} if is_new else {}
    return Leaf("gold_match", {**args, "aspects": [part.aspect]})


def _format_slots(context: PartContext, changes: Sequence[Change]) -> list[list[Leaf]]:
    """Return a single slot for all formatting changes if one leaf can cover them."""
    joint = list(format_leaves(context, changes))
    individual = [list(format_leaves(context, [change])) for change in changes]
    individual_keys = {leaf.key for each in individual for leaf in each}
    joint = [leaf for leaf in joint if leaf.key not in individual_keys]
    return [joint] if joint and all(map(_are_run_formats, individual)) else individual


def _are_run_formats(leaves: Sequence[Leaf]) -> bool:
    return bool(leaves) and all(leaf.check == "run_format" for leaf in leaves)
