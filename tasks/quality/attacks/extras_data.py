"""One more change of a table or chart: other cells, points, series, the axis."""

from collections.abc import Callable, Iterator
from typing import Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.tasks.quality.attacks.extra import Scene, extra
from pptarena.tasks.quality.attacks.extras_text import falsified
from pptarena.tasks.quality.attacks.tools import garbled, paint_letters, text_elements

__all__: list[str] = []

_GAUDY = ("FF4040", "40FF40", "6090FF")
_FIGURES = frozenset("0123456789")


@extra("the figures of the other cells", "false data", ("table",))
def _figures(scene: Scene) -> bool:
    """All figures that were to stay are others."""
    return _rewrite(_kept_cells(scene), falsified)


@extra("a figure of another cell", "false data", ("table",))
def _one_figure(scene: Scene) -> bool:
    """One figure that was to stay is another."""
    cells = [each for each in _kept_cells(scene) if _FIGURES & set(_text(each))]
    return bool(cells) and _rewrite([scene.rng.choice(cells)], falsified)


@extra("the words of the other cells", "false data", ("table",))
def _words(scene: Scene) -> bool:
    """All words that were to stay are made up."""
    cells = [each for each in _kept_cells(scene) if not _FIGURES & set(_text(each))]
    return _rewrite(cells, garbled)


@extra("the words of another cell", "false data", ("table",))
def _one_word(scene: Scene) -> bool:
    """The words of one cell that was to stay are made up."""
    cells = [each for each in _kept_cells(scene) if not _FIGURES & set(_text(each))]
    return bool(cells) and _rewrite([scene.rng.choice(cells)], garbled)


@extra("two other cells swapped", "false data", ("table",))
def _swapped(scene: Scene) -> bool:
    """Two cells of one column that were to stay changed places."""
    by_text = {_text(each): each for each in _kept_cells(scene) if _FIGURES & set(_text(each))}
    if len(by_text) < 2:
        return False
    first, second = scene.rng.sample(sorted(by_text), 2)
    _rewrite([by_text[first]], lambda _: second)
    return _rewrite([by_text[second]], lambda _: first)


@extra("another row deleted", "lost content", ("table",))
def _row(scene: Scene) -> bool:
    """One more row is gone, one that was to stay."""
    kept = scene.kept_lines

    def is_kept(row: Any) -> bool:
        return bool(_text(row)) and all(_text(cell) in kept for cell in row.iter(qn("a:tc")))

    rows = [row for row in list(scene.element.iter(qn("a:tr")))[1:] if is_kept(row)]
    if len(rows) < 2:
        return False
    row = scene.rng.choice(rows)
    row.getparent().remove(row)
    return True


@extra("another column deleted", "lost content", ("table",))
def _column(scene: Scene) -> bool:
    """One more column is gone, the last whose heading was to stay."""
    rows = list(scene.element.iter(qn("a:tr")))
    columns = list(scene.element.iter(qn("a:gridCol")))
    cells = [list(row.iter(qn("a:tc"))) for row in rows]
    kept = scene.kept_lines
    fit = [i for i in range(1, len(columns))
           if all(len(row) > i and _text(row[i]) in kept for row in cells)]  # fmt: skip
    if len(columns) < 3 or not fit:
        return False
    for row in cells:
        row[fit[-1]].getparent().remove(row[fit[-1]])
    columns[fit[-1]].getparent().remove(columns[fit[-1]])
    return True


@extra("glaring cells", "formatting", ("table",))
def _gaudy(scene: Scene) -> bool:
    """All its cells are red, green and blue in turn."""
    cells = list(scene.element.iter(qn("a:tc")))
    for index, cell in enumerate(cells):
        _fill(cell, _GAUDY[index % 3])
    return bool(cells)


@extra("turned cells", "formatting", ("table",), of_new=False)
def _turned(scene: Scene) -> bool:
    """The text of all its cells is turned by 270 degrees."""
    for cell in scene.element.iter(qn("a:tc")):
        cell.get_or_add_tcPr().set("vert", "vert270")
    return True


@extra("words out of their cells", "unreadable", ("table",))
def _margins(scene: Scene) -> bool:
    """A margin of 4 cm pushes the text of all cells out of them."""
    for cell in scene.element.iter(qn("a:tc")):
        cell.get_or_add_tcPr().set("marL", "1440000")
    return True


@extra("cells in the color of their characters", "hidden", ("table",))
def _veiled(scene: Scene) -> bool:
    """All cells and their characters have one color."""
    for cell in scene.element.iter(qn("a:tc")):
        _fill(cell, scene.background)
    paint_letters(scene.element, scene.background)
    return True


@extra("all other values 1", "false data", ("chart",))
def _values(scene: Scene) -> bool:
    """All values of the chart that the original has are 1."""
    before = scene.object.before
    chart = None if before is None else before.chart
    known = set() if chart is None else {v for one in chart.series for v in one.values}
    done = False
    for point in _points(scene):
        if chart is None or float(point.text) in known:
            point.text = "1"
            done = True
    return done


