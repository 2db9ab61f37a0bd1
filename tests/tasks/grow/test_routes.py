"""Which generated tasks can be played by macros: those whose shapes the screen tells apart."""

import io
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from tests.tasks.grow.conftest import drawn

from pptarena.tasks.grow import DeckGrower


def _routes(deck: Any, operator: str, save: Any = None) -> list[Any]:
    stream = io.BytesIO()
    deck.save(stream)
    drafts = drawn(DeckGrower(stream.getvalue(), "deck.pptx", save), operator, 20)
    return [(draft.is_playable, draft.row(0)["solution"][0]["shape"]) for draft in drafts]


def _boxes(*names: str) -> Any:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for position, name in enumerate(names):
        box = slide.shapes.add_textbox(Inches(1), Inches(1 + position), Inches(4), Inches(1))
        box.name, box.text_frame.text = name, f"{position} words"
    return deck


def test_shapes_of_their_own_names_can_be_played() -> None:
    found = _routes(_boxes("One", "Two"), "bold-text")
    assert {playable for playable, _ in found} == {True}


def test_shapes_of_one_name_cannot() -> None:
    found = _routes(_boxes("One", "One"), "bold-text")
    assert {playable for playable, _ in found} == {False}


def test_nor_if_only_saving_gave_them_other_names() -> None:
    def save(files: Any) -> list[bytes]:
        stream = io.BytesIO()
        _boxes("One", "Two").save(stream)
        return [stream.getvalue() for _ in files]

    found = _routes(_boxes("One", "One"), "bold-text", save)
    assert found
    # The second box has a name of its own in both; on the screen, the first has two.
    assert [not playable or shape == "Two" for playable, shape in found] == [True] * len(found)


def _chart(*outer: str) -> Any:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData()  # type: ignore[no-untyped-call]
    for name in outer or ("A", "B", "C"):
        category = data.add_category(name)  # type: ignore[no-untyped-call]
        for inner in ("east", "west") if outer else ():
            category.add_sub_category(f"{name} {inner}")
    data.add_series("Sales", (1, 2, 3, 4)[: 2 * len(outer) or 3])  # type: ignore[no-untyped-call]
    slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(6), Inches(4), data
    )
    return deck


def test_values_of_a_chart_can_be_played() -> None:
    found = _routes(_chart(), "chart-value")
    assert {playable for playable, _ in found} == {True}


def test_values_behind_several_columns_of_names_cannot() -> None:
    found = _routes(_chart("North", "South"), "chart-value")
    assert {playable for playable, _ in found} == {False}


def test_a_text_becomes_no_link_that_nobody_could_read() -> None:
    deck = _boxes("Plain", "On blue")
    box = deck.slides[0].shapes[1]
    box.fill.solid()
    box.fill.fore_color.rgb = RGBColor.from_string("0000F0")  # type: ignore[no-untyped-call]  # the theme's links are 0000FF
    found = _routes(deck, "link-text")
    assert {shape for _, shape in found} == {"Plain"}
