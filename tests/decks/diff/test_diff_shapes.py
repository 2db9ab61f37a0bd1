"""Shapes keep their identity when they are moved, grouped or copied."""

from copy import deepcopy
from typing import Any

import pytest
from pptx.util import Emu, Inches

from pptarena.rewards import Deck, diff_decks


def _kinds(before: Deck, after: Deck) -> list[str]:
    return [change.kind for change in diff_decks(before, after)]


def _group(lab: Any, deck: Any, *names: str, name: str = "Pack") -> Any:
    """Group shapes at the z-order position of the first one."""
    members = [lab.shape_named(deck, 5, each) for each in names]
    tree = deck.slides[4].shapes._spTree
    position = min(tree.index(each._element) for each in members)
    group = deck.slides[4].shapes.add_group_shape(members)
    group.name = name
    tree.insert(position, group._element)
    return group


def _ungroup(lab: Any, deck: Any, name: str = "Pack") -> None:
    """Replace a group with its members."""
    element = lab.shape_named(deck, 5, name)._element
    for member in list(element)[2:]:
        element.addprevious(member)
    element.getparent().remove(element)


def _move(shape: Any, inches: float) -> None:
    shape.left = Emu(shape.left + Inches(inches))


def grouped(lab: Any, *names: str) -> Deck:
    edited: Deck = lab.edited(lambda deck: _group(lab, deck, *names))
    return edited


