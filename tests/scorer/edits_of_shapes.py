"""Edits of one shape: text, formatting, geometry, contents."""

import io
import random
from copy import deepcopy
from typing import Any

from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt
from tests.scorer.single_edits import Expected, edits, one_of

_SERIES = "c:ser"


def _has_text(shape: Any) -> bool:
    return bool(shape.has_text_frame and shape.text_frame.text.strip())


def _has_place(shape: Any) -> bool:
    return shape._element.find(f".//{qn('a:xfrm')}") is not None and not shape.is_placeholder


def _has_chart(shape: Any) -> bool:
    return bool(getattr(shape, "has_chart", False)) and bool(_plots(shape))


def _has_table(shape: Any) -> bool:
    return bool(getattr(shape, "has_table", False))


def _plots(shape: Any) -> Any:
    return shape.chart._chartSpace.findall(f".//{qn('c:plotArea')}/*/{qn(_SERIES)}")


def _run(shape: Any) -> Any:
    return next(r for p in shape.text_frame.paragraphs for r in p.runs if r.text.strip())


def _has_run(shape: Any) -> bool:
    return _has_text(shape) and any(
        r.text.strip() for p in shape.text_frame.paragraphs for r in p.runs
    )


def _has_plain_run(shape: Any) -> bool:
    """Return whether a shape has a run of text and is no title; title text may already be bold."""
    is_title = shape.is_placeholder and "TITLE" in str(shape.placeholder_format.type)
    return _has_run(shape) and not is_title


def _of_run(name: str, aspect: str, change: Any) -> None:
    fits = _has_plain_run if name == "bold" else _has_run

    def edit(deck: Any, draw: random.Random) -> Expected | None:
        found = one_of(deck, draw, fits)
        if found is None:
            return None
        change(_run(found[2]))
        return Expected((aspect,), *found[:2])

    edits(name)(edit)


def _retype(run: Any) -> None:
    run.text = f"{run.text} revised"


def _enlarge(run: Any) -> None:
    run.font.size = Pt(run.font.size.pt + 6) if run.font.size else Pt(47)


def _embolden(run: Any) -> None:
    run.font.bold = not run.font.bold


def _color(run: Any) -> None:
    fill = run.font.fill
    fill.solid()
    kind: Any = RGBColor
    fill.fore_color.rgb = kind.from_string("C81E96")


def _underline(run: Any) -> None:
    run.font.underline = not run.font.underline


def _link(run: Any) -> None:
    had = run.hyperlink.address
    run.hyperlink.address = f"https://example.org/{'other' if had else 'new'}"


for _name, _aspect, _change in (
    ("text", "text", _retype),
    ("font size", "formatting", _enlarge),
    ("bold", "formatting", _embolden),
    ("colour", "formatting", _color),
    ("underline", "formatting", _underline),
    ("hyperlink", "hyperlinks", _link),
):
    _of_run(_name, _aspect, _change)


def _of_shape(name: str, aspect: str, fits: Any, change: Any) -> None:
    def edit(deck: Any, draw: random.Random) -> Expected | None:
        found = one_of(deck, draw, fits)
        if found is None or change(found[2]) is False:
            return None
        return Expected((aspect,), *found[:2])

    edits(name)(edit)


def _move(shape: Any) -> None:
    shape.left += Cm(0.5)


def _resize(shape: Any) -> None:
    shape.width = int(shape.width * 1.3) + Cm(0.5)


def _turn(shape: Any) -> None:
    shape.rotation = (shape.rotation + 30) % 360


def _describe(shape: Any) -> None:
    shape._element._nvXxPr.cNvPr.set("descr", "A new description")


def _align(shape: Any) -> None:
    paragraph = next(p for p in shape.text_frame.paragraphs if p.text.strip())
    paragraph.alignment = PP_ALIGN.RIGHT if paragraph.alignment != PP_ALIGN.RIGHT else PP_ALIGN.LEFT


def _lower(shape: Any) -> None:
    paragraph = next(p for p in shape.text_frame.paragraphs if p.text.strip())
    paragraph.level = (paragraph.level + 1) % 5


def _repaint(shape: Any) -> None:
    file = io.BytesIO()
    Image.new("RGB", (30, 20), "purple").save(file, "PNG")
    _, rel = shape.part.get_or_add_image_part(io.BytesIO(file.getvalue()))
    shape._element.find(f".//{qn('a:blip')}").set(qn("r:embed"), rel)


def _fill(shape: Any) -> None:
    shape.fill.solid()
    kind: Any = RGBColor
    shape.fill.fore_color.rgb = kind.from_string("12B886")


def _is_body(shape: Any) -> bool:
    kinds = ("OBJECT", "BODY")
    return bool(
        shape.is_placeholder
        and _has_run(shape)
        and any(word in str(shape.placeholder_format.type) for word in kinds)
    )


def _is_turned_freely(shape: Any) -> bool:
    return _has_place(shape) and hasattr(shape, "rotation") and not hasattr(shape, "begin_x")


