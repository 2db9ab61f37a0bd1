"""Checks of transitions and animations."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypedDict, Unpack, cast

from pptarena.decks import Animation, Slide, Transition
from pptarena.decks.diff.slides import describe_variant
from pptarena.decks.facts.motion import NO_TRANSITION
from pptarena.decks.visibility.timeline import TimedEffect, brief_entrances, timed_effects
from pptarena.rewards.checking.arguments import Number, require_old
from pptarena.rewards.checking.registry import part_check, slide_check, slides_check
from pptarena.rewards.checking.result import (
    CheckResult,
    best_of,
    mean_of,
    require,
    score_equal,
    score_near,
    score_removal,
)
from pptarena.rewards.checking.view import Part, SlidePair, Slides
from pptarena.rewards.gold.plan import plan_of
from pptarena.rewards.relative import OneSlide
from pptarena.rewards.scope.out_of_scope import is_same_transition

_TOLERANCE_SEC: Final = 0.1
_MAX_TRANSITION_SEC: Final = 5.0
_AUTO_ADVANCE_FACTOR: Final = 0.4
_SLOW_FACTOR: Final = 0.5


def reference_slides(pair: SlidePair) -> Iterator[Slide]:
    """Yield a slide of the original as it was and as it is in each target deck.

    For a new slide, all slides of the target decks that the original lacks are yielded.
    """
    view, before = pair.view, pair.before
    if before is not None:
        yield before
    for target in view.targets:
        match = plan_of(view.original, target).match
        if before is None:
            yield from (target.slides[index] for index in match.added)
        elif before.index in match.to_current:
            yield target.slides[match.to_current[before.index]]


def score_pace(
    pair: SlidePair, *, duration: bool = False, advance: bool = False, click: bool = False
) -> CheckResult:
    """Return a factor below 1 if a transition changed its pace although the task does not set it.

    A slide must not advance by itself, or sooner, or ignore clicks, and its transition must not
    take over five seconds, unless the original or a target deck has the same. Without a target
    deck, the factor is 1.

    Args:
        pair: The slide.
        duration: Whether the task sets the duration.
        advance: Whether the task sets the time after which the slide advances.
        click: Whether the task sets whether the slide advances on a click.
    """
    if not pair.view.targets:
        return CheckResult(1.0, "no target specifies the pace")
    now = pair.after.transition
    models = [each.transition for each in reference_slides(pair)]
    transition_before = NO_TRANSITION if pair.before is None else pair.before.transition
    unattended = any(now.runs_unattended(each, transition_before) for each in models)
    rules = [
        (not advance and now.advance_after_sec is not None, _advances_sooner, _AUTO_ADVANCE_FACTOR),
        (
            not (click or advance or unattended) and not now.on_click,
            _ignores_clicks,
            _AUTO_ADVANCE_FACTOR,
        ),
        (
            not duration and (now.duration_sec or 0.0) > _MAX_TRANSITION_SEC,
            _takes_longer,
            _SLOW_FACTOR,
        ),
    ]
    for is_doubtful, worse, factor in rules:
        if is_doubtful and all(worse(each, now) for each in models):
            return CheckResult(factor, f"{pair.current_label} {_REASONS[worse]}")
    return CheckResult(1.0, f"{pair.current_label} keeps its pace")


def _advances_sooner(model: Transition, now: Transition) -> bool:
    model_sec, current_sec = model.advance_after_sec, now.advance_after_sec
    return current_sec is not None and (
        model_sec is None or current_sec < model_sec - _TOLERANCE_SEC
    )


def _ignores_clicks(model: Transition, now: Transition) -> bool:
    return model.on_click and not now.on_click


def _takes_longer(model: Transition, now: Transition) -> bool:
    return (now.duration_sec or 0.0) > max(
        _MAX_TRANSITION_SEC, (model.duration_sec or 0.0) + _TOLERANCE_SEC
    )


_REASONS: Final = {
    _advances_sooner: "advances by itself, or sooner than before",
    _ignores_clicks: "no longer advances on a click",
    _takes_longer: f"takes over {_MAX_TRANSITION_SEC:g} seconds to appear",
}


_TIME_TOLERANCE_SEC = 0.1
_UNFIT_FACTOR = 0.3


@slide_check()
def transition_is(
    pair: SlidePair,
    type: str,
    duration_sec: float | None = None,
    advance_after_sec: float | None = None,
    on_click: bool | None = None,
    variant: str | None = None,
    same_as: OneSlide | None = None,
) -> CheckResult:
    """Measure how well transitions match; the type earns half if more is asked for.

    A slide earns half or less if it advances by itself, ignores clicks or takes over five seconds
    to appear, unless the task asks for this or the slide was so before.

    Args:
        type: `fade`, `push`, `wipe` and so on, or `any`.
        variant: Such as `dir=u`.
        same_as: A slide of the original that has the wanted transition.
    """
    now, subject = pair.after.transition, f"of the transition of {pair.current_label}"
    advance = now.advance_after_sec
    results = [
        score_near(
            f"the duration {subject} in seconds",
            now.duration_sec,
            duration_sec,
            _TIME_TOLERANCE_SEC,
        ),
        score_near(
            f"the advance {subject} in seconds", advance, advance_after_sec, _TIME_TOLERANCE_SEC
        ),
        score_equal(f"the start on click {subject}", now.on_click, on_click),
    ]
    if variant is not None:
        right = variant.casefold() in now.variant.casefold().split()
        description = f"the variant {subject} is {describe_variant(now.variant) or 'the default'}"
        correction = "" if right else f" instead of {describe_variant(variant)}"
        results.append(CheckResult(float(right), f"{description}{correction}"))
    if same_as is not None:
        right = is_same_transition(pair.view.original_slide(same_as).transition, now)
        reason = f"{pair.current_label} does not have the transition of slide {same_as}"
        results.append(CheckResult(float(right), reason))
    right_type = now.type != "none" if type == "any" else now.type.casefold() == type.casefold()
    type_description = f"{pair.current_label} has the transition {now.type}"
    first = CheckResult(
        float(right_type),
        type_description if right_type else f"{type_description} instead of {type}",
    )
    conditions = [result for result in results if result is not None]
    if not right_type:
        # Times of another effect do not count.
        return first
    pace = (
        score_pace(
            pair,
            duration=duration_sec is not None,
            advance=advance_after_sec is not None,
            click=on_click is not None,
        )
        if same_as is None
        else CheckResult(1.0, "")
    )
    slow = f"; {pace.reason}" if pace.score < 1 else ""
    if not conditions:
        return CheckResult(pace.score, first.reason + slow)
    details = mean_of(conditions, "times")
    score = pace.score * (first.score + details.score) / 2
    return CheckResult(score, f"{first.reason}; {details.reason}{slow}")


@slide_check()
def transition_none(pair: SlidePair) -> CheckResult:
    """Measure the share of slides without a transition or a new automatic advance."""
    pace = score_pace(pair)
    if pace.score < 1 and pair.after.transition.type == "none":
        return CheckResult(0.0, pace.reason)
    return score_equal(
        f"the transition of {pair.current_label}", pair.after.transition.type, "none"
    )


@part_check()
def animation_exists(
    part: Part,
    effect: str | int | None = None,
    kind: Literal["entrance", "emphasis", "exit", "motion"] | None = None,
    trigger: Literal["on_click", "with_previous", "after_previous"] | None = None,
    at_once: bool = False,
) -> CheckResult:
    """Measure how well the best matching effect of a slide or shape fits: the share of conditions.

    If an effect begins after ten seconds or more, or its shape disappears before the next click,
    the score is multiplied by 0.3, unless a target deck has the same. If only part of a text is
    animated, that share counts.

    Args:
        effect: Its name or preset number.
        at_once: Whether the entire text must appear at the same click.
    """
    name = None if effect is None else str(effect).casefold()
    results = []
    mine = {id(each) for each in require(part.effects, f"{part.label} has no animation")}
    models = [
        (a.kind, a.delay_sec) for s in reference_slides(part.slide_pair) for a in s.animations
    ]
    steps = list(timed_effects(part.slide))
    leaving = brief_entrances(steps)
    for at, step in enumerate(steps):
        if id(step.effect) not in mine:
            continue
        each = step.effect
        # The existence of an effect counts as one condition.
        tests = [True] if name is None else [True, name in (each.effect, str(each.preset))]
        conditions = ((each.kind, kind), (each.trigger, trigger))
        tests += [now == expected for now, expected in conditions if expected is not None]
        effect_description = f"{each.kind} {each.effect} {each.trigger.replace('_', ' ')}"
        reason = f"{part.label} has the effect {effect_description}"
        score = sum(tests) / len(tests)
        if step.is_late and (each.kind, each.delay_sec) not in models:
            score, reason = score * _UNFIT_FACTOR, f"{reason}, which keeps viewers waiting"
        if at in leaving:
            score, reason = score * _UNFIT_FACTOR, f"{reason}, and its shape disappears again"
        share = _animated_text_share(part, step, steps, at_once)
        if share < 1:
            score, reason = score * share, f"{reason}, for {share:.0%} of the text"
        results.append(CheckResult(score, reason))
    return best_of(results)


def _animated_text_share(
    part: Part, step: TimedEffect, steps: list[TimedEffect], at_once: bool
) -> float:
    """Return the share of a shape's paragraphs that have effects of the same type."""
    if step.effect.paragraphs is None or step.effect.shape is None:
        return 1.0
    paragraphs = part.slide.shapes[step.effect.shape].paragraphs
    text_paragraphs = {at for at, each in enumerate(paragraphs) if each.text.strip()}
    animated = set()
    for each in steps:
        same = (each.effect.shape, each.effect.kind) == (step.effect.shape, step.effect.kind)
        if same and (each.click == step.click or not at_once):
            first, last = each.effect.paragraphs or (0, len(paragraphs))
            animated |= {*range(first, last + 1)}
    return len(text_paragraphs & animated) / len(text_paragraphs) if text_paragraphs else 1.0