@extra("another value", "false data", ("chart",))
def _value(scene: Scene) -> bool:
    """One value of the chart that the original has is three times as large."""
    before = scene.object.before
    chart = None if before is None else before.chart
    known = set() if chart is None else {v for one in chart.series for v in one.values}
    points = [
        p for p in _points(scene) if (chart is None or float(p.text) in known) and float(p.text)
    ]
    if not points:
        return False
    point = scene.rng.choice(points)
    point.text = str(round(float(point.text) * 3, 3))
    return True


@extra("another series removed", "lost content", ("chart",))
def _series(scene: Scene) -> bool:
    """One of its series is gone."""
    series = list(_space(scene).iter(qn("c:ser")))
    if len(series) < 2:
        return False
    series[0].getparent().remove(series[0])
    return True


@extra("a series that cannot be seen", "false data", ("chart",))
def _pale_series(scene: Scene) -> bool:
    """One of its series has neither fill nor outline."""
    series = list(_space(scene).iter(qn("c:ser")))
    xml = f"<c:spPr {nsdecls('c', 'a')}><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>"
    for one in series[-1:]:
        for old in [*one.findall(qn("c:spPr")), *one.findall(qn("c:dPt"))]:
            one.remove(old)
        after = one.find(qn("c:tx"))
        (one.find(qn("c:order")) if after is None else after).addnext(parse_xml(xml))
    return bool(series)


@extra("categories in another order", "false data", ("chart",))
def _categories(scene: Scene) -> bool:
    """The names of its categories change places, and the values stay."""
    done = False
    for category in _space(scene).iter(qn("c:cat")):
        values = [point.find(qn("c:v")) for point in category.iter(qn("c:pt"))]
        texts = [value.text for value in values]
        for value, text in zip(values, [*texts[1:], *texts[:1]], strict=True):
            done |= value.text != text
            value.text = text
    return done


@extra("an axis out of reach", "false data", ("chart",))
def _axis(scene: Scene) -> bool:
    """The value axis ends before its values begin."""
    return _scale(scene, lambda largest: (largest * 5 + 1, largest * 10 + 2))


@extra("an axis ten times as long", "formatting", ("chart",), of_new=False)
def _long_axis(scene: Scene) -> bool:
    """The value axis goes ten times as far as its values, which makes them look equal."""
    return _scale(scene, lambda largest: (0, largest * 10 + 1))


@extra("data labels that lie", "false data", ("chart",))
def _labels(scene: Scene) -> bool:
    """The first point of a series has a label written by hand with another figure."""
    for series in _space(scene).iter(qn("c:ser")):
        for old in series.findall(qn("c:dLbls")):
            series.remove(old)
        shown = "".join(f'<c:{name} val="{value}"/>' for name, value in (
            ("showLegendKey", 0), ("showVal", 1), ("showCatName", 0), ("showSerName", 0),
            ("showPercent", 0), ("showBubbleSize", 0)))  # fmt: skip
        label = ('<c:dLbl><c:idx val="0"/><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang="en-US"/>'
                 f"<a:t>777</a:t></a:r></a:p></c:rich></c:tx>{shown}</c:dLbl>")  # fmt: skip
        labels = parse_xml(f"<c:dLbls {nsdecls('c', 'a')}>{label}{shown}</c:dLbls>")
        for tag in ("c:trendline", "c:errBars", "c:cat", "c:val", "c:xVal", "c:yVal"):
            if (after := series.find(qn(tag))) is not None:
                after.addprevious(labels)
                return True
    return False


@extra("another chart title", "false data", ("chart",))
def _title(scene: Scene) -> bool:
    """The chart's title has different text."""
    chart = scene.shape.chart
    if not chart.has_title:
        return False
    chart.chart_title.text_frame.text = "Lorem ipsum 1999"
    return True


def _text(cell: Any) -> str:
    return "".join(text.text or "" for text in text_elements(cell))


def _kept_cells(scene: Scene) -> list[Any]:
    """Return the cells whose text is in the original; for a new table, every second cell."""
    cells = [cell for cell in scene.element.iter(qn("a:tc")) if _text(cell).strip()]
    if scene.object.before is None:
        return cells[1::2]
    kept = scene.kept_lines
    return [cell for cell in cells if _text(cell) in kept]


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


def _space(scene: Scene) -> Any:
    return scene.shape.chart._chartSpace


def _points(scene: Scene) -> Iterator[Any]:
    for values in _space(scene).iter(qn("c:val"), qn("c:yVal")):
        yield from values.iter(qn("c:v"))


def _scale(scene: Scene, limits: Callable[[float], tuple[float, float]]) -> bool:
    axes = list(_space(scene).iter(qn("c:valAx")))
    largest = max((abs(float(point.text)) for point in _points(scene)), default=0.0)
    for axis in axes:
        scaling = axis.find(qn("c:scaling"))
        for tag in ("c:max", "c:min"):
            for old in scaling.findall(qn(tag)):
                scaling.remove(old)
        low, high = limits(largest)
        for tag, value in (("c:max", high), ("c:min", low)):
            scaling.append(scaling.makeelement(qn(tag), {"val": f"{value:g}"}))
    return bool(axes)
