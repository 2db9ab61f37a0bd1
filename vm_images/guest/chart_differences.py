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
    tried(_titled, chart, wanted)
    tried(_shift, chart, wanted)
    for place, own_points in enumerate(_own_points(wanted)):
        tried(_series, diagram, other, place, own_points)


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


def _series(diagram: Any, other: Any, place: int, own_points: Sequence[int]) -> None:
    set_all(diagram.getDataRowProperties(place), other.getDataRowProperties(place))
    for point in own_points:
        wanted = other.getDataPointProperties(point, place)
        set_all(diagram.getDataPointProperties(point, place), wanted)


def _own_points(chart: Any) -> Iterator[Sequence[int]]:
    """Yield the indices of the points of each series with their own formatting.

    Querying other points would give them formatting of their own.
    """
    for system in chart.getFirstDiagram().getCoordinateSystems():
        for kind in system.getChartTypes():
            for series in kind.getDataSeries():
                yield series.AttributedDataPoints or ()
