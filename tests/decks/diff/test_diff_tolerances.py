"""Tolerances of the diff, each tested on both sides of its limit."""

from dataclasses import replace
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.decks import (
    Animation,
    Axis,
    Box,
    Bullet,
    Chart,
    Deck,
    Effect,
    Layout,
    Line,
    Master,
    Paint,
    Paragraph,
    Picture,
    Run,
    RunStyle,
    Series,
    Shape,
    Slide,
    TextFrame,
    Transition,
)
from pptarena.rewards import diff_decks

BOX = Box(1_000_000, 1_000_000, 2_000_000, 1_000_000)
RED = Paint("solid", "#FF0000", 50)


def _shape(**values: Any) -> Shape:
    defaults: dict[str, Any] = {"kind": "shape", "placeholder": "", "geometry": "rect", "box": BOX}
    return Shape(0, "Thing", **defaults | values)


def _text(style: RunStyle = RunStyle(), text: str = "Words", **values: Any) -> Shape:  # noqa: B008
    paragraph = Paragraph((Run(text, style),), **values)
    return _shape(paragraphs=(paragraph,), frame=TextFrame())


def _deck(*shapes: Shape, **values: Any) -> Deck:
    placed = tuple(replace(shape, index=index) for index, shape in enumerate(shapes))
    return Deck((Slide(0, 256, placed, **values),), 9_144_000, 6_858_000)


def _line(**values: Any) -> Shape:
    defaults: dict[str, Any] = {"paint": RED, "width_pt": 1.0}
    return _shape(line=Line(**defaults | values))


def _chart(kind: str = "column", categories: tuple[str, ...] = ("A", "B"), **axis: Any) -> Shape:
    series = Series("North", kind, categories, (1.0, 2.0))
    chart = Chart(kind, "", "", (series,), axes=(Axis(**{"kind": "category"} | axis),))
    return _shape(kind="chart", chart=chart)


