"""Checks that nothing changed except what was requested."""

from typing import Annotated

from pydantic import Field

from pptarena.decks.diff.change import Change
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.result import CheckResult, listed
from pptarena.rewards.checking.view import View
from pptarena.rewards.scope.prices import changed_thing

_DOUBLE = frozenset(("slide_added", "slide_removed"))


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
