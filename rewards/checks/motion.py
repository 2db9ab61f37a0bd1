"""Checks of notes, transitions and animations."""

from typing import Literal

from pptarena.rewards.checks.arguments import SeveralShapes, Texts
from pptarena.rewards.checks.ordering import in_order
from pptarena.rewards.checks.pairs import Part, SlidePair, Slides
from pptarena.rewards.checks.registry import part_check, slide_check, slides_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import found_texts, same_words
from pptarena.rewards.relative import OneSlide
from pptarena.rewards.scope.finer import alike_transition

_TIME_TOLERANCE_SEC = 0.1


@slide_check("slides")
def notes_contain(pair: SlidePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that are in the notes, as `slide_text_contains` does."""
    where = f"the notes of {pair.place}"
    return found_texts(pair.after.notes, texts, match_case, where)


@slide_check("slides")
def notes_are(pair: SlidePair, text: str, match_case: bool = True) -> CheckResult:
    """Measure whether the notes read as they should, by words in common; a last stop is free."""
    where = f"the notes of {pair.place}"
    return same_words(pair.after.notes, text, match_case, where, prose=True)


@slide_check("transitions")
def transition_is(
    pair: SlidePair,
    type: str,
    duration_sec: float | None = None,
    advance_after_sec: float | None = None,
    on_click: bool | None = None,
    variant: str | None = None,
    same_as: OneSlide | None = None,
) -> CheckResult:
    """Measure how well transitions fit; the type is worth half if more is asked for.

    Args:
        type: `fade`, `push`, `wipe` and so on, or `any`.
        variant: Such as `dir=u`.
        same_as: A slide of the original; all is as there.
    """
    model = None if same_as is None else pair.view.original_slide(same_as).transition
    found, where = pair.after.transition, pair.place
    right_type = found.type != "none" if type == "any" else found.type.casefold() == type.casefold()
    results = []
    for name, value, wanted in (
        ("duration", found.duration_sec, duration_sec),
        ("advance after", found.advance_after_sec, advance_after_sec),
    ):
        if wanted is not None:
            near = value is not None and abs(value - wanted) <= _TIME_TOLERANCE_SEC
            results.append(verdict(near, f"{name} is right", f"{where}: {name} is {value}"))
    if on_click is not None:
        right = found.on_click == on_click
        results.append(verdict(right, "click is right", f"{where}: on click is {found.on_click}"))
    if variant is not None:
        right = variant.casefold() in found.variant.casefold().split()
        results.append(verdict(right, "variant is right", f"{where}: variant is {found.variant}"))
    if model is not None:
        same = alike_transition(model, found)
        results.append(verdict(same, "it is the same", f"{where}: it comes in another way"))
    has = f"{where} has the transition {found.type}"
    first = verdict(right_type, has, f"{has} instead of {type}")
    if not results or not right_type:
        # Times of another effect are nothing that was asked for.
        return first
    rest = mean_of(results, "times")
    return CheckResult((first.score + rest.score) / 2, f"{first.reason}; {rest.reason}")


@slide_check("transitions", is_binary=True)
def transition_none(pair: SlidePair) -> CheckResult:
    """Measure the share of slides that come in without an effect."""
    return verdict(
        pair.after.transition.type == "none",
        f"{pair.place} has no transition",
        f"{pair.place} still has the transition {pair.after.transition.type}",
    )


@part_check("animations")
def animation_exists(
    part: Part,
    effect: str | int | None = None,
    kind: Literal["entrance", "emphasis", "exit", "motion"] | None = None,
    trigger: Literal["on_click", "with_previous", "after_previous"] | None = None,
) -> CheckResult:
    """Measure how well the best fitting effect of a slide or shape fits: the share of conditions.

    Args:
        effect: Its name or the number of its preset.
    """
    judged = []
    for each in part.effects:
        # That there is an effect at all counts as one condition.
        tests = [True]
        if effect is not None:
            tests.append(str(effect).casefold() in (each.effect, str(each.preset)))
        if kind is not None:
            tests.append(each.kind == kind)
        if trigger is not None:
            tests.append(each.trigger == trigger)
        judged.append((sum(tests) / len(tests), each))
    if not judged:
        return CheckResult(0.0, f"{part.label} has no animation")
    value, best = max(judged, key=lambda each: each[0])
    found = f"{best.kind} {best.effect} {best.trigger.replace('_', ' ')}"
    return CheckResult(value, f"{part.label} has the effect {found}")


@slides_check("animations", shape="optional")
def animation_none(slides: Slides) -> CheckResult:
    """Measure the share of effects that are gone; one that went with its shape does not count."""
    counts = [_counts(pair) for pair in slides]
    left, total = sum(now for now, _ in counts), sum(before for _, before in counts)
    value = 1.0 if not left else max(0.0, 1 - left / max(total, left))
    labels = ", ".join(pair.label for pair in slides.pairs[:5])
    return CheckResult(value, f"{left} effects are left on {labels}")


@slide_check("animations")
def animation_order(pair: SlidePair, shapes: SeveralShapes) -> CheckResult:
    """Measure the share of pairs of shapes that are animated in the right order."""
    return in_order(pair, shapes, [e.shape for e in pair.after.animations])


def _counts(pair: SlidePair) -> tuple[int, int]:
    """Return how many effects there are now, and how many there were."""
    old = () if pair.before is None else pair.before.animations
    if pair.now is None:
        # With its slide everything went; that is not what was asked for.
        return len(old), len(old)
    removed = () if pair.before is None else pair.view.match.shapes(pair.before.index).removed
    gone = sum(effect.shape in removed for effect in old)
    if pair.address.selector is None:
        return len(pair.now.animations) + gone, len(old)
    shape = pair.follow(pair.address.selector)
    if shape is None:
        # With its shape the effect went; that is not what was asked for.
        return max(1, gone), max(1, gone)
    now = sum(effect.shape == shape.index for effect in pair.now.animations)
    if pair.before is None:
        return now, now
    was = pair.original_of(shape)
    return now, sum(effect.shape == (None if was is None else was.index) for effect in old)
