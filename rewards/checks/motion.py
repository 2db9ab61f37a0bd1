"""Checks of notes, transitions and animations."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Animation, Shape, Slide, Transition
from pptarena.rewards.checks.addressing import SeveralShapesArgs
from pptarena.rewards.checks.ordering import in_order
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import found_texts, require_texts, same_words
from pptarena.rewards.checks.view import OptionalShapeArgs, SlideArgs, SlideView, View
from pptarena.rewards.scope.transitions import alike_transition

_TIME_TOLERANCE_SEC = 0.1

Judge = Callable[[Slide, Shape | None, str], CheckResult]


@dataclass(frozen=True, kw_only=True)
class NotesTexts(SlideArgs):
    """Texts that the notes should have."""

    texts: tuple[str, ...]
    match_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require_texts(self.texts)


@dataclass(frozen=True, kw_only=True)
class NotesText(SlideArgs):
    """The whole notes."""

    text: str
    match_case: bool = True


@dataclass(frozen=True, kw_only=True)
class TransitionIs(SlideArgs):
    """How slides should come in; what is left out does not matter.

    With `same_as`, a slide of the original, all that its transition says should be the same.
    """

    type: str
    duration_sec: float | None = None
    advance_after_sec: float | None = None
    on_click: bool | None = None
    variant: str | None = None
    same_as: int | None = None


@dataclass(frozen=True, kw_only=True)
class TransitionNone(SlideArgs):
    """Slides that should come in without an effect."""


@dataclass(frozen=True, kw_only=True)
class EffectExists(OptionalShapeArgs):
    """An effect that a slide should have; what is left out does not matter."""

    effect: str | int | None = None
    kind: Literal["entrance", "emphasis", "exit", "motion"] | None = None
    trigger: Literal["on_click", "with_previous", "after_previous"] | None = None


@dataclass(frozen=True, kw_only=True)
class EffectNone(OptionalShapeArgs):
    """A slide, or a shape, that should have no effect."""


@dataclass(frozen=True, kw_only=True)
class EffectOrder(SeveralShapesArgs):
    """Shapes in the order in which they should be animated."""


@check("notes_contain", "slides")
def notes_contain(view: View, args: NotesTexts) -> CheckResult:
    """Measure the share of texts that are in the notes."""

    def judge(slide: Slide) -> CheckResult:
        where = f"the notes of slide {slide.index + 1}"
        return found_texts(slide.notes, args.texts, args.match_case, where)

    return view.on_slides(args, judge)


@check("notes_are", "slides")
def notes_are(view: View, args: NotesText) -> CheckResult:
    """Measure whether the notes read as they should."""

    def judge(slide: Slide) -> CheckResult:
        where = f"the notes of slide {slide.index + 1}"
        return same_words(slide.notes, args.text, args.match_case, where, prose=True)

    return view.on_slides(args, judge)


@check("transition_is", "transitions")
def transition_is(view: View, args: TransitionIs) -> CheckResult:
    """Measure how well transitions fit; the type is worth half if more is asked for."""
    model = None if args.same_as is None else view.original_slide(args.same_as).transition
    return view.on_slides(args, lambda slide: _judge_transition(slide, args, model))


@check("transition_none", "transitions", is_binary=True)
def transition_none(view: View, args: TransitionNone) -> CheckResult:
    """Measure the share of slides that come in without an effect."""
    return view.on_slides(
        args,
        lambda slide: verdict(
            slide.transition.type == "none",
            f"slide {slide.index + 1} has no transition",
            f"slide {slide.index + 1} still has the transition {slide.transition.type}",
        ),
    )


@check("animation_exists", "animations")
def animation_exists(view: View, args: EffectExists) -> CheckResult:
    """Measure how well the best fitting effect of a slide, or of a shape, fits."""

    def judge(slide: Slide, shape: Shape | None, where: str) -> CheckResult:
        effects = _effects(slide, shape)
        if not effects:
            return CheckResult(0.0, f"{where} has no animation")
        judged = [(sum(tests) / len(tests), e) for e, tests in _judged(effects, args)]
        value, best = max(judged, key=lambda each: each[0])
        found = f"{best.kind} {best.effect} {best.trigger.replace('_', ' ')}"
        return CheckResult(value, f"{where} has the effect {found}")

    return _on_effects(view, args, judge)


@check("animation_none", "animations")
def animation_none(view: View, args: EffectNone) -> CheckResult:
    """Measure the share of the original's effects that are gone."""
    total = left = 0
    labels = []
    for seen in view.slides(args):
        labels.append(seen.label)
        now, before = _counts(view, seen, args)
        total += before
        left += now
    value = 1.0 if not left else max(0.0, 1 - left / max(total, left))
    return CheckResult(value, f"{left} effects are left on {', '.join(labels[:5])}")


