"""Faults of the published comparison, next to the corrected results."""

import hashlib
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from tests.each_case import each_case

from pptarena.envs.programs.pptdiff import QUIRKS, PowerPointDiff, diff_presentations

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
Test = Callable[[Any, Any], None]
TESTED: dict[str, Test] = {}


def quirk(name: str) -> Callable[[Test], Test]:
    def register(test: Test) -> Test:
        TESTED[name] = test
        return test

    return register


def _both(deck: Any, edit: Any, before: Any = None) -> tuple[PowerPointDiff, PowerPointDiff]:
    """Return the diff without the faults, and with them."""
    faithful = deck.compare(edit, before=before)
    return faithful, deck.compare(edit, before=before, quirks=True)


def _kinds(diff: PowerPointDiff) -> dict[str, int]:
    return {name: len(entries) for name, entries in diff.to_dict().items() if entries}


@quirk("slide_ids")
def slide_ids(lab: Any, deck: Any) -> None:
    def renumber(pres: Any) -> None:
        for number, entry in enumerate(pres.slides._sldIdLst):
            entry.set("id", str(900 + number))

    faithful, published = _both(deck, renumber)
    assert _kinds(faithful) == {}
    assert len(published.added_slides) == len(published.removed_slides) == 6
    assert published.added_slides[0].slide_id == "900"
    assert len(published.added_transitions) == 1
    assert published.modified_slides == []


@quirk("slide_part_only")
def slide_part_only(lab: Any, deck: Any) -> None:
    def edit(pres: Any) -> None:
        pres.slides[5].notes_slide.notes_text_frame.text = "Other notes"

    faithful, published = _both(deck, edit)
    assert (len(faithful.modified_slides), len(published.modified_slides)) == (1, 0)
    faithful, published = _both(deck, lambda pres: lab.move_slide(pres, 5, 0))
    assert (len(faithful.modified_slides), len(published.modified_slides)) == (1, 0)


@quirk("sibling_order")
def sibling_order(lab: Any, deck: Any) -> None:
    def to_the_back(pres: Any) -> None:
        tree = pres.slides[3].shapes._spTree
        picture = tree.find(f"{P}pic")
        tree.remove(picture)
        tree.insert(2, picture)

    faithful, published = _both(deck, to_the_back)
    assert (len(faithful.modified_slides), len(published.modified_slides)) == (1, 0)

    def among_equals(pres: Any) -> None:
        tree = pres.slides[4].shapes._spTree
        tree.append(tree.findall(f"{P}sp")[1])

    assert len(deck.compare(among_equals, quirks=True).modified_slides) == 1


@quirk("any_xml")
def any_xml(lab: Any, deck: Any) -> None:
    def split(pres: Any) -> None:
        paragraph = pres.slides[4].shapes[4].text_frame.paragraphs[0]
        run = paragraph.runs[0]
        run.text, rest = run.text[:4], run.text[4:]
        paragraph.add_run().text = rest

    faithful, published = _both(deck, split)
    assert (_kinds(faithful), _kinds(published)) == ({}, {"modified_slides": 1})


@quirk("element_count")
def element_count(lab: Any, deck: Any) -> None:
    def edit(pres: Any) -> None:
        pres.slides[3].shapes.title.text = "x"
        group = pres.slides[3].shapes.add_group_shape()
        group.shapes.add_textbox(0, 0, 9, 9)
        group.shapes.add_textbox(0, 0, 9, 9)

    (faithful, published) = (diff.modified_slides[0][1] for diff in _both(deck, edit))
    assert faithful.element_count == 6  # title, chart, picture, group and its two members
    assert published.element_count == 3  # title and the two members


@quirk("title_by_name")
def title_by_name(lab: Any, deck: Any) -> None:
    def edit(pres: Any) -> None:
        subtitle = pres.slides[0].placeholders[1]
        assert "Subtitle" in subtitle.name
        pres.slides[0].shapes._spTree.insert(2, subtitle._element)

    (faithful, published) = (diff.modified_slides[0][1] for diff in _both(deck, edit))
    assert (faithful.title, published.title) == ("Annual report", "Prepared by Acme")


@quirk("notes_words")
def notes_words(lab: Any, deck: Any) -> None:
    def edit(pres: Any) -> None:
        pres.slides[5].shapes.title.text = "x"
        frame = pres.slides[5].notes_slide.notes_text_frame
        frame.text = "One\nTwo"
        number = pres.slides[5].notes_slide.shapes._spTree
        xml = (
            '<p:sp xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
            'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:nvSpPr>'
            '<p:cNvPr id="99" name="Number"/><p:cNvSpPr/><p:nvPr><p:ph type="sldNum" idx="9"/>'
            '</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:fld id="{0}" '
            'type="slidenum"><a:t>6</a:t></a:fld></a:p></p:txBody></p:sp>'
        )
        number.append(etree.fromstring(xml))

    (faithful, published) = (diff.modified_slides[0][1] for diff in _both(deck, edit))
    assert (faithful.notes, published.notes) == ("One\nTwo", "One Two 6")


