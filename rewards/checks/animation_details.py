"""Checks of animation details: timing, direction, repetition and number."""

from collections.abc import Mapping
from typing import TypedDict, Unpack, cast

from pptarena.decks import Animation
from pptarena.decks.visibility.timeline import Played, played
from pptarena.rewards.checking.arguments import Number
from pptarena.rewards.checking.compare import near, same
from pptarena.rewards.checking.pairs import Part, SlidePair
from pptarena.rewards.checking.registry import part_check, slide_check
from pptarena.rewards.checking.result import CheckResult, best_of, mean_of, needed


class Timing(TypedDict, total=False):
    """The wanted timing of an effect; fields that are left out are not compared."""

    duration_sec: float | None
    delay_sec: float | None
    direction: str | None
    repeat: str | None
    build: str | None


@part_check("animations", at_least_one=tuple(Timing.__annotations__))
def animation_timing(
    part: Part,
    effect: str | int | None = None,
    tolerance_sec: float = 0.1,
    **values: Unpack[Timing],
) -> CheckResult:
    """Measure how well the best matching effect of a slide or shape has the wanted timing.

    Args:
        effect: Its name or preset number; by default any effect.
        direction: Such as `from_bottom`.
        repeat: Such as `3` or `until_click`.
        build: Such as `paragraph`.
    """
    names = None if effect is None else str(effect).casefold()
    effects = [e for e in part.effects if names in (None, e.effect, str(e.preset))]
    needed(effects, f"{part.label} has no matching effect")
    return best_of(_measured(effect, values, tolerance_sec) for effect in effects)


@slide_check("animations")
def animation_count(pair: SlidePair, count: Number) -> CheckResult:
    """Measure how near the number of effects of a slide is to the wanted number.

    Effects for paragraphs of one shape that start at the same click count as one.
    """
    what = f"the number of effects on {pair.place}"
    return near(
        what, len({_as_one(at, each) for at, each in enumerate(played(pair.after))}), count, 0, 1
    )


def _as_one(at: int, each: Played) -> tuple[object, ...]:
    effect = each.effect
    if effect.paragraphs is None:
        return (at,)
    return effect.shape, effect.kind, effect.effect, each.click


def _measured(effect: Animation, values: Timing, tolerance_sec: float) -> CheckResult:
    results: list[CheckResult | None] = []
    for name, wanted in cast(Mapping[str, str | float | None], values).items():
        what = f"the {name.replace('_sec', ' in seconds')} of {effect.effect}"
        if isinstance(wanted, float):
            scale = max(0.25, wanted / 2)
            results.append(near(what, getattr(effect, name), wanted, tolerance_sec, scale))
        else:
            results.append(same(what, getattr(effect, name), wanted))
    return mean_of(results, f"values of {effect.effect}")
