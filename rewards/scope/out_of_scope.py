"""Changes outside the part of a deck that may change.

A condition finer than an aspect of a shape is tested by masking the allowed part of a change, which
means making it equal in both decks. Any remaining difference in the same aspect is outside.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from pptarena.decks import Paragraph, RunStyle, Shape, Table, Transition
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.compare import diff_matched, diff_slide
from pptarena.decks.diff.consequences import attach_consequences
from pptarena.decks.diff.new_text import (
    new_shape_formatting,
    new_slide_formatting,
    replaced_text_changes,
)
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.diff.shapes import shape_differences
from pptarena.decks.diff.slides import same_transition
from pptarena.decks.diff.text import TRAILING_LINES
from pptarena.decks.equivalence.changes import (
    is_autofit_height,
    is_default_alt_text,
    is_invisible,
    is_new_alt_text,
)
from pptarena.decks.equivalence.text import has_hidden_text, normalize_spaces
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.selectors import find_shape
from pptarena.rewards.scope.loss import is_harmless_show_change
from pptarena.rewards.scope.scope import CHART_PROPERTIES, Scope, ScopePart

__all__ = [
    "copy_changes",
    "is_free_everywhere",
    "is_free_in_scope",
    "is_same_transition",
    "out_of_scope_changes",
    "part_shapes",
    "shapes_in_scope",
]


_TEXT_SUFFIXES = {
    **dict.fromkeys(("text", "notes", "alt_text"), ("",)),
    "tables": tuple(map(str, range(10))),  # the location of a cell, without a property
    "charts": (" name", " categories", "title"),
}
"""Suffixes of the names of text differences, by aspect."""

_MAX_NEW_ALT_TEXTS = 3  # more alt texts than that amount to separate work
_SLIDE_ASPECTS = frozenset(
    (
        *("notes", "layout", "background", "transition", "animation", "visibility", "slides"),
        *("order", "master", "comments", "sections", "properties"),
    )
)
# Aspects of the deck as a whole.
_DECK_ASPECTS = frozenset(("master", "sections", "properties", "other"))


def out_of_scope_changes(match: DeckMatch, scope: Scope) -> tuple[Change, ...]:
    """Return the changes that a scope does not allow and that no allowed change entails.

    Changes that `is_free_everywhere` accepts are left out.
    """
    parts = _ScopeParts(match, scope.all_parts)
    all_changes = diff_matched(match, _movable_slides(match, scope), parts.free_shapes)
    changes = [change for change in all_changes if not is_free_everywhere(change, match)]
    outside = _drop_allowed_additions(parts.outside(changes), scope)
    formatting = (each for index, _ in match.pairs for each in parts.outside_formatting(index))
    copies = (each for _, changes in copy_changes(match, scope) for each in changes)
    copy_changes_outside = (replace(each, slide=None, shape_index=None) for each in copies)
    restricts_new_formatting = (
        bool(scope.new_slides) and scope.copy_of is None and not scope.new_looks
    )
    return (
        *outside,
        *formatting,
        *copy_changes_outside,
        *(new_slide_formatting(match) if restricts_new_formatting else ()),
    )


def is_free_in_scope(change: Change, scope: Scope, match: DeckMatch) -> bool:
    """Return whether a scope explicitly allows a change, so that no target needs to contain it.

    A part with `words` lists text that may be written anywhere.
    """
    free = list(scope.free)
    if change.aspect in _TEXT_SUFFIXES and change.what.endswith(_TEXT_SUFFIXES[change.aspect]):
        free += [part for part in scope.parts if part.words is not None]
    return any(_is_inside(change, part, part_shapes(match, part), match) for part in free)


def is_free_everywhere(change: Change, match: DeckMatch) -> bool:
    """Return whether a change is free everywhere.

    An additional or missing empty line after a text is a byproduct of typing. The other free
    changes are not noticeable to viewers.
    """
    if change.what.endswith(TRAILING_LINES) and abs(int(change.after) - int(change.before)) == 1:
        return True
    return is_invisible(change, match) or is_harmless_show_change(change, match)


def shapes_in_scope(match: DeckMatch, scope: Scope) -> dict[int, set[int]]:
    """Return the shapes that a scope covers, by slide of the original (0-based)."""
    return _ScopeParts(match, scope.all_parts).free_shapes


class _ScopeParts:
    """Parts of a scope, with the shapes that each selects in a deck."""

    def __init__(self, match: DeckMatch, parts: Iterable[ScopePart]) -> None:
        self._match = match
        self._parts = [(part, part_shapes(match, part)) for part in parts]
        self.free_shapes = _shapes_by_slide(self._parts)

    def outside(self, changes: Sequence[Change]) -> list[Change]:
        """Return the changes in no part; side effects follow their cause."""
        match = self._match
        all_changes = attach_consequences(match, changes)
        inside = [
            any(_is_inside(change, *part, match) for part in self._parts) for change in all_changes
        ]
        inside = self._with_additions(all_changes, inside)
        described = sum(map(is_new_alt_text, all_changes)) <= _MAX_NEW_ALT_TEXTS
        return [
            change
            for change, is_inside in zip(all_changes, inside, strict=True)
            if not is_inside
            and not _is_recreation_effect(change, match, self.free_shapes)
            and not (described and _is_first_alt_text(change, self.free_shapes))
        ]

    def outside_formatting(self, index: int) -> Iterator[Change]:
        """Yield the formatting differences between new text of a slide and the text it replaced.

        Where the text itself may not change, the text change is outside already and its formatting
        is not reported.
        """
        for change in replaced_text_changes(self._match, index):
            parts = [p for p, shapes in self._parts if _covers_shape(change, p, shapes)]
            reworded = any(p.has_aspect("text") or p.has_aspect("tables") for p in parts)
            free = any(p.has_aspect("formatting") and _allows_formatting(change, p) for p in parts)
            if reworded and not free:
                yield change
        free_new = any(p.has_slide(index + 1) and _allows_new_formatting(p) for p, _ in self._parts)
        yield from () if free_new else new_shape_formatting(self._match, index)

    def _with_additions(self, changes: Sequence[Change], inside: list[bool]) -> list[bool]:
        """Mark added shapes as outside beyond the number that the parts allow on a slide."""
        remaining: dict[int, float] = {}
        result = list(inside)
        for at, change in enumerate(changes):
            if change.kind != "shape_added" or change.slide is None:
                continue
            number = change.slide
            allowed = (p.most_new_shapes for p, _ in self._parts if p.has_slide(number))
            remaining.setdefault(number, sum(allowed))
            result[at] = remaining[number] >= 1
            remaining[number] -= 1
        return result


def copy_changes(match: DeckMatch, scope: Scope) -> Iterator[tuple[DeckMatch, list[Change]]]:
    """Yield the differences between allowed new slides and their model that the scope forbids.

    Each list comes with a match that pairs the new slide with its model.
    """
    if scope.copy_of is None or scope.copy_of > len(match.original.slides):
        return
    source = scope.copy_of - 1
    count = len(match.added) if scope.new_slides is True else int(scope.new_slides)
    for index in match.added[:count]:
        pair = DeckMatch(match.original, match.current, [(source, index)], match.saving)
        parts = _ScopeParts(pair, [ScopePart((scope.copy_of,), scope.copy_aspects)])
        differences = [
            each
            for each in parts.outside(diff_slide(pair, source, ()))
            if not is_autofit_height(each, ShapePair.of(pair, each))
        ]
        yield pair, [*differences, *parts.outside_formatting(source)]


def _movable_slides(match: DeckMatch, scope: Scope) -> set[int]:
    """Return the slides that may move; a changed order is attributed to them if possible."""
    parts = [part for part in scope.all_parts if part.has_aspect("order")]
    return {i for i, _ in match.pairs if any(part.has_slide(i + 1) for part in parts)}


def _shapes_by_slide(parts: Iterable[tuple[ScopePart, dict[int, set[int]]]]) -> dict[int, set[int]]:
    """Return the shapes that any part covers, by slide."""
    shapes_of_slide: dict[int, set[int]] = {}
    for part, allowed in parts:
        for index, shapes in allowed.items() if _covers_shapes(part) else ():
            shapes_of_slide.setdefault(index, set()).update(shapes)
    return shapes_of_slide


def part_shapes(match: DeckMatch, part: ScopePart) -> dict[int, set[int]]:
    """Return the indexes of original shapes that may change, by slide of the original."""
    indexes: dict[int, set[int]] = {}
    for index, _ in match.pairs:
        if not part.has_slide(index + 1):
            continue
        slide = match.original.slides[index]
        named = (find_shape(slide, spec) for spec in part.shapes or ())
        selected = slide.shapes if part.shapes is None else filter(None, named)
        indexes[index] = {shape.index for shape in selected}
    return indexes


def _is_inside(
    change: Change, part: ScopePart, allowed_shapes: dict[int, set[int]], match: DeckMatch
) -> bool:
    if change.slide is None:
        # Added slides are counted later; the remaining changes are deck-level.
        if part.slides != "all" or change.aspect not in _DECK_ASPECTS:
            return False
        # A part that leaves all aspects open does not include these.
        is_named = change.aspect == "master" or part.aspects is not None
        return is_named and part.has_aspect(change.aspect)
    if not part.has_slide(change.slide) or not part.has_aspect(change.aspect):
        return False
    index = change.shape_index
    if index is not None and index not in allowed_shapes.get(change.slide - 1, ()):
        return False
    return _meets_conditions(change, part, match)


def _covers_shape(change: Change, part: ScopePart, allowed_shapes: dict[int, set[int]]) -> bool:
    """Return whether a part covers the shape of a change."""
    index = (change.slide or 0) - 1
    return part.has_slide(index + 1) and change.shape_index in allowed_shapes.get(index, ())


def _allows_new_formatting(part: ScopePart) -> bool:
    """Return whether new shapes may be formatted freely: the part names no shape."""
    return part.has_aspect("formatting") and not part.shapes


def _covers_shapes(part: ScopePart) -> bool:
    return part.aspects is None or not _SLIDE_ASPECTS.issuperset(part.aspects)


def _is_recreation_effect(
    change: Change, match: DeckMatch, allowed: Mapping[int, set[int]]
) -> bool:
    """Return whether a shape that may change was only recreated.

    A recreated shape has the name that its application assigned, and lies on top without covering
    anything.
    """
    if change.slide is None or change.shape_index is None:
        return False
    index = change.slide - 1
    remade = allowed.get(index, set())
    if change.shape_index not in remade:
        # When shapes swap order, the diff reports the smaller group as moved.
        return change.kind == "z_order_changed" and _keeps_other_order(match, index, remade)
    if change.aspect == "shapes" and change.what == "name":
        return True
    if is_default_alt_text(change, match):
        return True
    return change.kind == "z_order_changed" and _overlaps_nothing(match, index, change.shape_index)


def _is_first_alt_text(change: Change, allowed: Mapping[int, set[int]]) -> bool:
    """Return whether a shape that may change got its first alt text."""
    mine = allowed.get((change.slide or 0) - 1, ())
    return is_new_alt_text(change) and change.shape_index in mine


def _keeps_other_order(match: DeckMatch, index: int, remade: set[int]) -> bool:
    """Return whether the other shapes kept their relative order, and the remade ones lie alone."""
    to_current = match.shapes(index).to_current
    others = [now for old, now in sorted(to_current.items()) if old not in remade]
    moved = [old for old in remade if old in to_current]
    return others == sorted(others) and all(_overlaps_nothing(match, index, old) for old in moved)


def _overlaps_nothing(match: DeckMatch, index: int, shape_index: int) -> bool:
    shapes = match.current.slides[match.to_current[index]].shapes
    now = match.shapes(index).to_current.get(shape_index)
    if now is None or shapes[now].kind == "group" or shapes[now].group is not None:
        return False
    box_now = shapes[now].box
    return not any(
        box_now.left < box.right and box.left < box_now.right
        and box_now.top < box.bottom and box.top < box_now.bottom
        for box in (shape.box for shape in shapes if shape.index != now)
    )  # fmt: skip


def _drop_allowed_additions(changes: Iterable[Change], scope: Scope) -> Iterable[Change]:
    remaining = float("inf") if scope.new_slides is True else int(scope.new_slides)
    for change in changes:
        if change.kind == "slide_added" and remaining > 0:
            remaining -= 1
            continue
        # Applications add the layout of a pasted slide.
        if change.kind == "layout_added" and scope.new_slides:
            continue
        yield change


_SLACK_SEC: Final = 0.5
_PLAIN_STYLES = ("bold", "italic", "underline", "strike", "color", "font", "highlight")
_STYLE_FIELDS = {name: (name,) for name in (*_PLAIN_STYLES, "baseline", "caps")} | {
    "size": ("size_pt",),
    "underline": ("underline", "underline_color"),
    "strike": ("strike", "double_strike"),
}
# Fields whose differences are reported under another name.
_PARENT_PROPERTY = {"underline color": "underline", "double strike": "strike"}
# Paragraph fields that each property masks.
_PARAGRAPH_FIELDS = {
    "align": ("align",),
    "direction": ("right_to_left",),
    "level": ("level", "margin_emu", "indent_emu", "bullet"),
    "bullet": ("bullet", "margin_emu", "indent_emu"),
    "line_spacing": ("line_spacing_pct", "line_spacing_pt"),
    "spacing": ("space_before_pt", "space_after_pt"),
}
_BOX_FIELDS = {
    "place": ("left", "top"),
    "left": ("left",),
    "top": ("top",),
    "extent": ("width", "height"),
    "width": ("width",),
    "height": ("height",),
    "rotation": ("rotation_deg",),
    "flip": ("flip_h", "flip_v"),
}
_TEXT_ASPECTS = frozenset(("text", "notes", "alt_text", "tables", "charts"))


def _meets_conditions(change: Change, part: ScopePart, match: DeckMatch) -> bool:
    """Return whether a change, already inside a part, meets the part's finer conditions."""
    if part.like is not None and change.aspect == "transition":
        return _has_transition_of(change, part.like, match)
    pair = ShapePair.of(match, change)
    if part.words is not None and change.aspect in _TEXT_ASPECTS:
        return _is_allowed_replacement(change, part.words, match, pair)
    if pair is None or (part.cells, part.letters, part.properties) == (None, None, None):
        return True
    if change.aspect == "charts" and part.properties is not None:
        endings = (e for name in part.properties for e in CHART_PROPERTIES.get(name, ()))
        return change.what.endswith(tuple(endings))
    new = match.saving.restore_shape(pair.old, pair.new)
    masked = _mask(pair.old, new, part)
    differences = {each.what for each in _differences(*masked) if each.aspect == change.aspect}
    # Differences that only the mask introduces cannot be told from real ones.
    unmasked = {each.what for each in _differences(pair.old, new)}
    return change.what not in differences and differences <= unmasked


