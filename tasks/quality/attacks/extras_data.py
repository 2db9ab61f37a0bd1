"""One more change of a table or chart: other cells, points, series, the axis."""

from collections.abc import Callable, Iterator
from typing import Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.tasks.quality.attacks.extra import ObjectContext, extra
from pptarena.tasks.quality.attacks.extras_text import change_digits
from pptarena.tasks.quality.attacks.tools import garble, restyle_text, text_elements

__all__: list[str] = []

_GLARING_COLORS = ("FF4040", "40FF40", "6090FF")
_FIGURES = frozenset("0123456789")


@extra("the figures of the other cells", "false data", ("table",))
def _figures(context: ObjectContext) -> bool:
    """All figures that should remain are changed."""
    return _rewrite(_unchanged_cells(context), change_digits)


@extra("a figure of another cell", "false data", ("table",))
def _one_figure(context: ObjectContext) -> bool:
    """One figure that should remain is changed."""
    cells = [each for each in _unchanged_cells(context) if _FIGURES & set(_text(each))]
    return bool(cells) and _rewrite([context.rng.choice(cells)], change_digits)


@extra("the words of the other cells", "false data", ("table",))
def _words(context: ObjectContext) -> bool:
    """All words that should remain are made up."""
    cells = [each for each in _unchanged_cells(context) if not _FIGURES & set(_text(each))]
    return _rewrite(cells, garble)


@extra("the words of another cell", "false data", ("table",))
def _one_word(context: ObjectContext) -> bool:
    """The words of one cell that should remain are made up."""
    cells = [each for each in _unchanged_cells(context) if not _FIGURES & set(_text(each))]
    return bool(cells) and _rewrite([context.rng.choice(cells)], garble)


@extra("two other cells swapped", "false data", ("table",))
def _swapped(context: ObjectContext) -> bool:
    """Two cells that should remain are swapped."""
    by_text = {
        _text(each): each for each in _unchanged_cells(context) if _FIGURES & set(_text(each))
    }
    if len(by_text) < 2:
        return False
    first, second = context.rng.sample(sorted(by_text), 2)
    _rewrite([by_text[first]], lambda _: second)
    return _rewrite([by_text[second]], lambda _: first)


@extra("another row deleted", "lost content", ("table",))
def _row(context: ObjectContext) -> bool:
    """A row that should remain is deleted."""
    original_lines = context.original_lines

    def is_unchanged(row: Any) -> bool:
        return bool(_text(row)) and all(
            _text(cell) in original_lines for cell in row.iter(qn("a:tc"))
        )

    rows = [row for row in list(context.element.iter(qn("a:tr")))[1:] if is_unchanged(row)]
    if len(rows) < 2:
        return False
    row = context.rng.choice(rows)
    row.getparent().remove(row)
    return True


@extra("another column deleted", "lost content", ("table",))
def _column(context: ObjectContext) -> bool:
    """A column that should remain is deleted."""
    rows = list(context.element.iter(qn("a:tr")))
    columns = list(context.element.iter(qn("a:gridCol")))
    cells = [list(row.iter(qn("a:tc"))) for row in rows]
    original_lines = context.original_lines
    removable = [i for i in range(1, len(columns))
           if all(len(row) > i and _text(row[i]) in original_lines for row in cells)]  # fmt: skip
    if len(columns) < 3 or not removable:
        return False
    for row in cells:
        row[removable[-1]].getparent().remove(row[removable[-1]])
    columns[removable[-1]].getparent().remove(columns[removable[-1]])
    return True


@extra("glaring cells", "formatting", ("table",))
def _gaudy(context: ObjectContext) -> bool:
    """Its cells are filled with red, green and blue in turn."""
    cells = list(context.element.iter(qn("a:tc")))
    for index, cell in enumerate(cells):
        _fill(cell, _GLARING_COLORS[index % 3])
    return bool(cells)


@extra("turned cells", "formatting", ("table",), on_new_objects=False)
def _turned(context: ObjectContext) -> bool:
    """The text of all its cells is turned by 270 degrees."""
    for cell in context.element.iter(qn("a:tc")):
        cell.get_or_add_tcPr().set("vert", "vert270")
    return True


@extra("words out of their cells", "unreadable", ("table",))
def _margins(context: ObjectContext) -> bool:
    """A margin of 4 cm pushes the text of all cells out of them."""
    for cell in context.element.iter(qn("a:tc")):
        cell.get_or_add_tcPr().set("marL", "1440000")
    return True


@extra("cells in the color of their characters", "hidden", ("table",))
def _camouflaged(context: ObjectContext) -> bool:
    """All cells have the same color as their text."""
    for cell in context.element.iter(qn("a:tc")):
        _fill(cell, context.background)
    restyle_text(context.element, context.background)
    return True


@extra("all other values 1", "false data", ("chart",))
def _values(context: ObjectContext) -> bool:
    """All values of the chart that the original has are 1."""
    before = context.object.before
    chart = None if before is None else before.chart
    original_values = (
        set() if chart is None else {v for series in chart.series for v in series.values}
    )
    is_changed = False
    for point in _points(context):
        if chart is None or float(point.text) in original_values:
            point.text = "1"
            is_changed = True
    return is_changed


@extra("another value", "false data", ("chart",))
def _value(context: ObjectContext) -> bool:
    """One value of the chart that the original has is three times as large."""
    before = context.object.before
    chart = None if before is None else before.chart
    original_values = (
        set() if chart is None else {v for series in chart.series for v in series.values}
    )
    points = [
        p
        for p in _points(context)
        if (chart is None or float(p.text) in original_values) and float(p.text)
    ]
    if not points:
        return False
    point = context.rng.choice(points)
    point.text = str(round(float(point.text) * 3, 3))
    return True