@quirk("transition_element")
def transition_element(lab: Any, deck: Any) -> None:
    def advance(pres: Any) -> None:
        lab.set_transition(pres.slides[0], '<p:transition advTm="3000"/>')

    faithful, published = _both(deck, advance)
    assert faithful.added_transitions == []
    assert [each.transition_type for each in published.added_transitions] == ["none"]

    def with_sound(pres: Any) -> None:
        lab.set_transition(
            pres.slides[0],
            '<p:transition><p:sndAc><p:endSnd/></p:sndAc><p:push dir="u"/></p:transition>',
        )

    faithful, published = _both(deck, with_sound)
    assert faithful.added_transitions[0].transition_type == "push"
    (wrong,) = published.added_transitions
    assert (wrong.transition_type, wrong.direction) == ("sndAc", "u")


@quirk("transition_duration")
def transition_duration(lab: Any, deck: Any) -> None:
    def slower(pres: Any) -> None:
        lab.set_transition(pres.slides[1], '<p:transition p14:dur="3000"><p:fade/></p:transition>')

    faithful, published = _both(deck, slower)
    assert faithful.modified_transitions[0][1].duration == 3.0
    assert published.modified_transitions == []

    def with_plain_attribute(pres: Any) -> None:
        lab.set_transition(pres.slides[1], '<p:transition dur="3000"><p:fade/></p:transition>')

    published = deck.compare(with_plain_attribute, quirks=True)
    assert published.modified_transitions[0][0].duration == 0.5
    assert published.modified_transitions[0][1].duration == 3.0


def _with_swapped_names(data: bytes) -> bytes:
    """Return the deck with the files of its first two slides under each other's name."""
    names = {"slide1.xml": "slide2.xml", "slide2.xml": "slide1.xml"}
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.namelist():
            body, name = old.read(entry), entry
            for before, after in names.items():
                if entry.startswith("ppt/slides/") and before in entry:
                    name = entry.replace(before, after)
                    break
            if entry == "ppt/_rels/presentation.xml.rels":
                text = body.decode().replace("slides/slide1.xml", "slides/@")
                text = text.replace("slides/slide2.xml", "slides/slide1.xml")
                body = text.replace("slides/@", "slides/slide2.xml").encode()
            new.writestr(name, body)
    return out.getvalue()


@quirk("renumbered_parts")
def renumbered_parts(lab: Any, deck: Any) -> None:
    swapped = _with_swapped_names(lab.base)
    titles = [slide.shapes.title.text for slide in Presentation(io.BytesIO(swapped)).slides]
    assert titles[:2] == ["Annual report", "Agenda"]  # the same deck
    assert _kinds(diff_presentations(lab.base, swapped)) == {}
    published = diff_presentations(lab.base, swapped, quirks=True)
    assert published.modified_slides == []  # correct
    assert [each.slide_id for each in published.added_transitions] == ["256"]
    assert [each.slide_id for each in published.removed_transitions] == ["257"]


def _effects(deck: Any, slide: int, *effects: dict[str, Any]) -> Any:
    def edit(pres: Any) -> None:
        shapes = list(pres.slides[slide].shapes)
        xml = [deck.effect(shapes[each.pop("at", 0)], **each) for each in map(dict, effects)]
        deck.animate(pres.slides[slide], *xml)

    return edit


@quirk("animation_order")
def animation_order(lab: Any, deck: Any) -> None:
    fly, fade = {"preset": 2, "subtype": 8}, {"preset": 1, "subtype": 0}
    before = _effects(deck, 3, {"at": 0, **fade}, {"at": 2, **fade})
    after = _effects(deck, 3, {"at": 1, **fly}, {"at": 0, **fade}, {"at": 2, **fade})
    faithful, published = _both(deck, after, before)
    assert _kinds(faithful) == {"modified_slides": 1, "added_animations": 1}
    # Flying in comes first in the table, so all others get another number.
    assert len(published.added_animations) == 3
    assert len(published.removed_animations) == 2

    # An entrance and an exit of one shape are both number 0: the exit hides the entrance.
    both = _effects(deck, 3, {"kind": "entr"}, {"kind": "exit"})
    faithful, published = _both(deck, both)
    assert [each.effect_type for each in faithful.added_animations] == ["appear", "disappear"]
    assert [each.effect_type for each in published.added_animations] == ["fade_out"]