def _differences(old: Shape, new: Shape) -> Iterator[Difference]:
    return shape_differences(old, new, lambda link: link)


def _allows_formatting(change: Change, part: ScopePart) -> bool:
    """Return whether a part allows new text to be formatted differently in the changed property."""
    if part.cells is not None or part.letters is not None:
        return False
    property_name = _PARENT_PROPERTY.get(change.what, change.what)
    return part.properties is None or property_name in {*part.properties} & _STYLE_FIELDS.keys()


def is_same_transition(model: Transition, other: Transition) -> bool:
    """Return whether two transitions are equal, up to half a second of duration."""
    durations = model.duration_sec, other.duration_sec
    if None not in durations and abs((durations[0] or 0) - (durations[1] or 0)) <= _SLACK_SEC:
        other = replace(other, duration_sec=model.duration_sec)
    return same_transition(model, other)


def _has_transition_of(change: Change, model: int, match: DeckMatch) -> bool:
    """Return whether a slide's transition equals that of another slide of the original."""
    now = match.to_current.get((change.slide or 0) - 1)
    if now is None or model > len(match.original.slides):
        return False
    expected = match.original.slides[model - 1].transition
    actual = match.current.slides[now].transition
    # Another effect is incomplete work; automatic advance is damage.
    return is_same_transition(
        expected, replace(actual, type=expected.type, variant=expected.variant)
    )


