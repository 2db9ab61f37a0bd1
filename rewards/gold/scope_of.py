"""Derive the scope of a task from a gold deck."""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from pptarena.decks import Deck
from pptarena.decks.diff.change import Aspect, Change
from pptarena.decks.diff.new_text import new_slide_formatting
from pptarena.decks.selectors import spec_of
from pptarena.rewards.gold.plan import TEXT_ASPECTS, GoldPlan, Group, Part, plan_of
from pptarena.rewards.scope.loss import out_of_sight_loss, shape_out_of_sight
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes, shapes_in_scope
from pptarena.rewards.scope.scope import Scope, ScopePart

__all__ = ["scope_of"]

_CELL = re.compile(r"row (\d+) column (\d+)\b ?(.*)")
_CELL_ASPECTS = frozenset(("tables", "formatting", "style"))
_PROPERTIES = {
    **{name: (name,) for name in ("bold", "italic", "underline", "strike", "size", "color")},
    **{name: (name,) for name in ("font", "highlight", "baseline", "caps")},
    **{name: (name,) for name in ("align", "level", "bullet")},
    "underline color": ("underline",),
    "double strike": ("strike",),
    "line spacing": ("line_spacing",),
    "space before": ("spacing",),
    "space after": ("spacing",),
}
_GEOMETRY = {
    "place": ("place",),
    # Resizing by the top-left corner moves the shape as well.
    "size": ("extent", "place"),
    "rotation": ("rotation",),
    "flip": ("flip",),
}
_MAX_ROUNDS = 3
# The least permissive shape aspect, and permission to hide the shape.
_HIDING_ASPECTS: tuple[Aspect, ...] = ("other", "visibility")


def scope_of(original: Deck, gold: Deck) -> Scope:
    """Return the narrowest scope that contains all changes from an original to a gold.

    Shapes are named as on the original's slides. Cells, formatting properties, replaced text and
    the number of new shapes and slides are restricted to those of the gold.
    """
    plan = plan_of(original, gold)
    parts = [part for group in plan.groups for part in _group_parts(group, original)]
    added = sum(change.kind == "slide_added" for change in plan.changes)
    has_new_formatting = any(True for _ in new_slide_formatting(plan.match))
    scope = Scope(new_slides=added, parts=_merge(parts), new_looks=has_new_formatting)
    for _ in range(_MAX_ROUNDS):
        # Covers changes that are not reported individually, such as formatting of new text, and
        # another explanation of a new order once some slides may move.
        missing = [
            _unconditional_part(change, original)
            for change in out_of_scope_changes(plan.match, scope)
        ]
        more = [part for part in missing if part is not None]
        if not more:
            break
        scope = replace(scope, parts=_merge([*scope.parts, *more]))
    return replace(scope, parts=_merge([*scope.parts, *_hidden_shape_parts(plan, scope)]))


def _hidden_shape_parts(plan: GoldPlan, scope: Scope) -> Iterable[ScopePart]:
    """Yield parts that allow shapes to go out of sight that are out of sight in the gold."""
    free = shapes_in_scope(plan.match, scope)
    for index, now in plan.match.pairs:
        before, after = plan.original.slides[index], plan.gold.slides[now]
        covered = free.get(index, set())
        if before.shapes is after.shapes:
            continue
        for shape in before.shapes:
            others = {each.index for each in before.shapes} - {shape.index}
            is_hidden = shape_out_of_sight(plan.match, index, shape.index)
            if is_hidden or (
                shape.index not in covered and out_of_sight_loss(plan.match, index, others)
            ):
                yield ScopePart(
                    (index + 1,),
                    _HIDING_ASPECTS,
                    _selectors_of(plan.original, index + 1, shape.index),
                )


def _group_parts(group: Group, original: Deck) -> Iterable[ScopePart]:
    for part in group.parts:
        if part.kind == "order":
            slides = tuple(sorted(c.slide for c in part.changes if c.slide is not None))
            yield ScopePart(slides, ("order",), ())
        elif part.slide is None:
            if part.kind == "changed":
                yield ScopePart("all", (part.aspect,), ())
        elif part.kind == "shape_added":
            yield ScopePart((part.slide,), ("shapes",), (), new_shapes=1)
        elif part.kind == "stacking":
            for change in part.changes:
                yield from filter(None, [_unconditional_part(change, original)])
        else:
            # A single place may be reworded differently; several places are a renaming.
            replacement = group.words if len(group.parts) > 1 else None
            yield _scope_part(part, replacement, original)


