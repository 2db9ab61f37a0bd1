"""Checks of regions, likeness, patterns and embedded files, and words that many checks share."""

import io
from typing import Any

import pytest
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.util import Emu, Inches, Pt
from tests.each_case import each_case

from pptarena.errors import RubricError
from pptarena.rewards import load_rubric


def _put(*shapes: tuple[str, float, float, float, float], color: str = "CC1010") -> Any:
    """Return an edit that adds rectangles with a text to slide 5."""

    def edit(lab: Any, deck: Any) -> None:
        for text, left, top, width, height in shapes:
            box = (Inches(each) for each in (left, top, width, height))
            shape = deck.slides[4].shapes.add_shape(MSO_SHAPE.RECTANGLE, *box)
            shape.text_frame.text = text
            shape.fill.solid()
            shape.fill.fore_color.rgb = lab.rgb(color)

    return edit


def _paint(name: str, color: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 5, name).fill.fore_color.rgb = lab.rgb(color)

    return edit


def _text(slide: int, name: str, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, slide, name).text_frame.text = text

    return edit


def _run(**attributes: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
        for name, value in attributes.items():
            run._r.get_or_add_rPr().set(name, value)

    return edit


def _rtl(lab: Any, deck: Any) -> None:
    paragraphs = deck.slides[1].placeholders[1].text_frame.paragraphs
    for paragraph in paragraphs[:2]:
        paragraph._p.get_or_add_pPr().set("rtl", "1")


def _all_rtl(lab: Any, deck: Any) -> None:
    for paragraph in deck.slides[1].placeholders[1].text_frame.paragraphs:
        paragraph._p.get_or_add_pPr().set("rtl", "1")


def _link(address: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
        run.hyperlink.address = address

    return edit


def _unlink(lab: Any, deck: Any) -> None:
    blip = next(lab.shape_named(deck, 4, "Logo")._element.iter(qn("a:blip")))
    part = deck.slides[3].part
    rel = part.relate_to("file:///logo.png", f"{_R}/image", is_external=True)
    del blip.attrib[qn("r:embed")]
    blip.set(qn("r:link"), rel)


def _formulas(count: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for at in range(count):
            deck.slides[4].shapes.add_ole_object(
                io.BytesIO(b"x+y"), "Equation.3",
                Inches(1 + 3 * at), Inches(3), Inches(2), Inches(1),
                icon_file=io.BytesIO(lab.picture_bytes("red")),
            )  # fmt: skip

    return edit


def _palette(lab: Any, deck: Any) -> None:
    part = deck.slides[0].slide_layout.slide_master.part
    rels = part.rels.values()
    theme = next(rel.target_part for rel in rels if rel.reltype.endswith("/theme"))
    theme._blob = theme.blob.replace(b"4F81BD", b"10A060").replace(b"1F497D", b"103020")


def _opacity(percent: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        _put(("", 1, 3, 2, 1))(lab, deck)
        color = next(deck.slides[4].shapes[-1]._element.spPr.iter(qn("a:srgbClr")))
        alpha = color.makeelement(qn("a:alpha"), {"val": str(percent * 1000)})
        color.append(alpha)

    return edit


_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NEW = {"slide": 5, "shape": "@new_shape"}
CORNER = NEW | {"region": "bottom_right"}
REMARK = {"slide": 5, "shape": "Remark"}
BODY = {"slide": 2, "shape": "@body"}
NUMBERS = REMARK | {"find": r"\d[\d,]{3,}", "must": r"\d{1,3}(,\d{3})+", "count": 2}
NOT_NEVER = REMARK | {"find": r".*\b(can)?not\b.*", "lacks": r"\bnever\b"}
ROW = {"slide": 5, "shapes": ["A", "@new Four"], "edge": "top"}
SAME_STYLE = NEW | {"other": "A", "properties": ["fill", "width"]}

CASES = [
    ("shape_in_region", CORNER, _put(("x", 7.5, 6, 2, 1)), 1, 1),
    ("shape_in_region", CORNER, _put(("x", 5, 6, 2, 1)), 0.1, 0.9),
    ("shape_in_region", CORNER, None, 0, 0),
    ("shape_in_region", NEW | {"region": [0, 0, 50, 20], "whole": True},
     _put(("x", 1, 0.5, 2, 0.5)), 1, 1),
    ("shape_in_region", NEW | {"region": "right_half", "of": "Remark"},
     _put(("x", 4, 5.2, 0.5, 0.5)), 1, 1),
    ("shape_covers", NEW | {"other": "Remark"}, _put(("", 0.9, 4.9, 4.2, 1.2)), 1, 1),
    ("shape_covers", NEW | {"other": "Remark"}, _put(("", 1, 5, 2, 1)), 0.5, 0.6),
    ("shape_covers", NEW | {"other": "Remark"}, _put(("", 0, 0, 10, 7.5)), 0.1, 0.3),
    ("shape_covers", NEW | {"other": "Remark"}, _put(("", 6, 1, 1, 1)), 0, 0),
    ("looks_like", SAME_STYLE, _put(("", 4, 3, 1, 1), color="204060"), 1, 1),
    ("looks_like", SAME_STYLE, _put(("", 4, 3, 1, 1)), 0.5, 0.5),
    ("looks_like", SAME_STYLE, None, 0, 0),
    ("color_compared", {"slide": 5, "shape": "A", "relation": "lighter"}, _paint("A", "AACCEE"),
     1, 1),
    ("color_compared", {"slide": 5, "shape": "A", "relation": "lighter"}, _paint("A", "001020"),
     0, 0),
    ("color_compared", NEW | {"relation": "unlike", "others": ["A", "B"]}, _put(("", 4, 3, 1, 1)),
     1, 1),
    ("color_compared", NEW | {"relation": "same", "others": ["A", "@title"]},
     _put(("", 4, 3, 1, 1), color="204060"), 0.5, 0.5),
    ("theme_changed", {"slides": "all"}, _palette, 1, 1),
    ("theme_changed", {"slides": "all"}, None, 0, 0),
    ("text_matches", NUMBERS, _text(5, "Remark", "From 1,200 to 34,000"), 1, 1),
    ("text_matches", NUMBERS, _text(5, "Remark", "From 1,200 to 34000"), 0.5, 0.5),
    ("text_matches", NUMBERS, _text(5, "Remark", "From 1200 to 34000"), 0, 0),
    ("text_matches", NUMBERS, _text(5, "Remark", "1," * 9_000), 0, 0),
    ("text_matches", BODY | {"find": r"\p{So}"}, None, 0, 0),
    ("text_matches", NOT_NEVER, _text(5, "Remark", "It cannot fly"), 1, 1),
    ("text_matches", NOT_NEVER, _text(5, "Remark", "It cannot fly\nOr never not"), 0.5, 0.5),
    ("text_matches", NOT_NEVER, _text(5, "Remark", "It can never fly"), 0, 0),
    ("picture_embedded", {"slide": 4, "shape": "Logo", "embedded": False}, _unlink, 1, 1),
    ("picture_embedded", {"slide": 4, "shape": "Logo", "embedded": False}, None, 0, 0),
    ("embedded_present", {"slide": 5, "kind": "formula", "count": 2}, _formulas(2), 1, 1),
    ("embedded_present", {"slide": 5, "kind": "formula", "count": 2}, _formulas(1), 0.5, 0.5),
    ("embedded_present", {"slide": 5, "kind": "spreadsheet"}, _formulas(1), 0, 0),
    ("paragraph_direction", BODY, _all_rtl, 1, 1),
    ("paragraph_direction", BODY, _rtl, 0.6, 0.7),
    ("paragraph_direction", BODY, None, 0, 0),
    # Selectors and values that many checks share.
    ("shapes_aligned", ROW, _put(("Four", 8, 2.111, 1, 1)), 1, 1),
    ("shapes_aligned", ROW, _put(("Five", 8, 2.111, 1, 1)), 0, 0),
    ("shapes_aligned", ROW, None, 0, 0),
    ("shapes_spaced_evenly",
     {"slide": 5, "shapes": ["@new:1", "@new:2", "@new:3"], "axis": "horizontal"},
     _put(("1", 1, 3, 1, 1), ("2", 3, 3, 1, 1), ("3", 5, 3, 1, 1)), 1, 1),
    ("shape_relation", {"slide": 5, "shape": "A", "relation": "above", "other": "@new"},
     _put(("1", 1, 4, 1, 1)), 1, 1),
    ("shape_relation", {"slide": 5, "shape": "A", "relation": "above", "other": "@new"}, None,
     0, 0),
    ("shape_z_order", {"slide": 5, "shape": "@new_shape", "over": "Remark"},
     _put(("", 1, 5, 1, 1)), 1, 1),
    ("shape_fill_color", NEW | {"color": "red"}, _put(("", 1, 3, 1, 1)), 1, 1),
    ("shape_fill_color", NEW | {"color": "blue|dark red"}, _put(("", 1, 3, 1, 1)), 0, 0),
    ("shape_fill_color", NEW | {"color": "not blue|green"}, _put(("", 1, 3, 1, 1)), 1, 1),
    ("shape_fill_is", NEW | {"kind": "solid", "opacity_min_pct": 30, "opacity_max_pct": 70},
     _opacity(50), 1, 1),
    ("shape_fill_is", NEW | {"kind": "solid", "opacity_max_pct": 70}, _opacity(90), 0.6, 0.9),
    ("run_format", REMARK | {"caps": "all", "baseline": "superscript"},
     _run(cap="all", baseline="30000"), 1, 1),
    ("run_format", REMARK | {"caps": "all", "baseline": "superscript"}, _run(cap="all"), 0.5, 0.5),
    ("run_format", REMARK | {"highlight": "yellow"}, _run(cap="all"), 0, 0),
    ("hyperlink_is", REMARK | {"host": "wikipedia.org"}, _link("https://en.wikipedia.org/wiki/X"),
     1, 1),
    ("hyperlink_is", REMARK | {"host": "wikipedia.org"}, _link("https://wikipedia.org.evil/X"),
     0, 0),
    ("hyperlink_is", REMARK | {"host": "wikipedia.org"}, _link("https://en.wikipedia.org/"), 0, 0),
    ("hyperlink_is", REMARK | {"one_of": ["https://a.org", "https://b.org"]},
     _link("https://b.org/"), 1, 1),
    ("theme_is", {"name": "Other", "slides": [1]}, None, 0, 0),
]  # fmt: skip


@pytest.mark.slow
def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


def _with_indented_paragraph(lab: Any) -> Any:
    def start(deck: Any) -> None:
        paragraphs = deck.slides[1].placeholders[1].text_frame.paragraphs
        paragraphs[0].level = 2
        paragraphs[0].runs[0].font.size = Pt(12)

    return type(lab)(lab.edited_bytes(start))


def _level(count: int, size: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for paragraph in deck.slides[1].placeholders[1].text_frame.paragraphs[1 : 1 + count]:
            paragraph.level = 2
            paragraph.runs[0].font.size = Pt(size)

    return edit


ALIKE = BODY | {"paragraphs": [2, 3], "like": [1], "properties": ["level", "font_size"]}
PARAGRAPH_CASES = [
    ("paragraphs_look_like", ALIKE, _level(2, 12), 1, 1),
    ("paragraphs_look_like", ALIKE, _level(1, 12), 0.5, 0.5),
    ("paragraphs_look_like", ALIKE, None, 0, 0),
]


@each_case("name, args, edit, low, high", PARAGRAPH_CASES)
def test_paragraphs_are_compared_with_others(
    lab: Any, name: str, args: dict[str, Any], edit: Any, low: float, high: float
) -> None:
    indented = _with_indented_paragraph(lab)
    bound = None if edit is None else lambda deck: edit(indented, deck)
    result = indented.check(name, args, bound).score
    assert low <= result <= high


def test_reference_paragraphs_are_those_of_the_original(lab: Any) -> None:
    indented = _with_indented_paragraph(lab)

    def flat(deck: Any) -> None:
        paragraph = deck.slides[1].placeholders[1].text_frame.paragraphs[0]
        paragraph.level = 0
        paragraph.runs[0].font.size = Pt(32)

    assert indented.check("paragraphs_look_like", ALIKE, flat).score == 0


def test_but_for_ignores_only_the_named_characters(lab: Any) -> None:
    plain_numbers = type(lab)(
        lab.edited_bytes(lambda d: _text(5, "Remark", "From 1200 to 34000")(lab, d))
    )
    args = NUMBERS | {"but_for": ","}
    grouped, other_number = "From 1,200 to 34,000", "From 9,900 to 34,000"
    for text, score in ((grouped, 1.0), (other_number, 0.5), ("Nothing", 0.0)):
        edit = _text(5, "Remark", text)
        assert plain_numbers.check("text_matches", args, lambda d, e=edit: e(lab, d)).score == score


def test_invisible_new_shape_does_not_count(lab: Any) -> None:
    def edit(deck: Any) -> None:
        _put(("Four", 8, 2.111, 1, 1))(lab, deck)
        deck.slides[4].shapes[-1].left = Emu(-9 * 914_400)

    assert lab.check("shapes_aligned", ROW, edit).score == 0


@pytest.mark.parametrize(
    ("check", "args", "message"),
    [
        ("shape_deleted", {"slide": 1, "shape": "@new"}, "expected a shape of the original"),
        ("shape_rotation", {"slide": 1, "shape": "@new_thing", "degrees": 1}, "@new_<kind>"),
        ("shape_fill_color", NEW | {"color": "dark black"}, "expected a color such as"),
        ("shape_fill_color", NEW | {"color": "reddish"}, "expected a color such as"),
        ("shape_in_region", NEW | {"region": [50, 0, 20, 100]}, "in percent"),
        ("text_matches", {"slide": 1, "find": "(a"}, "expected a pattern"),
        ("text_matches", {"slide": 1, "find": "a", "but_for": ","}, "but_for requires must"),
        ("hyperlink_is", {"slide": 1, "url": "a", "host": "b"}, "expected exactly one of"),
    ],
)
def test_invalid_selectors_and_values_are_rejected(
    check: str, args: dict[str, Any], message: str
) -> None:
    leaf = {"name": "leaf", "check": check, "args": args}
    with pytest.raises(RubricError, match=message):
        load_rubric({"version": 1, "root": leaf})
