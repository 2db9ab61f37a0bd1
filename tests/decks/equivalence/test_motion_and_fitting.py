"""Transitions in equivalent notations, and autofit without visible effect."""

from dataclasses import replace
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.decks import Box, Paragraph, Run, RunStyle, Shape, TextFrame, Transition
from pptarena.decks.equivalence.equivalences import EQUIVALENCES, looks_equal

FADE = Transition("fade", duration_sec=0.7)
WIPE = Transition("wipe", "dir=u", 1.0, advance_after_sec=8.0)


@each_case("first", [FADE, WIPE, replace(FADE, duration_sec=2.0)])
@each_case("changes", [{}, {"duration_sec": None}, {"type": "FADE"}, {"variant": "thruBlk=1"}])
def test_equivalent_transitions(first: Transition, changes: dict[str, Any]) -> None:
    second = replace(first, **changes) if first.type == "fade" or len(changes) != 1 else first
    assert looks_equal("transition", "", first, second)
    slightly_longer = replace(first, duration_sec=(first.duration_sec or 0) + 0.4)
    assert looks_equal("transition", "", slightly_longer, first)


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "push"}, {"type": "none"}, {"variant": "dir=d"}, {"duration_sec": 59.0},
        {"on_click": False}, {"advance_after_sec": 1.0}, {"sound": "abc"},
    ],
)  # fmt: skip
def test_different_transitions(changes: dict[str, object]) -> None:
    assert not looks_equal("transition", "", WIPE, replace(WIPE, **changes))  # type: ignore[arg-type]


def _text(text: str, size_pt: float, autofit: str, **frame: float) -> Shape:
    run = Run(text, RunStyle(size_pt=size_pt))
    return Shape(
        0, "Title", "placeholder", "title", "rect", Box(0, 0, 9_144_000, 914_400),
        paragraphs=(Paragraph((run,)),), autofit=autofit, frame=TextFrame(**frame),  # type: ignore[arg-type]
    )  # fmt: skip


@each_case("text", ["Net", "Net interest and fees both grew", "Haltestelle"])
@each_case("size_pt", [12.0, 18.0, 28.0])
@each_case("scale", [100.0, 97.5])
def test_autofit_without_effect_is_equal(text: str, size_pt: float, scale: float) -> None:
    plain = _text(text, size_pt, "none")
    fitted = _text(text, size_pt, "text", autofit_scale_pct=scale)
    assert looks_equal("formatting", "autofit", plain, fitted)
    assert looks_equal("formatting", "autofit", fitted, plain)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("none", _text("Net", 28, "text", autofit_scale_pct=62.5)),
        ("none", _text("Net", 28, "text", autofit_reduction_pct=20.0)),
        ("none", _text("Net interest and fees " * 12, 28, "text")),
        ("none", _text("Net", 28, "shape")),
        ("shape", _text("Net", 28, "text")),
        ("shape", _text("Net", 28, "none")),
    ],
)
def test_autofit_with_visible_effect_differs(old: str, new: Shape) -> None:
    assert not looks_equal("formatting", "autofit", replace(new, autofit=old), new)


def test_equivalences_have_unique_names_and_reasons() -> None:
    assert len({each.name for each in EQUIVALENCES}) == len(EQUIVALENCES) == 6
    assert all(each.reason and each.aspects for each in EQUIVALENCES)