STYLE = RunStyle(color="#204060")
DASH = Bullet("char", "-")
# The shape before, an equal shape, a different shape.
LIMITS: list[tuple[str, Shape, Shape, Shape]] = [
    ("place", _shape(), _shape(box=replace(BOX, left=1_018_000)),
     _shape(box=replace(BOX, left=1_020_000))),
    ("size", _shape(), _shape(box=replace(BOX, height=1_018_000)),
     _shape(box=replace(BOX, height=980_000))),
    ("rotation", _shape(), _shape(box=replace(BOX, rotation_deg=359.9)),
     _shape(box=replace(BOX, rotation_deg=359))),
    ("flip", _shape(), _shape(), _shape(box=replace(BOX, flip_h=True))),
    ("type size", _text(), _text(RunStyle(size_pt=18.2)), _text(RunStyle(size_pt=18.5))),
    ("color", _text(STYLE), _text(RunStyle(color="#214262")), _text(RunStyle(color="#284868"))),
    ("font", _text(RunStyle(font="Sans")), _text(RunStyle(font="sans")),
     _text(RunStyle(font="Serif"))),
    ("letter spacing", _text(), _text(RunStyle(spacing_pt=0.1)), _text(RunStyle(spacing_pt=1))),
    ("line spacing", _text(), _text(line_spacing_pct=101), _text(line_spacing_pct=103)),
    ("space before", _text(), _text(space_before_pt=0.2), _text(space_before_pt=1)),
    ("margin", _text(), _text(margin_emu=18_000), _text(margin_emu=20_000)),
    ("tabs", _text(), _text(tabs=((0, "l"),)), _text(tabs=((360_000, "l"),))),
    ("tab side", _text(tabs=((360_000, "l"),)), _text(tabs=((361_000, "l"),)),
     _text(tabs=((360_000, "r"),))),
    ("bullet size", _text(bullet=DASH), _text(bullet=replace(DASH, size_pct=99.5)),
     _text(bullet=replace(DASH, size_pct=90.0))),
    ("no bullet", _text(bullet=Bullet()), _text(bullet=Bullet("none", "-", 4)),
     _text(bullet=DASH)),
    ("blanks at the end", _text(), _text(text="Words "), _text(text=" Words")),
    ("opacity", _shape(fill=RED), _shape(fill=replace(RED, opacity_pct=51)),
     _shape(fill=replace(RED, opacity_pct=52))),
    ("fill", _shape(fill=RED), _shape(fill=replace(RED, color="#FD0202")),
     _shape(fill=replace(RED, color="#F00000"))),
    ("line width", _line(), _line(width_pt=1.2), _line(width_pt=1.5)),
    ("no line", _line(paint=Paint()), _line(paint=Paint(), width_pt=3.0, dash="dot"), _line()),
    ("adjustments", _shape(adjustments=(("adj", 50_000),)), _shape(adjustments=(("adj", 50_060),)),
     _shape(adjustments=(("adj", 50_300),))),
    ("order of effects", _shape(effects=(Effect("glow"), Effect("shadow"))),
     _shape(effects=(Effect("shadow"), Effect("glow"))), _shape(effects=(Effect("glow"),))),
    ("insets", _text(), replace(_text(), frame=TextFrame((91_000, 46_000, 91_000, 46_000))),
     replace(_text(), frame=TextFrame((0, 45_720, 91_440, 45_720)))),
    ("crop", _shape(picture=Picture("a")), _shape(picture=Picture("a", (0.2, 0, 0, 0))),
     _shape(picture=Picture("a", (0.5, 0, 0, 0)))),
    ("numbers in names", _shape(), replace(_shape(), name="Thing 7"), replace(_shape(), name="X")),
    ("alt text", _shape(alt_text="A"), _shape(alt_text=" A "), _shape(alt_text="B")),
    ("chart values", _chart(), _chart(), _chart(categories=("A", "C"))),
    ("radar", _chart("radar"), _chart("radar", reversed=True), _chart("radar", hidden=True)),
    ("axis of others", _chart(), _chart(), _chart(reversed=True)),
    ("format of words", _chart(), _chart(number_format="0.0"), _chart(title="Sales")),
    ("format of numbers", _chart("line", ("1", "2")), _chart("line", ("1", "2")),
     _chart("line", ("1", "2"), number_format="0.0")),
    ("other format", _chart(number_format="0.0"), _chart(), _chart(number_format="0.00")),
]  # fmt: skip


@each_case("before, same, other", [each[1:] for each in LIMITS],
                         ids=[each[0] for each in LIMITS])  # fmt: skip
def test_tolerance_on_both_sides_of_its_limit(before: Shape, same: Shape, other: Shape) -> None:
    assert [change.text for change in diff_decks(_deck(before), _deck(same))] == []
    assert len(diff_decks(_deck(before), _deck(other))) == 1


def _transitions(*transitions: Transition) -> Deck:
    slides = tuple(
        Slide(index, 256 + index, (replace(_text(text=f"Slide {index}")),), transition=each)
        for index, each in enumerate(transitions)
    )
    return Deck(slides, 9_144_000, 6_858_000)


class TestTransitions:
    @pytest.mark.parametrize("kind", ["push", "cover", "pull"])
    def test_reversing_all_directions_is_no_change(self, kind: str) -> None:
        left, right = Transition(kind, "", 0.5), Transition(kind, "dir=r", 0.5)
        assert diff_decks(_transitions(left, right), _transitions(right, left)) == ()

    def test_reversing_one_direction_is_a_change(self) -> None:
        left, right = Transition("push", "dir=l", 0.5), Transition("push", "dir=r", 0.5)
        (change,) = diff_decks(_transitions(left, left), _transitions(left, right))
        assert (change.kind, change.slide) == ("transition_changed", 2)

    def test_other_directions_are_changes(self) -> None:
        pairs = [("push", "dir=u", "dir=d"), ("push", "", "dir=u"), ("wipe", "", "dir=r")]
        for kind, old, new in pairs:
            first, second = (_transitions(Transition(kind, each, 0.5)) for each in (old, new))
            assert len(diff_decks(first, second)) == 1, (kind, old, new)

    def test_duration_tolerance(self) -> None:
        for seconds, count in ((0.54, 0), (0.6, 1)):
            first, second = (_transitions(Transition("fade", "", t)) for t in (0.5, seconds))
            assert len(diff_decks(first, second)) == count

    def test_delay_tolerance(self) -> None:
        effect = Animation("entrance", "fade", 10, "on_click", 0, None, 0.5, 1.0)
        for delay, count in ((1.04, 0), (1.1, 1)):
            late = replace(effect, delay_sec=delay)
            first, second = (_deck(_shape(), animations=(each,)) for each in (effect, late))
            assert len(diff_decks(first, second)) == count


