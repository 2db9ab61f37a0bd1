from typing import Any

import pytest

from pptarena.rewards import load_rubric, load_scope, score

pytestmark = pytest.mark.slow


def _notes(slide: int, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        deck.slides[slide - 1].notes_slide.notes_text_frame.text = text

    return edit


def _transition(xml: str, *slides: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for slide in slides:
            lab.set_transition(deck.slides[slide - 1], xml)

    return edit


def _animate(*effects: tuple[str, int, str, str]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        entries = [
            (kind, preset, node, lab.shape_named(deck, 5, name).shape_id)
            for kind, preset, node, name in effects
        ]
        lab.set_animations(deck.slides[4], entries)

    return edit


PUSH = '<p:transition p14:dur="1500" advTm="5000"><p:push dir="u"/></p:transition>'
SLOW = '<p:transition p14:dur="59000"><p:push dir="u"/></p:transition>'
PLAIN_PUSH = '<p:transition p14:dur="1500"><p:push dir="u"/></p:transition>'
FADE = '<p:transition spd="med"><p:fade/></p:transition>'
OLD = (("entr", 10, "clickEffect", "A"), ("entr", 2, "afterEffect", "B"))
WIPE = {"slide": 5, "shape": "C", "effect": "wipe", "kind": "entrance", "trigger": "on_click"}
TIMED = {"slide": 3, "type": "push", "duration_sec": 1.5, "advance_after_sec": 5}

CASES = [
    ("notes_contain", {"slide": 6, "texts": ["wave", "smile"]}, _notes(6, "Wave and smile"), 1, 1),
    ("notes_contain", {"slide": 6, "texts": ["wave", "smile"]}, _notes(6, "Wave"), 0.5, 0.5),
    ("notes_contain", {"slide": 6, "texts": ["wave", "smile"]}, _notes(5, "Wave, smile"), 0, 0),
    ("notes_are", {"slide": 2, "text": "Be brief\nBe clear"}, _notes(2, "Be brief\nBe clear"),
     1, 1),
    ("notes_are", {"slide": 2, "text": "Be brief\nBe clear"}, _notes(2, "Be brief"), 0.3, 0.8),
    ("notes_are", {"slide": 2, "text": "Be brief"}, _notes(3, "Be brief"), 0, 0),
    ("transition_is", {"slides": [1, 3], "type": "push"}, _transition(PLAIN_PUSH, 1, 3), 1, 1),
    ("transition_is", {"slides": [1, 3], "type": "push"}, _transition(PLAIN_PUSH, 1), 0.5, 0.5),
    ("transition_is", {"slides": [1, 3], "type": "push"}, _transition(FADE, 1, 3), 0, 0),
    ("transition_is", {"slides": "all", "type": "fade"}, _transition(FADE, 1, 3, 4, 5, 6), 1, 1),
    ("transition_is", {"slides": "all", "type": "any"}, _transition(FADE, 1), 0.1, 0.3),
    ("transition_is", TIMED, _transition(PUSH, 3), 1, 1),
    ("transition_is", TIMED | {"duration_sec": 2}, _transition(PUSH, 3), 0.75, 0.75),
    ("transition_is", TIMED | {"on_click": False}, _transition(PUSH, 3), 0.6, 0.9),
    ("transition_none", {"slide": 2}, _transition("", 2), 1, 1),
    ("transition_none", {"slide": 2}, _transition(PUSH, 2), 0, 0),
    ("animation_exists", WIPE, _animate(*OLD, ("entr", 22, "clickEffect", "C")), 1, 1),
    ("animation_exists", WIPE, _animate(*OLD, ("entr", 10, "withEffect", "C")), 0.5, 0.5),
    ("animation_exists", WIPE, _animate(), 0, 0),
    ("animation_exists", {"slide": 5, "effect": 22}, _animate(("entr", 22, "withEffect", "A")),
     1, 1),
    ("animation_exists", {"slide": 3, "kind": "exit"}, _animate(*OLD), 0, 0),
    ("animation_none", {"slide": 5}, _animate(), 1, 1),
    ("animation_none", {"slide": 5}, _animate(OLD[1]), 0.5, 0.5),
    ("animation_none", {"slide": 5, "shape": "A"}, _animate(OLD[1]), 1, 1),
    ("animation_none", {"slide": 5, "shape": "A"}, _animate(OLD[0]), 0, 0),
    ("animation_none", {"slide": 5}, lambda lab, d: lab.delete_slide(d, 4), 0, 0),
    ("animation_order", {"slide": 5, "shapes": ["B", "A"]}, _animate(OLD[1], OLD[0]), 1, 1),
    ("animation_order", {"slide": 5, "shapes": ["C", "B", "A"]},
     _animate(OLD[1], OLD[0], ("entr", 1, "clickEffect", "C")), 0.3, 0.4),
    ("animation_order", {"slide": 5, "shapes": ["B", "A"]}, _animate(OLD[0]), 0, 0),
]  # fmt: skip


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


def _with_transition(lab: Any, xml: str) -> Any:
    return lab.edited(lambda deck: _transition(xml, 1, 3)(lab, deck))


@pytest.mark.parametrize(
    ("xml", "expected"),
    [(PLAIN_PUSH, 1.0), (PUSH, 0.4), (SLOW, 0.5)],
    ids=["as requested", "advances", "slow"],
)
def test_slides_keep_the_pace_of_the_target(lab: Any, xml: str, expected: float) -> None:
    args = {"slides": [1, 3], "type": "push"}
    leaf = {"name": "push", "check": "transition_is", "args": args}
    rubric = load_rubric({"version": 1, "root": leaf})
    target, current = (_with_transition(lab, each) for each in (PLAIN_PUSH, xml))
    assert score(rubric, lab.original, current, targets=(target,)).score == pytest.approx(expected)


def test_timed_slide_may_ignore_clicks(lab: Any) -> None:
    timed = '<p:transition advTm="8000"><p:fade/></p:transition>'
    args = {"slides": [1, 3], "type": "fade"}
    leaf = {"name": "fade", "check": "transition_is", "args": args}
    rubric = load_rubric({"version": 1, "root": leaf})
    scope = load_scope({"parts": [{"slides": [1, 3], "aspects": ["transition"]}]})

    def scored(xml: str) -> float | None:
        target, current = (_with_transition(lab, each) for each in (timed, xml))
        return score(rubric, lab.original, current, scope, targets=(target,)).score

    assert scored(timed.replace("advTm", 'advClick="0" advTm')) == 1
    assert (scored('<p:transition advClick="0"><p:fade/></p:transition>') or 0) < 0.5
