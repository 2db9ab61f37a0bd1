"""Decks with ten thousand objects of a type: read or refused in 1 GB and linear time."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from tests.growth import SIZE_RATIO

from pptarena.decks.read import reader

pytestmark = pytest.mark.slow

SHAPES = "ppt/slides/slide5.xml"
RELS = "ppt/slides/_rels/slide5.xml.rels"
PRESENTATION = "ppt/presentation.xml"
TREE_END = "</p:spTree>"
TEXT_END = "</a:p></p:txBody></p:sp></p:spTree>"
COUNT = 10_000

Make = Callable[[Any, int], Any]


def _box(forge: Any) -> str:
    xml: str = forge.part(SHAPES)
    return xml[xml.rindex("<p:sp>") : xml.rindex("</p:sp>") + len("</p:sp>")]


def _each(count: int, make: Callable[[int], str]) -> str:
    return "".join(map(make, range(count)))


def _shapes(forge: Any, count: int) -> Any:
    return forge.with_xml(SHAPES, TREE_END, _box(forge) * count)


def _other_shapes(forge: Any, count: int) -> Any:
    box = _box(forge)
    boxes = _each(count, lambda i: box.replace("grows fast", f"grows {i * 7919 % count}"))
    return forge.with_xml(SHAPES, TREE_END, boxes)


def _empty_shapes(forge: Any, count: int) -> Any:
    return forge.with_xml(SHAPES, TREE_END, "<p:sp/>" * (reader.MAX_SHAPES * count // COUNT + 1))


def _groups(forge: Any, count: int) -> Any:
    group = f"<p:grpSp>{_box(forge) * 100}</p:grpSp>"
    return forge.with_xml(SHAPES, TREE_END, group * (count // 100))


def _deep_groups(forge: Any, count: int) -> Any:
    group = "<p:grpSp>" * 100 + _box(forge) * 100 + "</p:grpSp>" * 100
    return forge.with_xml(SHAPES, TREE_END, group * (count // 200))


def _placeholder(number: int) -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="P{number}"/><p:cNvSpPr/><p:nvPr>'
        f'<p:ph type="body" idx="{number}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody>'
        f"<a:p><a:r><a:t>text {number}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def _placeholders(forge: Any, count: int) -> Any:
    layout = "ppt/slideLayouts/slideLayout6.xml"
    shapes = _each(count, lambda i: _placeholder(i + 100))
    parts = {
        part: forge.part(part).replace(TREE_END, shapes + TREE_END) for part in (SHAPES, layout)
    }
    return forge.with_parts(parts)


def _runs(forge: Any, count: int) -> Any:
    runs = _each(count, lambda i: f'<a:r><a:rPr b="{i % 2}"/><a:t>Acme {i} </a:t></a:r>')
    return forge.with_xml(SHAPES, TEXT_END, runs)


def _breaks(forge: Any, count: int) -> Any:
    return forge.with_xml(SHAPES, TEXT_END, "<a:br/>" * (30 * count))


def _paragraphs(forge: Any, count: int) -> Any:
    paragraphs = "</a:p>" + _each(count, lambda i: f"<a:p><a:r><a:t>Acme {i % 7}</a:t></a:r></a:p>")
    return forge.with_xml(SHAPES, TEXT_END, f"{paragraphs}<a:p>")


def _empty_paragraphs(forge: Any, count: int) -> Any:
    return forge.with_xml(SHAPES, TEXT_END, f"</a:p>{'<a:p/>' * (30 * count)}<a:p>")


def _text(forge: Any, count: int) -> Any:
    text = _each(100 * count, lambda i: f"w{i} ")
    return forge.with_xml(SHAPES, TEXT_END, f"<a:r><a:t>{text}</a:t></a:r>")


def _allowed_text(forge: Any, count: int) -> Any:
    text = _each(reader.MAX_CHARACTERS * count // COUNT // 10, lambda i: f"{i % COUNT:08} ")
    return forge.with_xml(SHAPES, TEXT_END, f"<a:r><a:t>{text}</a:t></a:r>")


def _cells(forge: Any, count: int) -> Any:
    part = "ppt/slides/slide3.xml"
    cell = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc>"
    row = f'<a:tr h="1">{cell * 100}</a:tr>'
    return forge.with_xml(part, "</a:tbl>", row * (count // 100))


def _rows(forge: Any, count: int) -> Any:
    cell = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc>"
    return forge.with_xml("ppt/slides/slide3.xml", "</a:tbl>", f'<a:tr h="1">{cell}</a:tr>' * count)


def _points(forge: Any, count: int) -> Any:
    def change(name: str, old: bytes) -> bytes:
        if not (name.startswith("ppt/charts/") and name.endswith(".xml")):
            return old
        points = _each(10 * count, lambda i: f'<c:pt idx="{i}"><c:v>{i}</c:v></c:pt>')
        return old.replace(b"<c:numCache>", b"<c:numCache>" + points.encode(), 1)

    return forge.rewrite(change)


def _in_chart(forge: Any, mark: bytes, xml: str) -> Any:
    def change(name: str, old: bytes) -> bytes:
        is_chart = name.startswith("ppt/charts/") and name.endswith(".xml")
        return old.replace(mark, xml.encode() + mark, 1) if is_chart else old

    return forge.rewrite(change)


def _empty_series(forge: Any, count: int) -> Any:
    return _in_chart(forge, b"<c:ser>", "<c:ser/>" * (10 * count))


def _far_points(forge: Any, count: int) -> Any:
    series = '<c:ser><c:val><c:pt idx="19999"/></c:val></c:ser>'
    return _in_chart(forge, b"<c:ser>", series * (count // 5))


def _empty_cells(forge: Any, count: int) -> Any:
    row = f"<a:tr>{'<a:tc/>' * (30 * count)}</a:tr>"
    return forge.with_xml("ppt/slides/slide3.xml", "</a:tbl>", row)


def _frames_of_one_chart(forge: Any, count: int) -> Any:
    part = "ppt/slides/slide4.xml"
    xml = forge.part(part)
    start, end = xml.index("<p:graphicFrame"), xml.index("</p:graphicFrame>") + 17
    slide = {part: xml[:end] + xml[start:end] * (count // 5) + xml[end:]}
    with zipfile.ZipFile(io.BytesIO(_points(forge, 200))) as file:
        charts = [n for n in file.namelist() if n.startswith("ppt/charts/") and n.endswith("xml")]
        return forge.with_parts({**slide, **{n: file.read(n) for n in charts}})


def _effect(forge: Any) -> tuple[str, str]:
    xml = forge.part(SHAPES)
    start = xml.index("<p:par><p:cTn presetID")
    return xml, xml[start : xml.index("</p:par>", start) + len("</p:par>")]


def _animations(forge: Any, count: int) -> Any:
    xml, effect = _effect(forge)
    return forge.with_parts({SHAPES: xml.replace(effect, effect * count, 1)})


def _nested_animations(forge: Any, count: int) -> Any:
    xml, effect = _effect(forge)
    outer = '<p:par><p:cTn presetID="1" presetClass="entr">'
    nested = outer * 100 + effect * (3 * count // 10) + "</p:cTn></p:par>" * 100
    return forge.with_parts({SHAPES: xml.replace(effect, nested, 1)})


def _relationships(forge: Any, count: int) -> Any:
    relationships = _each(
        10 * count, lambda i: f'<Relationship Id="x{i}" Type="t/image" Target="../media/{i}.png"/>'
    )
    return forge.with_xml(RELS, "</Relationships>", relationships)


def _links(forge: Any, count: int) -> Any:
    rels = _each(
        count,
        lambda i: (
            f'<Relationship Id="x{i}" TargetMode="External" Type="t/hyperlink" Target="u:{i}"/>'
        ),
    )
    runs = _each(
        count,
        lambda i: f'<a:r><a:rPr><a:hlinkClick r:id="x{i}"/></a:rPr><a:t>a</a:t></a:r>',
    )
    parts = {
        RELS: forge.part(RELS).replace("</Relationships>", f"{rels}</Relationships>"),
        SHAPES: forge.part(SHAPES).replace(TEXT_END, runs + TEXT_END),
    }
    return forge.with_parts(parts)


def _many_slides(forge: Any, count: int, slide: Callable[[int], str]) -> Any:
    entries = _each(count, lambda i: f'<p:sldId id="{1000 + i}" r:id="y{i}"/>')
    rels = _each(
        count, lambda i: f'<Relationship Id="y{i}" Type="t/slide" Target="slides/z{i}.xml"/>'
    )
    listed = "ppt/_rels/presentation.xml.rels"
    parts = {
        PRESENTATION: forge.part(PRESENTATION).replace("</p:sldIdLst>", f"{entries}</p:sldIdLst>"),
        listed: forge.part(listed).replace("</Relationships>", f"{rels}</Relationships>"),
    }
    for number in range(count):
        parts[f"ppt/slides/z{number}.xml"] = slide(number)
        parts[f"ppt/slides/_rels/z{number}.xml.rels"] = forge.part(RELS)
    return forge.with_parts(parts)


def _slides(forge: Any, count: int) -> Any:
    xml = forge.part(SHAPES)
    return _many_slides(forge, 3 * count // 20, lambda i: xml.replace("Acme", f"Acme {i}"))


def _blank_slides(forge: Any, count: int) -> Any:
    xml = forge.part(SHAPES)
    blank = xml[: xml.index("<p:sp>")] + xml[xml.rindex("</p:sp>") + len("</p:sp>") :]
    return _many_slides(forge, 19 * count // 100, lambda i: blank)


def _color_maps(forge: Any, count: int) -> Any:
    xml: str = forge.part(SHAPES)
    names = ("bg1", "tx1", "bg2", "tx2", "accent1", "accent2", "hlink", "folHlink")

    def slide(number: int) -> str:
        mapped = " ".join(f'{name}="accent{number}"' for name in names)
        return xml.replace("<a:masterClrMapping/>", f"<a:overrideClrMapping {mapped}/>")

    return _many_slides(forge, 3 * count // 20, slide)


CASES: dict[str, Make] = {
    "shapes": _shapes,
    "other shapes": _other_shapes,
    "empty shapes": _empty_shapes,
    "groups": _groups,
    "deep groups": _deep_groups,
    "placeholders": _placeholders,
    "runs": _runs,
    "breaks": _breaks,
    "paragraphs": _paragraphs,
    "empty paragraphs": _empty_paragraphs,
    "text": _text,
    "allowed text": _allowed_text,
    "cells": _cells,
    "rows": _rows,
    "empty cells": _empty_cells,
    "points": _points,
    "far points": _far_points,
    "empty series": _empty_series,
    "frames of one chart": _frames_of_one_chart,
    "animations": _animations,
    "nested animations": _nested_animations,
    "relationships": _relationships,
    "links": _links,
    "slides": _slides,
    "blank slides": _blank_slides,
    "color maps": _color_maps,
}


QUICK = ("text", "cells", "shapes", "groups", "animations", "relationships")


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=() if each in QUICK else pytest.mark.nightly) for each in CASES],
)
def test_ten_thousand_objects_take_linear_time(forge: Any, name: str) -> None:
    """`Forge.probe_growth` checks time and memory; an error must be one of the reader's limits."""
    outcome = forge.probe_growth(*(CASES[name](forge, COUNT // part) for part in (SIZE_RATIO, 1)))
    assert not outcome.error or outcome.error.startswith("expected at most")
