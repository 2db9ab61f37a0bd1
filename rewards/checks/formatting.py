"""Checks of how text looks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    color_matches,
    letters,
    matching_paragraphs,
    matching_runs,
    require_color,
    wanted_color,
)
from pptarena.rewards.checks.view import OptionalShapeArgs, ShapeArgs, ShapeView, View
from pptarena.rewards.deck import Paragraph, Run, RunStyle, Shape, Slide
from pptarena.rewards.diff_text import clip

_SIZE_TOLERANCE_PT = 0.3
_FLAGS = ("bold", "italic", "underline", "strike")

Test = Callable[[RunStyle], bool]


@dataclass(frozen=True, kw_only=True)
class RunFormat(OptionalShapeArgs):
    """How runs of text should look; at least one of the properties is given."""

    text: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    strike: bool | None = None
    size_pt: float | None = None
    size_min_pt: float | None = None
    size_max_pt: float | None = None
    color: str | None = None
    font: str | None = None
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color)
        sizes = (self.size_pt, self.size_min_pt, self.size_max_pt)
        given = (*sizes, self.color, self.font, *(getattr(self, flag) for flag in _FLAGS))
        if all(each is None for each in given):
            raise ValueError("expected at least one property, such as bold, size_pt or color")


@dataclass(frozen=True, kw_only=True)
class Alignment(ShapeArgs):
    """The side that paragraphs should keep to."""

    align: Literal["left", "center", "right", "justify"]
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class BulletSign(ShapeArgs):
    """The sign that paragraphs should have before them."""

    bullet: Literal["none", "char", "number", "any"]
    char: str | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class OutlineLevel(ShapeArgs):
    """The outline level that paragraphs should have."""

    level: int
    text: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.level <= 8:
            raise ValueError(f"expected a level from 0 to 8, got {self.level}")


@dataclass(frozen=True, kw_only=True)
class LineSpacing(ShapeArgs):
    """The distance that lines should have."""

    percent: float
    tolerance: float = 2.0
    text: str | None = None


@check("run_format")
def run_format(view: View, args: RunFormat) -> CheckResult:
    """Measure the share of letters that look as they should, over all properties asked for."""
    tests = _tests(view, args)

    def judge_shape(seen: ShapeView) -> CheckResult:
        return _judge_runs(matching_runs([seen.current], args.text), tests, args.text, seen.label)

    def judge_slide(slide: Slide) -> CheckResult:
        runs = matching_runs(slide.shapes, args.text)
        return _judge_runs(runs, tests, args.text, f"slide {slide.index + 1}")

    if args.shape is None and args.shape_now is None:
        return view.on_slides(args, judge_slide)
    return view.on_shapes(args, judge_shape)


@check("paragraph_alignment")
def paragraph_alignment(view: View, args: Alignment) -> CheckResult:
    """Measure the share of paragraphs that keep to a side."""
    return _on_paragraphs(
        view, args, args.text, f"aligned {args.align}", lambda p: float(p.align == args.align)
    )


@check("paragraph_bullet")
def paragraph_bullet(view: View, args: BulletSign) -> CheckResult:
    """Measure the share of paragraphs with the right sign before them."""

    def judge(paragraph: Paragraph) -> float:
        kind = paragraph.bullet.kind
        right = kind != "none" if args.bullet == "any" else kind == args.bullet
        return float(right and args.char in (None, paragraph.bullet.char))

    sign = f"with bullet {args.bullet}" + (f" {args.char}" if args.char else "")
    return _on_paragraphs(view, args, args.text, sign, judge)


@check("paragraph_level")
def paragraph_level(view: View, args: OutlineLevel) -> CheckResult:
    """Measure the share of paragraphs at an outline level; a step in its direction earns half."""

    def judge_shape(seen: ShapeView) -> CheckResult:
        before = {} if seen.original is None else _levels(seen.original)

        def judge(paragraph: Paragraph) -> float:
            if paragraph.level == args.level:
                return 1.0
            start = before.get(paragraph.text.strip(), paragraph.level)
            nearer = abs(paragraph.level - args.level) < abs(start - args.level)
            return 0.5 if nearer else 0.0

        return _judge_paragraphs(seen, args.text, f"at level {args.level}", judge)

    return view.on_shapes(args, judge_shape)


@check("line_spacing")
def line_spacing(view: View, args: LineSpacing) -> CheckResult:
    """Measure the share of paragraphs whose lines have the right distance."""

    def judge(paragraph: Paragraph) -> float:
        found = paragraph.line_spacing_pct
        return float(found is not None and abs(found - args.percent) <= args.tolerance)

    return _on_paragraphs(view, args, args.text, f"spaced at {args.percent:g} %", judge)


def _tests(view: View, args: RunFormat) -> list[tuple[str, Test]]:
    tests: list[tuple[str, Test]] = []
    for flag in _FLAGS:
        wanted = getattr(args, flag)
        if wanted is not None:
            tests.append((flag if wanted else f"not {flag}", _flag_test(flag, wanted)))
    if args.size_pt is not None:
        size = args.size_pt
        tests.append((f"{size:g} pt", lambda s: abs(s.size_pt - size) <= _SIZE_TOLERANCE_PT))
    if args.size_min_pt is not None:
        least = args.size_min_pt - _SIZE_TOLERANCE_PT
        tests.append((f"at least {args.size_min_pt:g} pt", lambda s: s.size_pt >= least))
    if args.size_max_pt is not None:
        most = args.size_max_pt + _SIZE_TOLERANCE_PT
        tests.append((f"at most {args.size_max_pt:g} pt", lambda s: s.size_pt <= most))
    if args.color is not None:
        color, tolerance = wanted_color(args.color, view.current), args.color_tolerance
        tests.append((args.color, lambda s: color_matches(s.color, color, tolerance)))
    if args.font is not None:
        font = args.font.casefold()
        tests.append((f"in {args.font}", lambda s: s.font.casefold() == font))
    return tests


def _flag_test(flag: str, wanted: bool) -> Test:
    if flag == "underline":
        return lambda style: (style.underline != "none") == wanted
    return lambda style: getattr(style, flag) == wanted


def _judge_runs(
    runs: list[Run], tests: list[tuple[str, Test]], text: str | None, where: str
) -> CheckResult:
    total = sum(letters(run.text) for run in runs)
    if not total:
        missing = "no text" if text is None else f"no {clip(text)}"
        return CheckResult(0.0, f"{where} has {missing}")
    shares = {
        name: sum(letters(run.text) for run in runs if test(run.style)) / total
        for name, test in tests
    }
    what = where if text is None else f"{clip(text)} in {where}"
    short = [f"{share:.0%} {name}" for name, share in shares.items() if share < 1]
    value = sum(shares.values()) / len(shares)
    if not short:
        return CheckResult(1.0, f"{what} is {' and '.join(shares)}")
    return CheckResult(value, f"of the letters of {what} only {', '.join(short)}")


def _on_paragraphs(
    view: View,
    args: ShapeArgs,
    text: str | None,
    what: str,
    judge: Callable[[Paragraph], float],
) -> CheckResult:
    return view.on_shapes(args, lambda seen: _judge_paragraphs(seen, text, what, judge))


def _judge_paragraphs(
    seen: ShapeView, text: str | None, what: str, judge: Callable[[Paragraph], float]
) -> CheckResult:
    paragraphs = matching_paragraphs(seen.current, text)
    if not paragraphs:
        missing = "no text" if text is None else f"no paragraph with {clip(text)}"
        return CheckResult(0.0, f"{seen.label} has {missing}")
    results = [
        CheckResult(value, f"{clip(paragraph.text)} is{'' if value == 1 else ' not'} {what}")
        for paragraph, value in ((each, judge(each)) for each in paragraphs)
    ]
    return mean_of(results, f"paragraphs of {seen.label}")


def _levels(shape: Shape) -> dict[str, int]:
    return {paragraph.text.strip(): paragraph.level for paragraph in shape.paragraphs}
