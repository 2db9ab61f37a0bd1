"""Changes inside a scope that no target deck explains.

The current deck is compared with a target, and so is the original. A value that differs only in the
first comparison was changed although the target keeps it: damage. A value that differs in both was
to be changed; the rubric's leaves score whether it was changed as requested.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import eq
from typing import Any

from pptarena.decks import Animation, Deck, Link, Shape, Slide, Table, Transition
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.consequences import attach_consequences, flatten_changes
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.equivalence.changes import is_new_alt_text
from pptarena.decks.equivalence.equivalences import looks_equal
from pptarena.decks.match.decks import DeckMatch, match_slides
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.match.values import clip
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.scope.content import is_unwatchable, lines_with_rivals, rival_answers
from pptarena.rewards.scope.out_of_scope import is_free_everywhere, is_free_in_scope
from pptarena.rewards.scope.prices import TargetChanges
from pptarena.rewards.scope.scope import Scope

__all__ = [
    "target_changes_by_shape",
    "unexplained_changes",
]


_ShapeKey = tuple[int | None, int | None]

# Viewers do not see names; the visibility checks handle occlusion by a new order.
_INVISIBLE_PROPERTIES = frozenset(("name",))
_ORDER_CHANGES = frozenset(
    ("z_order_changed", "slide_moved", "grouping_changed", "animation_moved")
)
_ADDITIONS = frozenset(("slide_added", "shape_added", "layout_added", "comment_added"))


def unexplained_changes(
    match: DeckMatch, scope: Scope, targets: Sequence[Deck], outside: Sequence[Change]
) -> tuple[Change, ...]:
    """Return the changes within a scope that no target contains.

    Args:
        match: The original and the current deck.
        scope: The part of the deck that may change.
        targets: Target decks; without any, nothing is returned. The one that leaves the fewest
            changes unexplained counts.
        outside: Changes that the scope does not allow; they are not returned again.

    Returns:
        Changes from the target to the current deck, with slide and shape positions of the original.
        New shapes are not reported. New slides are reported only if content is missing or exits.
    """
    if not targets or match.original is match.current:
        return ()
    known_keys = {_change_key(change) for change in flatten_changes(outside)}
    changes_by_target = (
        _unexplained_by_target(match, scope, plan_of(match.original, target)) for target in targets
    )
    remaining = [
        tuple(each for each in changes if _change_key(each) not in known_keys)
        for changes in changes_by_target
    ]
    return min(remaining, key=len)


def target_changes_by_shape(original: Deck, targets: Sequence[Deck]) -> TargetChanges:
    """Return the changes of targets by slide and shape, with an entry for every changed slide."""
    properties: dict[_ShapeKey, set[tuple[str, str]]] = defaultdict(set)
    for target in targets:
        changes = plan_of(original, target).changes
        for change in changes:
            if change.slide is not None:
                properties[_shape_key(change)] |= set()
                properties[change.slide, None] |= set()
        for change in flatten_changes(changes):  # side effects of a new theme do not count as work
            if _shape_key(change) in properties:
                properties[_shape_key(change)].add((change.aspect, change.what))
    return dict(properties)


def _change_key(change: Change) -> tuple[object, ...]:
    return change.slide, change.shape_index, change.aspect, change.what


def _unexplained_by_target(match: DeckMatch, scope: Scope, plan: GoldPlan) -> Iterator[Change]:
    pair = _match_from_target(match, plan)
    requested: dict[_ShapeKey, list[Change]] = defaultdict(list)
    for change in plan.reverse_changes:
        requested[_shape_key(change)].append(change)
    yield from _unknown_links(match, plan)
    for change in attach_consequences(pair, diff_matched(pair)):
        if (
            change.kind in _ADDITIONS
            or change.kind in _ORDER_CHANGES
            or change.what in _INVISIBLE_PROPERTIES
        ):
            continue
        if is_free_everywhere(change, pair) or is_new_alt_text(change):
            continue
        if _is_invisible_to_viewers(change, pair):
            continue
        if _animates_unrequested_shape(change, pair):
            placed = _with_original_positions(change, plan)
            yield from () if placed is None or is_free_in_scope(placed, scope, match) else (placed,)
            continue
        work = requested[_shape_key(change)]
        if change.shape_index is not None:
            work = [
                *work,
                *(each for each in requested[change.slide, None] if each.aspect == "layout"),
            ]
        if _is_in_reordered_table(change, pair):
            continue
        for unexplained in _unexplained_parts(change, work):
            placed = _with_original_positions(unexplained, plan)
            if placed is not None and not is_free_in_scope(placed, scope, match):
                yield placed
    yield from (
        each for each in rival_answers(pair, plan) if not is_free_in_scope(each, scope, match)
    )


def _animates_unrequested_shape(change: Change, pair: DeckMatch) -> bool:
    """Return whether an effect was added to a shape other than those that a target animates."""
    effect = change.value_after
    if change.kind != "animation_added" or not isinstance(effect, Animation) or not change.slide:
        return False
    target = pair.original.slides[change.slide - 1]
    now = pair.current.slides[pair.to_current[target.index]]
    pairs = pair.shapes(target.index)
    expected = {each.shape for each in target.animations if each.shape is not None}
    animated = {
        pairs.to_original.get(each.shape) for each in now.animations if each.shape is not None
    }
    is_other_shape = (
        effect.shape is not None and pairs.to_original.get(effect.shape) not in expected
    )
    return is_other_shape and bool(expected) and expected <= animated


def _unknown_links(match: DeckMatch, plan: GoldPlan) -> Iterator[Change]:
    """Yield links of new shapes to addresses that neither the original nor the target links to."""
    slides = match.current.slides
    new: list[tuple[int | None, int, Shape]] = [
        (None, index, shape) for index in match.added for shape in slides[index].shapes
    ]
    for original_index, index in match.pairs:
        added = match.shapes(original_index).added
        new += [(original_index + 1, index, slides[index].shapes[at]) for at in added]
    new_links = [
        (slide, index, shape, link)
        for slide, index, shape in new
        for link in _links_of(shape)
        if link.address and link.address not in shape.all_text
    ]
    known_links = (
        {k for d in (plan.original, plan.gold) for k in _links(d.slides)} if new_links else set()
    )
    for slide, index, shape, link in new_links:
        if link not in known_links:
            yield Change(
                "hyperlinks_changed", "hyperlinks", slide, index + 1, shape.label, None,
                "nothing", link.address, "", shape.index, None, link,
            )  # fmt: skip


def _links(slides: Iterable[Slide]) -> Iterator[Link]:
    for slide in slides:
        for shape in slide.shapes:
            yield from _links_of(shape)


def _links_of(shape: Shape) -> Iterator[Link]:
    runs = (run.link for paragraph in shape.paragraphs for run in paragraph.runs)
    yield from (link for link in (shape.link, *runs) if link is not None)


def _match_from_target(match: DeckMatch, plan: GoldPlan) -> DeckMatch:
    """Match a target with the current deck: through the original, new slides by similarity."""
    pairs = [
        (target, match.to_current[index])
        for index, target in plan.match.pairs
        if index in match.to_current
    ]
    new, added = plan.match.added, match.added
    if new and added:
        slides, slides_now = plan.gold.slides, match.current.slides
        slide_pairs = match_slides([slides[i] for i in new], [slides_now[j] for j in added])
        pairs += [(new[i], added[j]) for i, j in slide_pairs]
    return DeckMatch(plan.gold, match.current, pairs, match.saving)


def _is_in_reordered_table(change: Change, pair: DeckMatch) -> bool:
    """Return whether a table has the target's rows in another order, which a leaf scores."""
    if change.aspect not in ("tables", "formatting", "style"):
        return False
    shapes = ShapePair.of(pair, change)
    if shapes is None or shapes.old.table is None or shapes.new.table is None:
        return False
    expected, rows = (_rows(table) for table in (shapes.old.table, shapes.new.table))
    return expected != rows and sorted(expected) == sorted(rows)


