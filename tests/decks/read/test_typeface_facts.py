"""Typefaces of East Asian and complex scripts: read, inherited, compared, scored and set."""

from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml.ns import qn
from pptx.util import Inches
from tests.each_case import each_case

from pptarena.decks.package.names import A_NS
from pptarena.decks.package_writer import write_package
from pptarena.decks.typefaces import set_typeface
from pptarena.rewards import diff_decks, load_rubric, read_deck, score

CHINESE, JAPANESE, KOREAN = "市场战略", "売上の報告", "매출 보고"
ARABIC, HEBREW, THAI, HINDI = "تقرير المبيعات", "דוח מכירות", "รายงานยอดขาย", "बिक्री रिपोर्ट"
_TITLE = "Title 1"

Edit = Callable[[Any], None]


def _xml(inside: str) -> Any:
    return etree.fromstring(f'<a:x xmlns:a="{A_NS}">{inside}</a:x>')


def _deck(text: str, fonts: str = "", edit: Edit | None = None, run: str = "") -> bytes:
    """Return a deck with a box; `fonts` are children of the properties of its run."""
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = _TITLE
    box = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(6), Inches(1))
    box.name = "Box"
    box.text_frame.text = text
    for each in box.text_frame.paragraphs[0].runs:
        properties = each._r.get_or_add_rPr()
        for name, value in _xml(f"<a:y {run}/>")[0].items():
            properties.set(name, value)
        properties.extend(list(_xml(fonts)))
    if edit is not None:
        edit(presentation)
    return write_package(presentation)


def _fonts(deck: bytes, shape_name: str = "Box") -> list[tuple[str, str]]:
    shape_facts = next(each for each in read_deck(deck).slides[0].shapes if each.name == shape_name)
    return [(run.text, run.style.font) for run in shape_facts.paragraphs[0].runs]


def _theme(*fonts: str) -> Edit:
    """Return an edit that replaces the non-Latin fonts of the theme."""

    def edit(presentation: Any) -> None:
        part = next(
            rel.target_part
            for rel in presentation.slide_masters[0].part.rels.values()
            if rel.reltype.endswith("/theme")
        )
        root: Any = etree.fromstring(part.blob)
        for which in ("majorFont", "minorFont"):
            holder = root.find(f".//{qn(f'a:{which}')}")
            for each in list(holder)[1:]:
                holder.remove(each)
            for font in fonts:
                holder.extend(list(_xml(font)))
        part._blob = etree.tostring(root)

    return edit


_LATIN, _EA, _CS = (f'<a:{each} typeface="{each}-face"/>' for each in ("latin", "ea", "cs"))