@quirk("preset_names")
def preset_names(lab: Any, deck: Any) -> None:
    faithful, published = _both(deck, _effects(deck, 3, {"preset": 1}))
    assert faithful.added_animations[0].effect_type == "appear"
    assert published.added_animations[0].effect_type == "fade_in"
    fade = _effects(deck, 3, {"preset": 10, "block": "animEffect"})
    faithful, published = _both(deck, fade)
    assert faithful.added_animations[0].effect_type == "fade"
    assert {each.effect_type for each in published.added_animations} == {"animEffect"}


@quirk("fixed_times")
def fixed_times(lab: Any, deck: Any) -> None:
    slow = {"preset": 2, "subtype": 8, "duration": 3000, "delay": 2000, "node": "afterEffect"}
    faithful, published = _both(deck, _effects(deck, 3, slow))
    (right,), (wrong,) = faithful.added_animations, published.added_animations
    assert (right.trigger, right.delay, right.duration) == ("after_previous", 2.0, 3.0)
    assert (wrong.trigger, wrong.delay, wrong.duration) == ("click", 0.0, 0.5)
    assert wrong.effect_type == right.effect_type == "fly_in_from_left"


@quirk("tag_fallback")
def tag_fallback(lab: Any, deck: Any) -> None:
    wipe = {"preset": 22, "subtype": 8, "block": "animEffect", "duration": 700}
    faithful, published = _both(deck, _effects(deck, 3, wipe))
    assert len(faithful.added_animations) == 1
    # One for all blocks, and one for each of the two enclosing groups.
    assert [each.order for each in published.added_animations] == [0, 1, 2]
    assert {each.duration for each in published.added_animations} == {0.7}
    assert {each.element_type for each in published.added_animations} == {"title"}
    assert {each.element_text for each in published.added_animations} == {"Chart"}


@quirk("trigger_words")
def trigger_words(lab: Any, deck: Any) -> None:
    triggers = {}
    effects: dict[str, dict[str, Any]] = {
        "preset": {"preset": 1},
        "exit": {"preset": 1, "kind": "exit"},
        "motion": {"preset": 63, "kind": "path", "block": "animMotion"},
        "block": {"preset": 22, "block": "animEffect"},
    }
    for name, effect in effects.items():
        faithful, published = _both(deck, _effects(deck, 3, effect))
        assert faithful.added_animations[0].trigger == "on_click"
        triggers[name] = published.added_animations[0].trigger
    assert triggers == {
        "preset": "click",
        "exit": "on_click",
        "motion": "on_click",
        "block": "onClick",
    }


@pytest.mark.slow
@each_case("name", TESTED)
def test_quirk_appears_only_on_request(lab: Any, deck: Any, name: str) -> None:
    TESTED[name](lab, deck)


def test_every_quirk_is_tested() -> None:
    assert sorted(TESTED) == sorted(QUIRKS)


def test_digests_match_python_pptx(lab: Any, deck: Any) -> None:
    def edit(pres: Any) -> None:
        for slide in pres.slides:
            slide.shapes.title.text += "!"

    data = deck.edited(edit)
    pairs = diff_presentations(lab.base, data, quirks=True).modified_slides
    for side, source in enumerate((lab.base, data)):
        slides = Presentation(io.BytesIO(source)).slides
        digests = [hashlib.sha256(slide.part.blob).hexdigest() for slide in slides]
        assert [pair[side].content_hash for pair in pairs] == digests


def test_attributes_and_elements_are_compared(deck: Any) -> None:
    def attribute(pres: Any) -> None:
        pres.slides[0].shapes.title._element.nvSpPr.cNvPr.set("descr", "x")

    def namespace(pres: Any) -> None:
        element = pres.slides[0].shapes._spTree
        etree.SubElement(element, "{urn:x}extra", nsmap={"x": "urn:x"})

    for edit in (attribute, namespace):
        assert len(deck.compare(edit, quirks=True).modified_slides) == 1


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("", "motion_path_custom"),
        ("M 0 0 L 1 0", "motion_path_linear"),
        ("M 0 0 L 1 0 C 0 1", "motion_path_curved"),
        ("M 0 0 c 0 1", "motion_path_curve"),
        ("M 0 0 A 1", "motion_path_arc"),
        ("M 0 0", "motion_path_custom"),
    ],
)
def test_motion_names_by_path(deck: Any, path: str, name: str) -> None:
    def edit(pres: Any) -> None:
        shape = pres.slides[3].shapes[0]
        deck.animate(pres.slides[3], deck.effect(shape, 63, "path", block="animMotion"))
        pres.slides[3]._element.find(f".//{P}animMotion").set("path", path)

    (effect,) = deck.compare(edit, quirks=True).added_animations
    assert (effect.effect_type, effect.duration) == (name, 2.0)