def _rows(table: Table) -> list[tuple[str, ...]]:
    return [tuple(cell.text.strip() for cell in row) for row in table.rows]


def _is_invisible_to_viewers(change: Change, pair: DeckMatch) -> bool:
    values = change.value_before, change.value_after
    if change.aspect in ("pictures", "formatting"):
        shapes = ShapePair.of(pair, change)
        if shapes is None:
            return False
        if change.aspect == "pictures":
            values = shapes.old.picture, shapes.new.picture
        elif change.what == "autofit":
            values = shapes.old, shapes.new
        else:
            return False
    return looks_equal(change.aspect, change.what, *values)


def _shape_key(change: Change) -> _ShapeKey:
    return change.slide, change.shape_index


def _with_original_positions(change: Change, plan: GoldPlan) -> Change | None:
    """Return a change with slide and shape positions of the original, or None if they are new."""
    if change.slide is None:
        return change if change.slide_now is None else None
    index = plan.match.to_original.get(change.slide - 1)
    if index is None:
        # A new slide is free in its design, but must be shown and keep its content.
        effect = change.value_after
        exits = isinstance(effect, Animation) and effect.kind == "exit"
        is_harmful = exits or is_unwatchable(change)
        return replace(change, slide=None, shape_index=None) if is_harmful else None
    if change.shape_index is None:
        return replace(change, slide=index + 1)
    shape = plan.match.shapes(index).to_original.get(change.shape_index)
    return None if shape is None else replace(change, slide=index + 1, shape_index=shape)


