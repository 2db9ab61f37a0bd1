"""Relative terms in rubrics and scopes: the last slide, slides of a layout, 30 %."""

import pickle
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Emu
from tests.conftest import save

from pptarena.errors import RubricError
from pptarena.rewards import Rubric, load_rubric, load_scope, read_deck, score

TITLES = ("Cover", "Plan", "Risks", "Plan", "Thanks")
WIDTH_EMU, HEIGHT_EMU = 9_144_000, 6_858_000


def _deck(
    edited: tuple[int, ...] = (), width_emu: int = 1_000_000, height_emu: int = 500_000
) -> Any:
    """Return five slides with bold titles on those in `edited` (from 1), a box on the first."""
    deck = Presentation()
    for number, title in enumerate(TITLES, 1):
        layout = deck.slide_layouts[0 if number == 1 else 5]  # Title Slide, Title Only
        slide = deck.slides.add_slide(layout)
        slide.shapes.title.text = title
        if number in edited:
            slide.shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True
    box = deck.slides[0].shapes.add_textbox(Emu(0), Emu(0), Emu(width_emu), Emu(height_emu))
    box.name, box.text_frame.text = "Box", "In a box"
    return read_deck(save(deck))


def _rubric(check: str, **args: Any) -> Rubric:
    return load_rubric({"version": 1, "root": {"name": "a", "check": check, "args": args}})


def _bold(edited: tuple[int, ...], **slides: Any) -> float | None:
    rubric = _rubric("run_format", shape="@title", bold=True, **slides)
    return score(rubric, _deck(), _deck(edited), load_scope({"slides": "all"})).score


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slides", "matching"),
    [
        ({"slide": "last"}, (5,)),
        ({"slide": {"title": "  risks"}}, (3,)),
        ({"slides": ["last", {"title": "Risks"}, 1]}, (1, 3, 5)),
        ({"slides": {"title": "Plan"}}, (2, 4)),
        ({"slides": {"layout": "title only"}}, (2, 3, 4, 5)),
        ({"slides": {"except": [1, "last"]}}, (2, 3, 4)),
    ],
)
def test_slides_are_selected_by_position_title_and_layout(
    slides: dict[str, Any], matching: tuple[int, ...]
) -> None:
    assert _bold(matching, **slides) == 1.0
    assert _bold(matching[1:], **slides) == pytest.approx((len(matching) - 1) / len(matching))
    assert _bold(tuple({1, 2, 3, 4, 5} - set(matching)), **slides) == 0.0


@pytest.mark.parametrize(
    ("slides", "reason"),
    [
        ({"slide": {"title": "Plan"}}, "slides 2, 4 have the title 'Plan'"),
        ({"slide": {"title": "Nowhere"}}, "no slide has the title 'Nowhere'"),
        ({"slides": {"except": [1, 2, 3, 4, "last"]}}, "of 5: expected some of the slides"),
        ({"slides": {"except": [9]}}, "all slides except 9 of 5: expected"),
        ({"slides": {"layout": "Blank"}}, "the deck has ['Title Only', 'Title Slide']"),
    ],
)
def test_selectors_without_a_match_are_unscored(slides: dict[str, Any], reason: str) -> None:
    node = score(_rubric("run_format", shape="@title", bold=True, **slides), _deck(), _deck((2,)))
    assert node.score is None
    assert reason in node.reason


def test_rules_skip_slides_without_the_shape() -> None:
    def score_of(**slides: Any) -> float | None:
        rubric = _rubric("shape_size", shape="Box", width_emu="2cm", **slides)
        return score(rubric, _deck(), _deck(width_emu=720_000), load_scope({"slides": "all"})).score

    assert score_of(slides={"except": ["last"]}) == 1.0
    assert score_of(slides=[1, 2, 3, 4]) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "width_emu", "height_emu"),
    [
        ({"width_emu": "4.2cm"}, 1_512_000, 500_000),
        ({"width_emu": "10 mm", "height_emu": "72pt"}, 360_000, 914_400),
        ({"width_emu": "30%", "height_emu": "50%"}, WIDTH_EMU * 3 // 10, HEIGHT_EMU // 2),
        ({"width_emu": 1_512_000, "tolerance_emu": "1mm"}, 1_512_000 + 36_000, 500_000),
    ],
)
def test_lengths_with_units(args: dict[str, Any], width_emu: int, height_emu: int) -> None:
    rubric = _rubric("shape_size", slide=1, shape="Box", **args)
    scope = load_scope({"slides": [1]})
    assert score(rubric, _deck(), _deck((), width_emu, height_emu), scope).score == 1.0
    far = score(rubric, _deck(), _deck((), width_emu + 400_000, height_emu), scope).score
    assert far is not None
    assert far < 1.0