@pytest.mark.parametrize(
    ("font", "texts"),
    [("ea-face", (CHINESE, JAPANESE, KOREAN)), ("cs-face", (ARABIC, HEBREW, THAI, HINDI))],
)
def test_scripts_use_their_typeface(font: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        assert _fonts(_deck(text, _LATIN + _EA + _CS)) == [(text, font)]


def test_mixed_run_is_split_by_typeface() -> None:
    assert _fonts(_deck("Market 市场战略 2024 المبيعات", _LATIN + _EA + _CS)) == [
        ("Market ", "latin-face"),
        ("市场战略 ", "ea-face"),
        ("2024 ", "latin-face"),
        ("المبيعات", "cs-face"),
    ]
    same_fonts = "".join(f'<a:{each} typeface="Same"/>' for each in ("latin", "ea", "cs"))
    assert _fonts(_deck("Market 市场", same_fonts)) == [("Market 市场", "Same")]


def test_run_boundaries_do_not_matter() -> None:
    def split(presentation: Any) -> None:
        run = presentation.slides[0].shapes[1].text_frame.paragraphs[0].runs[0]._r
        for part in ("——", "增长"):
            copy: Any = etree.fromstring(etree.tostring(run))
            copy.find(qn("a:t")).text = part
            run.getparent().append(copy)

    one_run, split_runs = _deck("销售——增长", _LATIN + _EA), _deck("销售", _LATIN + _EA, split)
    assert _fonts(one_run) == _fonts(split_runs) == [("销售——增长", "ea-face")]


@pytest.mark.parametrize(
    ("fonts", "expected"),
    [
        ('<a:ea typeface="+mn-ea"/>', "Minor"),
        ('<a:ea typeface="+mj-ea"/>', "Minor"),
        ('<a:ea typeface="+mn-lt"/>', "Calibri"),
        ('<a:ea typeface=""/>', "Minor"),
        ("", "Minor"),
        (_LATIN, "Minor"),
    ],
)
def test_theme_font_references(fonts: str, expected: str) -> None:
    deck = _deck(CHINESE, fonts, _theme('<a:ea typeface="Minor"/>', '<a:cs typeface="Complex"/>'))
    assert _fonts(deck) == [(CHINESE, expected)]


_LISTS = (
    '<a:ea typeface=""/>',
    '<a:cs typeface=""/>',
    *(
        f'<a:font script="{script}" typeface="for {script}"/>'
        for script in ("Jpan", "Hang", "Hans", "Hant", "Arab", "Hebr", "Thai", "Deva")
    ),
)


@pytest.mark.slow
@each_case(
    "text, run, expected",
    [
        (JAPANESE, "", "for Jpan"),
        (KOREAN, "", "for Hang"),
        (CHINESE, "", "for Hans"),
        (CHINESE, 'lang="zh-CN" altLang="en-US"', "for Hans"),
        (CHINESE, 'lang="zh-TW"', "for Hant"),
        (CHINESE, 'lang="en-US" altLang="ja-JP"', "for Jpan"),
        (CHINESE, 'lang="ko-KR" altLang="ja-JP"', "for Hang"),
        (ARABIC, "", "for Arab"),
        (HEBREW, "", "for Hebr"),
        (THAI, "", "for Thai"),
        (HINDI, "", "for Deva"),
        ("ትርፍ", "", ""),
    ],
)
def test_theme_fonts_by_script(text: str, run: str, expected: str) -> None:
    assert _fonts(_deck(text, "", _theme(*_LISTS), run)) == [(text, expected)]


def _in_list_style(presentation: Any) -> None:
    body = presentation.slides[0].shapes[1].text_frame._txBody
    style = _xml(f"<a:lstStyle><a:lvl1pPr><a:defRPr>{_EA}{_CS}</a:defRPr></a:lvl1pPr></a:lstStyle>")
    body.replace(body.find(qn("a:lstStyle")), style[0])


def _in_presentation(presentation: Any) -> None:
    properties = presentation.element.find(f"{qn('p:defaultTextStyle')}/{qn('a:lvl1pPr')}")
    default = properties.find(qn("a:defRPr"))
    for each in default.findall(qn("a:ea")) + default.findall(qn("a:cs")):
        default.remove(each)
    default.extend(list(_xml(_EA + _CS)))


def _in_shape_style(presentation: Any) -> None:
    shape = presentation.slides[0].shapes[1]._element
    namespace = "http://schemas.openxmlformats.org/presentationml/2006/main"
    shape.spPr.addnext(
        etree.fromstring(
            f'<p:style xmlns:p="{namespace}" xmlns:a="{A_NS}"><a:lnRef idx="0"/>'
            '<a:fillRef idx="0"/><a:effectRef idx="0"/><a:fontRef idx="minor"/></p:style>'
        )
    )
    _theme('<a:ea typeface="ea-face"/>', '<a:cs typeface="cs-face"/>')(presentation)


@pytest.mark.parametrize("edit", [_in_list_style, _in_presentation, _in_shape_style])
@pytest.mark.parametrize(("text", "font"), [(JAPANESE, "ea-face"), (ARABIC, "cs-face")])
def test_typefaces_are_inherited(edit: Edit, text: str, font: str) -> None:
    assert _fonts(_deck(text, _LATIN, edit)) == [(text, font)]


@pytest.mark.parametrize("source", ["master", "layout"])
def test_placeholders_inherit_typefaces(source: str) -> None:
    def edit(presentation: Any) -> None:
        slide = presentation.slides[0]
        slide.shapes.title.text = JAPANESE
        if source == "master":
            styles = presentation.slide_masters[0]._element.find(qn("p:txStyles"))
            default = styles.find(f"{qn('p:titleStyle')}/{qn('a:lvl1pPr')}/{qn('a:defRPr')}")
            for each in default.findall(qn("a:ea")):
                default.remove(each)
            default.extend(list(_xml(_EA)))
        else:
            body = slide.slide_layout.placeholders[0].text_frame._txBody
            style = f"<a:lstStyle><a:lvl1pPr><a:defRPr>{_EA}</a:defRPr></a:lvl1pPr></a:lstStyle>"
            body.replace(body.find(qn("a:lstStyle")), _xml(style)[0])

    assert _fonts(_deck("", edit=edit), _TITLE) == [(JAPANESE, "ea-face")]


def _table(font: str) -> Edit:
    def edit(presentation: Any) -> None:
        shapes = presentation.slides[0].shapes
        frame = shapes.add_table(1, 1, Inches(1), Inches(4), Inches(4), Inches(1))
        cell = frame.table.cell(0, 0)
        cell.text = CHINESE
        properties = cell.text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr()
        properties.extend(list(_xml(f'<a:ea typeface="{font}"/>')))

    return edit


def _chart(font: str) -> Edit:
    def edit(presentation: Any) -> None:
        data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
        data.categories = ["A"]
        data.add_series("One", (1,))
        position = Inches(1), Inches(4), Inches(4), Inches(2)
        shapes = presentation.slides[0].shapes
        chart = shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *position, data).chart
        chart.has_title = True
        chart.chart_title.text_frame.text = CHINESE
        run = chart.chart_title.text_frame.paragraphs[0].runs[0]
        run._r.get_or_add_rPr().extend(list(_xml(f'<a:ea typeface="{font}"/>')))

    return edit