def _scope_part(part: Part, replacement: tuple[str, str] | None, original: Deck) -> ScopePart:
    scope_part = ScopePart(
        (part.slide or 1,), (part.aspect,), _selectors_of(original, part.slide, part.shape)
    )
    if replacement is not None and part.aspect in TEXT_ASPECTS:
        scope_part = replace(scope_part, words=(replacement,))
    if part.shape is None or part.kind != "changed":
        return scope_part
    cells = [_CELL.fullmatch(change.what) for change in part.changes]
    matches = [each for each in cells if each is not None]
    if part.aspect in _CELL_ASPECTS and len(matches) == len(cells):
        positions = sorted({(int(each[1]), int(each[2])) for each in matches})
        return replace(scope_part, cells=tuple(positions))
    names = _PROPERTIES if part.aspect == "formatting" else _GEOMETRY
    property_names = [names.get(change.what) for change in part.changes]
    if part.aspect in ("formatting", "geometry") and None not in property_names:
        properties = {name for each in property_names if each is not None for name in each}
        scope_part = replace(scope_part, properties=tuple(sorted(properties)))
        text = _formatted_text(part.changes)
        if text and set(scope_part.properties or ()) <= _CHARACTER_PROPERTIES:
            scope_part = replace(scope_part, letters=text)
    return scope_part


_CHARACTER_PROPERTIES = frozenset(
    ("bold", "italic", "underline", "strike", "size", "color", "font", "highlight", "caps")
)


def _formatted_text(changes: Sequence[Change]) -> str:
    """Return the text whose formatting changes, if it is the same for all properties."""
    texts: set[str] = set()
    for change in changes:
        value = change.value_after
        if change.aspect != "formatting" or not isinstance(value, tuple):
            return ""
        texts |= {str(each[0]) for each in value if isinstance(each, tuple)}
    return texts.pop().strip() if len(texts) == 1 else ""


def _unconditional_part(change: Change, original: Deck) -> ScopePart | None:
    """Return the part that allows one change without finer conditions, or None."""
    if change.slide is None:
        is_new_slide = change.slide_now is not None
        return None if is_new_slide else ScopePart("all", (change.aspect,), ())
    if change.kind == "shape_added":
        return ScopePart((change.slide,), ("shapes",), (), new_shapes=1)
    shapes = _selectors_of(original, change.slide, change.shape_index)
    return ScopePart((change.slide,), (change.aspect,), shapes)


def _selectors_of(original: Deck, slide: int | None, shape: int | None) -> tuple[str, ...]:
    """Return the selector of a shape; empty for a change of the slide itself."""
    original_slide = None if shape is None or slide is None else original.slides[slide - 1]
    spec = (
        None
        if original_slide is None
        else spec_of(original_slide, original_slide.shapes[shape or 0])
    )
    return () if spec is None else (spec,)


def _merge(parts: Sequence[ScopePart]) -> tuple[ScopePart, ...]:
    """Merge parts that differ only in their slides, and add up the allowed new shapes."""
    new: dict[int, int] = {}
    slides: dict[Hashable, set[int]] = {}
    part_by_key: dict[Hashable, ScopePart] = {}
    for part in parts:
        if part.new_shapes and part.slides != "all":
            for slide in part.slides:
                new[slide] = new.get(slide, 0) + part.new_shapes
            continue
        key = replace(part, slides=part.slides if part.slides == "all" else ())
        part_by_key.setdefault(key, part)
        if part.slides != "all":
            slides.setdefault(key, set()).update(part.slides)
    joined = [
        replace(part, slides=tuple(sorted(slides[key]))) if key in slides else part
        for key, part in part_by_key.items()
    ]
    for count in sorted(set(new.values())):
        where = tuple(sorted(slide for slide, each in new.items() if each == count))
        joined.append(ScopePart(where, ("shapes",), (), new_shapes=count))
    return tuple(joined)
