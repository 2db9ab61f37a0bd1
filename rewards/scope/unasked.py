"""Changes inside a scope that no target deck explains.

The current deck is compared with a target, and so is the original. A value that differs only in the
first comparison was changed although the target keeps it: damage. A value that differs in both was
to be changed; the rubric's leaves score whether it was changed as requested.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pptarena.decks import Animation, Deck, Link, Shape, Slide, Table
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.consequences import every_change, with_consequences
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.equivalence.changes import is_new_alt_text
from pptarena.decks.equivalence.table import equal_for_viewers
from pptarena.decks.match.decks import DeckMatch, match_slides
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.scope.content import is_missed
from pptarena.rewards.scope.merging import left_unexplained
from pptarena.rewards.scope.outside import costs_nothing, is_free
from pptarena.rewards.scope.prices import Touched
from pptarena.rewards.scope.rivals import rival_answers
from pptarena.rewards.scope.scope import Scope

__all__ = ["touched_places", "unasked_changes"]

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
        for rest in left_unexplained(change, work):
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
