from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.growth import check_work

from pptarena.decks.match.decks import match_decks, match_shapes
from pptarena.decks.match.similarity import plain_name


def _pairs(lab: Any, edit: Any) -> list[tuple[int, int]]:
    return list(match_decks(lab.original, lab.edited(edit)).pairs)


def test_equal_decks_match_in_order(lab: Any) -> None:
    assert _pairs(lab, lambda deck: None) == [(i, i) for i in range(6)]


def test_slide_ids_are_ignored(lab: Any) -> None:
    def edit(deck: Any) -> None:
        lab.delete_slide(deck, 1)
        # Some applications renumber the slides at every save.
        for number, slide in enumerate(deck.slides._sldIdLst):
            slide.set("id", str(256 + number))

    assert _pairs(lab, edit) == [(0, 0), (2, 1), (3, 2), (4, 3), (5, 4)]


def test_moved_and_edited_slide_is_matched(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].placeholders[1].text = "Results of Acme\nOutlook\nNew point"
        lab.move_slide(deck, 1, 5)

    assert (1, 5) in _pairs(lab, edit)


def test_rewritten_slide_in_place_is_matched(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = "Entirely different"
        deck.slides[1].placeholders[1].text = "Nothing in common here"

    assert (1, 1) in _pairs(lab, edit)


def test_completely_edited_slide_is_matched(lab: Any) -> None:
    def edit(deck: Any) -> None:
        slide = deck.slides[4]
        for shape in list(slide.shapes)[1:]:
            shape._element.getparent().remove(shape._element)
        slide.shapes.title.text = "Nothing that was here before"
        slide.shapes.title.name = "PlaceHolder 1"
        lab.set_animations(slide, [])

    assert _pairs(lab, edit) == [(i, i) for i in range(6)]


def test_new_slide_matches_no_other(lab: Any) -> None:
    def edit(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = "New"
        lab.move_slide(deck, 6, 2)

    match = match_decks(lab.original, lab.edited(edit))
    assert match.added == (2,)
    assert match.removed == ()


def test_duplicated_slide_is_one_addition(lab: Any) -> None:
    match = match_decks(lab.original, lab.edited(lambda deck: lab.duplicate_slide(deck, 4, 5)))
    assert len(match.added) == 1
    assert match.added[0] in (4, 5)


def _shapes(lab: Any, edit: Any) -> dict[int, int]:
    current = lab.edited(edit).slides[4].shapes
    return match_shapes(lab.original.slides[4].shapes, current).to_current


def test_moved_shape_is_matched(lab: Any) -> None:
    def edit(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").left = lab.inches(8)

    assert _shapes(lab, edit) == {i: i for i in range(5)}


def test_retyped_and_renamed_shape_is_matched(lab: Any) -> None:
    def edit(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "Remark")
        shape.name = "Other"
        shape.text_frame.text = "Nothing like before"

    assert _shapes(lab, edit)[4] == 4


def test_recreated_shape_is_matched(lab: Any) -> None:
    def edit(deck: Any) -> None:
        old = lab.shape_named(deck, 5, "Remark")
        new = deck.slides[4].shapes.add_textbox(old.left, old.top, old.width, old.height)
        new.text_frame.text = old.text_frame.text
        old._element.getparent().remove(old._element)
        tree = deck.slides[4].shapes._spTree
        tree.remove(new._element)
        tree.insert(2, new._element)

    assert _shapes(lab, edit)[4] == 0


def test_members_of_a_new_group_are_matched(lab: Any) -> None:
    def edit(deck: Any) -> None:
        members = [lab.shape_named(deck, 5, name) for name in ("A", "B")]
        deck.slides[4].shapes.add_group_shape(members)

    before = lab.original.slides[4].shapes
    after = lab.edited(edit).slides[4].shapes
    pairs = match_shapes(before, after).to_current
    assert {before[i].name: after[j].name for i, j in pairs.items()} == {
        name: name for name in ("Title 1", "A", "B", "C", "Remark")
    }


@pytest.mark.slow
def test_many_shapes_are_matched_in_linear_time(lab: Any) -> None:
    shape = lab.original.slides[4].shapes[1]

    def work(count: int) -> Callable[[], int]:
        shapes = [
            replace(shape, index=i, name=f"{i}", box=replace(shape.box, left=i))
            for i in range(count)
        ]
        moved = [replace(each, box=replace(each.box, top=9)) for each in shapes]
        return lambda: len(match_shapes(shapes, moved).pairs)

    check_work(work, 3000)
    assert work(3000)() == 3000


def test_long_names_are_normalized_in_linear_time() -> None:
    def work(size: int) -> Callable[[], tuple[str, ...]]:
        names = ("1" * size + "x", " " * size + "x")
        return lambda: tuple(map(plain_name, names))

    check_work(work, 20_000)
    assert work(9)() == ("111111111x", " " * 9 + "x")
    assert plain_name("Box 2  31") == "Box 2"
