"""Leaves for added, removed and moved slides and shapes, and for slide and deck properties."""

from collections.abc import Iterator, Sequence
from typing import Any

from pptarena.decks import Animation, Paint, Transition
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.groups import ShapeSummary
from pptarena.decks.selectors import spec_of
from pptarena.tasks.draft.leaf import Leaf, PartContext

_TIMING_FIELDS = ("duration_sec", "variant", "advance_after_sec", "on_click")

__all__ = ["animation_leaves", "deck_leaves", "existence_leaves", "order_leaves", "slide_leaves"]


def existence_leaves(context: PartContext) -> Iterator[Leaf]:
    """Yield leaves for an added or removed slide or shape."""
    change = context.part.changes[0]
    if context.part.kind == "slide_removed":
        yield Leaf("slide_deleted", {"slide": context.part.slide})
    elif context.part.kind == "shape_removed":
        yield Leaf("shape_deleted", context.at)
    elif context.part.kind == "ungrouped":
        yield Leaf("shapes_ungrouped", context.at)
    elif context.part.kind == "shape_added" and isinstance(change.value_after, ShapeSummary):
        brief = change.value_after
        text = {"text": brief.text} if brief.text.strip() else {}
        kind = {"kind": brief.kind} if brief.kind != "placeholder" else {}
        yield Leaf("shape_exists", {"slide": context.part.slide, **kind, **text})
    elif context.part.kind == "slide_added" and context.slide_gold is not None:
        title = {"title": context.slide_gold.title} if context.slide_gold.title.strip() else {}
        for position in _position_arguments(context, (context.part.slide_gold or 1) - 1):
            yield Leaf("slide_added", {**position, **title})


def order_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a moved slide."""
    for position in _position_arguments(context, (change.slide_now or 1) - 1):
        target = {"to" if name == "at" else name: value for name, value in position.items()}
        yield Leaf("slide_moved", {"slide": change.slide, **target})


def _position_arguments(context: PartContext, index: int) -> Iterator[dict[str, Any]]:
    """Yield ways to describe a slide's position: after another slide, or by number."""
    before = context.plan.match.to_original.get(index - 1)
    if before is not None:
        yield {"after": before + 1}
    yield {"at": index + 1}


def slide_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a slide property."""
    at, value = {"slide": context.part.slide}, change.value_after
    if change.aspect == "visibility" and isinstance(value, bool):
        yield Leaf("slide_hidden", at if value else {**at, "hidden": False})
    elif change.aspect == "layout" and isinstance(value, str) and not change.what:
        yield Leaf("slide_layout_is", {**at, "layout": value})
    elif isinstance(value, Paint) and value.kind == "solid" and value.color:
        yield Leaf("slide_background", {**at, "color": value.color})
    elif isinstance(value, Transition) and isinstance(change.value_before, Transition):
        yield from _transition_leaves(at, change.value_before, value)


def _transition_leaves(at: dict[str, Any], old: Transition, new: Transition) -> Iterator[Leaf]:
    if new.type == "none":
        yield Leaf("transition_none", at)
    elif new.sound == old.sound:
        # Another effect entails another direction and duration.
        is_same_effect = new.type == old.type
        names = [
            name
            for name in _TIMING_FIELDS
            if is_same_effect or name not in ("duration_sec", "variant")
        ]
        changed = {n: getattr(new, n) for n in names if getattr(new, n) != getattr(old, n)}
        yield Leaf("transition_is", {**at, "type": new.type, **changed})
        # For slides that had the effect already, with another duration.
        if new.duration_sec is not None:
            duration = {"duration_sec": new.duration_sec}
            yield Leaf("transition_is", {**at, "type": new.type, **changed, **duration})


def animation_leaves(context: PartContext, changes: Sequence[Change]) -> Iterator[Leaf]:
    """Yield leaves for the removal of all effects, or for one new effect."""
    if context.slide_gold is not None and not context.slide_gold.animations:
        yield Leaf("animation_none", {"slide": context.part.slide})
    if len(changes) != 1 or changes[0].kind != "animation_added" or context.slide is None:
        return
    effect = changes[0].value_after
    if not isinstance(effect, Animation) or effect.shape is None:
        return
    original_index = context.plan.match.shapes(context.slide.index).to_original.get(effect.shape)
    spec = (
        None
        if original_index is None
        else spec_of(context.slide, context.slide.shapes[original_index])
    )
    if spec is not None:
        details = {"effect": effect.effect, "kind": effect.kind, "trigger": effect.trigger}
        yield Leaf("animation_exists", {"slide": context.part.slide, "shape": spec, **details})


def deck_leaves(change: Change) -> Iterator[Leaf]:
    """Yield leaves for deck-level properties: size, theme colors and fonts, document properties."""
    value = change.value_after
    if change.kind == "slide_size_changed" and isinstance(value, tuple) and len(value) == 2:
        yield Leaf("slide_size_is", {"width_emu": value[0], "height_emu": value[1]})
    elif change.kind == "theme_fonts_changed" and isinstance(value, tuple) and len(value) == 2:
        yield Leaf("theme_fonts_are", {"heading": value[0], "body": value[1]})
    elif change.kind == "theme_colors_changed" and isinstance(value, tuple):
        yield Leaf("theme_colors_are", {"colors": [list(each) for each in value]})
    elif change.aspect == "properties" and isinstance(value, str) and value.strip():
        yield Leaf("document_property_is", {"property": change.what, "text": value})
