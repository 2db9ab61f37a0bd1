"""Checks of how animations run: time, direction, repetition, number."""

from collections.abc import Iterator
from dataclasses import dataclass

from pptarena.decks import Animation, Shape, Slide
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.values import nearness
from pptarena.rewards.checks.view import OptionalShapeArgs, SlideArgs, View

_TEXTS = ("direction", "repeat", "build")


@dataclass(frozen=True, kw_only=True)
class Timing(OptionalShapeArgs):
    """How an effect should run; what is left out does not matter.

    Attributes:
        effect: Its name or the number of its preset; any effect if left out.
        duration_sec: How long it should take.
        delay_sec: How long it should wait.
        direction: Such as ``from_bottom``.
        repeat: How often, such as ``3`` or ``until_click``.
        build: Unit that it comes in by, such as ``paragraph``.
    """

    effect: str | int | None = None
    duration_sec: float | None = None
    delay_sec: float | None = None
    direction: str | None = None
    repeat: str | None = None
    build: str | None = None
    tolerance_sec: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        names = ("duration_sec", "delay_sec", *_TEXTS)
        if all(getattr(self, name) is None for name in names):
            raise ValueError(f"expected at least one of {', '.join(names)}")


@dataclass(frozen=True, kw_only=True)
class EffectCount(SlideArgs):
    """How many effects a slide should have."""

    count: int

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.count < 0:
            raise ValueError(f"expected a count from 0, got {self.count}")


@check("animation_timing", "animations")
def animation_timing(view: View, args: Timing) -> CheckResult:
    """Measure how near the best fitting effect of a slide, or of a shape, runs."""

    def judge(slide: Slide, shape: Shape | None, where: str) -> CheckResult:
        effects = [
            effect
            for effect in slide.animations
            if (shape is None or effect.shape == shape.index)
            and (
                args.effect is None
                or str(args.effect).casefold() in (effect.effect, str(effect.preset))
            )
        ]
        if not effects:
            return CheckResult(0.0, f"{where} has no such effect")
        results = [mean_of(list(_judged(e, args)), f"values of {e.effect}") for e in effects]
        return max(results, key=lambda result: result.score)

    if args.shape is None and args.shape_now is None:
        return view.on_slides(args, lambda s: judge(s, None, f"slide {s.index + 1}"))
    return view.on_shapes(args, lambda seen: judge(seen.slide, seen.current, seen.label))


@check("animation_count", "animations")
def animation_count(view: View, args: EffectCount) -> CheckResult:
    """Measure how near the number of a slide's effects is to the right one."""

    def judge(slide: Slide) -> CheckResult:
        found = len(slide.animations)
        reason = f"slide {slide.index + 1} has {found} effects, {args.count} wanted"
        return CheckResult(nearness(found - args.count, 0, 1), reason)

    return view.on_slides(args, judge)


def _judged(effect: Animation, args: Timing) -> Iterator[CheckResult]:
    for name, found, wanted in (
        ("duration", effect.duration_sec, args.duration_sec),
        ("delay", effect.delay_sec, args.delay_sec),
    ):
        if wanted is not None:
            value = 0.0
            if found is not None:
                value = nearness(found - wanted, args.tolerance_sec, max(0.25, wanted / 2))
            yield CheckResult(value, f"the {name} of {effect.effect} is {found} s")
    for name in _TEXTS:
        wanted_text, found_text = getattr(args, name), getattr(effect, name)
        if wanted_text is not None:
            right = found_text.casefold() == wanted_text.casefold()
            reason = f"the {name} of {effect.effect} is {found_text or 'none'}"
            yield CheckResult(float(right), reason)
