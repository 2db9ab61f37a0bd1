"""Compare the pace at which slides advance and appear with the original and the target decks."""

from collections.abc import Iterator
from typing import Final

from pptarena.decks import Slide, Transition
from pptarena.rewards.checking.pairs import SlidePair
from pptarena.rewards.checking.result import CheckResult
from pptarena.rewards.gold.plan import plan_of

__all__ = ["model_slides", "pace_kept"]

_TOLERANCE_SEC: Final = 0.1
_LONGEST_SEC: Final = 5.0
_RUNS_AWAY: Final = 0.4
_TOO_LONG: Final = 0.5


def model_slides(pair: SlidePair) -> Iterator[Slide]:
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


def pace_kept(
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
    doubts = [
        (not advance and now.advance_after_sec is not None, _runs_away, _RUNS_AWAY),
        (not (click or advance) and not now.on_click, _ignores_clicks, _RUNS_AWAY),
        (not duration and (now.duration_sec or 0.0) > _LONGEST_SEC, _takes_longer, _TOO_LONG),
    ]
    for is_doubtful, worse, factor in doubts:
        if is_doubtful and all(worse(each.transition, now) for each in _models(pair)):
            return CheckResult(factor, f"{pair.place} {_REASONS[worse]}")
    return CheckResult(1.0, f"{pair.place} keeps its pace")


def _models(pair: SlidePair) -> list[Slide]:
    return list(model_slides(pair))


def _runs_away(model: Transition, now: Transition) -> bool:
    was, after = model.advance_after_sec, now.advance_after_sec
    return after is not None and (was is None or after < was - _TOLERANCE_SEC)


def _ignores_clicks(model: Transition, now: Transition) -> bool:
    return model.on_click and not now.on_click


def _takes_longer(model: Transition, now: Transition) -> bool:
    return (now.duration_sec or 0.0) > max(
        _LONGEST_SEC, (model.duration_sec or 0.0) + _TOLERANCE_SEC
    )


_REASONS: Final = {
    _runs_away: "advances by itself, or sooner than before",
    _ignores_clicks: "no longer advances on a click",
    _takes_longer: f"takes over {_LONGEST_SEC:g} seconds to appear",
}
