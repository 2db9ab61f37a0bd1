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
from pptarena.decks.diff.consequences import every_change, with_consequences
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.equivalence.changes import is_new_alt_text
from pptarena.decks.equivalence.table import equal_for_viewers
from pptarena.decks.match.decks import DeckMatch, match_slides
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.match.values import clip
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.scope.content import is_missed, lines_with_rivals, rival_answers
from pptarena.rewards.scope.outside import costs_nothing, is_free
from pptarena.rewards.scope.prices import Touched
from pptarena.rewards.scope.scope import Scope

__all__ = [
    "touched_places",
    "unasked_changes",
]


_Key = tuple[int | None, int | None]

# Viewers do not see names; the visibility checks handle occlusion by a new order.
_UNSEEN = frozenset(("name",))
_ORDERS = frozenset(("z_order_changed", "slide_moved", "grouping_changed", "animation_moved"))
_NEW = frozenset(("slide_added", "shape_added", "layout_added", "comment_added"))


def unasked_changes(
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
        New shapes are not reported, new slides only if something on them leaves or is missing.
    """
    if not targets or match.original is match.current:
        return ()
    known = {_place(change) for change in every_change(outside)}
    found = (_unasked(match, scope, plan_of(match.original, target)) for target in targets)
    left = [tuple(each for each in changes if _place(each) not in known) for changes in found]
    return min(left, key=len)


def touched_places(original: Deck, targets: Sequence[Deck]) -> Touched:
    """Return the changes of targets by slide and shape, with an entry for every changed slide."""
    found: dict[_Key, set[tuple[str, str]]] = defaultdict(set)
    for target in targets:
        changes = plan_of(original, target).changes
        for change in changes:
            if change.slide is not None:
                found[_key(change)] |= set()
                found[change.slide, None] |= set()
        for change in every_change(changes):  # side effects of a new theme are no work on a shape
            if _key(change) in found:
                found[_key(change)].add((change.aspect, change.what))
    return dict(found)


def _place(change: Change) -> tuple[object, ...]:
    return change.slide, change.shape_index, change.aspect, change.what


def _unasked(match: DeckMatch, scope: Scope, plan: GoldPlan) -> Iterator[Change]:
    pair = _from_target(match, plan)
    asked: dict[_Key, list[Change]] = defaultdict(list)
    for change in plan.way:
        asked[_key(change)].append(change)
    yield from _strange_links(match, plan)
    for change in with_consequences(pair, diff_matched(pair)):
        if change.kind in _NEW or change.kind in _ORDERS or change.what in _UNSEEN:
            continue
        if costs_nothing(change, pair) or is_new_alt_text(change):
            continue
        if _is_same_for_viewers(change, pair):
            continue
        if _animates_another(change, pair):
            placed = _in_original(change, plan)
            yield from () if placed is None or is_free(placed, scope, match) else (placed,)
            continue
        work = asked[_key(change)]
        if change.shape_index is not None:
            work = [*work, *(each for each in asked[change.slide, None] if each.aspect == "layout")]
        if _is_of_reordered_table(change, pair):
            continue
        for rest in _left_unexplained(change, work):
            placed = _in_original(rest, plan)
            if placed is not None and not is_free(placed, scope, match):
                yield placed
    yield from (each for each in rival_answers(pair, plan) if not is_free(each, scope, match))


def _animates_another(change: Change, pair: DeckMatch) -> bool:
    """Return whether an effect was added to a shape other than those that a target animates."""
    effect = change.value_after
    if change.kind != "animation_added" or not isinstance(effect, Animation) or not change.slide:
        return False
    target = pair.original.slides[change.slide - 1]
    now = pair.current.slides[pair.to_current[target.index]]
    pairs = pair.shapes(target.index)
    wanted = {each.shape for each in target.animations if each.shape is not None}
    found = {pairs.to_original.get(each.shape) for each in now.animations if each.shape is not None}
    another = effect.shape is not None and pairs.to_original.get(effect.shape) not in wanted
    return another and bool(wanted) and wanted <= found


def _strange_links(match: DeckMatch, plan: GoldPlan) -> Iterator[Change]:
    """Yield links of new shapes to addresses that neither the original nor the target links to."""
    slides = match.current.slides
    new: list[tuple[int | None, int, Shape]] = [
        (None, index, shape) for index in match.added for shape in slides[index].shapes
    ]
    for was, index in match.pairs:
        added = match.shapes(was).added
        new += [(was + 1, index, slides[index].shapes[at]) for at in added]
    found = [
        (slide, index, shape, link)
        for slide, index, shape in new
        for link in _links_of(shape)
        if link.address and link.address not in shape.all_text
    ]
    known = {k for d in (plan.original, plan.gold) for k in _links(d.slides)} if found else set()
    for slide, index, shape, link in found:
        if link not in known:
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


def _from_target(match: DeckMatch, plan: GoldPlan) -> DeckMatch:
    """Match a target with the current deck: through the original, new slides by similarity."""
    pairs = [
        (target, match.to_current[index])
        for index, target in plan.match.pairs
        if index in match.to_current
    ]
    new, added = plan.match.added, match.added
    if new and added:
        slides, slides_now = plan.gold.slides, match.current.slides
        found = match_slides([slides[i] for i in new], [slides_now[j] for j in added])
        pairs += [(new[i], added[j]) for i, j in found]
    return DeckMatch(plan.gold, match.current, pairs, match.saving)


def _is_of_reordered_table(change: Change, pair: DeckMatch) -> bool:
    """Return whether a table has the target's rows in another order, which a leaf scores."""
    if change.aspect not in ("tables", "formatting", "style"):
        return False
    shapes = ShapePair.of(pair, change)
    if shapes is None or shapes.old.table is None or shapes.new.table is None:
        return False
    wanted, found = (_rows(table) for table in (shapes.old.table, shapes.new.table))
    return wanted != found and sorted(wanted) == sorted(found)


def _rows(table: Table) -> list[tuple[str, ...]]:
    return [tuple(cell.text.strip() for cell in row) for row in table.rows]


def _is_same_for_viewers(change: Change, pair: DeckMatch) -> bool:
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
    return equal_for_viewers(change.aspect, change.what, *values)


def _key(change: Change) -> _Key:
    return change.slide, change.shape_index


def _in_original(change: Change, plan: GoldPlan) -> Change | None:
    """Return a change with slide and shape positions of the original, or None if they are new."""
    if change.slide is None:
        return change if change.slide_now is None else None
    index = plan.match.to_original.get(change.slide - 1)
    if index is None:
        # A new slide is free in its design, but must be shown and keep its content.
        effect = change.value_after
        leaves = isinstance(effect, Animation) and effect.kind == "exit"
        harms = leaves or is_missed(change)
        return replace(change, slide=None, shape_index=None) if harms else None
    if change.shape_index is None:
        return replace(change, slide=index + 1)
    shape = plan.match.shapes(index).to_original.get(change.shape_index)
    return None if shape is None else replace(change, slide=index + 1, shape_index=shape)


# Properties that are set together: a request for one may change the others.
_TOGETHER: Sequence[frozenset[str]] = (
    frozenset(("level", "bullet", "margin", "indent", "space before", "space after")),
    frozenset(("underline", "underline color")),
    frozenset(("strike", "double strike")),
    frozenset(("align", "centered")),
    frozenset(("minimum", "maximum", "major unit", "minor unit")),
)
_LINE = re.compile(r"(row|column) (\d+)")
_AXIS = re.compile(r"(\w+ axis(?: ['\"].*['\"])?) (.+)")
_CELL = re.compile(r"row (\d+) column (\d+)\b ?(.*)")
_NEAR_EMU = 91_440  # a tenth of an inch, below which viewers notice no difference
_TURNED_EMU = 914_400  # one inch: how far a box may move when its text direction changes
_MOST_GROWTH = 2.0
_LONG_SEC = 5.0  # a longer transition keeps viewers waiting
_SMALL = ("the sldNum placeholder", "the ftr placeholder", "the dt placeholder")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BREAK = re.compile(r"[\n\v]")


def _left_unexplained(change: Change, asked: Sequence[Change]) -> Iterator[Change]:
    """Yield the parts of a change that the target's work does not explain.

    Args:
        change: A change from the target to the current deck.
        asked: The changes from the target to the original on the same shape, slide or deck, which
            is the requested work in reverse.
    """
    if change.aspect == "formatting":
        words = [each for each in asked if _is_text_beside(each, change)]
        kept = _of_kept_lines(change, words[0]) if words else change
        if kept is None:
            return  # new text has no prior formatting; the scope restricts it
        change = kept
    same = [each for each in asked if _is_same_value(change, each)]
    if same:
        yield from _rest(change, same)
    elif not any(_covers(each, change) for each in asked):
        yield change


def _is_text_beside(asked: Change, change: Change) -> bool:
    """Return whether the work edits the text of a formatting change: of a shape or of its cell."""
    if asked.aspect == "text":
        return True
    cell = _CELL.fullmatch(change.what)
    return asked.aspect == "tables" and cell is not None and asked.what == cell[0][: cell.end(2)]


def _of_kept_lines(change: Change, words: Change) -> Change | None:
    """Return the formatting change restricted to lines that the target keeps."""
    spans, target = _spans(change.value_after), words.value_before
    if not spans or not isinstance(target, str):
        return change
    lines = _kept_lines(target, str(words.value_after))
    return _picked(change, [i for i, (text, _) in enumerate(spans) if _is_in(text, lines)])


def _is_in(text: str, lines: Sequence[str]) -> bool:
    return any(text.strip() in line for line in lines)


def _kept_lines(target: str, original: str) -> list[str]:
    lines = _BREAK.split(target)
    return [
        line
        for tag, i1, i2, _, _ in opcodes(lines, _BREAK.split(original))
        if tag == "equal"
        for line in lines[i1:i2]
        if line.strip()
    ]


def _is_same_value(change: Change, asked: Change) -> bool:
    if change.aspect != asked.aspect:
        return False
    return change.what == asked.what and (bool(change.what) or change.kind == asked.kind)


def _covers(asked: Change, change: Change) -> bool:
    """Return whether the work on one value entails a change of another."""
    if asked.aspect != change.aspect:
        return _covers_beside(asked, change)
    if change.aspect == "geometry" and {asked.what, change.what} <= {"place", "size"}:
        return asked.what == "size"
    if change.aspect == "animation":
        return True
    if change.aspect == "master":
        return _is_of_new_shape(asked.what, change.what)
    if change.aspect == "charts":
        return _covers_of_chart(asked.what, change)
    cell = _CELL.fullmatch(change.what)
    if cell is None:
        return _go_together(asked.what, change.what)
    of_cell = _CELL.fullmatch(asked.what)
    is_same = of_cell is not None and cell.group(1, 2) == of_cell.group(1, 2)
    return _has_line(asked, cell) or (
        of_cell is not None and is_same and _go_together(of_cell[3], cell[3])
    )


def _covers_beside(asked: Change, change: Change) -> bool:
    """Return whether the work in one aspect entails a change in another."""
    if asked.aspect == "tables":
        # Added, removed and moved rows and columns change banding and sizes.
        if change.aspect == "geometry":
            return _LINE.fullmatch(asked.what) is not None
        cell = _CELL.fullmatch(change.what)
        if cell is None or change.aspect not in ("style", "formatting"):
            return False
        of_cell = _CELL.fullmatch(asked.what)
        return _has_line(asked, cell) or (of_cell is not None and of_cell[1] == cell[1])
    if asked.aspect == "pictures":
        return change.aspect == "alt_text" and asked.what == "picture"
    if (asked.aspect, asked.what, change.aspect) == ("formatting", "vertical", "geometry"):
        return _holds_turned_text(change)
    if asked.aspect == "layout":
        return change.kind == "shape_removed" and change.shape.startswith(_SMALL)
    if asked.aspect == "text":
        return change.what == "autofit" or _is_grown(change)
    return False


def _holds_turned_text(change: Change) -> bool:
    """Return whether a box did not grow, or moved by at most `_TURNED_EMU`."""
    old, new = change.value_before, change.value_after
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    if change.what == "size":
        return all(b <= a + _NEAR_EMU for a, b in zip(old, new, strict=True))
    near = all(abs(a - b) <= _TURNED_EMU for a, b in zip(old, new, strict=True))
    return change.what == "place" and near


def _is_grown(change: Change) -> bool:
    """Return whether a box grew in height with its text and kept its width."""
    if (change.aspect, change.what) != ("geometry", "size"):
        return False
    old, new = change.value_before, change.value_after
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    return _is_near(old[0], new[0]) and old[1] <= new[1] <= _MOST_GROWTH * old[1]


def _has_line(asked: Change, cell: re.Match[str]) -> bool:
    """Return whether a cell lies in an added or removed row or column."""
    line = _LINE.fullmatch(asked.what)
    return line is not None and cell[1 if line[1] == "row" else 2] == line[2]


def _is_of_new_shape(asked: str, now: str) -> bool:
    """Return whether a shape of a layout or master is one that the target added."""
    where, removed, label = asked.partition("shape removed ")
    return bool(removed) and now.startswith(where) and now.endswith(label.partition(" of ")[2])


def _covers_of_chart(asked: str, change: Change) -> bool:
    now = change.what
    if now == "fingerprint" and _AXIS.fullmatch(asked) and asked.endswith(" title"):
        return True  # the angle of a new axis title appears only in the fingerprint
    if re.fullmatch(r"series \d+", asked):
        # An added series may reset its data, and add a legend to identify it.
        own = now == asked or now.startswith(f"{asked} ") or now.endswith("number format")
        return own or now in ("order of series", "legend", "fingerprint")
    if asked == "type":
        if now.endswith((" minimum", " maximum")):
            return change.value_after is None  # a new type may forget a scale, not invent one
        return not now.endswith((" values", " name", " categories"))
    if now.endswith("number format"):
        return asked.endswith((" values", " categories"))
    axis, axis_now = _AXIS.fullmatch(asked), _AXIS.fullmatch(now)
    if axis is None or axis_now is None or axis[1] != axis_now[1]:
        return False
    has_new_title = axis[2] == "title" and axis_now[2].startswith("title ")
    return has_new_title or _go_together(axis[2], axis_now[2])


def _go_together(asked: str, now: str) -> bool:
    return any(asked in names and now in names for names in _TOGETHER)


def _rest(change: Change, asked: Sequence[Change]) -> Iterator[Change]:
    """Yield the part of a change that concerns values the target keeps."""
    merge = _MERGES.get(change.aspect, _other_items)
    for each in asked:
        rest = merge(change, each)
        if rest is None:
            return
        change = rest
    yield change


def _other_letters(change: Change, asked: Change) -> Change | None:
    """Return the formatting change restricted to text that the target keeps."""
    new, work = _spans(change.value_after), _spans(asked.value_before)
    if not new or not work or not _spans(change.value_before):
        return None
    words = [text for text, _ in work]
    kept = [
        at
        for at, (text, _) in enumerate(new)
        if not any(text in word or word in text for word in words)
    ]
    return _picked(change, kept)


def _spans(value: object) -> list[tuple[str, object]]:
    """Return the (text, formatting) pairs of a formatting change; empty for other values."""
    if not isinstance(value, tuple):
        return []
    spans = [each for each in value if isinstance(each, tuple) and len(each) == 2]
    return [(text, look) for text, look in spans if isinstance(text, str)]


def _picked(change: Change, kept: Sequence[int]) -> Change | None:
    if not kept:
        return None
    values = []
    for value in (change.value_before, change.value_after):
        values.append(tuple(value[i] for i in kept) if isinstance(value, tuple) else value)
    return replace(change, value_before=values[0], value_after=values[1])


def _other_lines(change: Change, asked: Change) -> Change | None:
    """Return the text change restricted to removed lines that the target keeps."""
    target, now, original = change.value_before, change.value_after, asked.value_after
    if not all(isinstance(each, str) for each in (target, now, original)):
        return None
    lines = _BREAK.split(str(target))
    kept = _kept_lines(str(target), str(original))
    there = _BREAK.split(str(now))
    gone = [line for line in kept if line not in there]
    come = [line for line in there if line not in lines]
    if not gone:
        # Keeping the old figure next to the new one gives both answers.
        gone = _with_old_figures(str(target), str(now), str(original))
    gone = gone or lines_with_rivals(str(target), str(now), str(original))
    if not gone:
        return None
    values = "\n".join(gone), "\n".join(come)
    return replace(
        change,
        before=clip(gone[0]),
        after=clip(come[0]) if come else "",
        value_before=values[0],
        value_after=values[1],
    )


def _with_old_figures(target: str, now: str, original: str) -> list[str]:
    """Return the target lines whose new figures appear together with the replaced ones."""
    wanted, found, was = (Counter(_FIGURE.findall(each)) for each in (target, now, original))
    new, old = wanted - was, was - wanted
    if not new or new - found or not old & (found - wanted):
        return []
    return [line for line in _BREAK.split(target) if new & Counter(_FIGURE.findall(line))]


def _is_near(first: float, second: float) -> bool:
    return abs(first - second) <= _NEAR_EMU


def _other_items(change: Change, asked: Change) -> Change | None:
    """Return the change if it alters a coordinate or another item that the target keeps."""
    target, now, original = map(
        _items, (change.value_before, change.value_after, asked.value_after)
    )
    if not len(target) == len(now) == len(original):
        return None
    is_same = _is_near if change.aspect == "geometry" else eq
    for wanted, found, was in zip(target, now, original, strict=True):
        if is_same(wanted, was) and not is_same(wanted, found):
            return change
    return None


def _other_timing(change: Change, asked: Change) -> Change | None:
    """Return the change if it alters how a slide advances and the target keeps that.

    A slide that advances after the requested time may ignore clicks.
    """
    target, now, original = change.value_before, change.value_after, asked.value_after
    if not (
        isinstance(target, Transition)
        and isinstance(now, Transition)
        and isinstance(original, Transition)
    ):
        return None
    names = ("advance_after_sec", "sound")
    for name in names if now.runs_unattended(target, original) else ("on_click", *names):
        wanted, found, was = (getattr(each, name) for each in (target, now, original))
        if wanted == was != found:
            return change
    durations = (getattr(each, "duration_sec", None) or 0.0 for each in (target, now))
    longest, found = max(next(durations), _LONG_SEC), next(durations)
    return change if found > longest else None


_MERGES: Mapping[str, Callable[[Change, Change], Change | None]] = {
    "formatting": _other_letters,
    **dict.fromkeys(("text", "tables", "notes"), _other_lines),
    "transition": _other_timing,
}


def _items(value: object) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else ()