def _changes(before: bytes, after: bytes) -> list[str]:
    return [change.what for change in diff_decks(read_deck(before), read_deck(after))]


@pytest.mark.parametrize("make", [_table, _chart])
def test_typeface_changes_in_tables_and_charts_are_reported(make: Callable[[str], Edit]) -> None:
    before, after = _deck("", edit=make("SimSun")), _deck("", edit=make("KaiTi"))
    assert _changes(before, before) == []
    (detail,) = _changes(before, after)
    assert "font" in detail


def _score(before: bytes, after: bytes, font: str) -> float | None:
    args = {"slide": 1, "shape": "Box", "font": font}
    leaf = {"name": "font", "check": "run_format", "args": args}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    return score(rubric, read_deck(before), read_deck(after)).score


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "used", "unused"),
    [
        (CHINESE, "ea", ("latin", "cs")),
        (JAPANESE, "ea", ("latin", "cs")),
        (KOREAN, "ea", ("latin", "cs")),
        (ARABIC, "cs", ("latin", "ea")),
        (HEBREW, "cs", ("latin", "ea")),
        (THAI, "cs", ("latin", "ea")),
        (HINDI, "cs", ("latin", "ea")),
        ("Plain words", "latin", ("ea", "cs")),
        ("Größe", "latin", ("ea", "cs")),
    ],
)
def test_only_the_visible_typeface_matters(text: str, used: str, unused: tuple[str, str]) -> None:
    before = _deck(text, _LATIN + _EA + _CS)

    def changed(name: str) -> bytes:
        return _deck(text, (_LATIN + _EA + _CS).replace(f"{name}-face", "New"))

    assert _changes(before, changed(used)) == ["font"]
    assert _score(before, changed(used), "New") == 1
    for name in unused:
        assert _changes(before, changed(name)) == []
        assert _score(before, changed(name), "New") == 0


def test_mixed_run_needs_the_typefaces_of_all_scripts() -> None:
    text = "市场 Market"
    before = _deck(text, _LATIN + _EA)
    both = _deck(text, '<a:latin typeface="New"/><a:ea typeface="New"/>')
    half = _deck(text, f'<a:latin typeface="New"/>{_EA}')
    assert _score(before, both, "New") == 1
    partial = _score(before, half, "New")
    assert partial is not None
    assert 0 < partial < 1


@pytest.mark.slow
def test_set_typeface_satisfies_the_check() -> None:
    for text in (CHINESE, ARABIC, "Plain", "市场 Market المبيعات"):
        before = _deck(text, _LATIN + _EA + _CS)

        def edit(presentation: Any) -> None:
            for run in presentation.slides[0].shapes[1].text_frame.paragraphs[0].runs:
                set_typeface(run._r.get_or_add_rPr(), run.text, "New")

        assert _score(before, _deck(text, _LATIN + _EA + _CS, edit), "New") == 1
