"""Edits of one shape: text, formatting, geometry and content."""

import io
import random
from copy import deepcopy
from typing import Any

from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt
from tests.scorer.single_edits import Expected, random_shape, register_edit


def _has_text(shape: Any) -> bool:
    return bool(shape.has_text_frame and shape.text_frame.text.strip())


def _has_position(shape: Any) -> bool:
    return shape._element.find(f".//{qn('a:xfrm')}") is not None and not shape.is_placeholder


def _has_chart(shape: Any) -> bool:
    return bool(getattr(shape, "has_chart", False)) and bool(_series(shape))


def _has_table(shape: Any) -> bool:
    return bool(getattr(shape, "has_table", False))


def _series(shape: Any) -> Any:
    return shape.chart._chartSpace.findall(f".//{qn('c:plotArea')}/*/{qn('c:ser')}")


def _run(shape: Any) -> Any:
    return next(r for p in shape.text_frame.paragraphs for r in p.runs if r.text.strip())


def _has_run(shape: Any) -> bool:
    return _has_text(shape) and any(
        r.text.strip() for p in shape.text_frame.paragraphs for r in p.runs
    )


def _has_body_run(shape: Any) -> bool:
    """Return whether a shape has a run outside titles, whose text may already be bold."""
    is_title = shape.is_placeholder and "TITLE" in str(shape.placeholder_format.type)
    return _has_run(shape) and not is_title


def _register_run_edit(name: str, aspect: str, change: Any) -> None:
    fits = _has_body_run if name == "bold" else _has_run

    def edit(deck: Any, rng: random.Random) -> Expected | None:
        target = random_shape(deck, rng, fits)
        if target is None:
            return None
        change(_run(target[2]))
        return Expected((aspect,), *target[:2])

    register_edit(name)(edit)


def _append_text(run: Any) -> None:
    run.text = f"{run.text} revised"


def _enlarge(run: Any) -> None:
    run.font.size = Pt(run.font.size.pt + 6) if run.font.size else Pt(47)


def _toggle_bold(run: Any) -> None:
    run.font.bold = not run.font.bold


def _recolor_text(run: Any) -> None:
    fill = run.font.fill
    fill.solid()
    color_type: Any = RGBColor
    fill.fore_color.rgb = color_type.from_string("C81E96")


def _toggle_underline(run: Any) -> None:
    run.font.underline = not run.font.underline


def _link(run: Any) -> None:
    address = run.hyperlink.address
    run.hyperlink.address = f"https://example.org/{'other' if address else 'new'}"


for _name, _aspect, _change in (
    ("text", "text", _append_text),
    ("font size", "formatting", _enlarge),
    ("bold", "formatting", _toggle_bold),
    ("colour", "formatting", _recolor_text),
    ("underline", "formatting", _toggle_underline),
    ("hyperlink", "hyperlinks", _link),
):
    _register_run_edit(_name, _aspect, _change)


def _register_shape_edit(name: str, aspect: str, fits: Any, change: Any) -> None:
    def edit(deck: Any, rng: random.Random) -> Expected | None:
        target = random_shape(deck, rng, fits)
        if target is None or change(target[2]) is False:
            return None
        return Expected((aspect,), *target[:2])

    register_edit(name)(edit)


def _move(shape: Any) -> None:
    shape.left += Cm(0.5)


def _resize(shape: Any) -> None:
    shape.width = int(shape.width * 1.3) + Cm(0.5)


def _rotate(shape: Any) -> None:
    shape.rotation = (shape.rotation + 30) % 360


def _set_alt_text(shape: Any) -> None:
    shape._element._nvXxPr.cNvPr.set("descr", "A new description")


def _align(shape: Any) -> None:
    paragraph = next(p for p in shape.text_frame.paragraphs if p.text.strip())
    paragraph.alignment = PP_ALIGN.RIGHT if paragraph.alignment != PP_ALIGN.RIGHT else PP_ALIGN.LEFT


def _indent(shape: Any) -> None:
    paragraph = next(p for p in shape.text_frame.paragraphs if p.text.strip())
    paragraph.level = (paragraph.level + 1) % 5


def _replace_picture(shape: Any) -> None:
    file = io.BytesIO()
    Image.new("RGB", (30, 20), "purple").save(file, "PNG")
    _, rel = shape.part.get_or_add_image_part(io.BytesIO(file.getvalue()))
    shape._element.find(f".//{qn('a:blip')}").set(qn("r:embed"), rel)


def _recolor(shape: Any) -> None:
    shape.fill.solid()
    color_type: Any = RGBColor
    shape.fill.fore_color.rgb = color_type.from_string("12B886")


def _is_body(shape: Any) -> bool:
    types = ("OBJECT", "BODY")
    return bool(
        shape.is_placeholder
        and _has_run(shape)
        and any(type_name in str(shape.placeholder_format.type) for type_name in types)
    )


def _is_rotatable(shape: Any) -> bool:
    return _has_position(shape) and hasattr(shape, "rotation") and not hasattr(shape, "begin_x")


def _is_fillable(shape: Any) -> bool:
    return _has_position(shape) and hasattr(shape, "fill") and not hasattr(shape, "crop_left")


