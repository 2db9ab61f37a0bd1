"""Formatting of new text, which should match the text it replaces or the text around it.

The text diff compares the formatting of characters that are in both decks. New characters have no
old formatting, but a user who replaces the text of a title does not want to change its size.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from pptarena.decks import Paragraph, Run, RunStyle, Shape, Slide, Table
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.content import pair_lines
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.inheritance import inherited_paragraphs
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.typefaces import script_spans

__all__ = [
    "BLANKS",
    "AllowedStyles",
    "allowed_styles",
    "new_cell_formatting",
    "new_shape_formatting",
    "new_slide_formatting",
    "replaced_text_changes",
    "unusual_formatting",
]

_PLAIN: Final = RunStyle()
_STYLE_FIELDS: Final = ("underline", "strike", "highlight", "caps", "baseline", "spacing_pt")
_MAX_SIZE_RATIO: Final = 2.0
_MAX_SPACING_RATIO: Final = 0.2  # share of the font size; titles are often spaced a little wider
_TEXT_PLACEHOLDERS: Final = frozenset(
    ("title", "ctrTitle", "subTitle", "body", "obj", "ftr", "dt", "sldNum")
)
_BOXES: Final = frozenset(("text_box", "shape"))


@dataclass(frozen=True, slots=True)
class AllowedStyles:
    """Styles that new text may have.

    Attributes:
        styles: The run styles.
        limits_size: Whether the styles also limit the font size.
    """

    styles: tuple[RunStyle, ...] = ()
    limits_size: bool = True


def unusual_formatting(
    paragraphs: Sequence[Paragraph], allowed: AllowedStyles
) -> Iterator[Difference]:
    """Yield the properties in which all runs of a text differ from every allowed style."""
    runs = [run for paragraph in paragraphs for run in paragraph.runs if run.text.strip()]
    differences = [{each.what: each for each in _unusual_properties(run, allowed)} for run in runs]
    for what, each in differences[0].items() if differences else ():
        if all(what in others for others in differences):
            yield each


def _unusual_properties(run: Run, allowed: AllowedStyles) -> Iterator[Difference]:
    expected = run.style
    for name in _STYLE_FIELDS:
        allowed_values = {getattr(style, name) for style in (_PLAIN, *allowed.styles)}
        is_link_underline = name == "underline" and run.link is not None
        is_slight_spacing = (
            name == "spacing_pt"
            and abs(expected.spacing_pt) < _MAX_SPACING_RATIO * expected.size_pt
        )
        if (
            getattr(expected, name) not in allowed_values
            and not is_link_underline
            and not is_slight_spacing
        ):
            expected = replace(expected, **{name: getattr(_PLAIN, name)})
    sizes = [style.size_pt for style in allowed.styles] if allowed.limits_size else []
    if sizes and expected.size_pt >= _MAX_SIZE_RATIO * max(sizes):
        expected = replace(expected, size_pt=max(sizes))
    yield from field_differences(expected, run.style, "formatting")


def new_cell_formatting(old: Table, new: Table) -> Iterator[Difference]:
    """Yield unusual formatting of text in new or formerly empty cells, against the old table."""
    allowed = AllowedStyles(tuple(_styles(cell.paragraphs for row in old.rows for cell in row)))
    rows, columns = pair_lines(old, new)
    for i, j in rows:
        for k, m in columns if j is not None else ():
            if m is None or m >= len(new.rows[j or 0]):
                continue
            old_text = (
                "" if i is None or k is None or k >= len(old.rows[i]) else old.rows[i][k].text
            )
            if not old_text.strip():
                yield from unusual_formatting(new.rows[j or 0][m].paragraphs, allowed)


def allowed_styles(match: DeckMatch, slide: Slide, shape: Shape) -> AllowedStyles:
    """Return the styles that text in a shape of the current deck may have.

    They come from layout and master, and from original shapes with the same placeholder type.
    """
    levels = {paragraph.level for paragraph in shape.paragraphs}
    sample_paragraphs = [
        each
        for level in levels
        for each in inherited_paragraphs(match.current, slide, shape, level)
    ]
    others = (
        each.paragraphs
        for original_slide in match.original.slides
        for each in original_slide.shapes
        if each.placeholder == shape.placeholder
    )
    return AllowedStyles(
        tuple(_styles([sample_paragraphs, *others])), limits_size=bool(shape.placeholder)
    )


def new_slide_formatting(match: DeckMatch) -> Iterator[Change]:
    """Yield unusual formatting of placeholder text on added slides."""
    for index in match.added:
        slide = match.current.slides[index]
        placeholders = [each for each in slide.shapes if each.placeholder in _TEXT_PLACEHOLDERS]
        yield from _shape_formatting(match, slide, placeholders)


def new_shape_formatting(match: DeckMatch, index: int) -> Iterator[Change]:
    """Yield unusual formatting in text boxes and placeholders added to a slide."""
    current = match.current.slides[match.to_current[index]]
    if match.original.slides[index] is not current:
        added = [current.shapes[position] for position in match.shapes(index).added]
        text_shapes = [
            each for each in added if each.placeholder in _TEXT_PLACEHOLDERS or each.kind in _BOXES
        ]
        for change in _shape_formatting(match, current, text_shapes):
            yield replace(change, slide=index + 1)


def _shape_formatting(match: DeckMatch, slide: Slide, shapes: Iterable[Shape]) -> Iterator[Change]:
    for shape in shapes:
        if not shape.text.strip():
            continue
        for each in unusual_formatting(shape.paragraphs, allowed_styles(match, slide, shape)):
            change = Change.of(each, "formatting_changed")
            yield replace(
                change, slide_now=slide.index + 1, shape=shape.label, shape_index_now=shape.index
            )


def _styles(texts: Iterable[Sequence[Paragraph]]) -> Iterator[RunStyle]:
    """Yield each run style once."""
    runs = (run for paragraphs in texts for p in paragraphs for run in p.runs if run.text.strip())
    yield from dict.fromkeys(run.style for run in runs)


BLANKS = "blanks before the text"
"""Property name of a change that pushes text away by whitespace or empty lines."""

_MIN_BLANKS = 2
_Pairs = Iterator[tuple[Sequence[Paragraph], Sequence[Paragraph]]]


def replaced_text_changes(match: DeckMatch, index: int) -> Iterator[Change]:
    """Yield differences in formatting between new text on a slide and the text it replaced."""
    before, current = match.original.slides[index], match.current.slides[match.to_current[index]]
    if before is current:
        return
    for old_index, new_index in sorted(match.shapes(index).to_current.items()):
        old, new = before.shapes[old_index], current.shapes[new_index]
        if old is new:
            continue
        for each in _differences(match, current, old, new):
            change = Change.of(each, "formatting_changed")
            yield replace(
                change,
                slide=index + 1,
                slide_now=current.index + 1,
                shape=old.label,
                shape_index=old_index,
                shape_index_now=new_index,
            )


def _differences(match: DeckMatch, current: Slide, old: Shape, new: Shape) -> list[Difference]:
    """Return one difference per property."""
    differences: dict[str, Difference] = {}
    replaced = (_replaced_text_differences(*texts) for texts in _texts(old, new))
    for each in (
        *chain.from_iterable(replaced),
        *_added_text_differences(match, current, old, new),
    ):
        differences.setdefault(each.what, each)
    return list(differences.values())


def _added_text_differences(
    match: DeckMatch, current: Slide, old: Shape, new: Shape
) -> Iterator[Difference]:
    """Yield unusual formatting of text added where there was none."""
    if old.table is not None and new.table is not None:
        yield from new_cell_formatting(old.table, new.table)
    elif new.text.strip() and not old.text.strip():
        yield from unusual_formatting(new.paragraphs, allowed_styles(match, current, new))


def _texts(old: Shape, new: Shape) -> _Pairs:
    yield old.paragraphs, new.paragraphs
    if old.table is None or new.table is None:
        return
    rows = zip(old.table.rows, new.table.rows, strict=False)
    if len(old.table.rows) == len(new.table.rows):
        for left, right in rows:
            if len(left) == len(right):
                yield from ((a.paragraphs, b.paragraphs) for a, b in zip(left, right, strict=True))


def _replaced_text_differences(
    before: Sequence[Paragraph], after: Sequence[Paragraph]
) -> Iterator[Difference]:
    old, new = ([p.text.rstrip() for p in side] for side in (before, after))
    nonempty = [p for p in before if p.text.strip()]
    if old == new or not nonempty:
        return
    if _blanks(after) > max(_blanks(before), _MIN_BLANKS - 1):
        yield Difference.of("formatting", BLANKS, str(_blanks(before)), str(_blanks(after)))
    for tag, i1, i2, j1, j2 in opcodes(old, new):
        if tag == "equal":
            continue
        models = [p for p in before[i1:i2] if p.text.strip()] or nonempty
        for paragraph in after[j1:j2]:
            yield from _run_differences(models, paragraph)


def _run_differences(models: Sequence[Paragraph], now: Paragraph) -> Iterator[Difference]:
    """Yield the differences of new runs from all runs that they could have replaced."""
    old = [run for model in models for run in model.runs if run.text.strip()]
    styles = [run.style for run in old]
    for run in now.runs:
        if not run.text.strip() or run.style in styles:
            continue
        candidates = [list(_style_differences(each, run)) for each in old]
        # The run with the fewest differences is taken as the model.
        yield from min(candidates, key=len)


def _style_differences(old: Run, new: Run) -> Iterator[Difference]:
    """Yield the differences between two runs; fonts of different scripts are not compared."""
    style = old.style
    if style.font != new.style.font and _scripts(old.text).isdisjoint(_scripts(new.text)):
        style = replace(style, font=new.style.font)
    return field_differences(style, new.style, "formatting")


def _scripts(text: str) -> set[str]:
    return {script for script, _, _ in script_spans(text)}


def _blanks(paragraphs: Sequence[Paragraph]) -> int:
    """Return the number of whitespace characters and line ends before the first character."""
    text = "\n".join(paragraph.text for paragraph in paragraphs)
    return len(text) - len(text.lstrip())
