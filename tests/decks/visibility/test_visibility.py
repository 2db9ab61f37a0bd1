"""What a viewer can see: hidden text is found out, honest text is left alone."""

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
DECKS = sorted((ROOT.parent / "shared" / "data" / "decks").rglob("*.pptx"))
OWN = sorted((ROOT / "tasks" / "decks").rglob("*.pptx"))

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"

Edit = Callable[[Any, Any], None]


def _remark(lab: Any, deck: Any) -> Any:
    return lab.shape_named(deck, 5, "Remark")


def _run(lab: Any, deck: Any) -> Any:
    return _remark(lab, deck).text_frame.paragraphs[0].runs[0]


def _color(color: str) -> Edit:
    return lambda lab, deck: setattr(_run(lab, deck).font.color, "rgb", lab.rgb(color))


def _hidden(lab: Any, deck: Any) -> None:
    _remark(lab, deck)._element.nvSpPr.cNvPr.set("hidden", "1")


def _hidden_group(lab: Any, deck: Any) -> None:
    group = deck.slides[4].shapes.add_group_shape([_remark(lab, deck)])
    group._element.nvGrpSpPr.cNvPr.set("hidden", "1")


def _off(left: float, top: float) -> Edit:
    def edit(lab: Any, deck: Any) -> None:
        shape = _remark(lab, deck)
        shape.left, shape.top = Inches(left), Inches(top)

    return edit


def _tiny(lab: Any, deck: Any) -> None:
    _run(lab, deck).font.size = Pt(1)


def _transparent(lab: Any, deck: Any) -> None:
    _color("000000")(lab, deck)
    color = _run(lab, deck)._r.rPr.find(f".//{{{_A}}}srgbClr")
    etree.SubElement(color, f"{{{_A}}}alpha").set("val", "2000")


def _pushed_down(lab: Any, deck: Any) -> None:
    _remark(lab, deck).text_frame.text = "\n" * 60 + "Acme grows fast"


def _spaced(percent: float) -> Edit:
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


def _screenshot(lab: Any, deck: Any) -> None:
    file = io.BytesIO(lab.picture_bytes("red"))
    deck.slides[4].shapes.add_picture(file, 0, 0, deck.slide_width, deck.slide_height)


def _own_fill(lab: Any, deck: Any) -> None:
    shape = _remark(lab, deck)
    shape.fill.solid()
    shape.fill.fore_color.rgb = lab.rgb("102030")
    _color("112233")(lab, deck)


def _slide_background(lab: Any, deck: Any) -> None:
    fill = deck.slides[4].background.fill
    fill.solid()
    fill.fore_color.rgb = lab.rgb("000000")


HIDDEN: dict[str, tuple[Edit, str]] = {
    "hidden": (_hidden, "hidden"),
    "in a hidden group": (_hidden_group, "hidden"),
    "to the right": (_off(30, 5), "off the slide"),
    "mostly to the left": (_off(-3, 5), "off the slide"),
    "below": (_off(1, 9), "off the slide"),
    "tiny": (_tiny, "too small"),
    "white on white": (_color("FFFFFF"), "color"),
    "nearly white on white": (_color("E8E8E8"), "color"),
    "black on black": (_slide_background, "color"),
    "on its own fill": (_own_fill, "color"),
    "transparent": (_transparent, "transparent"),
    "pushed down": (_pushed_down, "off the slide"),
    "at the end of a line that is high": (_spaced(1000), "off the slide"),
    "under a box": (_cover((0.5, 4.5)), "covered"),
    "under two boxes": (_cover((-1, 4.5), (1.8, 4.5)), "covered"),
    "under a picture": (_screenshot, "covered"),
}


def _white_on_box(lab: Any, deck: Any) -> None:
    box = deck.slides[4].shapes.add_shape(1, Inches(0.5), Inches(4.5), Inches(5), Inches(2))
    box.fill.solid()
    box.fill.fore_color.rgb = lab.rgb("102030")
    tree = deck.slides[4].shapes._spTree
    tree.remove(box._element)
    tree.insert(2, box._element)
    _color("FFFFFF")(lab, deck)


