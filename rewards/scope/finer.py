"""Conditions of a scope that are finer than an aspect of a shape.

A change is tested by masking its allowed part, which means making it equal in both decks. Any
remaining difference in the same aspect is outside the scope.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from pptarena.decks import Paragraph, RunStyle, Shape, Table, Transition
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.diff.shapes import shape_differences
from pptarena.decks.diff.slides import same_transition
from pptarena.decks.equivalence.words import is_laden, plain_blanks
from pptarena.decks.match.decks import DeckMatch
from pptarena.rewards.scope.scope import CHART_PROPERTIES, ScopePart

__all__ = ["alike_transition", "allows_look", "is_finely_inside"]

_SLACK_SEC: Final = 0.5
_PLAIN_STYLES = ("bold", "italic", "underline", "strike", "color", "font", "highlight")
_STYLES = {name: (name,) for name in (*_PLAIN_STYLES, "baseline", "caps")} | {
    "size": ("size_pt",),
    "underline": ("underline", "underline_color"),
    "strike": ("strike", "double_strike"),
}
# Fields whose differences are reported under another name.
_PART_OF = {"underline color": "underline", "double strike": "strike"}
# Paragraph fields that each property masks.
_PARAGRAPHS = {
    "align": ("align",),
    "direction": ("right_to_left",),
    "level": ("level", "margin_emu", "indent_emu", "bullet"),
    "bullet": ("bullet", "margin_emu", "indent_emu"),
    "line_spacing": ("line_spacing_pct", "line_spacing_pt"),
    "spacing": ("space_before_pt", "space_after_pt"),
}
_BOXES = {
    "place": ("left", "top"),
    "left": ("left",),
    "top": ("top",),
    "extent": ("width", "height"),
    "width": ("width",),
    "height": ("height",),
    "rotation": ("rotation_deg",),
    "flip": ("flip_h", "flip_v"),
}
_TEXTS = frozenset(("text", "notes", "alt_text", "tables", "charts"))


def is_finely_inside(change: Change, part: ScopePart, match: DeckMatch) -> bool:
    """Return whether a change, already inside a part, meets the part's finer conditions."""
    if part.like is not None and change.aspect == "transition":
        return _is_like(change, part.like, match)
    pair = ShapePair.of(match, change)
    if part.words is not None and change.aspect in _TEXTS:
        return _is_rewording(change, part.words, match, pair)
    if pair is None or (part.cells, part.letters, part.properties) == (None, None, None):
        return True
    if change.aspect == "charts" and part.properties is not None:
        endings = (e for name in part.properties for e in CHART_PROPERTIES.get(name, ()))
        return change.what.endswith(tuple(endings))
    new = match.saving.restored_shape(pair.old, pair.new)
    masked = _masked(pair.old, new, part)
    rest = {each.what for each in _differences(*masked) if each.aspect == change.aspect}
    # Differences that only the mask introduces cannot be told from real ones.
    known = {each.what for each in _differences(pair.old, new)}
    return change.what not in rest and rest <= known


def _differences(old: Shape, new: Shape) -> Iterator[Difference]:
    return shape_differences(old, new, lambda link: link)


def allows_look(change: Change, part: ScopePart) -> bool:
    """Return whether a part allows new text to be formatted differently in the changed property."""
    if part.cells is not None or part.letters is not None:
        return False
    what = _PART_OF.get(change.what, change.what)
    return part.properties is None or what in {*part.properties} & _STYLES.keys()


def alike_transition(model: Transition, found: Transition) -> bool:
    """Return whether two transitions are equal, up to half a second of duration."""
    both = model.duration_sec, found.duration_sec
    if None not in both and abs((both[0] or 0) - (both[1] or 0)) <= _SLACK_SEC:
        found = replace(found, duration_sec=model.duration_sec)
    return same_transition(model, found)


def _is_like(change: Change, model: int, match: DeckMatch) -> bool:
    """Return whether a slide's transition equals that of another slide of the original."""
    now = match.to_current.get((change.slide or 0) - 1)
    if now is None or model > len(match.original.slides):
        return False
    wanted = match.original.slides[model - 1].transition
    found = match.current.slides[now].transition
    # Another effect is incomplete work; automatic advance is damage.
    return alike_transition(wanted, replace(found, type=wanted.type, variant=wanted.variant))