# Properties that are set together: a request for one may change the others.
_RELATED_PROPERTIES: Sequence[frozenset[str]] = (
    frozenset(("level", "bullet", "margin", "indent", "space before", "space after")),
    frozenset(("underline", "underline color")),
    frozenset(("strike", "double strike")),
    frozenset(("align", "centered")),
    frozenset(("minimum", "maximum", "major unit", "minor unit")),
)
_LINE = re.compile(r"(row|column) (\d+)")
_AXIS = re.compile(r"(\w+ axis(?: ['\"].*['\"])?) (.+)")
_CELL = re.compile(r"row (\d+) column (\d+)\b ?(.*)")
_UNNOTICED_EMU = 91_440  # a tenth of an inch, below which viewers notice no difference
# How far a box may move when its text direction changes: one inch.
_MAX_ROTATED_TEXT_SHIFT_EMU = 914_400
_MAX_GROWTH = 2.0
_MAX_TRANSITION_SEC = 5.0  # a longer transition keeps viewers waiting
_FOOTER_PLACEHOLDERS = ("the sldNum placeholder", "the ftr placeholder", "the dt placeholder")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BREAK = re.compile(r"[\n\v]")


def _unexplained_parts(change: Change, requested: Sequence[Change]) -> Iterator[Change]:
    """Yield the parts of a change that the target's work does not explain.

    Args:
        change: A change from the target to the current deck.
        requested: The changes from the target to the original on the same shape, slide or deck:
            the requested work in reverse.
    """
    if change.aspect == "formatting":
        text_edits = [each for each in requested if _edits_same_text(each, change)]
        restricted = _restrict_to_unchanged_lines(change, text_edits[0]) if text_edits else change
        if restricted is None:
            return  # new text has no prior formatting; the scope restricts it
        change = restricted
    same = [each for each in requested if _concerns_same_value(change, each)]
    if same:
        yield from _subtract_requested(change, same)
    elif not any(_entails(each, change) for each in requested):
        yield change


def _edits_same_text(requested: Change, change: Change) -> bool:
    """Return whether the work edits the text of a formatting change: of a shape or of its cell."""
    if requested.aspect == "text":
        return True
    cell = _CELL.fullmatch(change.what)
    return (
        requested.aspect == "tables"
        and cell is not None
        and requested.what == cell[0][: cell.end(2)]
    )


def _restrict_to_unchanged_lines(change: Change, text_edit: Change) -> Change | None:
    """Return the formatting change restricted to lines that the target keeps."""
    spans, target = _spans(change.value_after), text_edit.value_before
    if not spans or not isinstance(target, str):
        return change
    lines = _unchanged_lines(target, str(text_edit.value_after))
    return _select_spans(
        change, [i for i, (text, _) in enumerate(spans) if _is_in_any_line(text, lines)]
    )


def _is_in_any_line(text: str, lines: Sequence[str]) -> bool:
    return any(text.strip() in line for line in lines)


def _unchanged_lines(target: str, original: str) -> list[str]:
    lines = _BREAK.split(target)
    return [
        line
        for tag, i1, i2, _, _ in opcodes(lines, _BREAK.split(original))
        if tag == "equal"
        for line in lines[i1:i2]
        if line.strip()
    ]


def _concerns_same_value(change: Change, requested: Change) -> bool:
    if change.aspect != requested.aspect:
        return False
    return change.what == requested.what and (bool(change.what) or change.kind == requested.kind)


def _entails(requested: Change, change: Change) -> bool:
    """Return whether the work on one value entails a change of another."""
    if requested.aspect != change.aspect:
        return _entails_in_other_aspect(requested, change)
    if change.aspect == "geometry" and {requested.what, change.what} <= {"place", "size"}:
        return requested.what == "size"
    if change.aspect == "animation":
        return True
    if change.aspect == "master":
        return _is_added_by_target(requested.what, change.what)
    if change.aspect == "charts":
        return _entails_in_chart(requested.what, change)
    cell = _CELL.fullmatch(change.what)
    if cell is None:
        return _are_related(requested.what, change.what)
    of_cell = _CELL.fullmatch(requested.what)
    is_same = of_cell is not None and cell.group(1, 2) == of_cell.group(1, 2)
    return _is_in_changed_line(requested, cell) or (
        of_cell is not None and is_same and _are_related(of_cell[3], cell[3])
    )