def _highlighted(lab: Any, deck: Any) -> None:
    _color("FFFFFF")(lab, deck)
    properties = _run(lab, deck)._r.rPr
    properties.append(
        etree.fromstring(f'<a:highlight xmlns:a="{_A}"><a:srgbClr val="000000"/></a:highlight>')
    )


def _covered_until_a_click(lab: Any, deck: Any) -> None:
    _cover((0.5, 4.5))(lab, deck)
    box = deck.slides[4].shapes[-1]
    lab.set_animations(deck.slides[4], [("exit", 10, "clickEffect", box.shape_id)])


SEEN: dict[str, Edit] = {
    "as it was": lambda lab, deck: None,
    "light grey": _color("C8C8C8"),
    "partly off": _off(-0.5, 5),
    "half covered": _cover((-1.3, 4.5)),
    "under glass": _cover((0.5, 4.5), opacity=40),
    "white on a dark box": _white_on_box,
    "white on a highlight": _highlighted,
    "covered until a click": _covered_until_a_click,
    "in lines apart": _spaced(200),
    "red on white": _color("FF0000"),
    "yellow on white": _color("FFFF00"),
}


@pytest.mark.slow
@each_case("name", HIDDEN)
def test_text_that_nobody_sees_does_not_count(lab: Any, name: str) -> None:
    edit, why = HIDDEN[name]
    args = {"slide": 5, "texts": ["Acme grows fast"]}
    deck = lab.edited(lambda d: edit(lab, d))
    shape = next(s for s in deck.slides[4].shapes if "grows" in s.text)
    visibility = Visibility(deck)
    assert "grows" not in visibility.slide(4).text
    assert why in visibility.why_hidden(4, shape.index)
    # The words stood there before, so what counts is that they are lost now.
    node = lab.check("slide_text_contains", args, lambda d: edit(lab, d))
    assert node.score == 0
    assert "does not count" in node.reason


@pytest.mark.slow
@each_case("name", SEEN)
def test_text_that_can_be_read_counts(lab: Any, name: str) -> None:
    deck = lab.edited(lambda d: SEEN[name](lab, d))
    assert "Acme grows fast" in Visibility(deck).slide(4).text
    assert Visibility(deck).slide(4) is deck.slides[4] or "Remark" not in str(
        Visibility(deck).hidden(4)
    )


def test_hidden_text_is_there_where_it_is_asked_for(lab: Any) -> None:
    args = {"slide": 5, "shape": "Remark", "texts": ["Acme grows fast"], "visible": False}
    assert lab.check("shape_text_contains", args, lambda d: _tiny(lab, d)).score == 1


def test_hiding_the_old_word_is_not_replacing_it(lab: Any) -> None:
    def hide(deck: Any) -> None:
        _hidden(lab, deck)
        copy = deck.slides[4].shapes.add_textbox(Inches(1), Inches(5), Inches(4), Inches(1))
        copy.text_frame.text = "Apex grows fast"

    args = {"old": "Acme", "new": "Apex", "slides": [5]}
    assert lab.check("text_replaced_everywhere", args, hide).score == 0
    assert lab.check("slide_text_lacks", {"slide": 5, "texts": ["Acme"]}, hide).score == 0


def test_the_new_word_must_be_seen(lab: Any) -> None:
    def edit(deck: Any) -> None:
        _run(lab, deck).text = "Apex grows fast"
        _color("FFFFFF")(lab, deck)

    args = {"old": "Acme", "new": "Apex", "slides": [5]}
    assert lab.check("text_replaced_everywhere", args, edit).score == 0
    assert lab.check("text_replaced_everywhere", args | {"visible": False}, edit).score == 1


def test_what_was_hidden_before_may_stay_hidden(lab: Any) -> None:
    hidden = type(lab)(lab.edited_bytes(lambda deck: _hidden(lab, deck)))

    def edit(deck: Any) -> None:
        _run(lab, deck).text = "Acme rests"

    args = {"slide": 5, "shape": "Remark", "text": "Acme rests"}
    assert hidden.check("shape_text_is", args, edit).score == 1


