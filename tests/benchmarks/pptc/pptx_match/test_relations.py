"""Position relations in decks built by the executor."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.benchmarks.pptc.pptx_match import PositionRelation, check_relation, directions
from pptarena.decks import Box, Deck, Shape, Slide

MakeDeck = Callable[[str], Deck]

_BOXES = st.builds(
    Box,
    *(st.integers(0, 9_000_000) for _ in range(2)),
    *(st.integers(0, 3_000_000) for _ in range(2)),
)


def status(deck: Deck, text: str, *, quirks: bool = False) -> str:
    slide, subject, other, relation = text.split(", ")
    position_relation = PositionRelation(int(slide), subject, other, relation)
    return check_relation(deck, position_relation, quirks=quirks).status


def two_shapes(subject: Box, other: Box) -> Deck:
    shapes = (
        Shape(0, "5-Point Star 1", "shape", "", "star5", subject),
        Shape(1, "Cloud 2", "shape", "", "cloud", other),
    )
    return Deck((Slide(0, 256, shapes),), 9_144_000, 6_858_000)


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("quirks", [False, True])
def test_aligned_shape_is_in_one_half(make_deck: MakeDeck, side: str, quirks: bool) -> None:
    deck = make_deck(f"insert_star();align_slide_{side}()")
    matching = [
        each
        for each in ("left", "right", "top", "bottom", "center")
        if status(deck, f"0, star, slide, {each}", quirks=quirks) == "holds"
    ]
    assert matching == [side]


def test_center_and_corners(make_deck: MakeDeck) -> None:
    assert status(make_deck("insert_star()"), "0, star, slide, center") == "holds"
    corner = make_deck("insert_star();align_top_right_corner()")
    for relation in ("top corner", "right corner", "right top", "top right corner."):
        assert status(corner, f"0, star, slide, {relation}") == "holds"
    for relation in ("left corner", "right bottom", "center"):
        assert status(corner, f"0, star, slide, {relation}") == "violated"


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_position_relative_to_another_object(make_deck: MakeDeck, side: str) -> None:
    prepositions = {"top": "above", "bottom": "below"}
    both = "insert_star();insert_picture('hat');align_slide_center();"
    before, after = make_deck(both), make_deck(f"{both}set_{side}('picture', 'star')")
    for preposition in (side, prepositions.get(side, side)):
        assert status(before, f"0, picture, star, {preposition}") == "violated"
        assert status(after, f"0, picture, star, {preposition}") == "holds"


@pytest.mark.slow
@each_case(
    "calls, word",
    [
        ("choose_title()", "title"),
        ("choose_content()", "text"),
        ("insert_picture('x')", "image"),
        ("insert_picture('x')", "photo"),
        ("insert_right_arrow()", "arrow"),
        ("insert_rectangle()", "rectangles"),
        ("insert_rounded_rectangle()", "rounded_rectangle"),
        ("insert_callout()", "callout"),
        ("insert_table(1, 1)", "table"),
        ("insert_pie_chart([1, 2])", "pie chart"),
        ("insert_bar_chart([1, 2])", "bar chart"),
        ("insert_line_chart([1, 2])", "chart"),
        ("insert_textbox()", "textbox"),
        ("insert_textbox();insert_textbox()", "textbox 1"),
    ],
)
def test_objects_are_found_by_name(make_deck: MakeDeck, calls: str, word: str) -> None:
    deck = make_deck(f"{calls};set_width(3);set_height(3);align_bottom_right_corner()")
    assert status(deck, f"0, {word}, slide, right") == "holds"
    assert status(deck, f"0, {word}, slide, left") == "violated"


def test_chart_types_are_distinguished(make_deck: MakeDeck) -> None:
    deck = make_deck("insert_pie_chart([1]);set_width(3);align_slide_left()")
    outcome = check_relation(deck, PositionRelation(0, "line chart", "slide", "left"))
    assert (outcome.status, outcome.reason) == ("violated", "slide 0 has no line chart")


def test_any_of_several_objects_matches_except_with_quirks(make_deck: MakeDeck) -> None:
    deck = make_deck(
        "insert_picture('a');align_slide_right();insert_picture('b');align_slide_left()"
    )
    assert status(deck, "0, picture, slide, left") == "holds"
    assert status(deck, "0, picture, slide, left", quirks=True) == "violated"
    assert status(deck, "0, picture 1, slide, left") == "holds"
    assert status(deck, "0, picture 0, slide, left") == "violated"


@pytest.mark.parametrize(
    ("relation", "expected", "with_quirks"),
    [
        ("0, star, slide, sideways", "unjudged", "holds"),
        ("0, dragon, slide, left", "unjudged", "violated"),
        ("0, star, dragon, left", "unjudged", "violated"),
        ("0, cloud, slide, left", "violated", "violated"),
        ("0, star, cloud, left", "violated", "violated"),
        ("7, star, slide, left", "violated", "violated"),
        ("0, star, star, left", "violated", "violated"),
    ],
)
def test_missing_objects_and_unknown_terms(
    make_deck: MakeDeck, relation: str, expected: str, with_quirks: str
) -> None:
    deck = make_deck("insert_star();align_slide_left()")
    assert status(deck, relation) == expected
    assert status(deck, relation, quirks=True) == with_quirks


def test_halves_of_a_wide_slide() -> None:
    wide = replace(
        two_shapes(Box(5_000_000, 0, 900_000, 900_000), Box(0, 0, 1, 1)), width_emu=12_192_000
    )
    assert status(wide, "0, star, slide, left") == "holds"
    assert status(wide, "0, star, slide, left", quirks=True) == "violated"


def test_objects_are_identified_by_type_except_with_quirks() -> None:
    deck = two_shapes(Box(0, 0, 9, 9), Box(99, 99, 9, 9))
    star, cloud = deck.slides[0].shapes
    renamed = replace(deck.slides[0], shapes=(replace(star, name="Cloud 7"), cloud))
    deck_with_renamed = replace(deck, slides=(renamed,))
    assert status(deck_with_renamed, "0, star, cloud, left") == "holds"
    assert status(deck_with_renamed, "0, star, cloud, left", quirks=True) == "violated"


def test_directions_of_a_relation() -> None:
    assert directions("Bottom left corner.") == frozenset({"bottom", "left"})
    assert directions("below") == frozenset({"bottom"})
    assert directions("corner") is None
    assert directions("upside left") is None
    assert directions("upside left", quirks=True) == frozenset({"left"})


def test_huge_numbers_of_objects_are_rejected_quickly() -> None:
    deck = two_shapes(Box(0, 0, 9, 9), Box(0, 0, 9, 9))
    star, cloud = deck.slides[0].shapes
    stars = tuple(replace(star, index=index) for index in range(5_000))
    crowded = replace(deck, slides=(replace(deck.slides[0], shapes=(*stars, cloud)),))
    outcome = check_relation(crowded, PositionRelation(0, "star", "cloud", "right"))
    assert outcome.status == "violated"
    assert "more than" in outcome.reason


@given(_BOXES, _BOXES)
def test_opposite_relations_are_symmetric(one: Box, other: Box) -> None:
    deck = two_shapes(one, other)
    for side, opposite in (("left", "right"), ("top", "bottom")):
        holds = status(deck, f"0, star, cloud, {side}") == "holds"
        assert holds == (status(deck, f"0, cloud, star, {opposite}") == "holds")
        assert not (holds and status(deck, f"0, star, cloud, {opposite}") == "holds")
        assert not (holds and status(deck, "0, star, cloud, center") == "holds")


@given(_BOXES)
def test_object_is_in_at_most_one_half(box: Box) -> None:
    deck = two_shapes(box, Box(0, 0, 1, 1))
    for pair in (("left", "right"), ("top", "bottom")):
        statuses = [status(deck, f"0, star, slide, {side}") for side in (*pair, "center")]
        assert statuses.count("holds") <= 1
