"""Generated tasks are playable by macros if the screen distinguishes their shapes."""

from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from tests.conftest import save
from tests.each_case import each_case
from tests.tasks.generator.conftest import sample_drafts

from pptarena.tasks.generator import DeckGenerator


def _routes(deck: Any, operator: str, application: Any = None) -> list[Any]:
    drafts = sample_drafts(DeckGenerator(save(deck), "deck.pptx", application), operator, 20)
    return [(draft.is_playable, draft.row(0)["solution"][0]["shape"]) for draft in drafts]


def _boxes(*names: str) -> Any:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for position, name in enumerate(names):
        box = slide.shapes.add_textbox(Inches(1), Inches(1 + position), Inches(4), Inches(1))
        box.name, box.text_frame.text = name, f"{position} words"
    return deck


def test_names_made_unique_by_saving_are_not_playable() -> None:
    def application(files: Any) -> list[bytes]:
        return [save(_boxes("One", "Two"))] * len(files)

    routes = _routes(_boxes("One", "One"), "bold-text", application)
    assert routes
    # Only the second box has a unique name in both files.
    assert [not playable or shape == "Two" for playable, shape in routes] == [True] * len(routes)


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


@each_case(
    "deck, operator, is_playable",
    [
        (_boxes("One", "Two"), "bold-text", True),
        (_boxes("One", "One"), "bold-text", False),
        (_chart(), "chart-value", True),
        (_chart("North", "South"), "chart-value", False),  # several columns of categories
    ],
    ids=["distinct names", "same name", "chart", "nested categories"],
)
def test_tasks_are_playable_if_their_target_is_unambiguous(
    deck: Any, operator: str, is_playable: bool
) -> None:
    assert {playable for playable, _ in _routes(deck, operator)} == {is_playable}


def test_link_tasks_avoid_illegible_links() -> None:
    deck = _boxes("Plain", "On blue")
    box = deck.slides[0].shapes[1]
    box.fill.solid()
    box.fill.fore_color.rgb = RGBColor.from_string("0000F0")  # type: ignore[no-untyped-call]  # the theme's links are 0000FF
    routes = _routes(deck, "link-text")
    assert {shape for _, shape in routes} == {"Plain"}
