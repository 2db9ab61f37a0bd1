"""Script spans of a text, scripts as themes name them, and setting a typeface."""

import pytest
from lxml import etree
from tests.each_case import each_case

from pptarena.decks.package.names import A
from pptarena.decks.typefaces import font_script, script_spans, set_typeface


def _spans(text: str) -> list[tuple[str, str]]:
    return [(script, text[start:end]) for script, start, end in script_spans(text)]


@each_case(
    "text, expected",
    [
        ("", []),
        ("Plain words, 3.5 %", [("latin", "Plain words, 3.5 %")]),
        ("Größe Ελλάδα Россия", [("latin", "Größe Ελλάδα Россия")]),
        ("市场战略", [("ea", "市场战略")]),
        ("2024年の売上", [("latin", "2024"), ("ea", "年の売上")]),
        ("매출 보고서", [("ea", "매출 보고서")]),
        ("ﾃｽﾄ ｶﾅ", [("ea", "ﾃｽﾄ ｶﾅ")]),
        ("\U00020bb7野家", [("ea", "\U00020bb7野家")]),
        ("מכירות 2024", [("cs", "מכירות "), ("latin", "2024")]),
        ("المبيعات", [("cs", "المبيعات")]),
        ("ยอดขาย", [("cs", "ยอดขาย")]),
        ("बिक्री", [("cs", "बिक्री")]),
        ("ትርፍ", [("cs", "ትርፍ")]),
        ("လုပ်ငန်း", [("cs", "လုပ်ငန်း")]),
        ("销售—增长…", [("ea", "销售—增长…")]),
        ("“销售” sales\u2013now", [("ea", "“销售” "), ("latin", "sales\u2013now")]),
        ("— … →", [("latin", "— … →")]),
        ("Sales 😀 销售", [("latin", "Sales 😀 "), ("ea", "销售")]),
        ("日\v本", [("ea", "日\v本")]),
    ],
)
def test_text_splits_into_script_spans(text: str, expected: list[tuple[str, str]]) -> None:
    assert _spans(text) == expected
    assert "".join(part for _, part in _spans(text)) == text


@each_case(
    "text, language, expected",
    [
        ("ひらがな", "", "Jpan"),
        ("日本語のカナ", "zh-CN", "Jpan"),
        ("한국어", "", "Hang"),
        ("漢字", "ja-JP", "Jpan"),
        ("漢字", "ko-KR", "Hang"),
        ("汉字", "zh-CN", "Hans"),
        ("漢字", "zh-TW", "Hant"),
        ("漢字", "zh-Hant-HK", "Hant"),
        ("漢字", "", "Hans"),
        ("عربي", "", "Arab"),
        ("עברית", "", "Hebr"),
        ("ไทย", "", "Thai"),
        ("हिन्दी", "", "Deva"),
        ("፩፪", "", "Ethi"),
        ("。", "", ""),
    ],
)
def test_font_script_uses_theme_script_names(text: str, language: str, expected: str) -> None:
    assert font_script(text, language) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain", ["latin"]),
        ("市场", ["latin", "ea"]),
        ("مرحبا", ["latin", "cs"]),
        ("市场 Market مرحبا", ["latin", "ea", "cs"]),
    ],
)
def test_typeface_is_set_for_the_scripts_in_the_text(text: str, expected: list[str]) -> None:
    properties = etree.fromstring(
        f'<a:rPr xmlns:a="{A[1:-1]}"><a:solidFill/><a:latin typeface="Old"/><a:sym typeface="S"/>'
        "<a:hlinkClick/></a:rPr>"
    )
    set_typeface(properties, text, "New")
    set_typeface(properties, text, "Newest")
    names = [str(each.tag).removeprefix(A) for each in properties]
    assert names == ["solidFill", *expected, "sym", "hlinkClick"]
    assert {properties.findtext(f"{A}{name}", "") for name in expected} == {""}
    assert {each.get("typeface") for each in properties[1 : 1 + len(expected)]} == {"Newest"}
