"""Apply the differences between two charts."""

from collections.abc import Iterator, Sequence
from typing import Any

from pptarena.vm_images.guest.property_differences import (
    attempt,
    set_all,
    set_always,
    set_differing,
)

__all__ = ["apply_chart"]

_AXES = ("XAxis", "YAxis", "ZAxis", "SecondaryXAxis", "SecondaryYAxis")
_PARTS = (*_AXES, "XMainGrid", "YMainGrid", "XHelpGrid", "YHelpGrid", "Wall", "Floor")
_OPTIONAL_PARTS = {
    "Title": "HasMainTitle",
    "SubTitle": "HasSubTitle",
    "Legend": "HasLegend",
    "Area": "",
}
_TITLE_PROPERTIES = ("CharHeight", "CharWeight", "CharFontName")
# Set again last: setting the limits of an axis turns off their automatic values.
_AUTOMATIC = ("AutoMax", "AutoMin", "AutoOrigin", "AutoStepHelp", "AutoStepMain")
_TITLES = ("XAxisTitle", "YAxisTitle", "ZAxisTitle")
_FORMATS = ("NumberFormat", "PercentageNumberFormat")


def apply_chart(mine: Any, theirs: Any) -> None:
    """Set the data, type, titles, legend, axes and series of a chart."""
    chart, target = mine.Model, theirs.Model
    if target is None or not hasattr(target, "getDiagram"):
        return
    diagram_type = target.getDiagram().getDiagramType()
    # A new chart reports the type of a bar chart, but the application crashes when its series are
    # queried.
    if chart.getFirstDiagram() is None or chart.getDiagram().getDiagramType() != diagram_type:
        attempt(_set_type, chart, diagram_type)
    attempt(_apply_data, chart, target)
    set_all(chart, target)
    for key, flag in _OPTIONAL_PARTS.items():
        # Accessing a missing one creates it.
        if not flag or target.getPropertyValue(flag):
            attempt(_apply_part, chart, target, key)
    diagram, target_diagram = chart.getDiagram(), target.getDiagram()
    set_all(diagram, target_diagram)
    for key in (*_PARTS, *_TITLES):
        attempt(_apply_part, diagram, target_diagram, key)
    for key in _AXES:
        attempt(_apply_axis_format, chart, target, key)
    attempt(_apply_value_formats, chart, target)
    attempt(_format_titles, chart, target)
    attempt(_set_category_position, chart, target)
    for index, points in enumerate(_formatted_points(target)):
        attempt(_apply_series, chart, target, index, points)


def _apply_data(chart: Any, target: Any) -> None:
    current, goal = chart.getData(), target.getData()
    if current.getData() != goal.getData():
        current.setData(goal.getData())
    if current.getRowDescriptions() != goal.getRowDescriptions():
        current.setRowDescriptions(goal.getRowDescriptions())
    if current.getColumnDescriptions() != goal.getColumnDescriptions():
        current.setColumnDescriptions(goal.getColumnDescriptions())


def _set_type(chart: Any, diagram_type: str) -> None:
    chart.setDiagram(chart.createInstance(diagram_type))


def _apply_part(chart: Any, target: Any, key: str) -> None:
    mine, theirs = getattr(chart, key), getattr(target, key)
    if hasattr(theirs, "String") and mine.String != theirs.String:
        mine.String = theirs.String
    set_all(mine, theirs)
    set_differing(mine, theirs, _AUTOMATIC)


def _format_titles(chart: Any, target: Any) -> None:
    """Set the character formatting of titles, which the title objects do not expose."""
    for owner, target_owner in zip(_title_owners(chart), _title_owners(target), strict=False):
        own_title, target_title = owner.getTitleObject(), target_owner.getTitleObject()
        if own_title is None or target_title is None:
            continue
        for mine, theirs in zip(own_title.getText(), target_title.getText(), strict=False):
            # The object reports the requested formatting even where it is not applied.
            set_always(mine, theirs, _TITLE_PROPERTIES)


def _title_owners(chart: Any) -> list[Any]:
    (system, *_) = chart.getFirstDiagram().getCoordinateSystems()
    return [chart, *(system.getAxisByDimension(dimension, 0) for dimension in range(2))]


def _set_category_position(chart: Any, target: Any) -> None:
    """Place categories on or between the tick marks of their axis."""
    own_axis, target_axis = _category_axis(chart), _category_axis(target)
    scale, position = own_axis.getScaleData(), target_axis.getScaleData().ShiftedCategoryPosition
    if scale.ShiftedCategoryPosition != position:
        scale.ShiftedCategoryPosition = position
        own_axis.setScaleData(scale)


def _category_axis(chart: Any) -> Any:
    (system, *_) = chart.getFirstDiagram().getCoordinateSystems()
    return system.getAxisByDimension(0, 0)


def _apply_series(chart: Any, target: Any, index: int, points: Sequence[int]) -> None:
    diagram, target_diagram = chart.getDiagram(), target.getDiagram()
    pairs = [(diagram.getDataRowProperties(index), target_diagram.getDataRowProperties(index))]
    for point in points:
        target_point = target_diagram.getDataPointProperties(point, index)
        pairs.append((diagram.getDataPointProperties(point, index), target_point))
    for mine, theirs in pairs:
        set_all(mine, theirs)
        _apply_number_formats(chart, target, mine, theirs)


def _apply_axis_format(chart: Any, target: Any, key: str) -> None:
    mine, theirs = getattr(chart.getDiagram(), key), getattr(target.getDiagram(), key)
    _apply_number_formats(chart, target, mine, theirs)


def _apply_number_formats(chart: Any, target: Any, mine: Any, theirs: Any) -> None:
    """Set number formats by their codes, because each chart has its own format keys."""
    for name in _FORMATS:
        attempt(_apply_number_format, chart, target, mine, theirs, name)


def _apply_number_format(chart: Any, target: Any, mine: Any, theirs: Any, name: str) -> None:
    if theirs.LinkNumberFormatToSource:
        return
    mine.setPropertyValue(name, _format_key(chart, target, theirs.getPropertyValue(name)))


def _apply_value_formats(chart: Any, target: Any) -> None:
    """Set the number formats of the data, which labels and axes may be linked to."""
    for series, target_series in zip(_all_series(chart), _all_series(target), strict=False):
        for sequence, target_sequence in zip(
            series.getDataSequences(), target_series.getDataSequences(), strict=False
        ):
            key = _format_key(
                chart, target, target_sequence.getValues().getNumberFormatKeyByIndex(-1)
            )
            if sequence.getValues().getNumberFormatKeyByIndex(-1) != key:
                sequence.getValues().setPropertyValue("NumberFormatKey", key)


def _format_key(chart: Any, target: Any, key: int) -> int:
    """Return the key of another chart's format in this chart; add the format if necessary."""
    format_ = target.getNumberFormats().getByKey(key)
    formats = chart.getNumberFormats()
    existing = int(formats.queryKey(format_.FormatString, format_.Locale, False))
    return existing if existing >= 0 else int(formats.addNew(format_.FormatString, format_.Locale))


def _formatted_points(chart: Any) -> Iterator[Sequence[int]]:
    """Yield, for each series, the indices of points with their own formatting.

    Querying the properties of any other point would create such formatting.
    """
    for series in _all_series(chart):
        yield series.AttributedDataPoints or ()


def _all_series(chart: Any) -> Iterator[Any]:
    for system in chart.getFirstDiagram().getCoordinateSystems():
        for chart_type in system.getChartTypes():
            yield from chart_type.getDataSeries()