def _mask(old: Shape, new: Shape, part: ScopePart) -> tuple[Shape, Shape]:
    names = part.properties or ()
    if part.cells is not None and old.table is not None and new.table is not None:
        new = replace(new, table=_mask_cells(new.table, old.table, part.cells))
    same: dict[str, Any] = {n: getattr(old.box, n) for p in names for n in _BOX_FIELDS.get(p, ())}
    new = replace(new, box=replace(new.box, **same))
    if "crop" in names and old.picture is not None and new.picture is not None:
        new = replace(new, picture=replace(new.picture, crop_pct=old.picture.crop_pct))
    if "align" in names and old.frame is not None and new.frame is not None:
        # LibreOffice centers the text frame along with its paragraphs.
        new = replace(new, frame=replace(new.frame, centered=old.frame.centered))
    if part.letters is None and part.properties is None:
        return old, new
    styles = [
        f for n in _STYLE_FIELDS if part.properties is None or n in names for f in _STYLE_FIELDS[n]
    ]
    plain = {name: getattr(RunStyle(), name) for name in styles}
    even = {f: getattr(Paragraph(()), f) for name in names for f in _PARAGRAPH_FIELDS.get(name, ())}
    first, second = (
        tuple(_mask_paragraph(each, part.letters, plain, even) for each in shape.paragraphs)
        for shape in (old, new)
    )
    return replace(old, paragraphs=first), replace(new, paragraphs=second)