def _entails_in_other_aspect(requested: Change, change: Change) -> bool:
    """Return whether the work in one aspect entails a change in another."""
    if requested.aspect == "tables":
        # Added, removed and moved rows and columns change banding and sizes.
        if change.aspect == "geometry":
            return _LINE.fullmatch(requested.what) is not None
        cell = _CELL.fullmatch(change.what)
        if cell is None or change.aspect not in ("style", "formatting"):
            return False
        of_cell = _CELL.fullmatch(requested.what)
        return _is_in_changed_line(requested, cell) or (
            of_cell is not None and of_cell[1] == cell[1]
        )
    if requested.aspect == "pictures":
        return change.aspect == "alt_text" and requested.what == "picture"
    if (requested.aspect, requested.what, change.aspect) == ("formatting", "vertical", "geometry"):
        return _is_rotated_text_resize(change)
    if requested.aspect == "layout":
        return change.kind == "shape_removed" and change.shape.startswith(_FOOTER_PLACEHOLDERS)
    if requested.aspect == "text":
        return change.what == "autofit" or _is_autogrown(change)
    return False


def _is_rotated_text_resize(change: Change) -> bool:
    """Return whether a box did not grow, or moved by at most `_MAX_ROTATED_TEXT_SHIFT_EMU`."""
    old, new = change.value_before, change.value_after
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    if change.what == "size":
        return all(b <= a + _UNNOTICED_EMU for a, b in zip(old, new, strict=True))
    near = all(abs(a - b) <= _MAX_ROTATED_TEXT_SHIFT_EMU for a, b in zip(old, new, strict=True))
    return change.what == "place" and near


def _is_autogrown(change: Change) -> bool:
    """Return whether a box grew in height with its text and kept its width."""
    if (change.aspect, change.what) != ("geometry", "size"):
        return False
    old, new = change.value_before, change.value_after
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    return _is_close(old[0], new[0]) and old[1] <= new[1] <= _MAX_GROWTH * old[1]


def _is_in_changed_line(requested: Change, cell: re.Match[str]) -> bool:
    """Return whether a cell lies in an added or removed row or column."""
    line = _LINE.fullmatch(requested.what)
    return line is not None and cell[1 if line[1] == "row" else 2] == line[2]


def _is_added_by_target(requested: str, now: str) -> bool:
    """Return whether a shape of a layout or master is one that the target added."""
    where, removed, label = requested.partition("shape removed ")
    return bool(removed) and now.startswith(where) and now.endswith(label.partition(" of ")[2])


def _entails_in_chart(requested: str, change: Change) -> bool:
    now = change.what
    if now == "fingerprint" and _AXIS.fullmatch(requested) and requested.endswith(" title"):
        return True  # the angle of a new axis title appears only in the fingerprint
    if re.fullmatch(r"series \d+", requested):
        # An added series may reset its data, and add a legend to identify it.
        is_of_series = (
            now == requested or now.startswith(f"{requested} ") or now.endswith("number format")
        )
        return is_of_series or now in ("order of series", "legend", "fingerprint")
    if requested == "type":
        if now.endswith((" minimum", " maximum")):
            return change.value_after is None  # a new type may forget a scale, not invent one
        return not now.endswith((" values", " name", " categories"))
    if now.endswith("number format"):
        return requested.endswith((" values", " categories"))
    axis, axis_now = _AXIS.fullmatch(requested), _AXIS.fullmatch(now)
    if axis is None or axis_now is None or axis[1] != axis_now[1]:
        return False
    has_new_title = axis[2] == "title" and axis_now[2].startswith("title ")
    return has_new_title or _are_related(axis[2], axis_now[2])


def _are_related(requested: str, now: str) -> bool:
    return any(requested in names and now in names for names in _RELATED_PROPERTIES)


def _subtract_requested(change: Change, requested: Sequence[Change]) -> Iterator[Change]:
    """Yield the part of a change that concerns values the target keeps."""
    merge = _SUBTRACTIONS.get(change.aspect, _items_elsewhere)
    for each in requested:
        remainder = merge(change, each)
        if remainder is None:
            return
        change = remainder
    yield change


