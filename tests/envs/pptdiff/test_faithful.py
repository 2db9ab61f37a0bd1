"""The corrected comparison: where the published one errs, and where both agree."""

import io
from typing import Any

import pytest
from pptx import Presentation

from pptarena.envs.programs.pptdiff import PowerPointDiff, diff_presentations
from pptarena.errors import DeckError


def _kinds(diff: PowerPointDiff) -> dict[str, int]:
    return {name: len(entries) for name, entries in diff.to_dict().items() if entries}


def _set_title(number: int, text: str) -> Any:
    return lambda pres: setattr(pres.slides[number].shapes.title, "text", text)


def test_deck_equals_itself(lab: Any, deck: Any) -> None:
    for quirks in (False, True):
        assert _kinds(diff_presentations(lab.base, lab.base, quirks=quirks)) == {}
    assert _kinds(deck.compare(lambda pres: None)) == {}


def test_modified_slide(deck: Any) -> None:
    diff = deck.compare(_set_title(1, "Plan"))
    ((before, after),) = diff.modified_slides
    assert _kinds(diff) == {"modified_slides": 1}
    assert (before.title, after.title) == ("Agenda", "Plan")
    assert (before.slide_id, after.slide_number) == (after.slide_id, 2)
    assert before.layout_type == "Title and Content"
    assert before.content_hash != after.content_hash


def test_added_and_removed_slides(lab: Any, deck: Any) -> None:
    def add(pres: Any) -> None:
        pres.slides.add_slide(pres.slide_layouts[5]).shapes.title.text = "New and different"
        lab.move_slide(pres, 6, 1)
        lab.delete_slide(pres, 3)

    diff = deck.compare(add)
    assert [(each.slide_number, each.title) for each in diff.added_slides] == [
        (2, "New and different")
    ]
    assert [(each.slide_number, each.title) for each in diff.removed_slides] == [(3, "Figures")]
    assert diff.modified_slides == []  # the other slides only moved because of that


@pytest.mark.parametrize(
    "edit",
    [
        lambda pres: setattr(pres.slides[5].notes_slide.notes_text_frame, "text", "Other notes"),
        lambda pres: setattr(pres.slides[1].notes_slide.notes_text_frame, "text", "New notes"),
    ],
)
def test_notes_are_compared(deck: Any, edit: Any) -> None:
    diff = deck.compare(edit)
    ((before, after),) = diff.modified_slides
    assert before.notes != after.notes


def test_slide_order_is_compared(lab: Any, deck: Any) -> None:
    diff = deck.compare(lambda pres: lab.move_slide(pres, 5, 0))
    ((before, after),) = diff.modified_slides
    assert (before.title, before.slide_number, after.slide_number) == ("Thanks", 6, 1)


def test_layout_is_compared(deck: Any) -> None:
    def change(pres: Any) -> None:
        slide = pres.slides[4]
        layout = pres.slide_layouts[6]
        for rel in slide.part.rels.values():
            if rel.reltype.endswith("/slideLayout"):
                rel._target = layout.part

    diff = deck.compare(change)
    ((before, after),) = diff.modified_slides
    assert (before.layout_type, after.layout_type) == ("Title Only", "Blank")


def test_transitions(lab: Any, deck: Any) -> None:
    def change(pres: Any) -> None:
        lab.set_transition(
            pres.slides[0], '<p:transition p14:dur="1200"><p:push dir="u"/></p:transition>'
        )
        lab.set_transition(pres.slides[1], '<p:transition p14:dur="900"><p:fade/></p:transition>')

    diff = deck.compare(change)
    (added,) = diff.added_transitions
    ((before, after),) = diff.modified_transitions
    assert (added.transition_type, added.duration, added.direction) == ("push", 1.2, "u")
    assert (before.duration, after.duration) == (0.7, 0.9)
    assert added.slide_id == "256"
    gone = deck.compare(lambda pres: lab.set_transition(pres.slides[1], ""))
    assert [each.transition_type for each in gone.removed_transitions] == ["fade"]


def test_transitions_of_new_and_removed_slides(lab: Any, deck: Any) -> None:
    def change(pres: Any) -> None:
        slide = pres.slides.add_slide(pres.slide_layouts[5])
        slide.shapes.title.text = "Brand new"
        lab.set_transition(slide, "<p:transition><p:wipe/></p:transition>")
        lab.delete_slide(pres, 1)

    diff = deck.compare(change)
    assert [each.transition_type for each in diff.added_transitions] == ["wipe"]
    assert [each.transition_type for each in diff.removed_transitions] == ["fade"]


