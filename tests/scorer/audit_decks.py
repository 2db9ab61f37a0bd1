"""Decks for audits: packaged, generated and user decks.

The generated decks contain duplicates and content that saving rewrites.
"""

import io
import os
import re
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE, PROG_ID
from pptx.oxml.ns import qn
from pptx.util import Emu, Inches

import pptarena.tasks
from pptarena.decks.package.files import read_bytes

__all__ = ["audit_decks", "own_decks"]

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SHADOWS = ((50_800, 15_240, 4_560_000), (12_345, 14_700, 76 * 60_000), (63_500, 4_321, 17_000))


def audit_decks(*, with_own: bool = True) -> Iterator[tuple[str, bytes]]:
    """Yield name and file of each deck.

    Args:
        with_own: Whether the decks of `own_decks` follow the others.
    """
    for path in sorted((Path(pptarena.tasks.__file__).parent / "decks").rglob("*.pptx")):
        yield path.stem, read_bytes(path)
    yield from _odd_decks()
    yield from own_decks() if with_own else ()


def own_decks() -> Iterator[tuple[str, bytes]]:
    """Yield name and file of the decks in the folder that ``PPTARENA_TEST_DECKS`` names."""
    folder = os.environ.get("PPTARENA_TEST_DECKS")
    for path in sorted(Path(folder).rglob("*.pptx")) if folder else ():
        yield path.relative_to(folder or "").as_posix(), read_bytes(path)


def _odd_decks() -> Iterator[tuple[str, bytes]]:
    makers = (_copies, _effects, _connectors, _paths, _objects, _charts, _tables, _shapes_on_master)
    for make in makers:
        deck = Presentation()
        make(deck)
        file = io.BytesIO()
        deck.save(file)
        yield f"odd{make.__name__}", file.getvalue()
    deck = Presentation()
    _add_titled_slide(deck, "Media and text")
    file = io.BytesIO()
    deck.save(file)
    yield "odd_layout_types", _with_layout_type(file.getvalue(), "mediaAndTx")


def _add_titled_slide(deck: Any, title: str, layout: int = 5) -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    slide.shapes.title.text = title
    return slide


def _copies(deck: Any) -> None:
    _add_titled_slide(deck, "Cover", 0)
    for _ in range(4):
        slide = _add_titled_slide(deck, "Team", 1)
        slide.placeholders[1].text = "Who does what\nand when"
        for _ in range(3):
            box = slide.shapes.add_textbox(Inches(1), Inches(5), Inches(3), Inches(1))
            box.text_frame.text = "Remark"
    for _ in range(2):
        deck.slides.add_slide(deck.slide_layouts[6])
    _add_titled_slide(deck, "End")


def _effects(deck: Any) -> None:
    slide = _add_titled_slide(deck, "Effects")
    for n, (blur, distance, direction) in enumerate(_SHADOWS):
        box = (Inches(1 + 2 * n), Inches(2), Inches(1.5), Inches(1))
        shape = slide.shapes.add_shape(MSO_SHAPE.ROUNDED_RECTANGLE, *box)
        effects = etree.SubElement(shape._element.spPr, f"{{{_A}}}effectLst")
        shadow = etree.SubElement(
            effects,
            f"{{{_A}}}outerShdw",
            blurRad=str(blur),
            dist=str(distance),
            dir=str(direction),
            algn="tl",
            rotWithShape="0",
        )
        color = etree.SubElement(shadow, f"{{{_A}}}srgbClr", val="336699")
        etree.SubElement(color, f"{{{_A}}}alpha", val="38700")
        glow = slide.shapes.add_shape(MSO_SHAPE.OVAL, box[0], Inches(4), *box[2:])
        effects = etree.SubElement(glow._element.spPr, f"{{{_A}}}effectLst")
        inner = etree.SubElement(effects, f"{{{_A}}}glow", rad=str(blur + 7_777))
        etree.SubElement(inner, f"{{{_A}}}srgbClr", val="AA3366")


