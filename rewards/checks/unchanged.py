"""Checks that what was not asked for stayed as it was."""

from collections.abc import Iterable
from dataclasses import dataclass

from pptarena.decks.diff.change import ASPECTS, Aspect, Change
from pptarena.decks.diff.compare import diff_slide
from pptarena.decks.diff.consequences import with_consequences
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult
from pptarena.rewards.checks.view import SlideArgs, View

_DOUBLE = frozenset(("slide_added", "slide_removed"))
_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class NothingElse:
    """What each changed shape or slide property outside the scope costs."""

    per_change: float = 0.25

    def __post_init__(self) -> None:
        if not 0 < self.per_change <= 1:
            raise ValueError(f"expected per_change in (0, 1], got {self.per_change}")


@dataclass(frozen=True, kw_only=True)
class SlideUnchanged(SlideArgs):
    """Slides of the original, and the aspects of them that should stay."""

    aspects: tuple[Aspect, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.slide is None and self.slides is None:
            raise ValueError("expected slide or slides")
        unknown = sorted(set(self.aspects or ()) - ASPECTS)
        if unknown:
            raise ValueError(f"unknown aspects {unknown}")


@check("nothing_else_changed", is_goal=False)
def nothing_else_changed(view: View, args: NothingElse) -> CheckResult:
    """Measure what changed outside the scope: each shape or slide property costs the same."""
    return _cost(view.outside, args.per_change, "nothing outside the task changed")


@check("slide_unchanged", is_goal=False)
def slide_unchanged(view: View, args: SlideUnchanged) -> CheckResult:
    """Measure what changed on slides that should have stayed as they were."""
    changes: list[Change] = []
    for seen in view.slides(args):
        if seen.original is None:
            continue
        if seen.current is None:
            changes.append(Change("slide_removed", "slides", seen.original.index + 1))
        else:
            found = diff_slide(view.match, seen.original.index)
            changes += with_consequences(view.match, found)
    if args.aspects is not None:
        changes = [c for c in changes if c.aspect in args.aspects or c.kind == "slide_removed"]
    return _cost(changes, 0.25, "nothing changed there")


def _cost(changes: Iterable[Change], each: float, nothing: str) -> CheckResult:
    things: dict[tuple[object, ...], Change] = {}
    for change in changes:
        things.setdefault(_thing(change), change)
    if not things:
        return CheckResult(1.0, nothing)
    units = sum(2 if change.kind in _DOUBLE else 1 for change in things.values())
    shown = [change.text for change in list(things.values())[:_NAMED]]
    more = f"; and {len(things) - _NAMED} more" if len(things) > _NAMED else ""
    count = f"{len(things)} thing{'s' * (len(things) > 1)} changed that should not"
    return CheckResult(max(0.0, 1 - each * units), f"{count}: {'; '.join(shown)}{more}")


def _thing(change: Change) -> tuple[object, ...]:
    """Return what a change concerns; all changes of one shape count once.

    Looks count by property, and the cells of a table one by one.
    """
    place = (change.slide, change.slide_now)
    if change.shape_index is not None and change.aspect == "formatting":
        return (*place, "shape", change.shape_index, change.what.rpartition(": ")[2])
    if change.shape_index is not None and change.aspect == "tables":
        return (*place, "shape", change.shape_index, change.what)
    if change.shape_index is not None:
        return (*place, "shape", change.shape_index)
    if change.kind == "shape_added":
        return (*place, "shape_added", change.shape, id(change))
    return (*place, change.aspect, change.kind if change.aspect == "master" else "")