def test_added_effect(deck: Any) -> None:
    def first(pres: Any) -> None:
        one, two = list(pres.slides[4].shapes)[1:3]
        deck.animate(pres.slides[4], deck.effect(one, 10), deck.effect(two, 2, subtype=8))

    def second(pres: Any) -> None:
        one, two, three = list(pres.slides[4].shapes)[1:4]
        deck.animate(
            pres.slides[4],
            deck.effect(three, 1),
            deck.effect(one, 10),
            deck.effect(two, 2, subtype=8),
        )

    diff = deck.compare(second, before=first)
    (added,) = diff.added_animations
    assert diff.removed_animations == diff.modified_animations == []
    assert (added.effect_type, added.trigger, added.order) == ("appear", "on_click", 0)
    pres = Presentation(io.BytesIO(deck.edited(second)))
    assert added.element_id == str(list(pres.slides[4].shapes)[3].shape_id)
    assert added.slide_id == str(pres.slides[4].slide_id)


@pytest.mark.slow
def test_effect_names_match_powerpoint(deck: Any) -> None:
    names = {
        ("entr", 1, 0): "appear",
        ("entr", 10, 0): "fade",
        ("entr", 2, 8): "fly_in_from_left",
        ("exit", 10, 0): "fade_out",
        ("exit", 1, 0): "disappear",
        ("exit", 2, 8): "fly_out_to_left",
        ("emph", 8, 0): "spin",
    }
    for (kind, preset, subtype), name in names.items():

        def change(
            pres: Any, kind: str = kind, preset: int = preset, subtype: int = subtype
        ) -> None:
            shape = list(pres.slides[3].shapes)[2]
            deck.animate(pres.slides[3], deck.effect(shape, preset, kind, subtype))

        (added,) = deck.compare(change).added_animations
        assert added.effect_type == name


@pytest.mark.slow
def test_modified_effects(deck: Any) -> None:
    def change(**settings: Any) -> Any:
        def edit(pres: Any) -> None:
            shape = pres.slides[3].shapes[0]
            deck.animate(pres.slides[3], deck.effect(shape, **{"preset": 10, **settings}))

        return edit

    assert _kinds(deck.compare(change(), before=change())) == {}
    for settings, field, value in (
        ({"duration": 2000}, "duration", 2.0),
        ({"delay": 1000}, "delay", 1.0),
        ({"node": "withEffect"}, "trigger", "with_previous"),
        ({"preset": 22}, "effect_type", "wipe"),
    ):
        ((before, after),) = deck.compare(change(**settings), before=change()).modified_animations
        assert getattr(after, field) == value != getattr(before, field)
        assert after.element_text == "Chart"


def test_reordered_effect_is_modified(deck: Any) -> None:
    def change(*numbers: int) -> Any:
        def edit(pres: Any) -> None:
            shapes = list(pres.slides[4].shapes)
            deck.animate(pres.slides[4], *(deck.effect(shapes[n], 1) for n in numbers))

        return edit

    diff = deck.compare(change(2, 3, 1), before=change(1, 2, 3))
    ((before, after),) = diff.modified_animations
    assert (before.order, after.order) == (0, 2)
    assert diff.added_animations == diff.removed_animations == []


def test_animated_paragraphs_are_text(deck: Any) -> None:
    def change(pres: Any) -> None:
        body = pres.slides[1].placeholders[1]
        deck.animate(pres.slides[1], deck.effect(body, 1, paragraph=1))

    (added,) = deck.compare(change).added_animations
    assert (added.element_type, added.element_text) == ("text", "Outlook")


def test_effects_of_removed_slides_and_shapes(lab: Any, deck: Any) -> None:
    assert len(deck.compare(lambda pres: lab.delete_slide(pres, 4)).removed_animations) == 2

    def remove(pres: Any) -> None:
        shapes = list(pres.slides[4].shapes)
        deck.animate(pres.slides[4], deck.effect(shapes[2], 2))
        shapes[1]._element.getparent().remove(shapes[1]._element)

    diff = deck.compare(remove)
    assert [each.effect_type for each in diff.removed_animations] == ["fade"]


def test_invalid_deck_is_an_error(lab: Any) -> None:
    for quirks in (False, True):
        with pytest.raises(DeckError):
            diff_presentations(lab.base, b"x", quirks=quirks)
