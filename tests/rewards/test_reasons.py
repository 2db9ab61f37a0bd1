"""Reasons are plain English: numbers agree with nouns, and nothing is repeated."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from pptx.util import Inches

from pptarena.decks import Transition
from pptarena.decks.diff.slides import describe_transition, describe_variant
from pptarena.decks.facts.shape import Box, Shape
from pptarena.decks.facts.text import Paragraph, Run, RunStyle
from pptarena.rewards import load_rubric, score
from pptarena.rewards.checking.result import pluralize, score_distance, score_removal


@pytest.mark.parametrize(
    ("remaining", "reason"),
    [
        (0, "no effects of slide 17 are left"),
        (1, "1 effect of slide 17 is left"),
        (2, "2 effects of slide 17 are left"),
    ],
)
def test_removal_reason_counts_the_remaining_objects(remaining: int, reason: str) -> None:
    assert score_removal(remaining, 3, "effect", "slide 17").reason == reason
    assert pluralize(remaining, "effect") in reason


def _add(count: int) -> Callable[[Any], None]:
    def edit(deck: Any) -> None:
        for _ in range(count):
            deck.slides.add_slide(deck.slide_layouts[6])

    return edit


@pytest.mark.parametrize(
    ("check", "args", "count", "reason"),
    [
        ("slide_added", {"count": 1}, 1, "1 slide was added"),
        ("slide_added", {"count": 2}, 1, "1 slide was added instead of 2"),
        ("slide_added", {"count": 1}, 2, "2 slides were added instead of 1"),
    ],
)
def test_reason_counts_added_slides(
    lab: Any, check: str, args: dict[str, Any], count: int, reason: str
) -> None:
    assert lab.check(check, args, _add(count)).reason.startswith(reason)


def test_distances_are_given_in_centimeters_and_inches() -> None:
    assert score_distance("the box", Inches(0.5), 0).reason == "the box: off by 1.27 cm (0.50 in)"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Short words", "Short words"),
        ("A title that is exactly thirty", "A title that is exactly thirty"),
        ("Regional performance of the northern branches", "Regional performance of the\u2026"),
        ("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrtsgesells\u2026"),
        ("\u58f2\u4e0a\u9ad8" * 20, "\u58f2\u4e0a\u9ad8" * 9 + "\u58f2\u4e0a\u2026"),
    ],
)
def test_long_labels_are_cut_between_words(text: str, label: str) -> None:
    paragraph = Paragraph(runs=(Run(text, RunStyle()),))
    shape = Shape(0, "", "text_box", "", "", Box(0, 0, 1, 1), paragraphs=(paragraph,))
    assert shape.label == f"the text box '{label}'"


@pytest.mark.parametrize(
    ("transition", "reason"),
    [
        (Transition("push", "dir=r", 0.75), "push to the right, 0.75 s"),
        (Transition("wipe", "dir=u", 0.5), "wipe upwards, 0.5 s"),
        (Transition("cover", "dir=ld", 0.5), "cover to the lower left, 0.5 s"),
        (Transition("fade", "thruBlk=1", 1.0), "fade through black, 1 s"),
        (Transition("split", "dir=in orient=vert", 1.0), "split inwards vertically, 1 s"),
        (Transition("wheel", "spokes=8", 1.0), "wheel spokes 8, 1 s"),
        (
            Transition("push", "", 0.5, on_click=False, advance_after_sec=3.0),
            "push, 0.5 s, next slide after 3 s, not on click",
        ),
        (Transition("none"), "none"),
    ],
)
def test_transitions_are_described_in_words(transition: Transition, reason: str) -> None:
    assert describe_transition(transition) == reason
    assert "=" not in describe_variant(transition.variant)


def _leaf(slide: int, text: str) -> dict[str, Any]:
    args = {"slide": slide, "text": text}
    return {"name": f"title {slide}", "check": "title_is", "args": args}


def test_parent_quotes_the_reason_of_one_leaf(lab: Any) -> None:
    groups = [
        {"name": f"group {i}", "children": [_leaf(i, f"Xyz{i}"), _leaf(i + 1, f"Qrs{i}")]}
        for i in (2, 4)
    ]
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": groups}})
    tree = score(rubric, lab.original, lab.original, None)
    assert tree.reason.startswith("0 of 2 parts are fulfilled; group 2")
    assert re.findall(r"Xyz\d|Qrs\d", tree.reason) == ["Xyz2"]
    assert tree.reason.endswith("; also short: group 4, not critical (0.00)") or (
        tree.reason.endswith("; also short: group 4 (0.00)")
    )
