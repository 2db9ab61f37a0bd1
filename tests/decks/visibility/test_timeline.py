"""The timeline as a viewer goes through it."""

from pptarena.decks import Animation, Slide
from pptarena.decks.visibility.timeline import leaving_soon, played


def _effect(kind: str, trigger: str, delay_sec: float = 0.0) -> Animation:
    return Animation(kind, "fade", 10, trigger, 0, duration_sec=0.5, delay_sec=delay_sec)


def _slide(*effects: Animation) -> Slide:
    return Slide(index=0, id=256, shapes=(), animations=effects)


def test_an_effect_that_begins_after_600_seconds_is_late() -> None:
    slide = _slide(_effect("entrance", "on_click"), _effect("entrance", "after_previous", 600))
    first, second = played(slide)
    assert (first.click, first.start_sec, first.is_late) == (1, 0.0, False)
    assert (second.click, second.start_sec, second.is_late) == (1, 600.5, True)


def test_an_exit_before_the_next_click_takes_the_shape_away() -> None:
    slide = _slide(_effect("entrance", "on_click"), _effect("exit", "after_previous"))
    assert 0 in leaving_soon(list(played(slide)))


def test_an_exit_at_the_next_click_does_not() -> None:
    slide = _slide(_effect("entrance", "on_click"), _effect("exit", "on_click"))
    assert 0 not in leaving_soon(list(played(slide)))
