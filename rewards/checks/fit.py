"""Checks of the amount of text and of whether it fits, by an estimate of its size."""

from collections.abc import Mapping
from typing import TypedDict, Unpack, cast

from pptarena.decks import Shape
from pptarena.decks.equivalence.words import without_invisible
from pptarena.decks.visibility.text_extent import EMU_PER_PT
from pptarena.decks.visibility.text_place import cell_boxes, text_need
from pptarena.rewards.checking.arguments import Number
from pptarena.rewards.checking.compare import nearness
from pptarena.rewards.checking.pairs import Part, SlidePair
from pptarena.rewards.checking.registry import part_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed
from pptarena.rewards.checking.values import letters

__all__ = ["own_text"]

_SMALL = ("ftr", "dt", "sldNum")


class Limits(TypedDict, total=False):
    """The limits of the amount of text."""

    words_min: Number | None
    words_max: Number | None
    paragraphs_min: Number | None
    paragraphs_max: Number | None
    letters_max: Number | None


@part_check("text", "layouts", visible=False)
def text_fits(part: Part, tolerance_pct: float = 10.0) -> CheckResult:
    """Measure the share of texts that fit their frames, by an estimate.

    A table, or a frame that grows with its text, must not extend beyond the slide.
    """

    def measure(shape: Shape) -> CheckResult:
        excess = _excess(shape, part.deck.height_emu)
        score = nearness(max(0.0, excess), tolerance_pct / 100, 0.5)
        found = "fits" if score == 1.0 else f"is about {excess:.0%} too long"
        return CheckResult(score, f"the text of {shape.label} {found}")

    if part.shape is not None:
        return measure(part.shape)
    shapes = [s for s in part.shapes if (s.paragraphs or s.table is not None) and not s.hidden]
    return mean_of(map(measure, needed(shapes, f"{part.label} has no text")), "texts")


@part_check("text", explain_hidden=True, at_least_one=tuple(Limits.__annotations__))
def text_length(part: Part, **limits: Unpack[Limits]) -> CheckResult:
    """Measure how far the amount of visible text is from its limits.

    For an entire slide, a footer, date or number that the original has does not count.
    """
    text = own_text(part.on) if part.shape is None else part.visible[0].all_text
    text = without_invisible(text)
    counts = {
        "words": len(text.split()),
        "paragraphs": sum(bool(line.strip()) for line in text.splitlines()),
        "letters": letters(text),
    }
    results = []
    for name, limit in cast(Mapping[str, int | None], limits).items():
        if limit is None:
            continue
        what, _, side = name.partition("_")
        beyond = limit - counts[what] if side == "min" else counts[what] - limit
        # An empty text is short enough, but no task asks for that.
        empty = not counts["letters"] and limit
        score = 0.0 if empty else nearness(max(0, beyond), 0, max(1.0, limit / 4))
        wanted = f"expected at {'least' if side == 'min' else 'most'} {limit}"
        results.append(CheckResult(score, f"{part.label} has {counts[what]} {what}, {wanted}"))
    return mean_of(results, "limits")


def own_text(pair: SlidePair) -> str:
    """Return the visible text of a slide without the original's footers, dates and numbers."""
    usual = {
        shape.text.strip()
        for slide in pair.view.original.slides
        for shape in slide.shapes
        if shape.placeholder in _SMALL
    }
    # The application adds them to new slides.
    own = (
        shape
        for shape in pair.visible.shapes
        if shape.placeholder not in _SMALL or shape.text.strip() not in usual
    )
    return "\n".join(shape.all_text for shape in own if shape.all_text)


def _excess(shape: Shape, slide_height_emu: int) -> float:
    """Return the share by which a text exceeds its frame; 0 or less if it fits."""
    if shape.table is not None:
        heights = [float(height) for height in shape.table.row_heights]
        for row, column, box in cell_boxes(shape):
            cell = shape.table.rows[row][column]
            if cell.spans[1] == 1:
                need = text_need(cell.paragraphs, box, None)
                extra = (need.height_pt - need.room_height_pt) * EMU_PER_PT
                heights[row] = max(heights[row], box.height + extra)
        return _beyond(shape, sum(heights), slide_height_emu)
    need = text_need(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
    if shape.autofit == "shape":
        extra = max(0.0, need.height_pt - need.room_height_pt) * EMU_PER_PT
        return _beyond(shape, shape.box.height + extra, slide_height_emu)
    too_wide = need.width_pt / need.room_width_pt - 1
    return max(need.height_pt / need.room_height_pt - 1, too_wide)


def _beyond(shape: Shape, height_emu: float, slide_height_emu: int) -> float:
    return (shape.box.top + height_emu - slide_height_emu) / max(1.0, height_emu)
