"""A scorer for tables of cases, and a deck with objects that the base deck lacks."""

import io
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.shapes import MSO_SHAPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches, Pt

from pptarena.rewards import Deck, ScoredNode, load_rubric, score

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_TYPE = "application/vnd.openxmlformats-officedocument"


class CaseScorer:
    """Scores cases ``(check, args, edit, low, high)`` and compares them with their ranges.

    An edit takes the lab and the deck; None leaves the deck as it is.
    """

    def __init__(self, lab: Any) -> None:
        self._lab = lab

    def assert_scores(self, cases: Sequence[tuple[Any, ...]]) -> None:
        """Assert that every case is in its range and scores 0 on the deck before the edit."""
        before = {
            f"{name} {args}": (name, args, None, 0, 0)
            for name, args, edit, *_ in cases
            if edit is not None
        }
        self.assert_edited_scores([*cases, *before.values()])

    def assert_edited_scores(self, cases: Sequence[tuple[Any, ...]]) -> None:
        """Assert that every case is in its range, with a reason, and scores the same twice."""
        failures = []
        for name, args, edit, low, high in cases:
            lab = self._lab
            deck = lab.original if edit is None else lab.edited(partial(edit, lab))
            node = lab.check_deck(name, args, deck)
            if node.score is None or not low <= node.score <= high or not node.reason:
                failures.append(f"{name} {args}: {node.score}, not {low} to {high}: {node.reason}")
            if lab.check_deck(name, args, deck) != node:
                failures.append(f"{name} {args}: scores differ between two runs")
        assert not failures, "\n".join(failures)


def score_check(check: str, args: dict[str, Any], original: Deck, current: Deck) -> ScoredNode:
    """Return the scored leaf of one check."""
    leaf = {"name": "leaf", "check": check, "args": args}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    return score(rubric, original, current).children[0]


@pytest.fixture(scope="session")
def scorer(lab: Any) -> CaseScorer:
    return CaseScorer(lab)


def set_comments(deck: Any, slide: int, *comments: tuple[str, bool]) -> None:
    """Give a slide (from 1) comments of one author, as text and whether it is resolved."""
    package = deck.part.package
    if not any(rel.reltype.endswith("/commentAuthors") for rel in deck.part.rels.values()):
        blob = f'<p:cmAuthorLst xmlns:p="{_P}"><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>'
        name = PackURI("/ppt/commentAuthors.xml")
        kind = f"{_TYPE}.presentationml.commentAuthors+xml"
        deck.part.relate_to(Part(name, kind, package, blob.encode()), f"{_R}/commentAuthors")
    part = deck.slides[slide - 1].part
    for key, rel in list(part.rels.items()):
        if rel.reltype.endswith("/comments"):
            part.rels.pop(key)
    entries = "".join(
        f'<p:cm authorId="0" idx="{i}"{" done=" + chr(34) + "1" + chr(34) if done else ""}>'
        f"<p:text>{text}</p:text></p:cm>"
        for i, (text, done) in enumerate(comments, start=1)
    )
    blob = f'<p:cmLst xmlns:p="{_P}">{entries}</p:cmLst>'
    name = PackURI(f"/ppt/comments/comment{slide}.xml")
    kind = f"{_TYPE}.presentationml.comments+xml"
    part.relate_to(Part(name, kind, package, blob.encode()), f"{_R}/comments")


def set_sections(deck: Any, *sections: tuple[str, int, int]) -> None:
    """Divide a deck into sections, as name, first and last slide from 1."""
    root = deck.part._element
    for old in root.findall(f"{{{_P}}}extLst"):
        root.remove(old)
    ids = [entry.get("id") for entry in deck.slides._sldIdLst]
    parts = "".join(
        f'<p14:section name="{name}" id="{{0}}"><p14:sldIdLst>'
        + "".join(f'<p14:sldId id="{ids[i - 1]}"/>' for i in range(first, last + 1))
        + "</p14:sldIdLst></p14:section>"
        for name, first, last in sections
    )
    root.append(
        etree.fromstring(
            f'<p:extLst xmlns:p="{_P}"><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}">'
            f'<p14:sectionLst xmlns:p14="{_P14}">{parts}</p14:sectionLst></p:ext></p:extLst>'
        )
    )


def diagram_xml(*nodes: tuple[int, str]) -> bytes:
    """Return the data of a diagram from levels and texts."""
    points = ['<dgm:pt modelId="0" type="doc"><dgm:prSet loTypeId="urn:layout/process1"/></dgm:pt>']
    links = []
    parents = ["0"]
    for number, (level, text) in enumerate(nodes, start=1):
        points.append(
            f'<dgm:pt modelId="{number}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p>'
            "</dgm:t></dgm:pt>"
        )
        del parents[level + 1 :]
        links.append(
            f'<dgm:cxn modelId="c{number}" srcId="{parents[level]}" destId="{number}"'
            f' srcOrd="{number}"/>'
        )
        parents.append(str(number))
    return (
        f'<dgm:dataModel xmlns:dgm="{_DGM}" xmlns:a="{_A}"><dgm:ptLst>{"".join(points)}</dgm:ptLst>'
        f"<dgm:cxnLst>{''.join(links)}</dgm:cxnLst></dgm:dataModel>"
    ).encode()


