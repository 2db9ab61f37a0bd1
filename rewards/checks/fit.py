"""Checks of how much text there is, and whether it fits; the room that it takes is an estimate."""

from collections.abc import Iterator
from dataclasses import dataclass

from pptarena.decks import Shape, Slide
from pptarena.decks.visibility.text_extent import EMU_PER_PT
from pptarena.decks.visibility.text_place import cell_boxes, text_need
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.values import nearness
from pptarena.rewards.checks.view import OptionalShapeArgs, ShapeView, View

_LIMITS = ("words_min", "words_max", "paragraphs_min", "paragraphs_max", "letters_max")


@dataclass(frozen=True, kw_only=True)
class Fits(OptionalShapeArgs):
    """Text that should fit its frame, by an estimate that is allowed to be off a little."""

    tolerance_pct: float = 10.0
    # Text that runs off the slide is what is looked for.
    visible: bool = False


@dataclass(frozen=True, kw_only=True)
class Length(OptionalShapeArgs):
    """How much text there should be; at least one of the limits is given."""

    words_min: int | None = None
    words_max: int | None = None
    paragraphs_min: int | None = None
    paragraphs_max: int | None = None
    letters_max: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [getattr(self, name) for name in _LIMITS]
        if all(each is None for each in given) or any(
            each is not None and each < 0 for each in given
        ):
            raise ValueError(f"expected at least one of {', '.join(_LIMITS)}, from 0")


@check("text_fits", "text", "layouts")
def text_fits(view: View, args: Fits) -> CheckResult:
    """Measure the share of texts that, by an estimate, fit their frames.

    A frame that grows with its text, and a table, must not grow beyond the slide.
    """

    def judge(shape: Shape) -> CheckResult:
        excess = _excess(shape, view.current.height_emu)
        value = nearness(max(0.0, excess), args.tolerance_pct / 100, 0.5)
        if value == 1.0:
            return CheckResult(1.0, f"the text of {shape.label} fits")
        return CheckResult(value, f"the text of {shape.label} is about {excess:.0%} too long")

    def judge_slide(slide: Slide) -> CheckResult:
        shapes = [s for s in slide.shapes if (s.paragraphs or s.table is not None) and not s.hidden]
        if not shapes:
            return CheckResult(0.0, f"slide {slide.index + 1} has no text")
        return mean_of([judge(shape) for shape in shapes], "texts")

    if args.shape is None and args.shape_now is None:
        return view.on_slides(args, judge_slide)
    return view.on_shapes(args, lambda seen: judge(seen.current))


@check("text_length", "text")
def text_length(view: View, args: Length) -> CheckResult:
    """Measure how far the amount of text that can be seen is from its limits."""

    def judge(text: str, where: str) -> CheckResult:
        counts = {
            "words": len(text.split()),
            "paragraphs": sum(bool(line.strip()) for line in text.splitlines()),
            "letters": sum(not each.isspace() for each in text),
        }
        return mean_of(list(_against_limits(counts, args, where)), "limits")

    def judge_shape(seen: ShapeView) -> CheckResult:
        return judge(seen.seen.all_text, seen.label)

    if args.shape is None and args.shape_now is None:
        return view.on_seen_slides(args, lambda s: judge(s.text, f"slide {s.index + 1}"))
    return view.on_shapes(args, judge_shape)


def _against_limits(counts: dict[str, int], args: Length, where: str) -> Iterator[CheckResult]:
    for name in _LIMITS:
        limit = getattr(args, name)
        if limit is None:
            continue
        what, _, side = name.partition("_")
        beyond = limit - counts[what] if side == "min" else counts[what] - limit
        value = nearness(max(0, beyond), 0, max(1.0, limit / 4))
        if not counts["letters"] and limit:
            # No text at all is short, but nobody asked for that.
            value = 0.0
        limited = f"at {'least' if side == 'min' else 'most'} {limit} wanted"
        yield CheckResult(value, f"{where} has {counts[what]} {what}, {limited}")


def _excess(shape: Shape, slide_height_emu: int) -> float:
    """Return by which part of its room a text is too long; 0 or less if it fits."""
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
