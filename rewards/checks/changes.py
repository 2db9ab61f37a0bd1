"""Checks of all changes: those of a gold deck, and those that were not requested."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from pptarena.decks.diff.change import Aspect, Change
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Count, OldSelector
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.result import CheckResult, join_first, pluralize
from pptarena.rewards.checking.view import View
from pptarena.rewards.gold.plan import GoldPlan, Group, Part, Progress, plan_of
from pptarena.rewards.relative import OneSlide, SeveralSlides, lowest_position
from pptarena.rewards.scope.prices import changed_object_key
from pptarena.rewards.scored_tree import ALMOST_ONE, LAMBDA

_PER_CHANGE = 0.25
_DOUBLE_COST = frozenset(("slide_added", "slide_removed"))


def _require_consistent(values: Mapping[str, Any]) -> None:
    if values["shape"] is not None and values["slide"] is None and values["slides"] is None:
        raise ValueError("expected shape with slide or slides only")
    slide_values = [values[name] for name in ("slide", "slides") if values[name] is not None]
    if any(each == () or lowest_position(each) < 1 for each in slide_values):
        raise ValueError("slide positions start at 1, and a list of slides must not be empty")


@deck_check(at_most_one=("slide", "slides", "slide_new"), validate=_require_consistent)
def gold_match(
    view: View,
    slide: OneSlide | None = None,
    slides: SeveralSlides | None = None,
    slide_new: Count | None = None,
    shape: OldSelector | None = None,
    aspects: Annotated[tuple[Aspect, ...], Field(min_length=1)] | None = None,
) -> CheckResult:
    """Measure how much of the gold deck's changes was made, minus a cost for other changes.

    The same edit in many places counts as one. Numbers and texts that are partly changed earn
    partial credit. Without arguments, all changes count, and other changes cost up to 0.3. Without
    a gold deck, the item is unscored.

    Args:
        slide: Only changes of this slide of the original.
        slides: Only changes of these slides of the original.
        slide_new: Only the n-th slide that the gold deck adds.
        shape: Only changes of this shape, on the slides of the original or else of the gold deck.
        aspects: Only changes of these aspects.
    """
    if view.gold is None:
        raise UnscoredError(
            "there is no gold deck: pass gold to score, or specify 'gold' in the task file"
        )
    plan = plan_of(view.original, view.gold)
    several = tuple(range(1, len(view.original.slides) + 1)) if slides == "all" else slides
    selection = _ChangeFilter(several if slide is None else (slide,), slide_new, shape, aspects)
    groups = _filter_groups(plan, selection)
    if not groups:
        raise UnscoredError("the gold deck has no such changes")
    progress = Progress(plan, view.match, view.unrequested)
    share = progress.mean_share(groups)
    reason = _reason(groups, progress)
    # Other changes cost once: in the check of all changes, or in "nothing else changed".
    if selection != _EVERYTHING or share <= 0:
        return CheckResult(share, reason)
    cost, note = _cost(view.unrequested)
    return CheckResult(max(0.0, share - LAMBDA * cost), reason + note)


class _ChangeFilter(NamedTuple):
    """Which changes of the gold deck count; None means all."""

    slides: tuple[int, ...] | None = None
    slide_new: int | None = None
    shape: str | None = None
    aspects: tuple[Aspect, ...] | None = None


_EVERYTHING = _ChangeFilter()


def _filter_groups(plan: GoldPlan, selection: _ChangeFilter) -> list[Group]:
    groups = (
        Group(
            tuple(part for part in group.parts if _matches_filter(part, plan, selection)),
            group.words,
        )
        for group in plan.groups
    )
    return [group for group in groups if group.parts]


def _matches_filter(part: Part, plan: GoldPlan, selection: _ChangeFilter) -> bool:
    if selection.aspects is not None and part.aspect not in selection.aspects:
        return False
    if selection.slide_new is not None:
        added = plan.match.added
        gold_number = (
            added[selection.slide_new - 1] + 1 if selection.slide_new <= len(added) else None
        )
        return part.slide is None and part.slide_gold is not None and part.slide_gold == gold_number
    numbers = selection.slides
    if numbers is None:
        return True
    if part.kind == "order":
        return any(change.slide in numbers for change in part.changes)
    return part.slide in numbers and (
        selection.shape is None or _concerns_shape(part, plan, selection.shape)
    )


def _concerns_shape(part: Part, plan: GoldPlan, selector: str) -> bool:
    """Return whether a part concerns the shape that a selector names."""
    if part.slide is None:
        return False
    shape = find_shape(plan.original.slides[part.slide - 1], selector)
    if shape is not None or part.slide_gold is None:
        return shape is not None and part.shape == shape.index
    new = find_shape(plan.gold.slides[part.slide_gold - 1], selector)
    return new is not None and part.shape_gold == new.index


def _reason(groups: Sequence[Group], progress: Progress) -> str:
    missing = [_one_line(g.text) for g in groups if progress.group_share(g) < ALMOST_ONE]
    if not missing:
        return "all changes of the gold deck are made"
    done = f"{len(groups) - len(missing)} of {len(groups)} changes of the gold deck are made"
    return f"{done}; missing: {join_first(missing)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cost(outside: Sequence[Change]) -> tuple[float, str]:
    """Return the cost of changes that the gold deck lacks, in [0, 1], and a note for the reason."""
    changed_objects = {
        (each.slide, each.slide_now, each.shape_index, each.aspect, each.kind): each
        for each in outside
    }
    if not changed_objects:
        return 0.0, ""
    units = sum(2 if each.kind in _DOUBLE_COST else 1 for each in changed_objects.values())
    first = _one_line(next(iter(changed_objects.values())).text)
    note = f"; {pluralize(len(changed_objects), 'other thing')} changed: {first}"
    return min(1.0, _PER_CHANGE * units), note


@deck_check(is_goal=False)
def nothing_else_changed(
    view: View, per_change: Annotated[float, Field(gt=0, le=1)] = 0.25
) -> CheckResult:
    """Measure changes outside the scope: each shape or slide property costs `per_change`.

    A slide that was added or removed costs twice that.
    """
    changed_objects: dict[tuple[object, ...], Change] = {}
    for change in view.unrequested:
        changed_objects.setdefault(changed_object_key(change), change)
    if not changed_objects:
        return CheckResult(1.0, "nothing outside the task changed")
    units = sum(2 if change.kind in _DOUBLE_COST else 1 for change in changed_objects.values())
    count = (
        f"{len(changed_objects)} thing{'s' * (len(changed_objects) > 1)} changed that should not"
    )
    texts = join_first([change.text for change in changed_objects.values()])
    return CheckResult(max(0.0, 1 - per_change * units), f"{count}: {texts}")