class TestGroups:
    def test_grouping_is_one_change_that_names_the_members(self, lab: Any) -> None:
        (change,) = diff_decks(lab.original, grouped(lab, "B", "C"))
        assert change.kind == "grouped"
        assert change.aspect == "shapes"
        assert "'B'" in change.after
        assert "'C'" in change.after

    def test_ungrouping_is_one_change(self, lab: Any) -> None:
        (change,) = diff_decks(grouped(lab, "B", "C"), lab.original)
        assert change.kind == "ungrouped"
        assert "'B'" in change.before

    def test_member_deleted_while_ungrouping_is_reported(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            element = lab.shape_named(deck, 5, "C")._element
            element.getparent().remove(element)

        assert _kinds(grouped(lab, "B", "C"), lab.edited(edit)) == ["ungrouped", "shape_removed"]

    def test_deleted_group_is_one_change(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            element = _group(lab, deck, "C", "Remark")._element
            element.getparent().remove(element)

        assert _kinds(grouped(lab, "C", "Remark"), lab.edited(edit)) == ["shape_removed"]
        assert _kinds(lab.edited(edit), grouped(lab, "C", "Remark")) == ["shape_added"]

    def test_shape_that_joins_or_leaves_a_group_is_one_change(self, lab: Any) -> None:
        without, with_a = grouped(lab, "B", "C"), grouped(lab, "A", "B", "C")
        (joined,) = diff_decks(without, with_a)
        (removed,) = diff_decks(with_a, without)
        assert joined.kind == removed.kind == "grouping_changed"
        assert "'A'" in joined.text
        assert "'Pack'" in joined.after
        assert "'Pack'" in removed.before

    def test_grouped_and_edited_shape_keeps_its_identity(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            lab.shape_named(deck, 5, "B").fill.fore_color.rgb = lab.rgb("FF0000")
            _group(lab, deck, "B", "C")

        changes = diff_decks(lab.original, lab.edited(edit))
        assert [change.kind for change in changes] == ["grouped", "style_changed"]
        assert changes[1].shape == "the shape 'B'"

    def test_moved_group_is_one_change(self, lab: Any) -> None:
        after = lab.edited(lambda deck: _move(_group(lab, deck, "A", "B"), 1))
        (change,) = diff_decks(grouped(lab, "A", "B"), after)
        assert (change.kind, change.what) == ("geometry_changed", "place")
        assert change.shape == "the group 'Pack'"

    def test_scaled_group_is_one_change(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            group = _group(lab, deck, "A", "B")
            group.width = Emu(group.width * 2)

        (change,) = diff_decks(grouped(lab, "A", "B"), lab.edited(edit))
        assert (change.shape, change.what) == ("the group 'Pack'", "size")

    def test_moved_member_is_reported_instead_of_its_group(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            _move(lab.shape_named(deck, 5, "A"), -0.5)
            _group(lab, deck, "A", "B")

        (change,) = diff_decks(grouped(lab, "A", "B"), lab.edited(edit))
        assert change.shape == "the shape 'A'"

    def test_member_moved_within_a_moved_group_is_reported(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            group = _group(lab, deck, "A", "B", "C")
            _move(group, 1)
            _move(group.shapes[1], 0.25)

        changes = diff_decks(grouped(lab, "A", "B", "C"), lab.edited(edit))
        assert {c.shape for c in changes} >= {"the shape 'B'"}

    def test_nested_groups(self, lab: Any) -> None:
        def nest(deck: Any) -> Any:
            _group(lab, deck, "A", "B", name="Inner")
            return _group(lab, deck, "Inner", "C", name="Outer")

        def ungroup(deck: Any) -> None:
            nest(deck)
            _ungroup(lab, deck, "Outer")

        nested = lab.edited(nest)
        assert _kinds(lab.original, nested) == ["grouped", "grouped"]
        moved = lab.edited(lambda deck: _move(nest(deck), 1))
        assert _kinds(nested, moved) == ["geometry_changed"]
        assert _kinds(nested, lab.edited(ungroup)) == ["ungrouped"]

    def test_group_brought_forward_is_one_change(self, lab: Any) -> None:
        def send_to_back(deck: Any) -> None:
            tree = deck.slides[4].shapes._spTree
            element = _group(lab, deck, "A", "B")._element
            tree.remove(element)
            tree.insert(2, element)

        def bring_to_front(deck: Any) -> None:
            tree = deck.slides[4].shapes._spTree
            element = _group(lab, deck, "A", "B")._element
            tree.remove(element)
            tree.append(element)

        (change,) = diff_decks(lab.edited(send_to_back), lab.edited(bring_to_front))
        assert change.kind == "z_order_changed"
        assert change.shape == "the group 'Pack'"


class TestIdentity:
    def test_moved_and_retyped_shape_keeps_its_identity(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            shape = lab.shape_named(deck, 5, "Remark")
            shape.text_frame.paragraphs[0].runs[0].text = "Nothing in common"
            _move(shape, 4)

        assert _kinds(lab.original, lab.edited(edit)) == ["text_changed", "geometry_changed"]

    def test_recreated_shape_differs_only_in_its_name(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            old = lab.shape_named(deck, 5, "A")._element
            new = deepcopy(old)
            new.nvSpPr.cNvPr.set("id", "777")
            new.nvSpPr.cNvPr.set("name", "Freshly made")
            old.getparent().replace(old, new)
            lab.set_animations(deck.slides[4], [])

        kinds = set(_kinds(lab.original, lab.edited(edit)))
        assert kinds == {"shapes_changed", "animation_removed"}

    def test_shape_in_the_place_of_another_is_new(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            old = lab.shape_named(deck, 5, "C")
            line = deck.slides[4].shapes.add_textbox(Inches(7), Inches(6), Inches(2), Inches(1))
            line.text_frame.text = "New words"
            old._element.getparent().remove(old._element)

        assert _kinds(lab.original, lab.edited(edit)) == ["shape_removed", "shape_added"]

    @pytest.mark.parametrize("distance", [0.02, 0.3, 4])
    def test_copy_is_new_and_its_original_is_not(self, lab: Any, distance: float) -> None:
        def edit(deck: Any) -> None:
            original = lab.shape_named(deck, 5, "A")
            copy = deepcopy(original._element)
            copy.nvSpPr.cNvPr.set("id", "900")
            original._element.addnext(copy)
            _move(next(s for s in deck.slides[4].shapes if s.shape_id == 900), distance)

        (change,) = diff_decks(lab.original, lab.edited(edit))
        assert (change.kind, change.shape_index_now) == ("shape_added", 2)

    def test_removed_middle_copy_is_identified(self, lab: Any) -> None:
        def copies(deck: Any, *lefts_in: float) -> None:
            original = lab.shape_named(deck, 5, "C")
            for number, left_in in enumerate(lefts_in):
                copy = deepcopy(original._element)
                copy.nvSpPr.cNvPr.set("id", str(900 + number))
                deck.slides[4].shapes._spTree.append(copy)
                shape = next(s for s in deck.slides[4].shapes if s.shape_id == 900 + number)
                shape.top, shape.left = Inches(6), Inches(left_in)

        before = lab.edited(lambda deck: copies(deck, 1, 3, 5))
        after = lab.edited(lambda deck: copies(deck, 1.1, 5.1))
        changes = diff_decks(before, after)
        assert [change.kind for change in changes] == [
            "shape_removed", "geometry_changed", "geometry_changed",
        ]  # fmt: skip
        assert [change.shape_index for change in changes] == [6, 5, 7]

    def test_edited_copy_of_a_slide_is_the_new_one(self, lab: Any) -> None:
        def edit(deck: Any) -> None:
            copy = lab.duplicate_slide(deck, 4, 5)
            next(s for s in copy.shapes if s.name == "B").fill.fore_color.rgb = lab.rgb("FF0000")
            lab.set_animations(copy, [])

        (change,) = diff_decks(lab.original, lab.edited(edit))
        assert (change.kind, change.slide_now) == ("slide_added", 6)


def test_changed_connector_end_is_reported(lab: Any) -> None:
    def connect(deck: Any, end: str) -> None:
        line = deck.slides[4].shapes.add_connector(1, 0, 0, 9, 9)
        line.begin_connect(lab.shape_named(deck, 5, "A"), 3)
        line.end_connect(lab.shape_named(deck, 5, end), 1)
        line.begin_x, line.begin_y, line.end_x, line.end_y = (
            Inches(2), Inches(3), Inches(3), Inches(3),
        )  # fmt: skip

    to_b = lab.edited(lambda deck: connect(deck, "B"))
    assert diff_decks(to_b, lab.edited(lambda deck: connect(deck, "B"))) == ()
    (change,) = diff_decks(to_b, lab.edited(lambda deck: connect(deck, "C")))
    assert change.what == "end connection"
    assert "'B'" in change.before
    assert "'C'" in change.after