def _is_picture(shape: Any) -> bool:
    blip = shape._element.find(f".//{qn('a:blip')}") if hasattr(shape, "crop_left") else None
    return blip is not None and bool(blip.get(qn("r:embed"))) and not len(blip)


def _is_box(shape: Any) -> bool:
    return _has_position(shape) and hasattr(shape, "width") and not hasattr(shape, "shapes")


_register_shape_edit("move", "geometry", _has_position, _move)
_register_shape_edit("resize", "geometry", lambda s: _is_box(s) and not _has_table(s), _resize)
_register_shape_edit("rotate", "geometry", _is_rotatable, _rotate)
_register_shape_edit("alt text", "alt_text", lambda s: True, _set_alt_text)
_register_shape_edit("alignment", "formatting", _has_run, _align)
_register_shape_edit("bullet level", "formatting", _is_body, _indent)
_register_shape_edit("picture", "pictures", _is_picture, _replace_picture)
_register_shape_edit("fill", "style", _is_fillable, _recolor)


@register_edit("delete shape")
def _delete(deck: Any, rng: random.Random) -> Expected | None:
    target = random_shape(deck, rng, lambda s: True)
    if target is None:
        return None
    target[2]._element.getparent().remove(target[2]._element)
    return Expected(("shapes",), *target[:2])


@register_edit("duplicate shape")
def _duplicate(deck: Any, rng: random.Random) -> Expected | None:
    target = random_shape(deck, rng, lambda s: _is_box(s) and hasattr(s, "text_frame"))
    if target is None:
        return None
    copy = deepcopy(target[2]._element)
    target[2]._element.getparent().append(copy)
    return Expected(("shapes",), target[0])


@register_edit("z-order")
def _bring_to_front(deck: Any, rng: random.Random) -> Expected | None:
    shapes = {id(slide): list(slide.shapes) for slide in deck.slides}
    tops = {each[-1]._element for each in shapes.values() if each}
    target = random_shape(deck, rng, lambda s: s._element not in tops)
    if target is None:
        return None
    element = target[2]._element
    tree = element.getparent()
    # If two neighbors swap, either one may be reported as moved.
    above = next(iter(element.itersiblings()), None)
    tree.remove(element)
    tree.append(element)
    swapped = above is not None and above.getnext() is element
    return Expected(("shapes",), target[0], None if swapped else target[1])


@register_edit("table cell")
def _edit_cell(deck: Any, rng: random.Random) -> Expected | None:
    target = random_shape(deck, rng, _has_table)
    if target is None:
        return None
    cell = rng.choice(list(target[2].table.iter_cells()))
    runs = [run for paragraph in cell.text_frame.paragraphs for run in paragraph.runs]
    if runs:
        runs[-1].text += " 7"
    else:
        cell.text = "7"
    return Expected(("tables",), *target[:2])


@register_edit("table row")
def _insert_row(deck: Any, rng: random.Random) -> Expected | None:
    target = random_shape(deck, rng, lambda s: _has_table(s) and len(s.table.rows) > 2)
    if target is None:
        return None
    rows = target[2]._element.findall(f".//{qn('a:tr')}")
    index = rng.randrange(1, len(rows))
    row = deepcopy(rows[index])
    for text in row.iter(qn("a:t")):
        text.text = "new"
    rows[index].addprevious(row)
    return Expected(("tables",), *target[:2])


def _has_bars(shape: Any) -> bool:
    return _has_chart(shape) and shape.chart._chartSpace.find(f".//{qn('c:barChart')}") is not None


def _change_value(shape: Any) -> Any:
    value = shape.chart._chartSpace.find(f".//{qn('c:val')}//{qn('c:v')}")
    if value is None:
        return False
    value.text = str(float(value.text) + 17)
    return None


def _retitle_chart(shape: Any) -> None:
    shape.chart.has_title = True
    paragraph = shape.chart.chart_title.text_frame.paragraphs[0]
    run = paragraph.runs[0] if paragraph.runs else paragraph.add_run()
    run.text = "Another title"


def _flip_bars(shape: Any) -> Any:
    plot = shape.chart._chartSpace.find(f".//{qn('c:barChart')}")
    if plot is None:
        return False
    direction = plot.find(qn("c:barDir"))
    direction.set("val", "bar" if direction.get("val") == "col" else "col")
    return None


def _toggle_legend(shape: Any) -> None:
    shape.chart.has_legend = not shape.chart.has_legend


def _recolor_series(shape: Any) -> None:
    series = next(iter(shape.chart.plots[0].series))
    series.format.fill.solid()
    color_type: Any = RGBColor
    series.format.fill.fore_color.rgb = color_type.from_string("0A7B3C")


_register_shape_edit("chart value", "charts", _has_chart, _change_value)
_register_shape_edit("chart title", "charts", _has_chart, _retitle_chart)
_register_shape_edit("chart type", "charts", _has_chart, _flip_bars)
_register_shape_edit("chart legend", "charts", _has_chart, _toggle_legend)
_register_shape_edit("chart colour", "charts", _has_bars, _recolor_series)
