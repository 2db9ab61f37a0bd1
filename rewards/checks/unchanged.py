"""Checks that what was not asked for stayed as it was."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from pptarena.decks.diff.change import Aspect, Change
from pptarena.decks.diff.compare import diff_slide
from pptarena.decks.diff.consequences import with_consequences
from pptarena.decks.equivalence.changes import is_unnoticed
from pptarena.rewards.checking.pairs import Slides
from pptarena.rewards.checking.registry import deck_check, slides_check
from pptarena.rewards.checking.result import CheckResult, listed
from pptarena.rewards.checking.view import View
from pptarena.rewards.scope.prices import changed_thing

_DOUBLE = frozenset(("slide_added", "slide_removed"))


@deck_check(is_goal=False)
def nothing_else_changed(
    view: View, per_change: Annotated[float, Field(gt=0, le=1)] = 0.25
) -> CheckResult:
    """Measure what changed outside the scope: each shape or slide property costs `per_change`.

    A slide that was added or removed costs twice that.
    """
    return _cost(view.outside, per_change, "nothing outside the task changed")


@slides_check(is_goal=False, at_least_one=("slide", "slides"))
def slide_unchanged(slides: Slides, aspects: tuple[Aspect, ...] | None = None) -> CheckResult:
    """Measure what changed on slides that should have stayed: each shape or property costs 0.25."""
    changes: list[Change] = []
    for pair in slides:
        if pair.before is None:
            continue
        if pair.now is None:
            changes.append(Change("slide_removed", "slides", pair.before.index + 1))
        else:
            match = slides.view.match
            found = [c for c in diff_slide(match, pair.before.index) if not is_unnoticed(c, match)]
            changes += with_consequences(match, found)
    if aspects is not None:
        changes = [c for c in changes if c.aspect in aspects or c.kind == "slide_removed"]
    return _cost(changes, 0.25, "nothing changed there")


def _cost(changes: Iterable[Change], each: float, nothing: str) -> CheckResult:
    things: dict[tuple[object, ...], Change] = {}
    for change in changes:
        things.setdefault(changed_thing(change), change)
    if not things:
        return CheckResult(1.0, nothing)
    units = sum(2 if change.kind in _DOUBLE else 1 for change in things.values())
    count = f"{len(things)} thing{'s' * (len(things) > 1)} changed that should not"
    texts = listed([change.text for change in things.values()])
    return CheckResult(max(0.0, 1 - each * units), f"{count}: {texts}")
