"""A chart made like another one."""

from typing import Any

from pptarena.vm_images.guest.become_written import set_all, tried

__all__ = ["become_charted"]

_AXES = ("XAxis", "YAxis", "ZAxis", "SecondaryXAxis", "SecondaryYAxis")
_PARTS = (*_AXES, "XMainGrid", "YMainGrid", "XHelpGrid", "YHelpGrid", "Wall", "Floor")
_SHOWN = {"Title": "HasMainTitle", "SubTitle": "HasSubTitle", "Legend": "HasLegend", "Area": ""}
_OF_TITLE = ("CharHeight", "CharWeight", "CharFontName")
_TITLES = ("XAxisTitle", "YAxisTitle", "ZAxisTitle")


def become_charted(mine: Any, theirs: Any) -> None:
    """Set the data, type, titles, legend, axes and series of a chart."""
    chart, wanted = mine.Model, theirs.Model
    if wanted is None or not hasattr(wanted, "getDiagram"):
        return
    tried(_data, chart, wanted)
    kind = wanted.getDiagram().getDiagramType()
    if chart.getDiagram().getDiagramType() != kind:
        tried(_set_kind, chart, kind)
    set_all(chart, wanted)
    for key, has in _SHOWN.items():
        # To ask for one that is not there makes it.
        if not has or wanted.getPropertyValue(has):
            tried(_part, chart, wanted, key)
    tried(_titled, chart, wanted)
    diagram, other = chart.getDiagram(), wanted.getDiagram()
    set_all(diagram, other)
    for key in (*_PARTS, *_TITLES):
        tried(_part, diagram, other, key)
    for place in range(len(wanted.getData().getColumnDescriptions())):
        tried(_series, diagram, other, place)


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


def _titled(chart: Any, wanted: Any) -> None:
    """Set the look of a title's letters, of which the title itself knows nothing."""
    if not wanted.HasMainTitle:
        return
    own, others = chart.getTitleObject().getText(), wanted.getTitleObject().getText()
    for mine, theirs in zip(own, others, strict=False):
        # No others: with some of them set, the chart could not be saved.
        for key in _OF_TITLE:
            setattr(mine, key, getattr(theirs, key))


def _series(diagram: Any, other: Any, place: int) -> None:
    set_all(diagram.getDataRowProperties(place), other.getDataRowProperties(place))
