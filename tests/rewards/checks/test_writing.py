from typing import Any

import pytest
from pptx.enum.text import MSO_AUTO_SIZE, MSO_VERTICAL_ANCHOR
from pptx.util import Pt

pytestmark = pytest.mark.slow


def _replace(old: str, new: str, *names: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for name in names:
            frame = lab.shape_named(deck, 1, name).text_frame
            for paragraph in frame.paragraphs:
                for run in paragraph.runs:
                    run.text = run.text.replace(old, new)

    return edit


def _both(*edits: Any) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for each in edits:
            each(lab, deck)

    return edit


def _hide_motto(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 1, "Motto")._element.nvSpPr.cNvPr.set("hidden", "1")


def _space(after: float, count: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for paragraph in lab.shape_named(deck, 1, "Motto").text_frame.paragraphs[:count]:
            paragraph.space_after = Pt(after)
            paragraph.line_spacing = Pt(30)

    return edit


def _frame(anchor: Any, columns: int = 1) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        frame = lab.shape_named(deck, 1, "Motto").text_frame
        frame.vertical_anchor, frame.auto_size = anchor, MSO_AUTO_SIZE.NONE
        frame._txBody.bodyPr.set("numCol", str(columns))

    return edit


SPELLING = {"slide": 1, "corrections": [["recieved", "received"], ["recieve", "receive"]]}
FIRST = _replace("recieved", "received", "Title 1")
SECOND = _replace("recieve", "receive", "Motto")
MOTTO = {"slide": 1, "shape": "Motto"}
SPACING = MOTTO | {"after_pt": 12, "line_pt": 30}
MIDDLE = MOTTO | {"anchor": "middle", "columns": 2}

CASES = [
    ("spelling_fixed", SPELLING, _both(FIRST, SECOND), 1, 1),
    ("spelling_fixed", SPELLING, FIRST, 0.5, 0.5),
    ("spelling_fixed", SPELLING, _replace("recieve", "", "Title 1", "Motto"), 0, 0),
    ("spelling_fixed", SPELLING, _both(FIRST, SECOND, _hide_motto), 0.5, 0.5),
    ("paragraph_spacing", SPACING, _space(12, 2), 1, 1),
    ("paragraph_spacing", SPACING, _space(12, 1), 0.5, 0.5),
    ("paragraph_spacing", SPACING | {"line_pt": None}, _space(6, 2), 0, 0),
    ("text_frame_is", MIDDLE, _frame(MSO_VERTICAL_ANCHOR.MIDDLE, 2), 1, 1),
    ("text_frame_is", MIDDLE, _frame(MSO_VERTICAL_ANCHOR.MIDDLE), 0.5, 0.5),
    ("text_frame_is", MIDDLE, _frame(MSO_VERTICAL_ANCHOR.BOTTOM), 0, 0),
    ("text_frame_is", MOTTO | {"autofit": "none", "anchor": "top"},
     _frame(MSO_VERTICAL_ANCHOR.TOP), 1, 1),
]  # fmt: skip


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)


def test_correction_without_the_misspelling_is_unscored(rich: Any) -> None:
    args = {"slide": 1, "corrections": [["teh", "the"]]}
    assert rich.check("spelling_fixed", args).score is None