def _masked(old: Shape, new: Shape, part: ScopePart) -> tuple[Shape, Shape]:
    names = part.properties or ()
    if part.cells is not None and old.table is not None and new.table is not None:
        new = replace(new, table=_with_cells(new.table, old.table, part.cells))
    same: dict[str, Any] = {n: getattr(old.box, n) for p in names for n in _BOXES.get(p, ())}
    new = replace(new, box=replace(new.box, **same))
    if "crop" in names and old.picture is not None and new.picture is not None:
        new = replace(new, picture=replace(new.picture, crop_pct=old.picture.crop_pct))
    if "align" in names and old.frame is not None and new.frame is not None:
        # LibreOffice centers the text frame along with its paragraphs.
        new = replace(new, frame=replace(new.frame, centered=old.frame.centered))
    if part.letters is None and part.properties is None:
        return old, new
    styles = [f for n in _STYLES if part.properties is None or n in names for f in _STYLES[n]]
    plain = {name: getattr(RunStyle(), name) for name in styles}
    even = {f: getattr(Paragraph(()), f) for name in names for f in _PARAGRAPHS.get(name, ())}
    first, second = (
        tuple(_plain(each, part.letters, plain, even) for each in shape.paragraphs)
        for shape in (old, new)
    )
    return replace(old, paragraphs=first), replace(new, paragraphs=second)


def _with_cells(new: Table, old: Table, cells: Sequence[tuple[int, ...]]) -> Table:
    """Return a table with some cells restored, or unchanged if the tables differ in size."""
    if [len(row) for row in old.rows] != [len(row) for row in new.rows]:
        return new
    rows = [list(row) for row in new.rows]
    for row, column in cells:
        if row <= len(rows) and column <= len(rows[row - 1]):
            rows[row - 1][column - 1] = old.rows[row - 1][column - 1]
    return replace(new, rows=tuple(map(tuple, rows)))


def _plain(
    paragraph: Paragraph, letters: str | None, plain: dict[str, Any], even: dict[str, Any]
) -> Paragraph:
    """Return a paragraph with some text in default formatting and some fields unified."""
    spans = [(0, len(paragraph.text))]
    if letters is not None:
        spans = [found.span() for found in re.finditer(re.escape(letters), paragraph.text)]
    runs = []
    at = 0
    for run in paragraph.runs if spans else ():
        for start, end, inside in _cuts(at, at + len(run.text), spans):
            style = replace(run.style, **plain) if inside else run.style
            runs.append(replace(run, text=paragraph.text[start:end], style=style))
        at += len(run.text)
    return replace(paragraph, runs=tuple(runs) if spans else paragraph.runs, **even)


def _cuts(
    start: int, end: int, spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, bool]]:
    """Yield the segments of a run, and whether each lies in a span."""
    edges = sorted({start, end} | {edge for span in spans for edge in span if start < edge < end})
    for left, right in pairwise(edges):
        yield left, right, any(a <= left and right <= b for a, b in spans)


def _is_rewording(
    change: Change, words: Sequence[tuple[str, ...]], match: DeckMatch, pair: ShapePair | None
) -> bool:
    """Return whether a text differs only by the allowed word replacements."""
    if change.shape_index is None:
        index = (change.slide or 0) - 1
        after = match.to_current.get(index)
        if after is None or change.aspect != "notes":
            return True
        old, new = match.original.slides[index].notes, match.current.slides[after].notes
        return _is_reworded(old, new, words)
    if pair is None:
        return False
    return _is_reworded(_said(pair.old, change.aspect), _said(pair.new, change.aspect), words)


def _said(shape: Shape, aspect: str) -> str:
    """Return the text of a shape in an aspect."""
    if aspect in ("alt_text", "text"):
        return shape.alt_text if aspect == "alt_text" else shape.text
    rows = () if shape.table is None else shape.table.rows
    texts = ["\t".join(_lines(cell.text) for cell in row) for row in rows]
    if shape.chart is not None:
        chart = shape.chart
        names = [text for s in chart.series for text in (s.name, *s.categories)]
        texts += [chart.type, chart.grouping, chart.title, *names]
        texts += [str(series.values) for series in chart.series]
    return "\n".join(texts)


def _is_reworded(old: str, new: str, words: Sequence[tuple[str, ...]]) -> bool:
    either = {pair[0]: pair[1] for pair in words}
    cut = re.compile("(" + "|".join(re.escape(word) for word in either) + ")")
    pieces = (
        f"(?:{re.escape(piece)}|{re.escape(either[piece])})"
        if piece in either
        else re.escape(piece)
        for piece in cut.split(_lines(old))
    )
    return re.fullmatch("".join(pieces), _lines(new)) is not None


def _lines(text: str) -> str:
    text = text if is_laden(text) else plain_blanks(text)
    lines = [line.rstrip() for line in text.replace("\v", "\n").splitlines()]
    return "\n".join(lines).strip()