@slides_check(shape="optional", validate=require_old)
def animation_none(slides: Slides) -> CheckResult:
    """Measure the share of effects that were removed; one removed with its shape does not count."""
    counts = [_effect_counts(pair) for pair in slides]
    remaining, before = sum(now for now, _ in counts), sum(old for _, old in counts)
    labels = ", ".join(pair.label for pair in slides.pairs[:5])
    return score_removal(remaining, before, "effect", labels)


def _effect_counts(pair: SlidePair) -> tuple[int, int]:
    """Return the number of effects now and in the original."""
    old = () if pair.before is None else pair.before.animations
    if pair.now is None:
        # The task does not ask to delete the slide.
        return len(old), len(old)
    removed = () if pair.before is None else pair.view.match.shapes(pair.before.index).removed
    removed_with_shape = sum(effect.shape in removed for effect in old)
    if pair.address.selector is None:
        return len(pair.now.animations) + removed_with_shape, len(old)
    shape = pair.follow(pair.address.selector)
    if shape is None:
        # The task does not ask to delete the shape.
        return max(1, removed_with_shape), max(1, removed_with_shape)
    now = sum(effect.shape == shape.index for effect in pair.now.animations)
    if pair.before is None:
        return now, now
    original_shape = pair.original_of(shape)
    return now, sum(
        effect.shape == (None if original_shape is None else original_shape.index) for effect in old
    )


