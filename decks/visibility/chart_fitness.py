"""Whether the data of a chart can be seen: series that are drawn, an axis that holds the values."""

from collections.abc import Iterator

from pptarena.decks import Axis, Chart, Series

__all__ = ["series_out_of_range", "undrawn_series"]

_LEAST_OPACITY_PCT = 15
_OF_BARS = ("column", "bar", "area")
_EXACT = 1e-9


def undrawn_series(chart: Chart) -> Iterator[Series]:
    """Yield the series with values that are drawn with no color."""
    for series in chart.series:
        points = [value for value in series.values if value is not None]
        opacity = dict(series.point_opacities)
        colored = {index for index, _ in series.point_colors}
        by_point = [opacity.get(index, 100) for index in colored]
        if points and max([series.opacity_pct, *by_point]) < _LEAST_OPACITY_PCT:
            yield series


def series_out_of_range(chart: Chart) -> float:
    """Return the share of a chart's values that its value axis cuts off, 0 to 1.

    A bar is cut off if it does not begin on the axis, or ends beyond it. Stacked charts and charts
    with two value axes are not measured.
    """
    values = [axis for axis in chart.axes if axis.kind == "value"]
    if not values or "tacked" in chart.grouping or any(each.secondary for each in chart.series):
        return 0.0
    axis = values[-1]
    if len(values) > 1 and chart.type not in ("scatter", "bubble"):
        return 0.0
    numbers = [value for series in chart.series for value in series.values if value is not None]
    if not numbers:
        return 0.0
    return sum(_is_cut_off(value, axis, chart.type) for value in numbers) / len(numbers)


def _is_cut_off(value: float, axis: Axis, kind: str) -> bool:
    low, high = axis.minimum, axis.maximum
    if high is not None and value > high + _EXACT * max(1.0, abs(high)):
        return True
    # A bar that ends on the axis' start has no length; one of value 0 has none anywhere.
    if low is not None and value < low - _EXACT * max(1.0, abs(low)):
        return not (kind in _OF_BARS and value == 0)
    return False