@check("animation_order", "animations")
def animation_order(view: View, args: EffectOrder) -> CheckResult:
    """Measure the share of pairs of shapes that are animated in the right order."""

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        return in_order(view, seen, args.shapes, [e.shape for e in seen.current.animations])

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


def _judge_transition(slide: Slide, args: TransitionIs, model: Transition | None) -> CheckResult:
    found = slide.transition
    where = f"slide {slide.index + 1}"
    if args.type == "any":
        right_type = found.type != "none"
    else:
        right_type = found.type.casefold() == args.type.casefold()
    results = []
    for name in ("duration_sec", "advance_after_sec"):
        wanted, value = getattr(args, name), getattr(found, name)
        if wanted is not None:
            near = value is not None and abs(value - wanted) <= _TIME_TOLERANCE_SEC
            words = name.removesuffix("_sec").replace("_", " ")
            results.append(verdict(near, f"{words} is right", f"{where}: {words} is {value}"))
    if args.on_click is not None:
        right = found.on_click == args.on_click
        results.append(verdict(right, "click is right", f"{where}: on click is {found.on_click}"))
    if args.variant is not None:
        right = args.variant.casefold() in found.variant.casefold().split()
        results.append(verdict(right, "variant is right", f"{where}: variant is {found.variant}"))
    if model is not None:
        same = alike_transition(model, found)
        results.append(verdict(same, "it is the same", f"{where}: it comes in another way"))
    first = verdict(
        right_type,
        f"{where} has the transition {found.type}",
        f"{where} has the transition {found.type} instead of {args.type}",
    )
    if not results or not right_type:
        # Times of another effect are nothing that was asked for.
        return first
    rest = mean_of(results, "times")
    return CheckResult((first.score + rest.score) / 2, f"{first.reason}; {rest.reason}")


def _on_effects(view: View, args: EffectExists, judge: Judge) -> CheckResult:
    if args.shape is None and args.shape_now is None:
        return view.on_slides(args, lambda slide: judge(slide, None, f"slide {slide.index + 1}"))
    return view.on_shapes(args, lambda seen: judge(seen.slide, seen.current, seen.label))


def _effects(slide: Slide, shape: Shape | None) -> list[Animation]:
    if shape is None:
        return list(slide.animations)
    return [effect for effect in slide.animations if effect.shape == shape.index]


def _judged(
    effects: list[Animation], args: EffectExists
) -> Iterator[tuple[Animation, list[float]]]:
    for effect in effects:
        # That there is an effect at all counts as one condition.
        tests = [1.0]
        if args.effect is not None:
            named = str(args.effect).casefold() in (effect.effect, str(effect.preset))
            tests.append(float(named))
        if args.kind is not None:
            tests.append(float(effect.kind == args.kind))
        if args.trigger is not None:
            tests.append(float(effect.trigger == args.trigger))
        yield effect, tests


def _effects_of_gone_shapes(view: View, seen: SlideView) -> list[Animation]:
    if seen.original is None or seen.current is None:
        return []
    removed = view.match.shapes(seen.original.index).removed
    return [effect for effect in seen.original.animations if effect.shape in removed]


def _counts(view: View, seen: SlideView, args: EffectNone) -> tuple[int, int]:
    """Return how many effects there are now, and how many there were."""
    spec = args.shape if args.shape is not None else args.shape_now
    gone = _effects_of_gone_shapes(view, seen)
    if seen.current is None:
        # With its slide everything went; that is not what was asked for.
        count = len(seen.original.animations) if seen.original is not None else 0
        return count, count
    before = len(seen.original.animations) if seen.original is not None else 0
    if spec is None:
        return len(seen.current.animations) + len(gone), before
    shape = view.follow(seen, spec)
    if shape is None:
        # With its shape the effect went; that is not what was asked for.
        count = max(1, len(gone))
        return count, count
    now = len(_effects(seen.current, shape))
    if seen.original is None:
        return now, now
    index = view.match.shapes(seen.original.index).to_original.get(shape.index)
    old = [effect for effect in seen.original.animations if effect.shape == index]
    return now, len(old)