def _is_fillable(shape: Any) -> bool:
    return _has_place(shape) and hasattr(shape, "fill") and not hasattr(shape, "crop_left")


def _is_picture(shape: Any) -> bool:
    blip = shape._element.find(f".//{qn('a:blip')}") if hasattr(shape, "crop_left") else None
    return blip is not None and bool(blip.get(qn("r:embed"))) and not len(blip)


def _is_box(shape: Any) -> bool:
    return _has_place(shape) and hasattr(shape, "width") and not hasattr(shape, "shapes")


_of_shape("move", "geometry", _has_place, _move)
_of_shape("resize", "geometry", lambda s: _is_box(s) and not _has_table(s), _resize)
_of_shape("rotate", "geometry", _is_turned_freely, _turn)
_of_shape("alt text", "alt_text", lambda s: True, _describe)
_of_shape("alignment", "formatting", _has_run, _align)
_of_shape("bullet level", "formatting", _is_body, _lower)
_of_shape("picture", "pictures", _is_picture, _repaint)
_of_shape("fill", "style", _is_fillable, _fill)


@edits("delete shape")
def _delete(deck: Any, draw: random.Random) -> Expected | None:
    found = one_of(deck, draw, lambda s: True)
    if found is None:
        return None
    found[2]._element.getparent().remove(found[2]._element)
    return Expected(("shapes",), *found[:2])


@edits("duplicate shape")
def _duplicate(deck: Any, draw: random.Random) -> Expected | None:
    found = one_of(deck, draw, lambda s: _is_box(s) and hasattr(s, "text_frame"))
    if found is None:
        return None
    copy = deepcopy(found[2]._element)
    found[2]._element.getparent().append(copy)
    return Expected(("shapes",), found[0])


@edits("z-order")
def _raise(deck: Any, draw: random.Random) -> Expected | None:
    shapes = {id(slide): list(slide.shapes) for slide in deck.slides}
    tops = {each[-1]._element for each in shapes.values() if each}
    found = one_of(deck, draw, lambda s: s._element not in tops)
    if found is None:
        return None
    element = found[2]._element
    tree = element.getparent()
    # If two neighbors swap, either one may be reported as moved.
    behind = next(iter(element.itersiblings()), None)
    tree.remove(element)
    tree.append(element)
    swapped = behind is not None and behind.getnext() is element
    return Expected(("shapes",), found[0], None if swapped else found[1])


@edits("table cell")
def _cell(deck: Any, draw: random.Random) -> Expected | None:
    found = one_of(deck, draw, _has_table)
    if found is None:
        return None
    cell = draw.choice(list(found[2].table.iter_cells()))
    runs = [run for paragraph in cell.text_frame.paragraphs for run in paragraph.runs]
    if runs:
        runs[-1].text += " 7"
    else:
        cell.text = "7"
    return Expected(("tables",), *found[:2])


@edits("table row")
def _row(deck: Any, draw: random.Random) -> Expected | None:
    found = one_of(deck, draw, lambda s: _has_table(s) and len(s.table.rows) > 2)
    if found is None:
        return None
    rows = found[2]._element.findall(f".//{qn('a:tr')}")
    at = draw.randrange(1, len(rows))
    new = deepcopy(rows[at])
    for text in new.iter(qn("a:t")):
        text.text = "new"
    rows[at].addprevious(new)
    return Expected(("tables",), *found[:2])


def _has_bars(shape: Any) -> bool:
    return _has_chart(shape) and shape.chart._chartSpace.find(f".//{qn('c:barChart')}") is not None


def _value(shape: Any) -> Any:
    value = shape.chart._chartSpace.find(f".//{qn('c:val')}//{qn('c:v')}")
    if value is None:
        return False
    value.text = str(float(value.text) + 17)
    return None


def _titled(shape: Any) -> None:
    shape.chart.has_title = True
    paragraph = shape.chart.chart_title.text_frame.paragraphs[0]
    run = paragraph.runs[0] if paragraph.runs else paragraph.add_run()
    run.text = "Another title"


def _bars(shape: Any) -> Any:
    plot = shape.chart._chartSpace.find(f".//{qn('c:barChart')}")
    if plot is None:
        return False
    way = plot.find(qn("c:barDir"))
    way.set("val", "bar" if way.get("val") == "col" else "col")
    return None


def _legend(shape: Any) -> None:
    shape.chart.has_legend = not shape.chart.has_legend


def _paint_series(shape: Any) -> None:
    series = next(iter(shape.chart.plots[0].series))
    series.format.fill.solid()
    kind: Any = RGBColor
    series.format.fill.fore_color.rgb = kind.from_string("0A7B3C")


_of_shape("chart value", "charts", _has_chart, _value)
_of_shape("chart title", "charts", _has_chart, _titled)
_of_shape("chart type", "charts", _has_chart, _bars)
_of_shape("chart legend", "charts", _has_chart, _legend)
_of_shape("chart colour", "charts", _has_bars, _paint_series)
