"""Differences in shape content: picture, table, chart, diagram, embedded file."""

from collections.abc import Iterator

from pptarena.decks import Embedded, Picture, Shape, SmartArt
from pptarena.decks.diff.change import Aspect, Difference
from pptarena.decks.diff.charts import chart_differences
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.tables import table_differences
from pptarena.decks.match.values import clip, describe_paint

__all__ = ["content_differences", "describe_paint"]


def content_differences(before: Shape, after: Shape) -> Iterator[Difference]:
    """Yield the differences in content of two shapes, except for their own text."""
    if before.picture is not None and after.picture is not None:
        yield from _picture_differences(before.picture, after.picture)
    if before.table is not None and after.table is not None:
        yield from table_differences(before.table, after.table)
    if before.chart is not None and after.chart is not None:
        yield from chart_differences(before.chart, after.chart)
    if before.smart_art is not None and after.smart_art is not None:
        yield from _diagram_differences(before.smart_art, after.smart_art)
    if before.embedded is not None and after.embedded is not None:
        yield from field_differences(before.embedded, after.embedded, "other", "embedded ")
    for what, aspect in _ASPECTS.items():
        old, new = getattr(before, what), getattr(after, what)
        if (old is None) is not (new is None):
            said = what.replace("_", " ")
            yield Difference(aspect, said, _kept(old, said), _kept(new, said), old, new)


_ASPECTS: dict[str, Aspect] = {
    "picture": "pictures",
    "table": "tables",
    "chart": "charts",
    "smart_art": "diagrams",
    "embedded": "other",
}


def _kept(value: object, what: str) -> str:
    if isinstance(value, Embedded):
        return value.program or "a file"
    return "none" if value is None else f"a {what}"


def _picture_differences(before: Picture, after: Picture) -> Iterator[Difference]:
    for each in field_differences(before, after, "pictures"):
        # A new video comes with its own poster frame.
        if each.what != "picture" or before.media_sha256 == after.media_sha256:
            yield each


def _diagram_differences(before: SmartArt, after: SmartArt) -> Iterator[Difference]:
    for each in field_differences(before, after, "diagrams"):
        if each.what == "nodes":
            show = _texts if before.text != after.text else _levels
            yield Difference.of("diagrams", "nodes", before.nodes, after.nodes, show)
        else:
            yield each


def _texts(nodes: tuple[tuple[int, str], ...]) -> str:
    return clip("; ".join(text for _, text in nodes))


def _levels(nodes: tuple[tuple[int, str], ...]) -> str:
    return "levels " + " ".join(str(level) for level, _ in nodes)