@pytest.mark.parametrize("length", ["3 feet", "30", "cm", True, 1.5, "", "9" * 400 + "cm"])
def test_invalid_lengths_are_rejected(length: Any) -> None:
    with pytest.raises(RubricError, match="root/args/width_emu: expected a length"):
        _rubric("shape_size", slide=1, shape="Box", width_emu=length)
    with pytest.raises(RubricError, match="expected a length"):
        _rubric("shape_size", slide=1, shape="Box", width_emu=1, tolerance_emu="3%")


@pytest.mark.slow
def test_scopes_accept_slide_selectors() -> None:
    rubric = _rubric("nothing_else_changed")
    last = load_scope({"slides": ["last"]})
    assert score(rubric, _deck(), _deck((5,)), last).score == 1.0
    assert score(rubric, _deck(), _deck((4,)), last).score != 1.0
    plans = load_scope({"parts": [{"slides": {"title": "Plan"}, "aspects": ["formatting"]}]})
    assert score(rubric, _deck(), _deck((2, 4)), plans).score == 1.0
    unscored = score(rubric, _deck(), _deck((2,)), load_scope({"slides": {"title": "Nowhere"}}))
    assert (unscored.score, unscored.reason) == (
        None,
        "unscored: scope: no slide has the title 'Nowhere'",
    )


@pytest.mark.parametrize(
    "scope",
    [
        {"slides": ["last", {"title": "Plan"}], "new_slides": False},
        {"slides": {"layout": "Title Only"}, "new_slides": False},
        {"slides": {"except": ["last", 1]}, "new_slides": 1, "copy_of": "last", "copy_aspects": []},
    ],
)
def test_scopes_round_trip_through_json(scope: dict[str, Any]) -> None:
    assert load_scope(scope).to_json() == scope
    assert load_scope(load_scope(scope).to_json()).to_json() == scope


def test_rubrics_round_trip_through_json() -> None:
    rubric = _rubric("shape_size", slides={"except": ["last"]}, shape="Box", width_emu="30%")
    args = rubric.to_json()["root"]["args"]
    assert args == {"slides": {"except": ["last"]}, "shape": "Box", "width_emu": "30%"}
    assert load_rubric(rubric.to_json()).to_json() == rubric.to_json()


def test_weights_and_comments() -> None:
    def leaf(number: int, **fields: Any) -> dict[str, Any]:
        args = {"slide": number, "shape": "@title", "bold": True}
        return {"name": str(number), "check": "run_format", "args": args, **fields}

    children = [leaf(1, weight=3, comment="what matters"), leaf(2)]
    rubric = load_rubric(
        {"version": 1, "comment": "mine", "root": {"name": "a", "children": children}}
    )
    scope = load_scope({"slides": "all"})
    tree = score(rubric, _deck(), _deck((1,)), scope)
    assert tree.score == pytest.approx(0.75)
    assert tree.to_json()["children"][0]["weight"] == 3
    assert "weight" not in tree.to_json()["children"][1]
    assert "1, weight 3 (0.00)" in score(rubric, _deck(), _deck((2,)), scope).reason
    assert load_rubric(rubric.to_json()).root.children[0].weight == 3


@pytest.mark.parametrize("weight", [0, -1, True, "2", 1e9, float("nan")])
def test_invalid_weights_are_rejected(weight: Any) -> None:
    leaf = {"name": "a", "check": "slide_count", "args": {"count": 1}, "weight": weight}
    with pytest.raises(RubricError, match="root/weight: expected a number above 0, 1000 at most"):
        load_rubric({"version": 1, "root": leaf})


def test_rubrics_and_scopes_can_be_pickled() -> None:
    rubric = _rubric("shape_size", slides={"except": ["last"]}, shape="Box", width_emu="30%")
    scope = load_scope({"slides": ["last", 1]})
    other_rubric, other_scope = pickle.loads(pickle.dumps((rubric, scope)))
    assert (other_rubric, other_scope) == (rubric, scope)
    deck = _deck(width_emu=WIDTH_EMU * 3 // 10)
    assert score(other_rubric, _deck(), deck, other_scope).score == 1.0