def _connector(geometry: str, *adjustments: int, **box: Any) -> Shape:
    values = tuple((f"adj{n}", value) for n, value in enumerate(adjustments, start=1))
    return _shape(kind="line", geometry=geometry, adjustments=values, box=replace(BOX, **box))


class TestConnectors:
    def test_equivalent_routes_are_equal(self) -> None:
        corner = _connector("bentConnector2")
        pairs = [
            (corner, _connector("bentConnector3", 100_000)),
            (_connector("bentConnector3"), _connector("bentConnector3", rotation_deg=180.0)),
            (_connector("bentConnector3", 30_000), _connector("bentConnector3", 30_500)),
            (_connector("line"), _connector("line", flip_h=True, flip_v=True)),
        ]
        for before, after in pairs:
            assert diff_decks(_deck(before), _deck(after)) == (), after

    def test_different_routes_are_changes(self) -> None:
        pairs = [
            (_connector("bentConnector2"), _connector("bentConnector3")),
            (_connector("bentConnector3"), _connector("bentConnector3", 60_000)),
            (_connector("bentConnector3"), _connector("curvedConnector3")),
            (_connector("line"), _connector("line", flip_h=True)),
            (_connector("bentConnector2"), _connector("bentConnector2", left=1_100_000)),
        ]
        for before, after in pairs:
            assert diff_decks(_deck(before), _deck(after)), after

    def test_reversed_arrow_is_a_change(self) -> None:
        arrow = replace(_connector("line"), line=Line(RED, 1.0, ends=("none", "arrow")))
        reversed_arrow = replace(arrow, box=replace(BOX, flip_h=True, flip_v=True))
        assert diff_decks(_deck(arrow), _deck(reversed_arrow))


def _placeholder(kind: str, **values: Any) -> Shape:
    return _shape(**{"kind": "placeholder", "placeholder": kind, "geometry": "rect"} | values)


def _deck_with_master(*layouts: Layout, shapes: tuple[Shape, ...] = (), used: int = 0) -> Deck:
    placed = tuple(replace(shape, index=index) for index, shape in enumerate(shapes))
    master = Master((), ("Serif", "Sans"), RED, "Office", "Office", placed, (), layouts)
    name = layouts[used].name if layouts else ""
    slide = Slide(0, 256, (_text(),), name, layout_index=used)
    return Deck((slide,), 9_144_000, 6_858_000, (master,))


def _layout(name: str = "Title", *shapes: Shape, kind: str = "title") -> Layout:
    placed = tuple(replace(shape, index=index) for index, shape in enumerate(shapes))
    return Layout(name, kind, RED, placed)


