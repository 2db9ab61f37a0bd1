"""Checks of how text looks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Paragraph, Run, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.run_look import RunLook, Test, run_tests
from pptarena.rewards.checks.values import (
    letters,
    matching_paragraphs,
    matching_runs,
    nearest_text,
    require_color,
)
from pptarena.rewards.checks.view import OptionalShapeArgs, ShapeArgs, ShapeView, View


@dataclass(frozen=True, kw_only=True)
class RunFormat(RunLook, OptionalShapeArgs):
    """How runs of text should look; at least one of the properties is given."""

    text: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color)
        if not self.says_something:
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


@check("run_format", "text")
def run_format(view: View, args: RunFormat) -> CheckResult:
    """Measure the share of letters that look as they should, over all properties asked for."""
    tests = run_tests(view, args)

    def judge_shape(seen: ShapeView) -> CheckResult:
        return _judge_shapes([seen.current], [seen.seen], tests, args.text, seen.label)

    def judge_slide(slide: Slide) -> CheckResult:
        seen = view.as_seen(slide) if args.visible else slide
        where = f"slide {slide.index + 1}"
        return _judge_shapes(slide.shapes, seen.shapes, tests, args.text, where)

    if args.shape is None and args.shape_now is None:
        return view.on_slides(args, judge_slide)
    return view.on_shapes(args, judge_shape)


@check("paragraph_alignment", "text")
def paragraph_alignment(view: View, args: Alignment) -> CheckResult:
    """Measure the share of paragraphs that keep to a side."""
    return _on_paragraphs(
        view, args, args.text, f"aligned {args.align}", lambda p: float(p.align == args.align)
    )


@check("paragraph_bullet", "text")
def paragraph_bullet(view: View, args: BulletSign) -> CheckResult:
    """Measure the share of paragraphs with the right sign before them."""

    def judge(paragraph: Paragraph) -> float:
        kind = paragraph.bullet.kind
        right = kind != "none" if args.bullet == "any" else kind == args.bullet
        return float(right and args.char in (None, paragraph.bullet.char))

    sign = f"with bullet {args.bullet}" + (f" {args.char}" if args.char else "")
    return _on_paragraphs(view, args, args.text, sign, judge)


@check("paragraph_level", "text")
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


@check("line_spacing", "text")
def line_spacing(view: View, args: LineSpacing) -> CheckResult:
    """Measure the share of paragraphs whose lines have the right distance."""

    def judge(paragraph: Paragraph) -> float:
        found = paragraph.line_spacing_pct
        return float(found is not None and abs(found - args.percent) <= args.tolerance)

    return _on_paragraphs(view, args, args.text, f"spaced at {args.percent:g} %", judge)


def _judge_shapes(
    shapes: Sequence[Shape],
    seen: Sequence[Shape],
    tests: list[tuple[str, Test]],
    text: str | None,
    where: str,
) -> CheckResult:
    every, runs = matching_runs(shapes, text), matching_runs(seen, text)
    if text is None or every:
        return _judge_runs(runs, every, tests, text, where)
    near, likeness = nearest_text(shapes, text)
    if near is None:
        return _judge_runs(runs, every, tests, text, where)
    found = _judge_runs(matching_runs(seen, near), matching_runs(shapes, near), tests, near, where)
    # A slip of the keyboard in the words does not undo their looks.
    return CheckResult(likeness * found.score, f"{found.reason}; {clip(text)} was wanted")


def _judge_runs(
    runs: list[Run],
    every: list[Run],
    tests: list[tuple[str, Test]],
    text: str | None,
    where: str,
) -> CheckResult:
    """Return the share of all letters that are seen and look right."""
    total = sum(letters(run.text) for run in every)
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