def _formatting_elsewhere(change: Change, requested: Change) -> Change | None:
    """Return the formatting change restricted to text that the target keeps."""
    new, work = _spans(change.value_after), _spans(requested.value_before)
    if not new or not work or not _spans(change.value_before):
        return None
    texts = [text for text, _ in work]
    indexes = [
        at
        for at, (text, _) in enumerate(new)
        if not any(text in word or word in text for word in texts)
    ]
    return _select_spans(change, indexes)


def _spans(value: object) -> list[tuple[str, object]]:
    """Return the (text, formatting) pairs of a formatting change; empty for other values."""
    if not isinstance(value, tuple):
        return []
    spans = [each for each in value if isinstance(each, tuple) and len(each) == 2]
    return [(text, formatting) for text, formatting in spans if isinstance(text, str)]


def _select_spans(change: Change, indexes: Sequence[int]) -> Change | None:
    if not indexes:
        return None
    values = []
    for value in (change.value_before, change.value_after):
        values.append(tuple(value[i] for i in indexes) if isinstance(value, tuple) else value)
    return replace(change, value_before=values[0], value_after=values[1])


def _lines_elsewhere(change: Change, requested: Change) -> Change | None:
    """Return the text change restricted to removed lines that the target keeps."""
    target, now, original = change.value_before, change.value_after, requested.value_after
    if not all(isinstance(each, str) for each in (target, now, original)):
        return None
    lines = _BREAK.split(str(target))
    unchanged = _unchanged_lines(str(target), str(original))
    current_lines = _BREAK.split(str(now))
    missing = [line for line in unchanged if line not in current_lines]
    added = [line for line in current_lines if line not in lines]
    if not missing:
        # Keeping the old figure next to the new one gives both answers.
        missing = _lines_with_old_figures(str(target), str(now), str(original))
    missing = missing or lines_with_rivals(str(target), str(now), str(original))
    if not missing:
        return None
    values = "\n".join(missing), "\n".join(added)
    return replace(
        change,
        before=clip(missing[0]),
        after=clip(added[0]) if added else "",
        value_before=values[0],
        value_after=values[1],
    )


def _lines_with_old_figures(target: str, now: str, original: str) -> list[str]:
    """Return the target lines whose new figures appear together with the replaced ones."""
    target_figures, current_figures, original_figures = (
        Counter(_FIGURE.findall(each)) for each in (target, now, original)
    )
    new, old = target_figures - original_figures, original_figures - target_figures
    if not new or new - current_figures or not old & (current_figures - target_figures):
        return []
    return [line for line in _BREAK.split(target) if new & Counter(_FIGURE.findall(line))]


def _is_close(first: float, second: float) -> bool:
    return abs(first - second) <= _UNNOTICED_EMU


def _items_elsewhere(change: Change, requested: Change) -> Change | None:
    """Return the change if it alters a coordinate or another item that the target keeps."""
    target, now, original = map(
        _as_tuple, (change.value_before, change.value_after, requested.value_after)
    )
    if not len(target) == len(now) == len(original):
        return None
    is_same = _is_close if change.aspect == "geometry" else eq
    for target_item, current_item, original_item in zip(target, now, original, strict=True):
        if is_same(target_item, original_item) and not is_same(target_item, current_item):
            return change
    return None


def _timing_elsewhere(change: Change, requested: Change) -> Change | None:
    """Return the change if it alters how a slide advances and the target keeps that.

    A slide that advances after the requested time may ignore clicks.
    """
    target, now, original = change.value_before, change.value_after, requested.value_after
    if not (
        isinstance(target, Transition)
        and isinstance(now, Transition)
        and isinstance(original, Transition)
    ):
        return None
    names = ("advance_after_sec", "sound")
    for name in names if now.runs_unattended(target, original) else ("on_click", *names):
        target_value, current_value, original_value = (
            getattr(each, name) for each in (target, now, original)
        )
        if target_value == original_value != current_value:
            return change
    durations = (getattr(each, "duration_sec", None) or 0.0 for each in (target, now))
    longest, current_value = max(next(durations), _MAX_TRANSITION_SEC), next(durations)
    return change if current_value > longest else None


_SUBTRACTIONS: Mapping[str, Callable[[Change, Change], Change | None]] = {
    "formatting": _formatting_elsewhere,
    **dict.fromkeys(("text", "tables", "notes"), _lines_elsewhere),
    "transition": _timing_elsewhere,
}


def _as_tuple(value: object) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else ()