class TestMasters:
    def test_master_placeholders_matter_only_through_layouts(self) -> None:
        moved = _placeholder("title", box=replace(BOX, top=3_000_000))
        before = _deck_with_master(
            _layout("Title", _placeholder("title")), shapes=(_placeholder("title"),)
        )
        overridden = _deck_with_master(_layout("Title", _placeholder("title")), shapes=(moved,))
        inherited = _deck_with_master(_layout("Title", moved), shapes=(moved,))
        assert diff_decks(before, overridden) == ()
        (change,) = diff_decks(before, inherited)
        assert change.aspect == "master"
        assert "place" in change.text

    def test_other_master_shapes_matter(self) -> None:
        before, after = (
            _deck_with_master(_layout(), shapes=(each,)) for each in (_shape(), _text())
        )
        assert len(diff_decks(before, after)) == 1
        assert len(diff_decks(before, _deck_with_master(_layout()))) == 1

    def test_layout_placeholder_may_grow_with_its_text_but_not_move(self) -> None:
        grows = _placeholder("title", autofit="shape")
        taller = replace(grows, box=replace(BOX, top=900_000, height=1_200_000))
        moved = replace(grows, box=replace(BOX, top=900_000))
        fixed = replace(taller, autofit="none")
        before = _deck_with_master(_layout("Title", grows))
        assert diff_decks(before, _deck_with_master(_layout("Title", taller))) == ()
        assert diff_decks(before, _deck_with_master(_layout("Title", moved)))
        still = _deck_with_master(_layout("Title", replace(grows, autofit="none")))
        assert diff_decks(still, _deck_with_master(_layout("Title", fixed)))

    def test_footer_prompt_is_ignored_but_footer_text_is_not(self) -> None:
        def footer(text: str) -> Deck:
            paragraphs = _text(text=text).paragraphs
            return _deck_with_master(_layout("Title", _placeholder("ftr", paragraphs=paragraphs)))

        assert diff_decks(footer("<footer>"), footer("")) == ()
        assert diff_decks(footer("<footer>"), footer("Acme 2026"))

    def test_unused_application_layout_is_ignored(self) -> None:
        used, own = _layout("Title"), _layout("Default", _placeholder("title"), kind="x")
        before = _deck_with_master(used)
        assert diff_decks(before, _deck_with_master(used, own)) == ()
        assert diff_decks(_deck_with_master(used, own), before) == ()
        assert diff_decks(before, _deck_with_master(used, replace(own, name="Mine")))
        assert diff_decks(_deck_with_master(used, own), _deck_with_master(used, own, used=1))

    def test_layout_is_removed_with_its_slides(self) -> None:
        first, second = _layout("Title"), _layout("Other", _placeholder("title"), kind="x")
        before = _deck_with_master(first, second, used=1)
        kinds = {change.kind for change in diff_decks(before, _deck_with_master(first))}
        assert kinds == {"layout_changed"}
        unused = {
            change.kind
            for change in diff_decks(_deck_with_master(first, second), _deck_with_master(first))
        }
        assert unused == {"layout_removed"}

    def test_layout_geometry_follows_the_slide_size(self) -> None:
        before = _deck_with_master(_layout("Title", _placeholder("title")))
        box = replace(BOX, left=2_000_000, width=4_000_000)
        for layout, count in (
            (_placeholder("title", box=box), 1),
            (_placeholder("title", fill=RED), 2),
        ):
            after = replace(_deck_with_master(_layout("Title", layout)), width_emu=2 * 9_144_000)
            assert len(diff_decks(before, after)) == count

    def test_application_placeholders_on_a_blank_layout_are_ignored(self) -> None:
        def blank(*texts: str) -> Deck:
            holders = (
                _placeholder("title", paragraphs=_text(text=text).paragraphs) for text in texts
            )
            return _deck_with_master(_layout("Blank", *holders, kind="blank"))

        prompt = "Click to edit the title text format"
        assert diff_decks(blank(), blank(prompt)) == ()
        assert diff_decks(blank(prompt), blank()) == ()
        assert diff_decks(blank(), blank("A title"))

    def test_default_layout_name_is_ignored(self) -> None:
        before = _deck_with_master(_layout("Title", _shape()))
        assert diff_decks(before, _deck_with_master(_layout("Default", _shape()))) == ()
        assert diff_decks(before, _deck_with_master(_layout("Mine", _shape())))
        changed = _deck_with_master(_layout("Default", _shape(fill=RED)))
        assert {change.aspect for change in diff_decks(before, changed)} == {"master", "layout"}