def _connectors(deck: Any) -> None:
    slide = _add_titled_slide(deck, "Connectors")
    for n in range(4):
        box = (Inches(1 + 2 * n), Inches(2 + n / 3), Inches(1), Inches(0.7))
        first = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *box)
        box = (Inches(2.2 + 1.7 * n), Inches(5 - n / 4), Inches(1), Inches(0.7))
        second = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *box)
        line = slide.shapes.add_connector(MSO_CONNECTOR.ELBOW, 0, 0, 9, 9)
        line.begin_connect(first, n)
        line.end_connect(second, (n + 2) % 4)


def _paths(deck: Any) -> None:
    slide = _add_titled_slide(deck, "Paths")
    for n in range(5):
        pen: Any = slide.shapes.build_freeform(
            Inches(1), Inches(2) + 777 * n, scale=float(100_003 + 17 * n)
        )
        pen.add_line_segments([(n + 3, 1), (7, 3 + n), (2, 6), (1, 3)], close=n % 2 == 0)
        pen.convert_to_shape(Emu(700_001 * n), Emu(12_345))


def _objects(deck: Any) -> None:
    # A deck is a zip file with parts, like a workbook.
    file = io.BytesIO()
    Presentation().save(file)
    for n in range(3):
        slide = _add_titled_slide(deck, f"Object {n + 1}")
        file.seek(0)
        slide.shapes.add_ole_object(file, PROG_ID.XLSX, Inches(1), Inches(2), Inches(3), Inches(2))


def _charts(deck: Any) -> None:
    types = (XL_CHART_TYPE.COLUMN_CLUSTERED, XL_CHART_TYPE.PIE, XL_CHART_TYPE.LINE)
    for n, chart_type in enumerate(types):
        slide = _add_titled_slide(deck, "Chart")
        data_type: Any = CategoryChartData
        data = data_type()
        data.categories = ["Q1", "Q2", "Q3"]
        data.add_series("North", (1.5, 2.25, 3 + n))
        box = (Inches(1), Inches(2), Inches(6), Inches(4))
        chart = slide.shapes.add_chart(chart_type, *box, data).chart
        area = chart._chartSpace.find(f".//{qn('c:plotArea')}")
        layout = area.find(qn("c:layout"))
        layout = etree.SubElement(area, qn("c:layout")) if layout is None else layout
        area.insert(0, layout)
        manual_layout = etree.SubElement(layout, qn("c:manualLayout"))
        for name, value in (
            *(("layoutTarget", "inner"), ("xMode", "edge"), ("yMode", "edge")),
            *(("x", "0.038630"), ("y", "0.1234567"), ("w", "0.777777"), ("h", "0.6543219")),
        ):
            etree.SubElement(manual_layout, qn(f"c:{name}"), val=value)


def _tables(deck: Any) -> None:
    for rows in (4, 6):
        slide = _add_titled_slide(deck, "Table")
        frame = slide.shapes.add_table(rows, 3, Inches(1), Inches(2), Inches(6), Inches(2))
        for r in range(rows):
            for c in range(3):
                frame.table.cell(r, c).text = f"{r} times {c}"


def _shapes_on_master(deck: Any) -> None:
    """Add a shape to the master and to a layout, with several layouts in use.

    Saving may regroup such shapes.
    """
    for n in (1, 5, 6, 1):
        slide = deck.slides.add_slide(deck.slide_layouts[n])
        if slide.shapes.title is not None:
            slide.shapes.title.text = f"On layout {n}"
    slide = deck.slides[0]
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(10), Inches(0.4))
    shape.text_frame.text = "House of reports"
    element = shape._element
    element.getparent().remove(element)
    deck.slide_master.shapes._spTree.append(element)
    deck.slide_layouts[5].shapes._spTree.append(deepcopy(element))


def _with_layout_type(deck: bytes, kind: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(deck)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if re.fullmatch(r"ppt/slideLayouts/slideLayout6\.xml", name):
                data = data.replace(b'type="titleOnly"', f'type="{kind}"'.encode())
            new.writestr(name, data)
    return out.getvalue()
