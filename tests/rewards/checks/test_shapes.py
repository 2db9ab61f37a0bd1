from typing import Any

import pytest
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches, Pt

pytestmark = pytest.mark.slow


def _add_shape(slide: int, kind: Any, text: str = "", name: str = "") -> Any:
    def edit(lab: Any, deck: Any) -> None:
        shape = deck.slides[slide - 1].shapes.add_shape(
            kind, Inches(7), Inches(5), Inches(1), Inches(1)
        )
        shape.text_frame.text = text
        if name:
            shape.name = name

    return edit


def _add_slide(boxes: int) -> Any:
    """Add a slide with a title, a text and a number of boxes."""

    def edit(lab: Any, deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = "News", "None"
        for at in range(boxes):
            box = slide.shapes.add_textbox(Inches(at), Inches(6), Inches(1), Inches(1))
            box.text_frame.text = "extra"

    return edit


def _add_white(lined: bool = False) -> Any:
    """Add a shape in the color of the slide; without a line it is invisible."""

    def edit(lab: Any, deck: Any) -> None:
        box = Inches(7), Inches(5), Inches(1), Inches(1)
        shape = deck.slides[4].shapes.add_shape(MSO_SHAPE.RECTANGLE, *box)
        shape.fill.solid()
        shape.fill.fore_color.rgb = lab.rgb("FFFFFF")
        if not lined:
            shape.line.fill.background()

    return edit


def _add_box(text: str, *, struck: bool = False) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        box = deck.slides[4].shapes.add_textbox(Inches(7), Inches(5), Inches(2), Inches(1))
        box.text_frame.text = text
        for run in box.text_frame.paragraphs[0].runs if struck else ():
            run._r.get_or_add_rPr().set("strike", "sngStrike")

    return edit


def _remove(slide: int, name: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        element = lab.shape_named(deck, slide, name)._element
        element.getparent().remove(element)

    return edit


def _restack(name: str, index: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        tree = deck.slides[4].shapes._spTree
        element = lab.shape_named(deck, 5, name)._element
        tree.remove(element)
        tree.insert(index + 2, element)

    return edit


def _fill(name: str, color: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        fill = lab.shape_named(deck, 5, name).fill
        if color == "none":
            fill.background()
        else:
            fill.solid()
            fill.fore_color.rgb = lab.rgb(color)

    return edit


def _line(name: str, color: str, width: float) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        line = lab.shape_named(deck, 5, name).line
        line.color.rgb = lab.rgb(color)
        line.width = Pt(width)

    return edit


def _property(slide: int, name: str, key: str, value: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        shape = lab.shape_named(deck, slide, name)
        if key == "name":
            shape.name = value
        else:
            next(iter(shape._element)).cNvPr.set(key, value)

    return edit


def _link(name: str, url: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        paragraph = lab.shape_named(deck, 5, name).text_frame.paragraphs[0]
        paragraph.runs[0].hyperlink.address = url

    return edit


def _write(name: str, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 5, name).text_frame.text = text

    return edit


def _jump(name: str, number: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 5, name).click_action.target_slide = deck.slides[number - 1]

    return edit


def _jump_and_move(lab: Any, deck: Any) -> None:
    _jump("A", 3)(lab, deck)
    lab.move_slide(deck, 2, 5)


def _link_half(lab: Any, deck: Any) -> None:
    paragraph = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0]
    paragraph.runs[0].text = "Acme gro"
    run = paragraph.add_run()
    run.text = "ws fast"
    run.hyperlink.address = "https://example.org/a"


STAR = {"slide": 5, "kind": "shape", "geometry": "star5", "text": "Winner of 2026"}
SIGN = {"slide": 5, "geometry": "right_arrows", "text": "To the door"}
BOX = {"slide": 5, "kind": "text_box", "text": "To be checked"}
SHAPE_A = {"slide": 5, "shape": "A"}
URL = {"slide": 5, "shape": "Remark", "url": "https://example.org/a"}

CASES = [
    ("shape_count", {"slide_new": 1, "count": 2}, _add_slide(0), 1, 1),
    ("shape_count", {"slide_new": 1, "count": 2}, _add_slide(1), 0.5, 0.5),
    ("shape_count", {"slide_new": 1, "count": 2}, _add_slide(2), 0, 0),
    ("shape_count", {"slide_new": 1, "count": 4}, _add_slide(0), 0.5, 0.5),
    ("shape_fill_color", {"slide": 5, "shape": "@new", "color": "#FFFFFF"}, _add_white(True), 1, 1),
    ("shape_fill_color", {"slide": 5, "shape": "@new", "color": "#FFFFFF"}, _add_white(), 0, 0),
    ("shape_exists", STAR, _add_shape(5, MSO_SHAPE.STAR_5_POINT, "Winner of 2026"), 1, 1),
    ("shape_exists", STAR, _add_shape(5, MSO_SHAPE.OVAL, "Winner of 2026"), 0.6, 0.7),
    ("shape_exists", STAR, _add_shape(4, MSO_SHAPE.STAR_5_POINT, "Winner of 2026"), 0, 0),
    ("shape_exists", SIGN, _add_shape(5, MSO_SHAPE.NOTCHED_RIGHT_ARROW, "To the door"), 1, 1),
    ("shape_exists", SIGN, _add_shape(5, MSO_SHAPE.STRIPED_RIGHT_ARROW, "To the door"), 1, 1),
    ("shape_exists", SIGN, _add_shape(5, MSO_SHAPE.CHEVRON, "To the door"), 1, 1),
    ("shape_exists", SIGN, _add_shape(5, MSO_SHAPE.LEFT_ARROW, "To the door"), 0.4, 0.7),
    ("shape_exists", SIGN, _add_shape(5, MSO_SHAPE.RECTANGLE, "To the door"), 0.4, 0.7),
    ("shape_exists", BOX, _add_shape(5, MSO_SHAPE.RECTANGLE, "To be checked"), 1, 1),
    ("shape_exists", BOX, _add_shape(5, MSO_SHAPE.ROUNDED_RECTANGLE, "To be checked"), 1, 1),
    ("shape_exists", BOX, _add_shape(5, MSO_SHAPE.HEART, "To be checked"), 0, 0),
    ("shape_exists", BOX, _add_shape(5, MSO_SHAPE.RECTANGLE, "Something else"), 0, 0.5),
    ("shape_exists", STAR | {"count": 2}, _add_shape(5, MSO_SHAPE.STAR_5_POINT, "Winner of 2026"),
     0.5, 0.5),
    ("shape_exists", {"slide": 5, "name": "Seal"}, _add_shape(5, MSO_SHAPE.OVAL, name="Seal"),
     1, 1),
    ("shape_exists", {"slide": 5, "name": "A", "new": False}, None, 1, 1),
    ("shape_exists", BOX, _add_box("To be checked", struck=True), 0, 0),
    ("shape_exists", BOX, _add_box("Something else"), 0, 0),
    ("shape_deleted", SHAPE_A, _remove(5, "A"), 1, 1),
    ("shape_deleted", SHAPE_A, _remove(5, "B"), 0, 0),
    ("shape_deleted", SHAPE_A, lambda lab, d: lab.delete_slide(d, 4), 0, 0),
    ("shape_deleted", {"slides": [4, 5], "shape": "@title"}, _remove(5, "Title 1"), 0.5, 0.5),
    ("shape_z_order", SHAPE_A | {"to": "front"}, _restack("A", 4), 1, 1),
    ("shape_z_order", SHAPE_A | {"to": "front"}, _restack("A", 2), 0.2, 0.5),
    ("shape_z_order", SHAPE_A | {"to": "back"}, _restack("A", 0), 1, 1),
    ("shape_z_order", SHAPE_A | {"to": "front"}, _restack("A", 0), 0, 0),
    ("shape_fill_color", SHAPE_A | {"color": "#FF0000"}, _fill("A", "F80808"), 1, 1),
    ("shape_fill_color", SHAPE_A | {"color": "none"}, _fill("A", "none"), 1, 1),
    ("shape_fill_color", SHAPE_A | {"color": "#FF0000"}, _fill("B", "FF0000"), 0, 0),
    ("shape_line", SHAPE_A | {"color": "#00FF00", "width_pt": 5}, _line("A", "00FF00", 5), 1, 1),
    ("shape_line", SHAPE_A | {"color": "#00FF00", "width_pt": 5}, _line("A", "00FF00", 2),
     0.5, 0.5),
    ("shape_line", SHAPE_A | {"color": "#00FF00", "width_pt": 5}, _line("A", "FF0000", 2), 0, 0),
    ("alt_text_is", {"slide": 4, "shape": "Logo", "text": "The new logo"},
     _property(4, "Logo", "descr", "the new logo"), 1, 1),
    ("alt_text_is", {"slide": 4, "shape": "Logo", "text": "A tree in snow"},
     _property(4, "Logo", "descr", "a tree"), 0.3, 0.9),
    ("alt_text_is", {"slide": 4, "shape": "Logo", "text": "A tree in snow"},
     _property(4, "Logo", "descr", ""), 0, 0),
    ("hyperlink_is", URL, _link("Remark", "https://example.org/a/"), 1, 1),
    ("hyperlink_is", URL | {"text": "Acme"}, _link("Remark", "https://example.org/a"), 1, 1),
    ("hyperlink_is", URL, _link("Remark", "http://example.org/a"), 0.7, 0.7),
    ("hyperlink_is", URL, _link("Remark", "https:/example.org/a"), 0.05, 0.1),
    ("hyperlink_is", URL, _link("Remark", "https://example.org/b"), 0.05, 0.1),
    ("hyperlink_is", URL, _link("Remark", "https://example.org/other"), 0, 0),
    ("hyperlink_is", URL, _write("Remark", "See https://example.org/a"), 0.2, 0.2),
    ("hyperlink_is", URL, _write("Title 1", "See https://example.org/a"), 0, 0),
    ("hyperlink_is", URL, _link_half, 0.46, 0.47),
    ("hyperlink_is", {"slide": 5, "url": "https://example.org/a"},
     _link("Remark", "https://example.org/a"), 1, 1),
    ("hyperlink_is", SHAPE_A | {"to_slide": 3}, _jump("A", 3), 1, 1),
    ("hyperlink_is", SHAPE_A | {"to_slide": 3}, _jump("A", 2), 0.1, 0.1),
    ("hyperlink_is", SHAPE_A | {"to_slide": 3}, _jump("A", 5), 0, 0),
    ("hyperlink_is", SHAPE_A | {"to_slide": 3, "area": True}, _jump("A", 3), 1, 1),
    ("hyperlink_is", URL | {"area": True}, _link("Remark", "https://example.org/a"), 0.8, 0.8),
    ("hyperlink_is", SHAPE_A | {"to_slide": 3}, _jump_and_move, 1, 1),
]  # fmt: skip


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("@title", "Title 1"),
        ("@shape:2", "B"),
        ("@text_box", "Remark"),
        ("a", "A"),
        ("acme grows  fast", "Remark"),
        ("grows", "Remark"),
    ],
)
def test_shapes_are_found_by_name_kind_and_text(lab: Any, spec: str, name: str) -> None:
    args = {"slide": 5, "shape": spec, "text": "Found"}
    describe = _property(5, name, "descr", "Found")
    assert lab.check("alt_text_is", args, lambda deck: describe(lab, deck)).score == 1
