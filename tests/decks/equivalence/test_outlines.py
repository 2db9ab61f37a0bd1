"""Families of outlines and presets that draw the same."""

from tests.each_case import each_case

from pptarena.decks.equivalence.table import FAMILIES, equal_for_viewers, fits_outline, same_outline


@each_case("family", FAMILIES)
def test_every_member_fits_its_family_and_no_other_preset(family: str) -> None:
    assert all(fits_outline(preset, family) for preset in FAMILIES[family])
    assert not fits_outline("heart", family)
    assert not fits_outline("custom", family)
    assert not fits_outline("", family)


@each_case(
    "geometry, wanted",
    [
        ("notchedRightArrow", "right_arrows"), ("stripedRightArrow", "right_arrows"),
        ("chevron", "right_arrows"), ("homePlate", "arrows"), ("leftArrow", "arrows"),
        ("uturnArrow", "arrows"), ("roundRect", "rectangles"), ("snip2DiagRect", "rectangles"),
        ("flowChartProcess", "rect"), ("rect", "flowChartProcess"),
        ("flowChartConnector", "ellipse"), ("flowChartDecision", "diamond"),
        ("star5", "stars"), ("cloudCallout", "callouts"),
    ],
)  # fmt: skip
def test_members(geometry: str, wanted: str) -> None:
    assert fits_outline(geometry, wanted)


@each_case(
    "geometry, wanted",
    [
        ("notchedRightArrow", "rightArrow"), ("chevron", "homePlate"), ("roundRect", "rect"),
        ("leftArrow", "right_arrows"), ("rect", "ellipses"), ("ellipse", "rectangles"),
        ("star5", "star6"), ("triangle", "arrows"), ("mathPlus", "stars"),
        ("flowChartMerge", "triangle"),
    ],
)  # fmt: skip
def test_an_exact_preset_and_other_families_are_kept_apart(geometry: str, wanted: str) -> None:
    assert not fits_outline(geometry, wanted)


def test_only_presets_that_draw_the_same_are_equal_to_a_viewer() -> None:
    assert same_outline("flowChartExtract", "triangle")
    assert equal_for_viewers("style", "outline", "flowChartProcess", "rect")
    assert not equal_for_viewers("style", "outline", "notchedRightArrow", "rightArrow")
    assert not equal_for_viewers("text", "", "flowChartProcess", "rect")