def test_new_shapes_and_pictures_must_be_seen(lab: Any) -> None:
    def off(deck: Any) -> None:
        file = io.BytesIO(lab.picture_bytes("green"))
        deck.slides[4].shapes.add_picture(file, Inches(40), 0, Inches(1), Inches(1))
        deck.slides[4].shapes.add_shape(1, Inches(40), 0, Inches(1), Inches(1))

    assert lab.check("picture_present", {"slide": 5}, off).score == 0
    assert lab.check("shape_exists", {"slide": 5, "kind": "shape"}, off).score == 0
    shown = {"slide": 5, "kind": "shape", "visible": False}
    assert lab.check("shape_exists", shown, off).score == 1


def test_a_shape_may_lose_its_fill_and_line(lab: Any) -> None:
    def edit(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "A")
        shape.fill.background()
        shape.line.fill.background()

    for name in ("shape_fill_color", "shape_line"):
        args = {"slide": 5, "shape": "A", "color": "none"}
        assert lab.check(name, args, edit).score == 1


def test_table_cells_are_judged_one_by_one(lab: Any) -> None:
    def edit(deck: Any) -> None:
        table = lab.shape_named(deck, 3, "Sales").table
        for row, color in ((1, "D0D8E8"), (2, "202020")):
            cell = table.cell(row, 1)
            cell.text = "77"
            cell.text_frame.paragraphs[0].runs[0].font.color.rgb = lab.rgb(color)

    cells = [{"slide": 3, "row": row, "column": 2, "text": "77"} for row in (2, 3)]
    assert [lab.check("table_cell_is", args, edit).score for args in cells] == [0, 1]


def test_deleting_an_animated_shape_does_not_take_away_its_effect(lab: Any) -> None:
    def edit(deck: Any) -> None:
        element = lab.shape_named(deck, 5, "A")._element
        element.getparent().remove(element)

    assert lab.check("animation_none", {"slide": 5}, edit).score == 0
    assert lab.check("animation_none", {"slide": 5, "shape": "A"}, edit).score == 0


# Text that is out of sight indeed, or that only a picture of the slide shows to be readable.
NOT_SEEN = {
    "powerpoint_unrecognized_shape.pptx": {(2, "the text box 'BadShape'")},  # no width, no height
    "txt-fit-text.pptx": {(1, "the text box 'TextBox 1'")},  # one line, three slides long
    # White numbers on a band that is part of the background's picture.
    "build_effective_agents.pptx": {
        (1, "the sldNum placeholder '[slidenum]'"),
        (10, "the sldNum placeholder '[slidenum]'"),
    },
    # Its pale caption lies in part on a drawing of the master, so how pale it is depends.
    "thesis.pptx": set(),
}


def made_unseen(name: str) -> set[tuple[int, str]]:
    """Return what the mess of a deck has made too pale to read, or moved off a slide."""
    record = ROOT / "tools" / "decks" / "text" / f"{Path(name).stem}.mess.json"
    done = json.loads(record.read_text("utf-8")) if record.exists() else []
    pale = {(m["slide"], m["shape"]) for m in done if m["kind"] == "low_contrast"}
    beside = {(m["slide"], m["after"].split(":")[0]) for m in done if m["kind"] == "leftover"}
    return {(slide, f"the text box {shape!r}") for slide, shape in pale | beside}


@pytest.mark.slow
@pytest.mark.parametrize("path", DECKS + OWN, ids=lambda path: path.name)
def test_no_text_of_honest_decks_is_called_hidden(path: Path) -> None:
    try:
        deck = read_deck(path)
    except DeckError as error:
        pytest.skip(f"the deck cannot be read: {error}")
    visibility = Visibility(deck)
    found = {
        (slide.index + 1, slide.shapes[index].label): why
        for slide in deck.slides
        for index, why in visibility.hidden(slide.index).items()
    }
    assert set(found) == NOT_SEEN.get(path.name, made_unseen(path.name)), found
