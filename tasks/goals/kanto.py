"""The goals of the suite ``office`` on the deck ``kanto``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.tasks.goals.editing import (
    delete_slide,
    move_slide,
    rewrite_cell,
    set_body_line,
    set_layout,
    set_notes,
    set_title,
    set_transition,
    shape_named,
    slide_at,
)

__all__ = ["KANTO_GOALS"]

_CHAPTERS = (3, 7, 13, 19)


def _cover_date(deck: Any) -> None:
    set_body_line(deck, 1, 2, "2026年10月21日")


def _net_sales(deck: Any) -> None:
    for number, what in ((6, "月別"), (8, "地域別"), (14, "商品別")):
        set_title(deck, number, f"{what}の売上高")


def _read_across(deck: Any) -> None:
    shape_named(deck, 4, "速報").text_frame._txBody.bodyPr.set("vert", "horz")


def _bun_picture(deck: Any) -> None:
    shape_named(deck, 15, "あんパン").height = Cm(9)


def _descriptions(deck: Any) -> None:
    for number, name, text in (
        (10, "地図", "関東五都県の店舗の地図"),
        (15, "あんパン", "皿にのった月のあんパン"),
        (15, "食パン", "湯種の食パン一本"),
        (16, "外観", "柏の葉店の正面"),
    ):
        shape_named(deck, number, name)._element.nvPicPr.cNvPr.set("descr", text)


def _speakers(deck: Any) -> None:
    said = ("五分、佐藤", "十分、田中", "十五分、鈴木", "十分、高橋")
    for number, text in zip(_CHAPTERS, said, strict=True):
        set_notes(deck, number, text)


def _closing_layouts(deck: Any) -> None:
    for number in (24, 25):
        set_layout(deck, number, "Section Header")


def _chapter_fade(deck: Any) -> None:
    for number in _CHAPTERS:
        slide = slide_at(deck, number)
        old = slide._element.find(qn("p:transition"))
        old.getparent().remove(old)
        set_transition(slide, "fade")


def _draw_again(
    deck: Any, number: int, name: str, names: Sequence[str], series: Mapping[str, Sequence[int]]
) -> None:
    chart = shape_named(deck, number, name).chart
    new_data: Any = CategoryChartData
    data = new_data(number_format="#,##0")
    data.categories = names
    for label, values in series.items():
        data.add_series(label, values)
    chart.replace_data(data)


def _late_till(deck: Any) -> None:
    for number, name, row, column, text in (
        (6, "月別", 7, 2, "590"),
        (6, "月別", 8, 2, "3,340"),
        (8, "地域別", 4, 3, "550"),
        (8, "地域別", 7, 3, "3,340"),
        (14, "商品別", 3, 3, "1,130"),
        (14, "商品別", 6, 3, "3,340"),
        (20, "下期", 4, 2, "550"),
        (20, "下期", 7, 2, "3,340"),
    ):
        rewrite_cell(deck, number, name, row, column, text)
    months = ("四月", "五月", "六月", "七月", "八月", "九月")
    _draw_again(deck, 6, "月別グラフ", months, {"売上": (540, 560, 530, 570, 550, 590)})
    areas = ("東京", "神奈川", "埼玉", "千葉", "茨城")
    by_area = {"前年": (1180, 845, 560, 455, 205), "当期": (1240, 860, 550, 480, 210)}
    _draw_again(deck, 8, "地域別グラフ", areas, by_area)
    sorts = ("食パン", "菓子パン", "惣菜パン", "焼き菓子")
    by_sort = {"前年": (990, 1020, 770, 465), "当期": (980, 1130, 760, 470)}
    _draw_again(deck, 14, "商品別グラフ", sorts, by_sort)
    set_body_line(deck, 3, 1, "売上は3,340百万円")
    set_body_line(deck, 13, 1, "菓子パンが1,130百万円で首位")
    shape_named(deck, 4, "数字 1").text_frame.paragraphs[0].runs[0].text = "3,340"


def _short_version(deck: Any) -> None:
    timing = slide_at(deck, 17)._element.find(qn("p:timing"))
    timing.getparent().remove(timing)
    for number in (25, 26):
        slide_at(deck, number)._element.set("show", "0")
    move_slide(deck, 20, 3)
    for number in (23, 19):  # 売上ナビの使い方 and お客様の声, the second one place further back
        delete_slide(deck, number)


def _rehearsal(deck: Any) -> None:
    set_title(deck, 12, "神奈川と埼玉の状況")


KANTO_GOALS: Mapping[str, Callable[[Any], None]] = {
    "kanto-bun-picture": _bun_picture,
    "kanto-chapter-fade": _chapter_fade,
    "kanto-closing-layouts": _closing_layouts,
    "kanto-cover-date": _cover_date,
    "kanto-descriptions": _descriptions,
    "kanto-late-till": _late_till,
    "kanto-net-sales": _net_sales,
    "kanto-read-across": _read_across,
    "kanto-rehearsal": _rehearsal,
    "kanto-short-version": _short_version,
    "kanto-speakers": _speakers,
}
"""What carries out each task, as in ``office``."""
