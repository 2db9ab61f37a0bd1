"""Derive the scope of a task from a gold deck."""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from pptarena.decks import Deck
from pptarena.decks.diff.change import Aspect, Change
from pptarena.decks.diff.new_words import new_slide_looks
from pptarena.decks.selectors import spec_of
from pptarena.rewards.gold.plan import WORDED, GoldPlan, Group, Part, plan_of
from pptarena.rewards.scope.loss import out_of_sight_loss, shape_out_of_sight
from pptarena.rewards.scope.outside import changes_outside, shapes_in_scope
from pptarena.rewards.scope.scope import Scope, ScopePart

__all__ = ["scope_of"]

_CELL = re.compile(r"row (\d+) column (\d+)\b ?(.*)")
_OF_CELLS = frozenset(("tables", "formatting", "style"))
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
_ROUNDS = 3
# The least permissive shape aspect, and permission to hide the shape.
_OUT_OF_SIGHT: tuple[Aspect, ...] = ("other", "visibility")


def scope_of(original: Deck, gold: Deck) -> Scope:
    """Return the narrowest scope that contains all changes from an original to a gold.

    Shapes are named as on the original's slides. Cells, formatting properties, replaced text and
    the number of new shapes and slides are restricted to those of the gold.
    """
    plan = plan_of(original, gold)
    parts = [part for group in plan.groups for part in _of_group(group, original)]
    added = sum(change.kind == "slide_added" for change in plan.changes)
    new_looks = any(True for _ in new_slide_looks(plan.match))
    scope = Scope(new_slides=added, parts=_joined(parts), new_looks=new_looks)
    for _ in range(_ROUNDS):
        # Covers changes that are not reported individually, such as formatting of new text, and
        # another explanation of a new order once some slides may move.
        left = [_plain(change, original) for change in changes_outside(plan.match, scope)]
        more = [part for part in left if part is not None]
        if not more:
            break
        scope = replace(scope, parts=_joined([*scope.parts, *more]))
    return replace(scope, parts=_joined([*scope.parts, *_put_out_of_sight(plan, scope)]))


def _put_out_of_sight(plan: GoldPlan, scope: Scope) -> Iterable[ScopePart]:
    """Yield parts that allow shapes to go out of sight that are out of sight in the gold."""
    free = shapes_in_scope(plan.match, scope)
    for index, now in plan.match.pairs:
        before, after = plan.original.slides[index], plan.gold.slides[now]
        known = free.get(index, set())
        if before.shapes is after.shapes:
            continue
        for shape in before.shapes:
            others = {each.index for each in before.shapes} - {shape.index}
            unseen = shape_out_of_sight(plan.match, index, shape.index)
            if unseen or (
                shape.index not in known and out_of_sight_loss(plan.match, index, others)
            ):
                yield ScopePart(
                    (index + 1,), _OUT_OF_SIGHT, _shapes(plan.original, index + 1, shape.index)
                )


def _of_group(group: Group, original: Deck) -> Iterable[ScopePart]:
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
                yield from filter(None, [_plain(change, original)])
        else:
            # A single place may be reworded differently; several places are a renaming.
            words = group.words if len(group.parts) > 1 else None
            yield _of_part(part, words, original)


def _of_part(part: Part, words: tuple[str, str] | None, original: Deck) -> ScopePart:
    found = ScopePart((part.slide or 1,), (part.aspect,), _shapes(original, part.slide, part.shape))
    if words is not None and part.aspect in WORDED:
        found = replace(found, words=(words,))
    if part.shape is None or part.kind != "changed":
        return found
    cells = [_CELL.fullmatch(change.what) for change in part.changes]
    whole = [each for each in cells if each is not None]
    if part.aspect in _OF_CELLS and len(whole) == len(cells):
        places = sorted({(int(each[1]), int(each[2])) for each in whole})
        return replace(found, cells=tuple(places))
    names = _PROPERTIES if part.aspect == "formatting" else _GEOMETRY
    known = [names.get(change.what) for change in part.changes]
    if part.aspect in ("formatting", "geometry") and None not in known:
        properties = {name for each in known if each is not None for name in each}
        found = replace(found, properties=tuple(sorted(properties)))
        letters = _letters(part.changes)
        if letters and set(found.properties or ()) <= _OF_LETTERS:
            found = replace(found, letters=letters)
    return found


_OF_LETTERS = frozenset(
    ("bold", "italic", "underline", "strike", "size", "color", "font", "highlight", "caps")
)


def _letters(changes: Sequence[Change]) -> str:
    """Return the text whose formatting changes, if it is the same for all properties."""
    texts: set[str] = set()
    for change in changes:
        value = change.value_after
        if change.aspect != "formatting" or not isinstance(value, tuple):
            return ""
        texts |= {str(each[0]) for each in value if isinstance(each, tuple)}
    return texts.pop().strip() if len(texts) == 1 else ""


def _plain(change: Change, original: Deck) -> ScopePart | None:
    """Return the part that allows one change without finer conditions, or None."""
    if change.slide is None:
        is_new_slide = change.slide_now is not None
        return None if is_new_slide else ScopePart("all", (change.aspect,), ())
    if change.kind == "shape_added":
        return ScopePart((change.slide,), ("shapes",), (), new_shapes=1)
    shapes = _shapes(original, change.slide, change.shape_index)
    return ScopePart((change.slide,), (change.aspect,), shapes)


def _shapes(original: Deck, slide: int | None, shape: int | None) -> tuple[str, ...]:
    """Return the selector of a shape; empty for a change of the slide itself."""
    there = None if shape is None or slide is None else original.slides[slide - 1]
    spec = None if there is None else spec_of(there, there.shapes[shape or 0])
    return () if spec is None else (spec,)


def _joined(parts: Sequence[ScopePart]) -> tuple[ScopePart, ...]:
    """Merge parts that differ only in their slides, and add up the allowed new shapes."""
    new: dict[int, int] = {}
    slides: dict[Hashable, set[int]] = {}
    found: dict[Hashable, ScopePart] = {}
    for part in parts:
        if part.new_shapes and part.slides != "all":
            for slide in part.slides:
                new[slide] = new.get(slide, 0) + part.new_shapes
            continue
        key = replace(part, slides=part.slides if part.slides == "all" else ())
        found.setdefault(key, part)
        if part.slides != "all":
            slides.setdefault(key, set()).update(part.slides)
    joined = [
        replace(part, slides=tuple(sorted(slides[key]))) if key in slides else part
        for key, part in found.items()
    ]
    for count in sorted(set(new.values())):
        where = tuple(sorted(slide for slide, each in new.items() if each == count))
        joined.append(ScopePart(where, ("shapes",), (), new_shapes=count))
    return tuple(joined)
