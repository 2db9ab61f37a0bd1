"""The check that compares with a gold deck."""

from collections.abc import Sequence
from dataclasses import dataclass

from pptarena.decks.diff.change import ASPECTS, Aspect, Change
from pptarena.decks.selectors import find_shape, require_spec
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult
from pptarena.rewards.checks.view import View
from pptarena.rewards.gold.parts import Group, Part
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.gold.standing import Standing
from pptarena.rewards.scored import ALMOST_ONE
from pptarena.rewards.strategies import LAMBDA

_PER_THING = 0.25
_DOUBLE = frozenset(("slide_added", "slide_removed"))
_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class GoldArgs:
    """Which of the gold's changes count; all of them if nothing is given.

    Attributes:
        slide: Only those of this slide of the original, from 1.
        slides: Only those of these slides of the original.
        slide_new: Only the n-th slide that the gold adds, from 1.
        shape: Only those of this shape, on the slides of the original or else of the gold.
        aspects: Only those of these aspects.
    """

    slide: int | None = None
    slides: tuple[int, ...] | None = None
    slide_new: int | None = None
    shape: str | None = None
    aspects: tuple[Aspect, ...] | None = None

    def __post_init__(self) -> None:
        given = [each for each in (self.slide, self.slides, self.slide_new) if each is not None]
        if len(given) > 1:
            raise ValueError("expected at most one of slide, slides, slide_new")
        numbers = [*(self.slides or ()), self.slide or 1, self.slide_new or 1]
        zero = 0 in (self.slide, self.slide_new) or self.slides == ()
        if zero or min(numbers) < 1:
            raise ValueError("slides count from 1, and a list of them must not be empty")
        if self.shape is not None and self.slide is None and self.slides is None:
            raise ValueError("expected shape with slide or slides only")
        require_spec(self.shape)
        unknown = sorted(set(self.aspects or ()) - ASPECTS)
        if unknown or self.aspects == ():
            raise ValueError(f"expected aspects of {sorted(ASPECTS)}, got {unknown}")

    @property
    def is_narrow(self) -> bool:
        """Whether only some of the gold's changes count."""
        return self != GoldArgs()


@check("gold_match")
def gold_match(view: View, args: GoldArgs) -> CheckResult:
    """Measure how much of what a gold deck changes was changed so, less what else changed."""
    if view.gold is None:
        raise UnscoredError(
            "there is no gold deck: give score(..., gold=...), or the task a 'gold' in its file"
        )
    plan = plan_of(view.original, view.gold)
    groups = _chosen(plan, args)
    if not groups:
        raise UnscoredError("the gold deck changes nothing there")
    standing = Standing(plan, view.match, view.outside)
    share = standing.share(groups)
    reason = _reason(groups, standing)
    # What else changed is asked once, by the check of everything or by "nothing else changed".
    if args.is_narrow or share <= 0:
        return CheckResult(share, reason)
    cost, said = _cost(view.outside)
    return CheckResult(max(0.0, share - LAMBDA * cost), reason + said)


def _chosen(plan: GoldPlan, args: GoldArgs) -> list[Group]:
    chosen = (
        Group(parts, group.words)
        for group in plan.groups
        if (parts := tuple(part for part in group.parts if _is_meant(part, plan, args)))
    )
    return list(chosen)


def _is_meant(part: Part, plan: GoldPlan, args: GoldArgs) -> bool:
    if args.aspects is not None and part.aspect not in args.aspects:
        return False
    if args.slide_new is not None:
        added = plan.match.added
        wanted = added[args.slide_new - 1] + 1 if args.slide_new <= len(added) else None
        return part.slide is None and part.slide_gold is not None and part.slide_gold == wanted
    numbers = args.slides if args.slide is None else (args.slide,)
    if numbers is None:
        return True
    if part.kind == "order":
        return any(change.slide in numbers for change in part.changes)
    return part.slide in numbers and (args.shape is None or _is_of(part, plan, args.shape))


def _is_of(part: Part, plan: GoldPlan, spec: str) -> bool:
    """Return whether a part concerns the shape that words mean."""
    if part.slide is None:
        return False
    found = find_shape(plan.original.slides[part.slide - 1], spec)
    if found is not None:
        return part.shape == found.index
    if part.slide_gold is None:
        return False
    new = find_shape(plan.gold.slides[part.slide_gold - 1], spec)
    return new is not None and part.shape_gold == new.index


def _reason(groups: Sequence[Group], standing: Standing) -> str:
    short = [group for group in groups if standing.of_group(group) < ALMOST_ONE]
    if not short:
        return "all that the gold deck changes is there"
    named = "; ".join(_one_line(group.text) for group in short[:_NAMED])
    more = f"; and {len(short) - _NAMED} more" if len(short) > _NAMED else ""
    done = len(groups) - len(short)
    return f"{done} of {len(groups)} changes of the gold deck are there; not yet: {named}{more}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cost(outside: Sequence[Change]) -> tuple[float, str]:
    """Return what changes that the gold does not have cost, in [0, 1], and a word on them."""
    things = {
        (each.slide, each.slide_now, each.shape_index, each.aspect, each.kind): each
        for each in outside
    }
    if not things:
        return 0.0, ""
    units = sum(2 if each.kind in _DOUBLE else 1 for each in things.values())
    first = _one_line(next(iter(things.values())).text)
    return min(1.0, _PER_THING * units), f"; {len(things)} things changed beside that: {first}"