def set_diagram(deck: Any, slide: int, *nodes: tuple[int, str]) -> None:
    """Put a diagram on a slide, or replace the nodes of the existing one."""
    part = deck.slides[slide - 1].part
    for rel in part.rels.values():
        if rel.reltype.endswith("/diagramData"):
            rel.target_part._blob = diagram_xml(*nodes)
            return
    kind = f"{_TYPE}.drawingml.diagramData+xml"
    name = PackURI("/ppt/diagrams/data1.xml")
    data = Part(name, kind, part.package, diagram_xml(*nodes))
    rel_id = part.relate_to(data, f"{_R}/diagramData")
    frame = (
        f'<p:graphicFrame xmlns:p="{_P}" xmlns:a="{_A}" xmlns:r="{_R}"><p:nvGraphicFramePr>'
        '<p:cNvPr id="90" name="Steps"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        '<p:xfrm><a:off x="914400" y="2743200"/><a:ext cx="5486400" cy="2743200"/></p:xfrm>'
        f'<a:graphic><a:graphicData uri="{_DGM}"><dgm:relIds xmlns:dgm="{_DGM}" r:dm="{rel_id}"/>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    deck.slides[slide - 1].shapes._spTree.append(etree.fromstring(frame))


def _box(slide: Any, name: str, left: float, top: float, text: str = "") -> Any:
    shape = slide.shapes.add_shape(
        MSO_SHAPE.RECTANGLE, Inches(left), Inches(top), Inches(1), Inches(1)
    )
    shape.name = name
    shape.text_frame.text = text
    return shape


def _note(slide: Any, name: str, left: float, top: float, text: str) -> Any:
    box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(4), Inches(1))
    box.name = name
    box.text_frame.text = text
    return box


def _figures(deck: Any) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Figures"
    frame = slide.shapes.add_table(4, 3, Inches(1), Inches(2), Inches(6), Inches(2))
    frame.name = "Costs"
    rows = (("City", "Costs", "Staff"), ("Rome", "1,200", "7"), ("Oslo", "900", "12"))
    for r, row in enumerate((*rows, ("Lima", "3,000", "5"))):
        for c, text in enumerate(row):
            frame.table.cell(r, c).text = text
    frame.table.columns[0].width = Inches(3)


def _chart(deck: Any) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Chart"
    kind: Any = CategoryChartData
    data = kind()
    data.categories = ["Spring", "Summer", "Autumn"]
    data.add_series("Plan", (1, 2, 3))
    data.add_series("Actual", (2, 2, 4))
    frame = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(5), Inches(3), data
    )
    frame.name = "Sales"
    frame.chart.has_legend = True
    frame.chart.legend.position = XL_LEGEND_POSITION.RIGHT


def _pictures(lab: Any, deck: Any) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Pictures"
    for name, color, left in (("Photo", "red", 1), ("Logo", "blue", 5)):
        file = io.BytesIO(lab.picture_bytes(color))
        picture = slide.shapes.add_picture(file, Inches(left), Inches(2), Inches(2), Inches(1))
        picture.name = name
        picture._element.nvPicPr.cNvPr.set("descr", "picture1.png" if name == "Photo" else "")
    film = slide.shapes.add_movie(
        io.BytesIO(b"film"), Inches(5), Inches(4), Inches(2), Inches(1), mime_type="video/mp4"
    )
    film.name = "Film"


def build_rich(lab: Any) -> bytes:
    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[5])
    first.shapes.title.text = "Our recieved letters"
    members = [_box(first, "P", 1, 2, "Start"), _box(first, "Q", 3, 2.5, "Middle")]
    group = first.shapes.add_group_shape(members)
    group.name = "Pair"
    _box(first, "R", 5, 2.2, "End")
    _box(first, "S", 7, 2, "Aside")
    _note(first, "Motto", 1, 4, "we grow Fast\nand we recieve more")
    links = _note(first, "Links", 1, 5.5, "")
    for text in ("Docs", "Shop"):
        run = links.text_frame.paragraphs[0].add_run()
        run.text = text
        run.hyperlink.address = f"https://example.org/{text.casefold()}"
    _figures(deck)
    _chart(deck)
    _pictures(lab, deck)
    steps = deck.slides.add_slide(deck.slide_layouts[5])
    set_diagram(deck, 5, (0, "Plan"), (1, "Budget"), (0, "Build"))
    text = _note(steps, "Small", 1, 6, "A few words")
    text.text_frame.paragraphs[0].runs[0].font.size = Pt(14)
    set_comments(deck, 2, ("Check the sums", False), ("Nice table", False))
    set_sections(deck, ("Intro", 1, 2), ("Rest", 3, 5))
    deck.core_properties.title = "Draft"
    return bytes(lab.save(deck))


class Rich:
    """Edits of the rich deck, in addition to those of `Lab`."""

    set_comments = staticmethod(set_comments)
    set_sections = staticmethod(set_sections)
    set_diagram = staticmethod(set_diagram)


@pytest.fixture(scope="session")
def rich(lab: Any) -> Any:
    """Return a lab whose deck has groups, pictures, a diagram, comments and sections."""
    rich_lab = type(lab)(build_rich(lab))
    rich_lab.more = Rich
    return rich_lab


@pytest.fixture(scope="session")
def rich_scorer(rich: Any) -> CaseScorer:
    return CaseScorer(rich)