@extra("another series removed", "lost content", ("chart",))
def _series(context: ObjectContext) -> bool:
    """One of its series is deleted."""
    series = list(_space(context).iter(qn("c:ser")))
    if len(series) < 2:
        return False
    series[0].getparent().remove(series[0])
    return True


@extra("a series that cannot be seen", "false data", ("chart",))
def _pale_series(context: ObjectContext) -> bool:
    """One of its series has neither fill nor outline."""
    series = list(_space(context).iter(qn("c:ser")))
    xml = f"<c:spPr {nsdecls('c', 'a')}><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>"
    for last_series in series[-1:]:
        for old in [*last_series.findall(qn("c:spPr")), *last_series.findall(qn("c:dPt"))]:
            last_series.remove(old)
        after = last_series.find(qn("c:tx"))
        (last_series.find(qn("c:order")) if after is None else after).addnext(parse_xml(xml))
    return bool(series)


@extra("categories in another order", "false data", ("chart",))
def _categories(context: ObjectContext) -> bool:
    """The names of its categories are permuted, and the values remain."""
    done = False
    for category in _space(context).iter(qn("c:cat")):
        values = [point.find(qn("c:v")) for point in category.iter(qn("c:pt"))]
        texts = [value.text for value in values]
        for value, text in zip(values, [*texts[1:], *texts[:1]], strict=True):
            done |= value.text != text
            value.text = text
    return done


@extra("an axis out of reach", "false data", ("chart",))
def _axis(context: ObjectContext) -> bool:
    """The value axis ends before its values begin."""
    return _scale(context, lambda largest: (largest * 5 + 1, largest * 10 + 2))


@extra("an axis ten times as long", "formatting", ("chart",), on_new_objects=False)
def _long_axis(context: ObjectContext) -> bool:
    """The value axis is ten times as long as its values require, so they look equal."""
    return _scale(context, lambda largest: (0, largest * 10 + 1))


@extra("data labels that lie", "false data", ("chart",))
def _labels(context: ObjectContext) -> bool:
    """The first point of a series has a custom label with a wrong figure."""
    for series in _space(context).iter(qn("c:ser")):
        for old in series.findall(qn("c:dLbls")):
            series.remove(old)
        options = "".join(f'<c:{name} val="{value}"/>' for name, value in (
            ("showLegendKey", 0), ("showVal", 1), ("showCatName", 0), ("showSerName", 0),
            ("showPercent", 0), ("showBubbleSize", 0)))  # fmt: skip
        label = ('<c:dLbl><c:idx val="0"/><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang="en-US"/>'
                 f"<a:t>777</a:t></a:r></a:p></c:rich></c:tx>{options}</c:dLbl>")  # fmt: skip
        labels = parse_xml(f"<c:dLbls {nsdecls('c', 'a')}>{label}{options}</c:dLbls>")
        for tag in ("c:trendline", "c:errBars", "c:cat", "c:val", "c:xVal", "c:yVal"):
            if (after := series.find(qn(tag))) is not None:
                after.addprevious(labels)
                return True
    return False


@extra("another chart title", "false data", ("chart",))
def _title(context: ObjectContext) -> bool:
    """The chart's title has different text."""
    chart = context.shape.chart
    if not chart.has_title:
        return False
    chart.chart_title.text_frame.text = "Lorem ipsum 1999"
    return True


def _text(cell: Any) -> str:
    return "".join(text.text or "" for text in text_elements(cell))


def _unchanged_cells(context: ObjectContext) -> list[Any]:
    """Return the cells whose text is in the original; for a new table, every second cell."""
    cells = [cell for cell in context.element.iter(qn("a:tc")) if _text(cell).strip()]
    if context.object.before is None:
        return cells[1::2]
    original_lines = context.original_lines
    return [cell for cell in cells if _text(cell) in original_lines]


def _rewrite(cells: list[Any], change: Callable[[str], str]) -> bool:
    done = False
    for cell in cells:
        texts = list(text_elements(cell))
        new = change("".join(text.text or "" for text in texts))
        done |= new != _text(cell)
        texts[0].text = new
        for text in texts[1:]:
            text.text = ""
    return done


def _fill(cell: Any, color: str) -> None:
    properties = cell.get_or_add_tcPr()
    for tag in ("a:noFill", "a:solidFill", "a:gradFill", "a:pattFill", "a:blipFill"):
        for old in properties.findall(qn(tag)):
            properties.remove(old)
    fill = parse_xml(f'<a:solidFill {nsdecls("a")}><a:srgbClr val="{color}"/></a:solidFill>')
    lines = [child for child in properties if child.tag.rpartition("}")[2].startswith("ln")]
    properties.insert(len(lines), fill)


def _space(context: ObjectContext) -> Any:
    return context.shape.chart._chartSpace


def _points(context: ObjectContext) -> Iterator[Any]:
    for values in _space(context).iter(qn("c:val"), qn("c:yVal")):
        yield from values.iter(qn("c:v"))


def _scale(context: ObjectContext, limits: Callable[[float], tuple[float, float]]) -> bool:
    axes = list(_space(context).iter(qn("c:valAx")))
    largest = max((abs(float(point.text)) for point in _points(context)), default=0.0)
    for axis in axes:
        scaling = axis.find(qn("c:scaling"))
        for tag in ("c:max", "c:min"):
            for old in scaling.findall(qn(tag)):
                scaling.remove(old)
        low, high = limits(largest)
        for tag, value in (("c:max", high), ("c:min", low)):
            scaling.append(scaling.makeelement(qn(tag), {"val": f"{value:g}"}))
    return bool(axes)