def _mask_cells(new: Table, old: Table, cells: Sequence[tuple[int, ...]]) -> Table:
    """Return a table with some cells restored, or unchanged if the tables differ in size."""
    if [len(row) for row in old.rows] != [len(row) for row in new.rows]:
        return new
    rows = [list(row) for row in new.rows]
    for row, column in cells:
        if row <= len(rows) and column <= len(rows[row - 1]):
            rows[row - 1][column - 1] = old.rows[row - 1][column - 1]
    return replace(new, rows=tuple(map(tuple, rows)))


def _mask_paragraph(
    paragraph: Paragraph, formatted_text: str | None, plain: dict[str, Any], unified: dict[str, Any]
) -> Paragraph:
    """Return a paragraph with some text in default formatting and some fields unified."""
    spans = [(0, len(paragraph.text))]
    if formatted_text is not None:
        spans = [match.span() for match in re.finditer(re.escape(formatted_text), paragraph.text)]
    runs = []
    at = 0
    for run in paragraph.runs if spans else ():
        for start, end, is_in_span in _split_at_spans(at, at + len(run.text), spans):
            style = replace(run.style, **plain) if is_in_span else run.style
            runs.append(replace(run, text=paragraph.text[start:end], style=style))
        at += len(run.text)
    return replace(paragraph, runs=tuple(runs) if spans else paragraph.runs, **unified)


