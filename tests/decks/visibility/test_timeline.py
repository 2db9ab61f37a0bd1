"""The timeline of a slide show."""

import pytest

from pptarena.decks import Animation, Slide
from pptarena.decks.visibility.timeline import brief_entrances, timed_effects


def _effect(kind: str, trigger: str, delay_sec: float = 0.0) -> Animation:
    return Animation(kind, "fade", 10, trigger, 0, duration_sec=0.5, delay_sec=delay_sec)


def _slide(*effects: Animation) -> Slide:
    return Slide(index=0, id=256, shapes=(), animations=effects)


def test_effect_that_starts_after_600_seconds_is_late() -> None:
    slide = _slide(_effect("entrance", "on_click"), _effect("entrance", "after_previous", 600))
    first, second = timed_effects(slide)
    assert (first.click, first.start_sec, first.is_late) == (1, 0.0, False)
    assert (second.click, second.start_sec, second.is_late) == (1, 600.5, True)


@pytest.mark.parametrize(("trigger", "is_brief"), [("after_previous", True), ("on_click", False)])
def test_exit_before_the_next_click_makes_an_entrance_brief(trigger: str, is_brief: bool) -> None:
    slide = _slide(_effect("entrance", "on_click"), _effect("exit", trigger))
    assert (0 in brief_entrances(list(timed_effects(slide)))) is is_brief
