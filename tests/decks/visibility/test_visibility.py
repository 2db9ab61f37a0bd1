"""Hidden text is detected, and readable text is not called hidden."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx.util import Inches, Pt
from tests.each_case import each_case

from pptarena.decks.visibility.visibility import Visibility
from pptarena.errors import DeckError
from pptarena.rewards import read_deck

ROOT = Path(__file__).parents[3]
SHARED_DECKS = sorted((ROOT.parent / "shared" / "data" / "decks").rglob("*.pptx"))
OWN_DECKS = sorted((ROOT / "tasks" / "decks").rglob("*.pptx"))

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"

Edit = Callable[[Any, Any], None]


def _remark(lab: Any, deck: Any) -> Any:
    return lab.shape_named(deck, 5, "Remark")


def _run(lab: Any, deck: Any) -> Any:
    return _remark(lab, deck).text_frame.paragraphs[0].runs[0]


def _color(color: str) -> Edit:
    return lambda lab, deck: setattr(_run(lab, deck).font.color, "rgb", lab.rgb(color))


def _hide(lab: Any, deck: Any) -> None:
    _remark(lab, deck)._element.nvSpPr.cNvPr.set("hidden", "1")


def _hide_group(lab: Any, deck: Any) -> None:
    group = deck.slides[4].shapes.add_group_shape([_remark(lab, deck)])
    group._element.nvGrpSpPr.cNvPr.set("hidden", "1")


def _move_to(left: float, top: float) -> Edit:
    def edit(lab: Any, deck: Any) -> None:
        shape = _remark(lab, deck)
        shape.left, shape.top = Inches(left), Inches(top)

    return edit


def _shrink(lab: Any, deck: Any) -> None:
    _run(lab, deck).font.size = Pt(1)


def _make_transparent(lab: Any, deck: Any) -> None:
    _color("000000")(lab, deck)
    color = _run(lab, deck)._r.rPr.find(f".//{{{_A}}}srgbClr")
    etree.SubElement(color, f"{{{_A}}}alpha").set("val", "2000")


def _push_down(lab: Any, deck: Any) -> None:
    _remark(lab, deck).text_frame.text = "\n" * 60 + "Acme grows fast"


def _space_lines(percent: float) -> Edit:
    return lambda lab, deck: setattr(
        _remark(lab, deck).text_frame.paragraphs[0], "line_spacing", percent / 100
    )


def _cover(*parts: tuple[float, float], opacity: int = 100) -> Edit:
    """Lay boxes of three inches over parts of the remark."""

    def edit(lab: Any, deck: Any) -> None:
        for left, top in parts:
            shape = deck.slides[4].shapes.add_shape(
                1, Inches(left), Inches(top), Inches(3), Inches(2)
            )
            shape.fill.solid()
            shape.fill.fore_color.rgb = lab.rgb("334455")
            color = shape._element.spPr.find(f".//{{{_A}}}srgbClr")
            etree.SubElement(color, f"{{{_A}}}alpha").set("val", str(opacity * 1000))

    return edit


def _cover_with_picture(lab: Any, deck: Any) -> None:
    file = io.BytesIO(lab.picture_bytes("red"))
    deck.slides[4].shapes.add_picture(file, 0, 0, deck.slide_width, deck.slide_height)


def _fill_like_text(lab: Any, deck: Any) -> None:
    shape = _remark(lab, deck)
    shape.fill.solid()
    shape.fill.fore_color.rgb = lab.rgb("102030")
    _color("112233")(lab, deck)


def _blacken_background(lab: Any, deck: Any) -> None:
    fill = deck.slides[4].background.fill
    fill.solid()
    fill.fore_color.rgb = lab.rgb("000000")


HIDDEN: dict[str, tuple[Edit, str]] = {
    "hidden": (_hide, "hidden"),
    "in a hidden group": (_hide_group, "hidden"),
    "to the right": (_move_to(30, 5), "off the slide"),
    "mostly to the left": (_move_to(-3, 5), "off the slide"),
    "below": (_move_to(1, 9), "off the slide"),
    "tiny": (_shrink, "too small"),
    "white on white": (_color("FFFFFF"), "color"),
    "nearly white on white": (_color("E8E8E8"), "color"),
    "black on black": (_blacken_background, "color"),
    "on its own fill": (_fill_like_text, "color"),
    "transparent": (_make_transparent, "transparent"),
    "pushed down": (_push_down, "off the slide"),
    "at the end of a line that is high": (_space_lines(1000), "off the slide"),
    "under a box": (_cover((0.5, 4.5)), "covered"),
    "under two boxes": (_cover((-1, 4.5), (1.8, 4.5)), "covered"),
    "under a picture": (_cover_with_picture, "covered"),
}


def _put_on_dark_box(lab: Any, deck: Any) -> None:
    box = deck.slides[4].shapes.add_shape(1, Inches(0.5), Inches(4.5), Inches(5), Inches(2))
    box.fill.solid()
    box.fill.fore_color.rgb = lab.rgb("102030")
    tree = deck.slides[4].shapes._spTree
    tree.remove(box._element)
    tree.insert(2, box._element)
    _color("FFFFFF")(lab, deck)


def _highlight(lab: Any, deck: Any) -> None:
    _color("FFFFFF")(lab, deck)
    properties = _run(lab, deck)._r.rPr
    properties.append(
        etree.fromstring(f'<a:highlight xmlns:a="{_A}"><a:srgbClr val="000000"/></a:highlight>')
    )


def _cover_until_a_click(lab: Any, deck: Any) -> None:
    _cover((0.5, 4.5))(lab, deck)
    box = deck.slides[4].shapes[-1]
    lab.set_animations(deck.slides[4], [("exit", 10, "clickEffect", box.shape_id)])


READABLE: dict[str, Edit] = {
    "as it was": lambda lab, deck: None,
    "light grey": _color("C8C8C8"),
    "partly off": _move_to(-0.5, 5),
    "half covered": _cover((-1.3, 4.5)),
    "under glass": _cover((0.5, 4.5), opacity=40),
    "white on a dark box": _put_on_dark_box,
    "white on a highlight": _highlight,
    "covered until a click": _cover_until_a_click,
    "in lines apart": _space_lines(200),
    "red on white": _color("FF0000"),
    "yellow on white": _color("FFFF00"),
}


@pytest.mark.slow
@each_case("name", HIDDEN)
def test_hidden_text_does_not_count(lab: Any, name: str) -> None:
    edit, reason = HIDDEN[name]
    args = {"slide": 5, "texts": ["Acme grows fast"]}
    deck = lab.edited(lambda d: edit(lab, d))
    shape = next(s for s in deck.slides[4].shapes if "grows" in s.text)
    visibility = Visibility(deck)
    assert "grows" not in visibility.slide(4).text
    assert reason in visibility.why_hidden(4, shape.index)
    # The text was visible before the edit, so losing it is what scores 0.
    node = lab.check("slide_text_contains", args, lambda d: edit(lab, d))
    assert node.score == 0
    assert "does not count" in node.reason


@pytest.mark.slow
@each_case("name", READABLE)
def test_readable_text_counts(lab: Any, name: str) -> None:
    deck = lab.edited(lambda d: READABLE[name](lab, d))
    assert "Acme grows fast" in Visibility(deck).slide(4).text
    assert Visibility(deck).slide(4) is deck.slides[4] or "Remark" not in str(
        Visibility(deck).hidden(4)
    )


def test_hidden_text_counts_when_requested(lab: Any) -> None:
    args = {"slide": 5, "shape": "Remark", "texts": ["Acme grows fast"], "visible": False}
    assert lab.check("shape_text_contains", args, lambda d: _shrink(lab, d)).score == 1


def test_hiding_the_old_text_does_not_replace_it(lab: Any) -> None:
    def hide(deck: Any) -> None:
        _hide(lab, deck)
        copy = deck.slides[4].shapes.add_textbox(Inches(1), Inches(5), Inches(4), Inches(1))
        copy.text_frame.text = "Apex grows fast"

    args = {"old": "Acme", "new": "Apex", "slides": [5]}
    assert lab.check("text_replaced_everywhere", args, hide).score == 0
    assert lab.check("slide_text_lacks", {"slide": 5, "texts": ["Acme"]}, hide).score == 0


def test_replacement_must_be_visible(lab: Any) -> None:
    def edit(deck: Any) -> None:
        _run(lab, deck).text = "Apex grows fast"
        _color("FFFFFF")(lab, deck)

    args = {"old": "Acme", "new": "Apex", "slides": [5]}
    assert lab.check("text_replaced_everywhere", args, edit).score == 0
    assert lab.check("text_replaced_everywhere", args | {"visible": False}, edit).score == 1


def test_originally_hidden_text_may_stay_hidden(lab: Any) -> None:
    hidden = type(lab)(lab.edited_bytes(lambda deck: _hide(lab, deck)))

    def edit(deck: Any) -> None:
        _run(lab, deck).text = "Acme rests"

    args = {"slide": 5, "shape": "Remark", "text": "Acme rests"}
    assert hidden.check("shape_text_is", args, edit).score == 1


def test_new_shapes_and_pictures_must_be_visible(lab: Any) -> None:
    def add_off_the_slide(deck: Any) -> None:
        file = io.BytesIO(lab.picture_bytes("green"))
        deck.slides[4].shapes.add_picture(file, Inches(40), 0, Inches(1), Inches(1))
        deck.slides[4].shapes.add_shape(1, Inches(40), 0, Inches(1), Inches(1))

    assert lab.check("picture_present", {"slide": 5}, add_off_the_slide).score == 0
    assert lab.check("shape_exists", {"slide": 5, "kind": "shape"}, add_off_the_slide).score == 0
    args = {"slide": 5, "kind": "shape", "visible": False}
    assert lab.check("shape_exists", args, add_off_the_slide).score == 1


def test_fill_and_line_may_be_removed(lab: Any) -> None:
    def edit(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "A")
        shape.fill.background()
        shape.line.fill.background()

    for name in ("shape_fill_color", "shape_line"):
        args = {"slide": 5, "shape": "A", "color": "none"}
        assert lab.check(name, args, edit).score == 1


def test_table_cells_are_judged_individually(lab: Any) -> None:
    def edit(deck: Any) -> None:
        table = lab.shape_named(deck, 3, "Sales").table
        for row, color in ((1, "D0D8E8"), (2, "202020")):
            cell = table.cell(row, 1)
            cell.text = "77"
            cell.text_frame.paragraphs[0].runs[0].font.color.rgb = lab.rgb(color)

    cells = [{"slide": 3, "row": row, "column": 2, "text": "77"} for row in (2, 3)]
    assert [lab.check("table_cell_is", args, edit).score for args in cells] == [0, 1]


def test_deleting_an_animated_shape_does_not_remove_its_animation(lab: Any) -> None:
    def edit(deck: Any) -> None:
        element = lab.shape_named(deck, 5, "A")._element
        element.getparent().remove(element)

    assert lab.check("animation_none", {"slide": 5}, edit).score == 0
    assert lab.check("animation_none", {"slide": 5, "shape": "A"}, edit).score == 0


# Text that is hidden, or that is readable only by the rendered slide.
HIDDEN_IN_REAL_DECKS = {
    "powerpoint_unrecognized_shape.pptx": {(2, "the text box 'BadShape'")},  # no width, no height
    "txt-fit-text.pptx": {(1, "the text box 'TextBox 1'")},  # one line, three slides long
    # White numbers on a band that is part of the background's picture.
    "build_effective_agents.pptx": {
        (1, "the sldNum placeholder '[slidenum]'"),
        (10, "the sldNum placeholder '[slidenum]'"),
    },
    # Its pale caption lies partly on a drawing of the master, so its contrast varies.
    "thesis.pptx": set(),
}


def known_hidden_text(name: str) -> set[tuple[int, str]]:
    """Return the text that the recorded edits of a deck made too pale or moved off its slide."""
    record = ROOT / "tools" / "decks" / "text" / f"{Path(name).stem}.mess.json"
    edits = json.loads(record.read_text("utf-8")) if record.exists() else []
    pale = {(m["slide"], m["shape"]) for m in edits if m["kind"] == "low_contrast"}
    off_slide = {(m["slide"], m["after"].split(":")[0]) for m in edits if m["kind"] == "leftover"}
    return {(slide, f"the text box {shape!r}") for slide, shape in pale | off_slide}


@pytest.mark.slow
@pytest.mark.parametrize("path", SHARED_DECKS + OWN_DECKS, ids=lambda path: path.name)
def test_text_of_real_decks_is_visible(path: Path) -> None:
    try:
        deck = read_deck(path)
    except DeckError as error:
        pytest.skip(f"the deck cannot be read: {error}")
    visibility = Visibility(deck)
    hidden_text = {
        (slide.index + 1, slide.shapes[index].label): reason
        for slide in deck.slides
        for index, reason in visibility.hidden(slide.index).items()
    }
    assert set(hidden_text) == HIDDEN_IN_REAL_DECKS.get(path.name, known_hidden_text(path.name)), (
        hidden_text
    )
