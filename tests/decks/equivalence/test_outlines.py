"""Outline families, and presets that draw the same outline."""

from tests.each_case import each_case

from pptarena.decks.equivalence.equivalences import (
    FAMILIES,
    looks_equal,
    matches_outline,
    same_outline,
)


@each_case("family", FAMILIES)
def test_family_matches_its_members_only(family: str) -> None:
    assert all(matches_outline(preset, family) for preset in FAMILIES[family])
    assert not matches_outline("heart", family)
    assert not matches_outline("custom", family)
    assert not matches_outline("", family)


@each_case(
    "geometry, target",
    [
        ("notchedRightArrow", "right_arrows"), ("stripedRightArrow", "right_arrows"),
        ("chevron", "right_arrows"), ("homePlate", "arrows"), ("leftArrow", "arrows"),
        ("uturnArrow", "arrows"), ("roundRect", "rectangles"), ("snip2DiagRect", "rectangles"),
        ("flowChartProcess", "rect"), ("rect", "flowChartProcess"),
        ("flowChartConnector", "ellipse"), ("flowChartDecision", "diamond"),
        ("star5", "stars"), ("cloudCallout", "callouts"),
    ],
)  # fmt: skip
def test_matching_outlines(geometry: str, target: str) -> None:
    assert matches_outline(geometry, target)


@each_case(
    "geometry, target",
    [
        ("notchedRightArrow", "rightArrow"), ("chevron", "homePlate"), ("roundRect", "rect"),
        ("leftArrow", "right_arrows"), ("rect", "ellipses"), ("ellipse", "rectangles"),
        ("star5", "star6"), ("triangle", "arrows"), ("mathPlus", "stars"),
        ("flowChartMerge", "triangle"),
    ],
)  # fmt: skip
def test_other_presets_and_families_do_not_match(geometry: str, target: str) -> None:
    assert not matches_outline(geometry, target)


def test_only_presets_with_the_same_drawing_are_equal() -> None:
    assert same_outline("flowChartExtract", "triangle")
    assert looks_equal("style", "outline", "flowChartProcess", "rect")
    assert not looks_equal("style", "outline", "notchedRightArrow", "rightArrow")
    assert not looks_equal("text", "", "flowChartProcess", "rect")
