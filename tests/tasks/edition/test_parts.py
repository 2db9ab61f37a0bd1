"""Rewriting XML parts: runs, names, numbers of charts and cells, external links."""

from decimal import Decimal

import pytest

from pptarena.tasks.edition import Substitution
from pptarena.tasks.edition.parts import rewrite_part

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SUBSTITUTION = Substitution({"Oslo": "Bergen", "410": "450"}, {Decimal(410): "450"})


def rewritten(body: str, name: str = "ppt/slides/slide1.xml") -> str:
    return rewrite_part(body.encode(), name, SUBSTITUTION).decode()


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        (["In Oslo now"], ["In Bergen now"]),
        (["In Os", "lo now"], ["In Be", "rgen now"]),
        (["O", "s", "l", "o"], ["B", "e", "r", "gen"]),
        (["Oslo, Os", "lo: 4", "10"], ["Bergen, Be", "rgen: 4", "50"]),
    ],
)
def test_words_are_replaced_across_runs(runs: list[str], expected: list[str]) -> None:
    xml = "".join(f"<a:r><a:rPr b='1'/><a:t>{run}</a:t></a:r>" for run in runs)
    output = rewritten(f"<a:p xmlns:a='{A}'>{xml}</a:p>")
    assert [piece.split("</a:t>")[0] for piece in output.split("<a:t>")[1:]] == expected


def test_words_do_not_span_line_breaks() -> None:
    xml = "<a:r><a:t>Os</a:t></a:r><a:br/><a:r><a:t>lo</a:t></a:r>"
    part = f"<a:p xmlns:a='{A}'>{xml}</a:p>"
    assert rewritten(part) == part


def test_names_and_descriptions_are_rewritten() -> None:
    output = rewritten(f"<x xmlns:a='{A}'><a:y name='Map of Oslo' descr='Oslo' id='410'/></x>")
    assert 'name="Map of Bergen" descr="Bergen" id="410"' in output


def test_numbers_of_charts_and_cells_are_replaced_by_value() -> None:
    chart = f"<c:numCache xmlns:c='{C}'><c:pt idx='410'><c:v>410.0</c:v></c:pt></c:numCache>"
    assert "<c:v>450</c:v>" in rewritten(chart)
    cells = f"<row xmlns='{S}'><c><v>410</v></c><c t='s'><v>410</v></c></row>"
    assert '<c><v>450</v></c><c t="s"><v>410</v></c>' in rewritten(cells)


def test_creation_date_is_fixed() -> None:
    terms = "http://purl.org/dc/terms/"
    output = rewritten(f"<p xmlns:d='{terms}'><d:created>2031-01-01T00:00:00Z</d:created></p>")
    assert "<d:created>2026-10-01T08:00:00Z</d:created>" in output


def test_only_external_links_are_rewritten() -> None:
    link = "<Relationships><Relationship Target='https://Oslo.example' {}/></Relationships>"
    name = "ppt/slides/_rels/slide1.xml.rels"
    assert "Bergen" in rewritten(link.format("TargetMode='External'"), name)
    assert "Bergen" not in rewritten(link.format(""), name)
