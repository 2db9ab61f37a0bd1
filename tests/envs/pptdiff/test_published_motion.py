"""Faults of the published comparison of animations, next to what the view says without them."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.envs.programs.pptdiff import PowerPointDiff

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
Test = Callable[[Any, Any], None]
TESTED: dict[str, Test] = {}


def quirk(name: str) -> Callable[[Test], Test]:
    def register(test: Test) -> Test:
        TESTED[name] = test
        return test

    return register


def _both(deck: Any, edit: Any, before: Any = None) -> tuple[PowerPointDiff, PowerPointDiff]:
    """Return the diff without the faults, and with them."""
    faithful = deck.compare(edit, before=before)
    return faithful, deck.compare(edit, before=before, quirks=True)


def _kinds(diff: PowerPointDiff) -> dict[str, int]:
    return {name: len(found) for name, found in diff.to_dict().items() if found}


def _effects(deck: Any, slide: int, *effects: dict[str, Any]) -> Any:
    def edit(pres: Any) -> None:
        shapes = list(pres.slides[slide].shapes)
        found = [deck.effect(shapes[each.pop("at", 0)], **each) for each in map(dict, effects)]
        deck.animate(pres.slides[slide], *found)

    return edit


@quirk("animation_order")
def animation_order(lab: Any, deck: Any) -> None:
    fly, fade = {"preset": 2, "subtype": 8}, {"preset": 1, "subtype": 0}
    before = _effects(deck, 3, {"at": 0, **fade}, {"at": 2, **fade})
    after = _effects(deck, 3, {"at": 1, **fly}, {"at": 0, **fade}, {"at": 2, **fade})
    faithful, published = _both(deck, after, before)
    assert _kinds(faithful) == {"modified_slides": 1, "added_animations": 1}
    # Flying in comes first in the table, so all others get another number.
    assert len(published.added_animations) == 3
    assert len(published.removed_animations) == 2

    # An entrance and an exit of one shape are both number 0: the exit hides the entrance.
    both = _effects(deck, 3, {"kind": "entr"}, {"kind": "exit"})
    faithful, published = _both(deck, both)
    assert [each.effect_type for each in faithful.added_animations] == ["appear", "disappear"]
    assert [each.effect_type for each in published.added_animations] == ["fade_out"]


@quirk("preset_names")
def preset_names(lab: Any, deck: Any) -> None:
    faithful, published = _both(deck, _effects(deck, 3, {"preset": 1}))
    assert faithful.added_animations[0].effect_type == "appear"
    assert published.added_animations[0].effect_type == "fade_in"
    fade = _effects(deck, 3, {"preset": 10, "block": "animEffect"})
    faithful, published = _both(deck, fade)
    assert faithful.added_animations[0].effect_type == "fade"
    assert {each.effect_type for each in published.added_animations} == {"animEffect"}


@quirk("fixed_times")
def fixed_times(lab: Any, deck: Any) -> None:
    slow = {"preset": 2, "subtype": 8, "duration": 3000, "delay": 2000, "node": "afterEffect"}
    faithful, published = _both(deck, _effects(deck, 3, slow))
    (right,), (wrong,) = faithful.added_animations, published.added_animations
    assert (right.trigger, right.delay, right.duration) == ("after_previous", 2.0, 3.0)
    assert (wrong.trigger, wrong.delay, wrong.duration) == ("click", 0.0, 0.5)
    assert wrong.effect_type == right.effect_type == "fly_in_from_left"


@quirk("tag_fallback")
def tag_fallback(lab: Any, deck: Any) -> None:
    wipe = {"preset": 22, "subtype": 8, "block": "animEffect", "duration": 700}
    faithful, published = _both(deck, _effects(deck, 3, wipe))
    assert len(faithful.added_animations) == 1
    # Once of all blocks, once for each of the two groups around it.
    assert [each.order for each in published.added_animations] == [0, 1, 2]
    assert {each.duration for each in published.added_animations} == {0.7}
    assert {each.element_type for each in published.added_animations} == {"title"}
    assert {each.element_text for each in published.added_animations} == {"Chart"}


@quirk("trigger_words")
def trigger_words(lab: Any, deck: Any) -> None:
    words = {}
    effects: dict[str, dict[str, Any]] = {
        "preset": {"preset": 1},
        "exit": {"preset": 1, "kind": "exit"},
        "motion": {"preset": 63, "kind": "path", "block": "animMotion"},
        "block": {"preset": 22, "block": "animEffect"},
    }
    for name, effect in effects.items():
        faithful, published = _both(deck, _effects(deck, 3, effect))
        assert faithful.added_animations[0].trigger == "on_click"
        words[name] = published.added_animations[0].trigger
    assert words == {
        "preset": "click",
        "exit": "on_click",
        "motion": "on_click",
        "block": "onClick",
    }


@pytest.mark.parametrize("name", TESTED)
def test_a_fault_is_there_only_where_it_is_asked_for(lab: Any, deck: Any, name: str) -> None:
    TESTED[name](lab, deck)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("", "motion_path_custom"),
        ("M 0 0 L 1 0", "motion_path_linear"),
        ("M 0 0 L 1 0 C 0 1", "motion_path_curved"),
        ("M 0 0 c 0 1", "motion_path_curve"),
        ("M 0 0 A 1", "motion_path_arc"),
        ("M 0 0", "motion_path_custom"),
    ],
)
def test_motions_by_their_path(deck: Any, path: str, name: str) -> None:
    def edit(pres: Any) -> None:
        shape = pres.slides[3].shapes[0]
        deck.animate(pres.slides[3], deck.effect(shape, 63, "path", block="animMotion"))
        pres.slides[3]._element.find(f".//{P}animMotion").set("path", path)

    (found,) = deck.compare(edit, quirks=True).added_animations
    assert (found.effect_type, found.duration) == (name, 2.0)
