"""Loss of a shape by a change of one aspect, in [0, 1]."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pptarena.decks import Chart, Picture, Shape, Table
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.new_words import BLANKS
from pptarena.decks.diff.text import LINES_AFTER
from pptarena.decks.match.likeness import box_likeness, multiset_likeness, words

__all__ = ["aspect_loss", "look_loss"]

_SHAPE_ASPECTS = {
    "style": 0.3,
    "diagrams": 0.6,
    "other": 0.2,
    "hyperlinks": 0.2,
    "alt_text": 0.15,
    "animation": 0.1,
    "shapes": 0.1,
}
_UNKNOWN = 0.1
_MOVED = 0.4
_CROPPED = 0.3
_SPOILED = 0.6
_PART_LEFT = 0.5
_CHART_DATA = 0.4
_CHART_LOOK = 0.25
_CELLS = 2.0
_LOOK = 0.4
_EACH_LOOK = 0.1
_LOOK_AT_MOST = 0.7
_QUITE_ANOTHER_SIZE = 2.0
_ON_ITS_SIDE_DEG = 45
_OTHER_WAY_UP = frozenset(("rotation", "vertical", BLANKS))


def aspect_loss(old: Shape, new: Shape, aspect: str, changes: Sequence[Change]) -> float:
    """Return the loss of a shape by the changes of one aspect, in [0, 1]."""
    if aspect == "text":
        return max(_reworded(old, new, changes), _moved_text(changes))
    if aspect == "visibility":
        return 1.0
    if aspect == "geometry":
        moved = _MOVED * (1 - box_likeness(old.box, new.box))
        turned = abs(new.box.rotation_deg - old.box.rotation_deg) % 360
        upside_down = _ON_ITS_SIDE_DEG <= turned <= 360 - _ON_ITS_SIDE_DEG
        return max(moved, _LOOK_AT_MOST if upside_down and new.all_text.strip() else 0.0)
    if aspect == "formatting":
        return look_loss([change for change in changes if change.aspect == aspect])
    if aspect == "pictures" and old.picture is not None and new.picture is not None:
        same = old.picture.sha256 == new.picture.sha256
        return (_SPOILED if _is_spoiled(old.picture, new.picture) else _CROPPED) if same else 1.0
    if aspect == "tables" and old.table is not None and new.table is not None:
        cells = min(1.0, _CELLS * (1 - multiset_likeness(_cells(old.table), _cells(new.table))))
        return max(cells, _moved_text(changes))
    if aspect == "charts" and old.chart is not None and new.chart is not None:
        return _chart_loss(old.chart, new.chart)
    return _SHAPE_ASPECTS.get(aspect, _UNKNOWN)


def _reworded(old: Shape, new: Shape, changes: Sequence[Change]) -> float:
    """Return the changed share of a text; if only lines are listed, weighted by their length."""
    texts = [(c.value_before, c.value_after) for c in changes if c.aspect == "text"]
    lines = [(a, b) for a, b in texts if isinstance(a, str) and isinstance(b, str) and a]
    whole = words(old.text)
    if not lines or not whole or len(lines) < len(texts):
        return 1 - multiset_likeness(whole, words(new.text))
    lost = ((1 - multiset_likeness(words(a), words(b))) * len(words(a)) for a, b in lines)
    return min(1.0, sum(lost) / len(whole))


def _moved_text(changes: Sequence[Change]) -> float:
    """Return the loss of a text that was moved by empty lines after it, in [0, 1]."""
    return _LOOK if any(change.what.endswith(LINES_AFTER) for change in changes) else 0.0


def look_loss(changes: Sequence[Change]) -> float:
    """Return the loss by changed formatting, which grows with the number of properties."""
    properties = {change.what for change in changes}
    if properties & _OTHER_WAY_UP or any(map(_is_far_off, changes)):
        return _LOOK_AT_MOST
    return min(_LOOK_AT_MOST, _LOOK + _EACH_LOOK * (len(properties) - 1))


def _is_far_off(change: Change) -> bool:
    """Return whether the font size changed at least by the factor `_QUITE_ANOTHER_SIZE`."""
    if change.what.rpartition(" ")[2] != "size":
        return False
    old, new = (list(_numbers(each)) for each in (change.value_before, change.value_after))
    factors = (max(a, b) / min(a, b) for a, b in zip(old, new, strict=False) if min(a, b) > 0)
    return any(factor >= _QUITE_ANOTHER_SIZE for factor in factors)


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, tuple):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, int | float):
        yield float(value)


def _is_spoiled(old: Picture, new: Picture) -> bool:
    """Return whether a picture with the same file is mostly cropped, faded or altered."""
    crops = old.crop_pct, new.crop_pct
    was, now = (
        max(0.0, 1 - (c[0] + c[2]) / 100) * max(0.0, 1 - (c[1] + c[3]) / 100) for c in crops
    )
    if now < _PART_LEFT * was or new.opacity_pct < _PART_LEFT * old.opacity_pct:
        return True
    return replace(old, crop_pct=new.crop_pct, opacity_pct=new.opacity_pct) != new


def _chart_loss(old: Chart, new: Chart) -> float:
    """Return the loss by changed data, names or formatting of a chart."""
    if _data(old) == _data(new):
        return _CHART_LOOK
    sides = [[(s.name, i, v) for s in c.series for i, v in enumerate(s.values)] for c in (old, new)]
    return _CHART_DATA + (1 - _CHART_DATA) * (1 - multiset_likeness(*sides))


def _data(chart: Chart) -> tuple[object, ...]:
    return chart.type, tuple((s.name, s.categories, s.values) for s in chart.series)


def _cells(table: Table) -> list[tuple[int, int, str]]:
    rows = enumerate(table.rows)
    return [(r, c, cell.text.strip()) for r, row in rows for c, cell in enumerate(row)]
