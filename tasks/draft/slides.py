"""Leaves for added, removed and moved slides and shapes, and for slide and deck properties."""

from collections.abc import Iterator, Sequence
from typing import Any

from pptarena.decks import Animation, Paint, Transition
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.groups import ShapeBrief
from pptarena.decks.selectors import spec_of
from pptarena.tasks.draft.leaf import Leaf, Seen

_TIMED = ("duration_sec", "variant", "advance_after_sec", "on_click")

__all__ = ["animation_leaves", "coming_leaves", "deck_leaves", "order_leaves", "slide_leaves"]


def coming_leaves(seen: Seen) -> Iterator[Leaf]:
    """Yield leaves for an added or removed slide or shape."""
    change = seen.part.changes[0]
    if seen.part.kind == "slide_removed":
        yield Leaf("slide_deleted", {"slide": seen.part.slide})
    elif seen.part.kind == "shape_removed":
        yield Leaf("shape_deleted", seen.at)
    elif seen.part.kind == "ungrouped":
        yield Leaf("shapes_ungrouped", seen.at)
    elif seen.part.kind == "shape_added" and isinstance(change.value_after, ShapeBrief):
        brief = change.value_after
        text = {"text": brief.text} if brief.text.strip() else {}
        kind = {"kind": brief.kind} if brief.kind != "placeholder" else {}
        yield Leaf("shape_exists", {"slide": seen.part.slide, **kind, **text})
    elif seen.part.kind == "slide_added" and seen.slide_gold is not None:
        title = {"title": seen.slide_gold.title} if seen.slide_gold.title.strip() else {}
        for place in _places(seen, (seen.part.slide_gold or 1) - 1):
            yield Leaf("slide_added", {**place, **title})


def order_leaves(seen: Seen, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a moved slide."""
    for place in _places(seen, (change.slide_now or 1) - 1):
        where = {"to" if name == "at" else name: value for name, value in place.items()}
        yield Leaf("slide_moved", {"slide": change.slide, **where})


def _places(seen: Seen, index: int) -> Iterator[dict[str, Any]]:
    """Yield ways to describe a slide's position: after another slide, or by number."""
    before = seen.plan.match.to_original.get(index - 1)
    if before is not None:
        yield {"after": before + 1}
    yield {"at": index + 1}


def slide_leaves(seen: Seen, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a slide property."""
    at, value = {"slide": seen.part.slide}, change.value_after
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
        same = new.type == old.type
        names = [name for name in _TIMED if same or name not in ("duration_sec", "variant")]
        differs = {n: getattr(new, n) for n in names if getattr(new, n) != getattr(old, n)}
        yield Leaf("transition_is", {**at, "type": new.type, **differs})
        # For slides that had the effect already, with another duration.
        if new.duration_sec is not None:
            length = {"duration_sec": new.duration_sec}
            yield Leaf("transition_is", {**at, "type": new.type, **differs, **length})


def animation_leaves(seen: Seen, changes: Sequence[Change]) -> Iterator[Leaf]:
    """Yield leaves for the removal of all effects, or for one new effect."""
    if seen.slide_gold is not None and not seen.slide_gold.animations:
        yield Leaf("animation_none", {"slide": seen.part.slide})
    if len(changes) != 1 or changes[0].kind != "animation_added" or seen.slide is None:
        return
    effect = changes[0].value_after
    if not isinstance(effect, Animation) or effect.shape is None:
        return
    was = seen.plan.match.shapes(seen.slide.index).to_original.get(effect.shape)
    spec = None if was is None else spec_of(seen.slide, seen.slide.shapes[was])
    if spec is not None:
        how = {"effect": effect.effect, "kind": effect.kind, "trigger": effect.trigger}
        yield Leaf("animation_exists", {"slide": seen.part.slide, "shape": spec, **how})


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
