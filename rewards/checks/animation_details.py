"""Checks of how animations run: time, direction, repetition, number."""

from collections.abc import Iterator
from typing import TypedDict, Unpack

from pptarena.decks import Animation
from pptarena.rewards.checks.arguments import Number
from pptarena.rewards.checks.pairs import Part, SlidePair
from pptarena.rewards.checks.registry import part_check, slide_check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.values import nearness


class Timing(TypedDict, total=False):
    """How an effect should run; what is left out does not matter."""

    duration_sec: float | None
    delay_sec: float | None
    direction: str | None
    repeat: str | None
    build: str | None


_VALUES = tuple(Timing.__annotations__)


@part_check("animations", at_least_one=_VALUES)
def animation_timing(
    part: Part,
    effect: str | int | None = None,
    tolerance_sec: float = 0.1,
    **values: Unpack[Timing],
) -> CheckResult:
    """Measure how near the best fitting effect of a slide, or of a shape, runs.

    Args:
        effect: Its name or the number of its preset; left out: any.
        direction: Such as `from_bottom`.
        repeat: Such as `3` or `until_click`.
        build: Such as `paragraph`.
    """
    names = None if effect is None else str(effect).casefold()
    effects = [e for e in part.effects if names in (None, e.effect, str(e.preset))]
    if not effects:
        return CheckResult(0.0, f"{part.label} has no such effect")
    results = [
        mean_of(list(_measured(each, values, tolerance_sec)), f"values of {each.effect}")
        for each in effects
    ]
    return max(results, key=lambda result: result.score)


@slide_check("animations")
def animation_count(pair: SlidePair, count: Number) -> CheckResult:
    """Measure how near the number of a slide's effects is to the right one."""
    found = len(pair.after.animations)
    reason = f"{pair.place} has {found} effects, {count} wanted"
    return CheckResult(nearness(found - count, 0, 1), reason)


def _measured(effect: Animation, values: Timing, tolerance_sec: float) -> Iterator[CheckResult]:
    for name, found, wanted in (
        ("duration", effect.duration_sec, values.get("duration_sec")),
        ("delay", effect.delay_sec, values.get("delay_sec")),
    ):
        if wanted is not None:
            value = 0.0
            if found is not None:
                value = nearness(found - wanted, tolerance_sec, max(0.25, wanted / 2))
            yield CheckResult(value, f"the {name} of {effect.effect} is {found} s")
    for name, said, text in (
        ("direction", effect.direction, values.get("direction")),
        ("repeat", effect.repeat, values.get("repeat")),
        ("build", effect.build, values.get("build")),
    ):
        if text is not None:
            right = said.casefold() == text.casefold()
            yield CheckResult(float(right), f"the {name} of {effect.effect} is {said or 'none'}")
