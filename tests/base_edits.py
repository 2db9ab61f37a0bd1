"""Edits of the base deck for tests of gold decks, drafts and checks."""

from typing import Any

from pptx.enum.text import PP_ALIGN


def retitle(lab: Any, deck: Any) -> None:
    deck.slides[1].shapes.title.text = "What we talk about"


def move_box(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "A").left = lab.inches(4)


def bold(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0].font.bold = True


def centered(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].alignment = PP_ALIGN.CENTER


def cell(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 3, "Sales").table.cell(1, 2).text = "13"


def hide(lab: Any, deck: Any) -> None:
    deck.slides[0]._element.set("show", "0")


def drop_logo(lab: Any, deck: Any) -> None:
    logo = lab.shape_named(deck, 4, "Logo")._element
    logo.getparent().remove(logo)


def recolor(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "C").fill.fore_color.rgb = lab.rgb("AA3300")


def new_data(lab: Any, deck: Any) -> None:
    chart = lab.shape_named(deck, 4, "Revenue chart").chart
    chart.replace_data(lab.chart_data(North=(1.0, 2.5), South=(3.0, 4.0)))