def _split_at_spans(
    start: int, end: int, spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, bool]]:
    """Yield the segments of a run, and whether each lies in a span."""
    edges = sorted({start, end} | {edge for span in spans for edge in span if start < edge < end})
    for start_edge, end_edge in pairwise(edges):
        yield start_edge, end_edge, any(a <= start_edge and end_edge <= b for a, b in spans)


def _is_allowed_replacement(
    change: Change,
    replacements: Sequence[tuple[str, ...]],
    match: DeckMatch,
    pair: ShapePair | None,
) -> bool:
    """Return whether a text differs only by the allowed word replacements."""
    if change.shape_index is None:
        index = (change.slide or 0) - 1
        after = match.to_current.get(index)
        if after is None or change.aspect != "notes":
            return True
        old, new = match.original.slides[index].notes, match.current.slides[after].notes
        return _differs_by_replacements(old, new, replacements)
    if pair is None:
        return False
    return _differs_by_replacements(
        _text_in_aspect(pair.old, change.aspect),
        _text_in_aspect(pair.new, change.aspect),
        replacements,
    )


def _text_in_aspect(shape: Shape, aspect: str) -> str:
    """Return the text of a shape in an aspect."""
    if aspect in ("alt_text", "text"):
        return shape.alt_text if aspect == "alt_text" else shape.text
    rows = () if shape.table is None else shape.table.rows
    texts = ["\t".join(_normalize_lines(cell.text) for cell in row) for row in rows]
    if shape.chart is not None:
        chart = shape.chart
        names = [text for s in chart.series for text in (s.name, *s.categories)]
        texts += [chart.type, chart.grouping, chart.title, *names]
        texts += [str(series.values) for series in chart.series]
    return "\n".join(texts)


def _differs_by_replacements(old: str, new: str, pairs: Sequence[tuple[str, ...]]) -> bool:
    replacements = {pair[0]: pair[1] for pair in pairs}
    splitter = re.compile("(" + "|".join(re.escape(word) for word in replacements) + ")")
    pieces = (
        f"(?:{re.escape(piece)}|{re.escape(replacements[piece])})"
        if piece in replacements
        else re.escape(piece)
        for piece in splitter.split(_normalize_lines(old))
    )
    return re.fullmatch("".join(pieces), _normalize_lines(new)) is not None


def _normalize_lines(text: str) -> str:
    text = text if has_hidden_text(text) else normalize_spaces(text)
    lines = [line.rstrip() for line in text.replace("\v", "\n").splitlines()]
    return "\n".join(lines).strip()