class Timing(TypedDict, total=False):
    """Target timing of an effect; omitted fields are not compared."""

    duration_sec: float | None
    delay_sec: float | None
    direction: str | None
    repeat: str | None
    build: str | None


@part_check(at_least_one=tuple(Timing.__annotations__))
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
    require(effects, f"{part.label} has no matching effect")
    return best_of(_score_timing(effect, values, tolerance_sec) for effect in effects)


@slide_check()
def animation_count(pair: SlidePair, count: Number) -> CheckResult:
    """Measure how near the number of effects of a slide is to the wanted number.

    Effects for paragraphs of one shape that start at the same click count as one.
    """
    subject = f"the number of effects on {pair.current_label}"
    return score_near(
        subject,
        len({_count_key(at, each) for at, each in enumerate(timed_effects(pair.after))}),
        count,
        0,
        1,
    )


def _count_key(at: int, each: TimedEffect) -> tuple[object, ...]:
    effect = each.effect
    if effect.paragraphs is None:
        return (at,)
    return effect.shape, effect.kind, effect.effect, each.click


def _score_timing(effect: Animation, values: Timing, tolerance_sec: float) -> CheckResult:
    results: list[CheckResult | None] = []
    for name, expected in cast(Mapping[str, str | float | None], values).items():
        subject = f"the {name.replace('_sec', ' in seconds')} of {effect.effect}"
        if isinstance(expected, float):
            scale = max(0.25, expected / 2)
            results.append(
                score_near(subject, getattr(effect, name), expected, tolerance_sec, scale)
            )
        else:
            results.append(score_equal(subject, getattr(effect, name), expected))
    return mean_of(results, f"values of {effect.effect}")
