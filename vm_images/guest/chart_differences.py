"""Apply the differences between two charts."""

from collections.abc import Iterator, Sequence
from typing import Any

from pptarena.vm_images.guest.property_differences import set_all, set_anyway, set_some, tried

__all__ = ["apply_chart"]

_AXES = ("XAxis", "YAxis", "ZAxis", "SecondaryXAxis", "SecondaryYAxis")
_PARTS = (*_AXES, "XMainGrid", "YMainGrid", "XHelpGrid", "YHelpGrid", "Wall", "Floor")
_SHOWN = {"Title": "HasMainTitle", "SubTitle": "HasSubTitle", "Legend": "HasLegend", "Area": ""}
_OF_TITLE = ("CharHeight", "CharWeight", "CharFontName")
# Set again last: setting the limits of an axis turns off their automatic values.
_AUTOMATIC = ("AutoMax", "AutoMin", "AutoOrigin", "AutoStepHelp", "AutoStepMain")
_TITLES = ("XAxisTitle", "YAxisTitle", "ZAxisTitle")
_FORMATS = ("NumberFormat", "PercentageNumberFormat")


def apply_chart(mine: Any, theirs: Any) -> None:
    """Set the data, type, titles, legend, axes and series of a chart."""
    chart, wanted = mine.Model, theirs.Model
    if wanted is None or not hasattr(wanted, "getDiagram"):
        return
    kind = wanted.getDiagram().getDiagramType()
    # A new chart only claims to be a bar chart; the application crashes when asked about its
    # series.
    if chart.getFirstDiagram() is None or chart.getDiagram().getDiagramType() != kind:
        tried(_set_kind, chart, kind)
    tried(_data, chart, wanted)
    set_all(chart, wanted)
    for key, has in _SHOWN.items():
        # Accessing a missing one creates it.
        if not has or wanted.getPropertyValue(has):
            tried(_part, chart, wanted, key)
    diagram, other = chart.getDiagram(), wanted.getDiagram()
    set_all(diagram, other)
    for key in (*_PARTS, *_TITLES):
        tried(_part, diagram, other, key)
    for key in _AXES:
        tried(_axis_format, chart, wanted, key)
    tried(_value_formats, chart, wanted)
    tried(_titled, chart, wanted)
    tried(_shift, chart, wanted)
    for place, own_points in enumerate(_own_points(wanted)):
        tried(_series, chart, wanted, place, own_points)


def _data(chart: Any, wanted: Any) -> None:
    now, then = chart.getData(), wanted.getData()
    if now.getData() != then.getData():
        now.setData(then.getData())
    if now.getRowDescriptions() != then.getRowDescriptions():
        now.setRowDescriptions(then.getRowDescriptions())
    if now.getColumnDescriptions() != then.getColumnDescriptions():
        now.setColumnDescriptions(then.getColumnDescriptions())


def _set_kind(chart: Any, kind: str) -> None:
    chart.setDiagram(chart.createInstance(kind))


def _part(chart: Any, wanted: Any, key: str) -> None:
    mine, theirs = getattr(chart, key), getattr(wanted, key)
    if hasattr(theirs, "String") and mine.String != theirs.String:
        mine.String = theirs.String
    set_all(mine, theirs)
    set_some(mine, theirs, _AUTOMATIC)


def _titled(chart: Any, wanted: Any) -> None:
    """Set the character formatting of titles, which the title objects do not expose."""
    for own, other in zip(_title_owners(chart), _title_owners(wanted), strict=False):
        title, model = own.getTitleObject(), other.getTitleObject()
        if title is None or model is None:
            continue
        for mine, theirs in zip(title.getText(), model.getText(), strict=False):
            # The object reports the requested formatting even where it is not applied.
            set_anyway(mine, theirs, _OF_TITLE)


def _title_owners(chart: Any) -> list[Any]:
    (system, *_) = chart.getFirstDiagram().getCoordinateSystems()
    return [chart, *(system.getAxisByDimension(each, 0) for each in range(2))]


def _shift(chart: Any, wanted: Any) -> None:
    """Place categories on or between the tick marks of their axis."""
    axis, other = _category_axis(chart), _category_axis(wanted)
    scale, shifted = axis.getScaleData(), other.getScaleData().ShiftedCategoryPosition
    if scale.ShiftedCategoryPosition != shifted:
        scale.ShiftedCategoryPosition = shifted
        axis.setScaleData(scale)


def _category_axis(chart: Any) -> Any:
    (system, *_) = chart.getFirstDiagram().getCoordinateSystems()
    return system.getAxisByDimension(0, 0)


def _series(chart: Any, wanted: Any, place: int, own_points: Sequence[int]) -> None:
    diagram, other = chart.getDiagram(), wanted.getDiagram()
    pairs = [(diagram.getDataRowProperties(place), other.getDataRowProperties(place))]
    for point in own_points:
        model = other.getDataPointProperties(point, place)
        pairs.append((diagram.getDataPointProperties(point, place), model))
    for mine, theirs in pairs:
        set_all(mine, theirs)
        _number_formats(chart, wanted, mine, theirs)


def _axis_format(chart: Any, wanted: Any, key: str) -> None:
    mine, theirs = getattr(chart.getDiagram(), key), getattr(wanted.getDiagram(), key)
    _number_formats(chart, wanted, mine, theirs)


def _number_formats(chart: Any, wanted: Any, mine: Any, theirs: Any) -> None:
    """Set number formats by their codes: each chart numbers its formats by itself."""
    for name in _FORMATS:
        tried(_number_format, chart, wanted, mine, theirs, name)


def _number_format(chart: Any, wanted: Any, mine: Any, theirs: Any, name: str) -> None:
    if theirs.LinkNumberFormatToSource:
        return
    mine.setPropertyValue(name, _key(chart, wanted, theirs.getPropertyValue(name)))


def _value_formats(chart: Any, wanted: Any) -> None:
    """Set the number formats of the data, which labels and axes may be linked to."""
    for series, model in zip(_all_series(chart), _all_series(wanted), strict=False):
        for own, other in zip(series.getDataSequences(), model.getDataSequences(), strict=False):
            key = _key(chart, wanted, other.getValues().getNumberFormatKeyByIndex(-1))
            if own.getValues().getNumberFormatKeyByIndex(-1) != key:
                own.getValues().setPropertyValue("NumberFormatKey", key)


def _key(chart: Any, wanted: Any, key: int) -> int:
    """Return the number of a format of another chart among the chart's own formats."""
    model = wanted.getNumberFormats().getByKey(key)
    formats = chart.getNumberFormats()
    found = int(formats.queryKey(model.FormatString, model.Locale, False))
    return found if found >= 0 else int(formats.addNew(model.FormatString, model.Locale))


def _own_points(chart: Any) -> Iterator[Sequence[int]]:
    """Yield the indices of the points of each series with their own formatting.

    Querying other points would give them formatting of their own.
    """
    for series in _all_series(chart):
        yield series.AttributedDataPoints or ()


def _all_series(chart: Any) -> Iterator[Any]:
    for system in chart.getFirstDiagram().getCoordinateSystems():
        for kind in system.getChartTypes():
            yield from kind.getDataSeries()
