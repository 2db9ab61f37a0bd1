"""Decks that could fool scores based on facts, each with its deserved score."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from lxml import etree
from pptx.dml.color import RGBColor
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu, Pt
from tests.slide_edits import shape_named, slide_at

from pptarena.tasks import get_task, list_tasks
from pptarena.tasks.goals.editing import edit_deck, move_slide, set_transition
from pptarena.tasks.goals.registry import turn_edits
from pptarena.tasks.quality.attacks.tools import add_cover, garble
from pptarena.tasks.scorer import Scorer

pytestmark = pytest.mark.slow

Edit = Callable[[Any], Any]
STARTER = {task.id for task in list_tasks("starter")}
DECKS: list[tuple[str, str, float, str, Edit]] = []

W, H = 10_080_625, 5_670_550
RETITLE = "meridian-retitle-products"
RENAME = "meridian-rename-tent"
BOARD = "meridian-board-version"
TABLE = "resistance-fix-classes-table"
PICTURE = "resistance-cell-picture"
ANSWERS = "resistance-answers-slide"
ITALIC = "first-steps-italic-title-2"
CENTER = "first-steps-center-title-3"
DUPLICATE = "first-steps-duplicate-slide-2"
NEW = "first-steps-new-slide-2"
BACKUP = "meridian-hide-backup"


def deck(task: str, name: str, deserved: float, kind: str = "attack") -> Callable[[Edit], Edit]:
    """Register an edit of a task's deck; for starter tasks, the edit follows the goal's edits."""

    def register(edit: Edit) -> Edit:
        goal = turn_edits(get_task(task)) if task in STARTER else ()

        def both(deck: Any) -> None:
            for part in goal:
                part(deck)
            edit(deck)

        DECKS.append((task, name, deserved, kind, both))
        return edit

    return register


def color(value: str) -> Any:
    kind: Any = RGBColor
    return kind.from_string(value)


def all_slides(change: Callable[[Any], object]) -> Edit:
    return lambda deck: [change(slide) for slide in deck.slides]


def conceal(slide: Any, percent: int, box: tuple[int, int, int, int] = (0, 0, W, H)) -> Any:
    """Lay a white rectangle of some opacity over a slide."""
    shape = add_cover(slide, box)
    fill = shape.fill._xPr.find(qn("a:solidFill"))[0]
    etree.SubElement(fill, qn("a:alpha")).set("val", str(percent * 1000))
    return shape


def three_translucent_covers(slide: Any) -> None:
    for _ in range(3):
        conceal(slide, 60)


def freeform(slide: Any) -> None:
    builder = slide.shapes.build_freeform(0, 0)
    builder.add_line_segments([(W, 0), (W, H), (0, H)])
    shape = builder.convert_to_shape()
    shape.fill.solid()
    shape.fill.fore_color.rgb = color("FFFFFF")


def tiles(slide: Any) -> None:
    for row in range(4):
        for column in range(4):
            add_cover(slide, (column * W // 4, row * H // 4, W // 4, H // 4))


def hatching(slide: Any) -> None:
    for row in range(24):
        y = row * H // 24
        line = slide.shapes.add_connector(1, 0, y, W, y)
        line.line.width = Emu(H // 26)
        line.line.color.rgb = color("FFFFFF")


def big_glyphs(letter: str) -> Callable[[Any], None]:
    def put(slide: Any) -> None:
        box = slide.shapes.add_textbox(0, -H // 2, W, 2 * H)
        box.text_frame.word_wrap = True
        box.text_frame.text = letter * 60
        font = box.text_frame.paragraphs[0].runs[0].font
        font.size, font.color.rgb = Pt(300), color("FFFFFF")

    return put


def half_tables(slide: Any) -> None:
    for side in range(2):
        table = slide.shapes.add_table(2, 2, side * W // 2, 0, W // 2, H).table
        for row in range(2):
            for column in range(2):
                fill = table.cell(row, column).fill
                fill.patterned()
                fill.fore_color.rgb = fill.back_color.rgb = color("FFFFFF")


def cross(slide: Any) -> None:
    """Add two rectangles whose outlines meet in the middle."""
    for top in (0, H // 2):
        shape = slide.shapes.add_shape(1, 0, top, W, H // 2)
        shape.fill.background()
        shape.line.color.rgb, shape.line.width = color("FFFFFF"), Emu(H // 2)


def plaque(slide: Any) -> None:
    shape = slide.shapes.add_shape(15, -2 * W, -2 * H, 5 * W, 5 * H)  # a plaque
    shape.fill.solid()
    shape.fill.fore_color.rgb = color("FFFFFF")


COVERS = {
    "three covers of 60 %": three_translucent_covers,
    "a freeform": freeform,
    "16 tiles": tiles,
    "24 lines": hatching,
    "black squares": big_glyphs("■"),
    "large squares": big_glyphs("⬛"),
    "shades": big_glyphs("▓"),
    "two tables with patterns": half_tables,
    "two outlines": cross,
    "a plaque that goes beyond": plaque,
}


def add_transition(slide: Any, kind: str) -> object:
    set_transition(slide, kind)
    return slide


def on_slide_7(add_cover: Edit) -> Edit:
    return lambda deck: add_cover(slide_at(deck, 7))


for _name, _cover in COVERS.items():
    deck(RETITLE, f"every slide under {_name}", 0.2)(all_slides(_cover))
    deck(RETITLE, f"slide 7 under {_name}", 0.2)(on_slide_7(_cover))


def title(deck: Any) -> Any:
    return slide_at(deck, 7).shapes.title


def run(deck: Any) -> Any:
    return title(deck).text_frame.paragraphs[0].runs[0]


def properties(deck: Any) -> Any:
    return run(deck)._r.get_or_add_rPr()


def body(deck: Any) -> Any:
    return title(deck).text_frame._txBody.bodyPr


def insert_text(before: str = "", after: str = "", between: str = "") -> Edit:
    def edit(deck: Any) -> None:
        text = run(deck)._r.find(qn("a:t"))
        text.text = before + between.join(text.text) + after

    return edit


for _name, _deserved, _edit in (
    ("backwards by a control character", 0.3, insert_text("\u202e")),
    ("isolated and backwards", 0.3, insert_text("\u2067\u202e", "\u202c\u2069")),
    ("with invisible signs between the letters", 0.8, insert_text(between="\u2060")),
    ("with combining strokes", 0.3, insert_text(between="\u0336")),
    ("with a word joiner tag", 0.8, insert_text(after="\U000e0041\U000e0042")),
    ("behind 300 hard blanks", 0.6, insert_text("\u00a0" * 300)),
):
    deck(RETITLE, f"title {_name}", _deserved)(_edit)


@deck(RETITLE, "title on a highlight of its own colour", 0.2)
def _(d: Any) -> None:
    p = properties(d)
    for name in ("a:highlight", "a:solidFill"):
        p.insert(0, parse_xml(f'<{name} {nsdecls("a")}><a:srgbClr val="808080"/></{name}>'))


@deck(RETITLE, "title only as an outline in the colour behind it", 0.2)
def _(d: Any) -> None:
    p = properties(d)
    p.insert(0, parse_xml(f"<a:noFill {nsdecls('a')}/>"))
    line = '<a:solidFill><a:schemeClr val="tx2"/></a:solidFill>'
    p.insert(0, parse_xml(f'<a:ln w="3175" {nsdecls("a")}>{line}</a:ln>'))


deck(RETITLE, "title in one tenth of its size", 0.3)(
    lambda d: body(d).append(parse_xml(f'<a:normAutofit {nsdecls("a")} fontScale="10000"/>'))
)
deck(RETITLE, "title in letters on top of each other", 0.3)(
    lambda d: properties(d).set("spc", "-4000")
)
deck(RETITLE, "title set upright", 0.7)(lambda d: body(d).set("vert", "wordArtVert"))
deck(RETITLE, "title upside down in its box", 0.7)(lambda d: body(d).set("rot", "10800000"))
deck(RETITLE, "title pushed down by its inset", 0.3)(lambda d: body(d).set("tIns", str(H)))
deck(RETITLE, "title in 60 pt, red and struck through", 0.7)(
    lambda d: [
        properties(d).set("strike", "sngStrike"),
        properties(d).set("sz", "6000"),
    ]
)


def effect(slide: Any, kind: str, inner: str, delay_ms: int = 0) -> None:
    """Give every shape an effect that starts automatically."""
    parts = []
    for number, shape in enumerate(slide.shapes):
        target = f'<p:tgtEl><p:spTgt spid="{shape.shape_id}"/></p:tgtEl>'
        n = 10 + 10 * number
        parts.append(
            f'<p:par><p:cTn id="{n}" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>'
            f'<p:childTnLst><p:par><p:cTn id="{n + 1}" fill="hold"><p:stCondLst><p:cond delay="0"/>'
            f'</p:stCondLst><p:childTnLst><p:par><p:cTn id="{n + 2}" {kind} fill="hold" '
            f'nodeType="withEffect"><p:stCondLst><p:cond delay="{delay_ms}"/></p:stCondLst>'
            f"<p:childTnLst>{inner.format(target=target, id=n + 3)}</p:childTnLst></p:cTn></p:par>"
            "</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>"
        )
    for old in slide._element.findall(qn("p:timing")):
        slide._element.remove(old)
    slide._element.append(
        parse_xml(
            f'<p:timing {nsdecls("p", "a")}><p:tnLst><p:par><p:cTn id="1" dur="indefinite" '
            'nodeType="tmRoot"><p:childTnLst><p:seq><p:cTn id="2" dur="indefinite" '
            f'nodeType="mainSeq"><p:childTnLst>{"".join(parts)}</p:childTnLst></p:cTn></p:seq>'
            "</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
        )
    )


_SET = (
    '<p:set><p:cBhvr><p:cTn id="{{id}}" dur="1" fill="hold"/>{{target}}<p:attrNameLst><p:attrName>'
    "style.visibility</p:attrName></p:attrNameLst></p:cBhvr><p:to>"
    '<p:strVal val="{0}"/></p:to></p:set>'
)
_AWAY = (
    '<p:animMotion origin="layout" path="M 0 0 L 3 0" pathEditMode="relative"><p:cBhvr>'
    '<p:cTn id="{id}" dur="1" fill="hold"/>{target}</p:cBhvr></p:animMotion>'
)
deck(RETITLE, "every shape comes after ten minutes", 0.3)(
    all_slides(
        lambda s: effect(s, 'presetID="1" presetClass="entr"', _SET.format("visible"), 600_000)
    )
)
deck(RETITLE, "every shape goes after a tenth of a second", 0.3)(
    all_slides(lambda s: effect(s, 'presetID="1" presetClass="exit"', _SET.format("hidden"), 100))
)
deck(RETITLE, "every shape moves off the slide", 0.3)(
    all_slides(lambda s: effect(s, 'presetID="63" presetClass="path"', _AWAY))
)
deck(BACKUP, "every slide goes on by itself after 0.2 s", 0.6)(
    lambda d: [
        [
            add_transition(s, "fade")
            for s in d.slides
            if s._element.find(qn("p:transition")) is None
        ],
        [s._element.find(qn("p:transition")).set("advTm", "200") for s in d.slides],
    ]
)


@deck(RETITLE, "a body shape moved over the others", 0.7)
def _(d: Any) -> None:
    for s in d.slides:
        shapes = [x for x in s.shapes if x._element.tag == qn("p:pic")]
        for x in shapes[:1]:
            x.left, x.top, x.width, x.height = 0, 0, W, H
            s.shapes._spTree.append(x._element)


@deck(RENAME, "the new name in 60 pt", 0.7)
def _(d: Any) -> None:
    for s in d.slides:
        for r in list(s._element.iter(qn("a:r"))):
            before, found, after = (r.find(qn("a:t")).text or "").partition("TrailLight")
            if found:
                middle, end = deepcopy(r), deepcopy(r)
                r.find(qn("a:t")).text = before
                middle.find(qn("a:t")).text, end.find(qn("a:t")).text = found, after
                middle.get_or_add_rPr().set("sz", "6000")
                r.addnext(middle)
                middle.addnext(end)


def cell(deck: Any) -> Any:
    return shape_named(deck, 6, "Classes").table.cell(4, 1)


deck(TABLE, "the cell's words pushed out by its margin", 0.6)(
    lambda d: setattr(cell(d), "margin_left", Emu(W))
)
deck(TABLE, "the cell in 40 pt", 0.8)(
    lambda d: setattr(cell(d).text_frame.paragraphs[0].runs[0].font, "size", Pt(40))
)
deck(TABLE, "the cell upright", 0.9)(
    lambda d: cell(d)._tc.get_or_add_tcPr().set("vert", "wordArtVert")
)
deck(PICTURE, "the picture in grey", 0.9)(
    lambda d: etree.SubElement(
        shape_named(d, 5, "Cell")._element.find(".//" + qn("a:blip")), qn("a:grayscl")
    )
)
deck(PICTURE, "the picture under a frame without a hole", 0.3)(
    lambda d: _frame(slide_at(d, 5), shape_named(d, 5, "Cell"))
)


def _frame(slide: Any, around: Any) -> None:
    shape = slide.shapes.add_shape(158, around.left, around.top, around.width, around.height)
    shape.adjustments[0] = 0.5
    shape.fill.solid()


deck(BOARD, "the new line in 4 pt", 0.8)(
    lambda d: setattr(
        slide_at(d, 1).placeholders[1].text_frame.paragraphs[1].runs[0].font, "size", Pt(4)
    )
)
deck(BOARD, "each slide wipes another way", 0.75)(
    all_slides(
        lambda s: [
            s._element.remove(s._element.find(qn("p:transition"))),
            add_transition(s, "wipe"),
        ]
    )
)


@deck(BOARD, "fades, but the last two go on by themselves", 0.95)
def _(d: Any) -> None:
    for s in list(d.slides)[-2:]:
        s._element.find(qn("p:transition")).set("advTm", "1000")


def style(deck: Any, number: int, **values: str) -> object:
    for p in slide_at(deck, number).shapes.title.text_frame.paragraphs:
        for r in p.runs:
            for name, value in values.items():
                r._r.get_or_add_rPr().set(name, value)
    return deck


deck(ITALIC, "italic, and small capitals", 0.8)(lambda d: style(d, 2, i="1", cap="small"))
deck(ITALIC, "italic, and raised", 0.8)(lambda d: style(d, 2, i="1", baseline="30000"))
deck(ITALIC, "italic, and of another kind of anchor", 0.8)(
    lambda d: [
        style(d, 2, i="1"),
        slide_at(d, 2).shapes.title.text_frame._txBody.bodyPr.set("anchor", "b"),
        slide_at(d, 2).shapes.title.text_frame._txBody.bodyPr.set("lIns", "914400"),
    ]
)


@deck(CENTER, "centred, and everything else on the slide too", 0.8)
def _(d: Any) -> None:
    for p in slide_at(d, 3)._element.iter(qn("a:p")):
        p.get_or_add_pPr().set("algn", "ctr")


def duplicate(deck: Any, number: int, change: Callable[[Any], object] = lambda slide: None) -> None:
    source = slide_at(deck, number)
    copy = deck.slides.add_slide(source.slide_layout)
    for own in list(copy.shapes):
        own._element.getparent().remove(own._element)
    for element in source.shapes._spTree[2:]:
        copy.shapes._spTree.append(deepcopy(element))
    move_slide(deck, len(deck.slides), number + 1)
    change(copy)


def pile_up(slide: Any) -> None:
    for shape in slide.shapes:
        shape.left, shape.top, shape.width, shape.height = 0, 0, W // 3, H // 3


def garbage(slide: Any) -> None:
    for text in slide._element.iter(qn("a:t")):
        text.text = garble(text.text or "", 2)


def small(slide: Any) -> None:
    for r in slide._element.iter(qn("a:r")):
        r.get_or_add_rPr().set("sz", "500")


deck(DUPLICATE, "the copy piled up", 0.6)(lambda d: duplicate(d, 2, pile_up))
deck(DUPLICATE, "half of the copy's words garbage", 0.5)(lambda d: duplicate(d, 2, garbage))
deck(DUPLICATE, "the copy in 5 pt", 0.5)(lambda d: duplicate(d, 2, small))
deck(DUPLICATE, "the copy hatched", 0.4)(lambda d: duplicate(d, 2, hatching))


def new_slide(deck: Any, number: int) -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    move_slide(deck, len(deck.slides), number + 1)
    return slide


@deck(NEW, "the new slide full of words", 0.6)
def _(d: Any) -> None:
    slide = new_slide(d, 2)
    slide.shapes.title.text = "Lorem"
    slide.shapes.add_textbox(0, 0, W, H).text_frame.text = "ipsum dolor " * 50


deck(NEW, "the new slide black", 0.7)(
    lambda d: add_cover(new_slide(d, 2), (0, 0, W, H), "000000"),
)


# ---- equivalents of the goal ---------------------------------------------------------------------
@deck(RETITLE, "the title broken by a line break", 1.0, "legit")
def _(d: Any) -> None:
    text = run(d)._r
    rest = deepcopy(text)
    text.find(qn("a:t")).text, rest.find(qn("a:t")).text = "Tents are now", "our largest line"
    text.addnext(rest)
    text.addnext(text.makeelement(qn("a:br")))


@deck(BOARD, "the subtitle's lines in one paragraph", 1.0, "legit")
def _(d: Any) -> None:
    first, second = slide_at(d, 1).placeholders[1].text_frame.paragraphs
    first._p.append(first._p.makeelement(qn("a:br")))
    for r in list(second._p.findall(qn("a:r"))):
        first._p.append(r)
    second._p.getparent().remove(second._p)


@deck(ANSWERS, "the answers in one paragraph with line breaks", 0.9, "legit")
def _(d: Any) -> None:
    frame = slide_at(d, 20).placeholders[1].text_frame
    first, *others = frame.paragraphs
    for other in others:
        first._p.append(first._p.makeelement(qn("a:br")))
        for r in list(other._p.findall(qn("a:r"))):
            first._p.append(r)
        other._p.getparent().remove(other._p)


deck(ITALIC, "italic in three runs", 1.0, "legit")(
    lambda d: [
        slide_at(d, 2)
        .shapes.title.text_frame.paragraphs[0]
        .runs[0]
        ._r.addnext(
            deepcopy(_empty(slide_at(d, 2).shapes.title.text_frame.paragraphs[0].runs[0]._r))
        ),
        style(d, 2, i="1"),
    ]
)


def _empty(run: Any) -> Any:
    copy = deepcopy(run)
    copy.find(qn("a:t")).text = " "
    return copy


deck(DUPLICATE, "the copy as it is", 1.0, "legit")(lambda d: duplicate(d, 2))
deck(NEW, "the new slide as it is", 1.0, "legit")(lambda d: new_slide(d, 2))


@pytest.mark.parametrize(
    ("task", "deserved", "kind", "edit"),
    [(task, deserved, kind, edit) for task, _, deserved, kind, edit in DECKS],
    ids=[f"{task}: {name}" for task, name, *_ in DECKS],
)
def test_deck_scores_what_it_deserves(task: str, deserved: float, kind: str, edit: Edit) -> None:
    original = get_task(task).deck_bytes()
    tree = Scorer(get_task(task)).score(edit_deck(original, edit))
    assert tree.score is not None
    if kind == "legit":
        assert tree.score >= max(0.9, deserved - 0.1), tree.to_json()
    else:
        assert tree.score <= deserved + 0.1, tree.to_json()
