"""Checks of all changes: those of a gold deck, and those that were not requested."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from pptarena.decks.diff.change import Aspect, Change
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Count, OldSelector
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.result import CheckResult, counted, listed
from pptarena.rewards.checking.view import View
from pptarena.rewards.gold.plan import GoldPlan, Group, Part, Standing, plan_of
from pptarena.rewards.relative import OneSlide, SeveralSlides, lowest
from pptarena.rewards.scope.prices import changed_thing
from pptarena.rewards.scored import ALMOST_ONE, LAMBDA

_PER_THING = 0.25
_DOUBLE = frozenset(("slide_added", "slide_removed"))


def _fitting(values: Mapping[str, Any]) -> None:
    if values["shape"] is not None and values["slide"] is None and values["slides"] is None:
        raise ValueError("expected shape with slide or slides only")
    given = [values[name] for name in ("slide", "slides") if values[name] is not None]
    if any(each == () or lowest(each) < 1 for each in given):
        raise ValueError("slides count from 1, and a list of them must not be empty")


@deck_check(at_most_one=("slide", "slides", "slide_new"), more=_fitting)
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
            "there is no gold deck: give score(..., gold=...), or the task a 'gold' in its file"
        )
    plan = plan_of(view.original, view.gold)
    several = tuple(range(1, len(view.original.slides) + 1)) if slides == "all" else slides
    meant = _Meant(several if slide is None else (slide,), slide_new, shape, aspects)
    groups = _chosen(plan, meant)
    if not groups:
        raise UnscoredError("the gold deck changes nothing there")
    standing = Standing(plan, view.match, view.outside)
    share = standing.share(groups)
    reason = _reason(groups, standing)
    # Other changes cost once: in the check of all changes, or in "nothing else changed".
    if meant != _EVERYTHING or share <= 0:
        return CheckResult(share, reason)
    cost, said = _cost(view.outside)
    return CheckResult(max(0.0, share - LAMBDA * cost), reason + said)


class _Meant(NamedTuple):
    """Which changes of the gold deck count; None means all."""

    slides: tuple[int, ...] | None = None
    slide_new: int | None = None
    shape: str | None = None
    aspects: tuple[Aspect, ...] | None = None


_EVERYTHING = _Meant()


def _chosen(plan: GoldPlan, meant: _Meant) -> list[Group]:
    chosen = (
        Group(tuple(part for part in group.parts if _is_meant(part, plan, meant)), group.words)
        for group in plan.groups
    )
    return [group for group in chosen if group.parts]


def _is_meant(part: Part, plan: GoldPlan, meant: _Meant) -> bool:
    if meant.aspects is not None and part.aspect not in meant.aspects:
        return False
    if meant.slide_new is not None:
        added = plan.match.added
        wanted = added[meant.slide_new - 1] + 1 if meant.slide_new <= len(added) else None
        return part.slide is None and part.slide_gold is not None and part.slide_gold == wanted
    numbers = meant.slides
    if numbers is None:
        return True
    if part.kind == "order":
        return any(change.slide in numbers for change in part.changes)
    return part.slide in numbers and (meant.shape is None or _is_of(part, plan, meant.shape))


def _is_of(part: Part, plan: GoldPlan, selector: str) -> bool:
    """Return whether a part concerns the shape that a selector names."""
    if part.slide is None:
        return False
    shape = find_shape(plan.original.slides[part.slide - 1], selector)
    if shape is not None or part.slide_gold is None:
        return shape is not None and part.shape == shape.index
    new = find_shape(plan.gold.slides[part.slide_gold - 1], selector)
    return new is not None and part.shape_gold == new.index


def _reason(groups: Sequence[Group], standing: Standing) -> str:
    short = [_one_line(g.text) for g in groups if standing.of_group(g) < ALMOST_ONE]
    if not short:
        return "all changes of the gold deck are made"
    done = f"{len(groups) - len(short)} of {len(groups)} changes of the gold deck are made"
    return f"{done}; missing: {listed(short)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cost(outside: Sequence[Change]) -> tuple[float, str]:
    """Return the cost of changes that the gold deck lacks, in [0, 1], and a note for the reason."""
    things = {
        (each.slide, each.slide_now, each.shape_index, each.aspect, each.kind): each
        for each in outside
    }
    if not things:
        return 0.0, ""
    units = sum(2 if each.kind in _DOUBLE else 1 for each in things.values())
    first = _one_line(next(iter(things.values())).text)
    more = f"; {counted(len(things), 'other thing')} changed: {first}"
    return min(1.0, _PER_THING * units), more


@deck_check(is_goal=False)
def nothing_else_changed(
    view: View, per_change: Annotated[float, Field(gt=0, le=1)] = 0.25
) -> CheckResult:
    """Measure changes outside the scope: each shape or slide property costs `per_change`.

    A slide that was added or removed costs twice that.
    """
    things: dict[tuple[object, ...], Change] = {}
    for change in view.outside:
        things.setdefault(changed_thing(change), change)
    if not things:
        return CheckResult(1.0, "nothing outside the task changed")
    units = sum(2 if change.kind in _DOUBLE else 1 for change in things.values())
    count = f"{len(things)} thing{'s' * (len(things) > 1)} changed that should not"
    texts = listed([change.text for change in things.values()])
    return CheckResult(max(0.0, 1 - per_change * units), f"{count}: {texts}")
