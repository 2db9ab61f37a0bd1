"""Conditions of a scope that are finer than "this aspect of this shape".

A change is looked at with the allowed part of it masked: made equal in both decks. What still
differs then in the same aspect lies outside.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from pptarena.decks import Box, Cell, Paragraph, Run, RunStyle, Shape, Table
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.shapes import shape_differences
from pptarena.decks.match.decks import DeckMatch
from pptarena.rewards.scope.scope import ScopePart
from pptarena.rewards.scope.transitions import alike_transition

__all__ = ["allows_look", "is_finely_inside"]

_STYLES = {
    "bold": "bold",
    "italic": "italic",
    "underline": "underline",
    "strike": "strike",
    "size": "size_pt",
    "color": "color",
    "font": "font",
    "highlight": "highlight",
    "baseline": "baseline",
    "caps": "caps",
}
# Paragraphs are made alike in these fields.
_PARAGRAPHS = {
    "align": ("align",),
    "level": ("level", "margin_emu", "indent_emu", "bullet"),
    "bullet": ("bullet", "margin_emu", "indent_emu"),
    "line_spacing": ("line_spacing_pct", "line_spacing_pt"),
    "spacing": ("space_before_pt", "space_after_pt"),
}
_BOXES = {
    "place": ("left", "top"),
    "extent": ("width", "height"),
    "rotation": ("rotation_deg",),
    "flip": ("flip_h", "flip_v"),
}
_TEXTS = frozenset(("text", "notes", "alt_text", "tables", "charts"))


def is_finely_inside(change: Change, part: ScopePart, match: DeckMatch) -> bool:
    """Return whether a change meets the finer conditions of a part that it is otherwise in."""
    if part.like is not None and change.aspect == "transition":
        return _is_like(change, part.like, match)
    if part.words is not None and change.aspect in _TEXTS:
        return _is_rewording(change, part.words, match)
    if change.shape_index is None or change.slide is None:
        return True
    if part.cells is None and part.letters is None and part.properties is None:
        return True
    found = _shapes(change, match)
    if found is None:
        return True
    old, new = _masked(*found, part)
    rest = {
        each.what
        for each in shape_differences(old, new, lambda link: link)
        if each.aspect == change.aspect
    }
    # What the mask brings up, and what was no difference before, cannot be told apart.
    known = {each.what for each in shape_differences(*found, lambda link: link)}
    return change.what not in rest and rest <= known


def _shapes(change: Change, match: DeckMatch) -> tuple[Shape, Shape] | None:
    index = (change.slide or 0) - 1
    if change.shape_index is None or index not in match.to_current:
        return None
    now = match.shapes(index).to_current.get(change.shape_index)
    if now is None:
        return None
    old = match.original.slides[index].shapes[change.shape_index]
    new = match.current.slides[match.to_current[index]].shapes[now]
    return old, match.saving.restored_shape(old, new)


def _masked(old: Shape, new: Shape, part: ScopePart) -> tuple[Shape, Shape]:
    if part.cells is not None and old.table is not None and new.table is not None:
        new = replace(new, table=_with_cells(new.table, old.table, part.cells))
    if part.properties is not None:
        same = {n: getattr(old.box, n) for p in part.properties for n in _BOXES.get(p, ())}
        new = replace(new, box=_with_box(new.box, same))
    if "align" in (part.properties or ()) and old.frame is not None and new.frame is not None:
        # LibreOffice centres the text as a whole along with its lines.
        new = replace(new, frame=replace(new.frame, centered=old.frame.centered))
    if part.letters is not None or part.properties is not None:
        names = _STYLES if part.properties is None else part.properties
        plain = {_STYLES[n]: getattr(RunStyle(), _STYLES[n]) for n in names if n in _STYLES}
        fields = {f for n in part.properties or () for f in _PARAGRAPHS.get(n, ())}
        even = {name: getattr(Paragraph(()), name) for name in fields}
        old, new = (
            replace(each, paragraphs=tuple(_plain(p, part.letters, plain) for p in each.paragraphs))
            for each in (old, new)
        )
        old, new = (
            replace(each, paragraphs=tuple(_evened(p, even) for p in each.paragraphs))
            for each in (old, new)
        )
    return old, new


def _evened(paragraph: Paragraph, even: dict[str, object]) -> Paragraph:
    return replace(paragraph, **even) if even else paragraph  # type: ignore[arg-type]


def allows_look(change: Change, part: ScopePart) -> bool:
    """Return whether a part lets new words look otherwise in the property of a change."""
    if part.cells is not None or part.letters is not None:
        return False
    if part.properties is None:
        return True
    return change.what in {
        _STYLES[name].removesuffix("_pt") for name in part.properties if name in _STYLES
    }


def _is_like(change: Change, model: int, match: DeckMatch) -> bool:
    """Return whether a slide comes in as another one of the original does."""
    index = (change.slide or 0) - 1
    now = match.to_current.get(index)
    if now is None or model > len(match.original.slides):
        return False
    wanted = match.original.slides[model - 1].transition
    found = match.current.slides[now].transition
    # Another effect is work that is not done; that a slide goes on by itself is damage.
    return alike_transition(wanted, replace(found, type=wanted.type, variant=wanted.variant))


def _with_box(box: Box, same: dict[str, float]) -> Box:
    return replace(box, **same)  # type: ignore[arg-type]


def _with_cells(new: Table, old: Table, cells: Sequence[tuple[int, ...]]) -> Table:
    """Return a table with these cells as they were; of another size, it stays as it is."""
    if [len(row) for row in old.rows] != [len(row) for row in new.rows]:
        return new
    rows: list[list[Cell]] = [list(row) for row in new.rows]
    for row, column in cells:
        if row <= len(rows) and column <= len(rows[row - 1]):
            was = old.rows[row - 1][column - 1]
            rows[row - 1][column - 1] = was
    return replace(new, rows=tuple(tuple(row) for row in rows))


def _plain(paragraph: Paragraph, letters: str | None, plain: dict[str, object]) -> Paragraph:
    """Return a paragraph with some words in plain type."""
    if letters is None:
        spans = [(0, len(paragraph.text))]
    else:
        spans = [found.span() for found in re.finditer(re.escape(letters), paragraph.text)]
    if not spans:
        return paragraph
    runs: list[Run] = []
    at = 0
    for run in paragraph.runs:
        for start, end, inside in _cuts(at, at + len(run.text), spans):
            style = replace(run.style, **plain) if inside else run.style  # type: ignore[arg-type]
            runs.append(replace(run, text=paragraph.text[start:end], style=style))
        at += len(run.text)
    return replace(paragraph, runs=tuple(runs))


def _cuts(
    start: int, end: int, spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, bool]]:
    """Yield the stretches of a run, and whether each is in one of the spans."""
    edges = sorted({start, end} | {edge for span in spans for edge in span if start < edge < end})
    for left, right in pairwise(edges):
        yield left, right, any(a <= left and right <= b for a, b in spans)


def _is_rewording(change: Change, words: Sequence[tuple[str, ...]], match: DeckMatch) -> bool:
    """Return whether a text differs only by new words for old ones."""
    if change.shape_index is None:
        index = (change.slide or 0) - 1
        after = match.to_current.get(index)
        if after is None or change.aspect != "notes":
            return True
        pairs = [(match.original.slides[index].notes, match.current.slides[after].notes)]
    else:
        found = _shapes(change, match)
        if found is None:
            return False
        pairs = list(_texts(*found, change.aspect))
    return all(_is_reworded(old, new, words) for old, new in pairs)


def _texts(old: Shape, new: Shape, aspect: str) -> Iterator[tuple[str, str]]:
    if aspect == "alt_text":
        yield old.alt_text, new.alt_text
    elif aspect == "text":
        yield old.text, new.text
    else:
        yield _inner(old), _inner(new)


def _inner(shape: Shape) -> str:
    rows = () if shape.table is None else shape.table.rows
    texts = ["\t".join(cell.text for cell in row) for row in rows]
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
    lines = [line.rstrip() for line in text.replace("\v", "\n").splitlines()]
    return "\n".join(lines).strip()
