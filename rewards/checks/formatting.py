"""Checks of how text looks."""

from collections.abc import Callable
from typing import Literal, Unpack

from pptarena.decks import Paragraph, Run
from pptarena.decks.diff.text import clip
from pptarena.rewards.checks.arguments import Level
from pptarena.rewards.checks.pairs import Part, ShapePair
from pptarena.rewards.checks.registry import part_check, shape_check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.run_look import RunLook, Test, require_look, run_tests
from pptarena.rewards.checks.values import letters, matching_paragraphs, matching_runs, nearest_text


@part_check("text", more=require_look)
def run_format(part: Part, text: str | None = None, **look: Unpack[RunLook]) -> CheckResult:
    """Measure the share of letters that look as they should, over all properties asked for.

    Args:
        text: Only these words; nearly the same words count less.
    """
    shapes, visible, tests = part.shapes, part.visible, run_tests(part.deck, look)
    every, runs = matching_runs(shapes, text), matching_runs(visible, text)
    near, likeness = (None, 0.0) if text is None or every else nearest_text(shapes, text)
    if text is None or near is None:
        return _measure_runs(runs, every, tests, text, part.label)
    every, runs = matching_runs(shapes, near), matching_runs(visible, near)
    found = _measure_runs(runs, every, tests, near, part.label)
    # A slip of the keyboard in the words does not undo their looks.
    return CheckResult(likeness * found.score, f"{found.reason}; {clip(text)} was wanted")


@shape_check("text")
def paragraph_alignment(
    pair: ShapePair, align: Literal["left", "center", "right", "justify"], text: str | None = None
) -> CheckResult:
    """Measure the share of paragraphs that keep to a side.

    Args:
        text: Only paragraphs with it.
    """
    return _measure_paragraphs(pair, text, f"aligned {align}", lambda p: p.align == align)


@shape_check("text")
def paragraph_bullet(
    pair: ShapePair,
    bullet: Literal["none", "char", "number", "any"],
    char: str | None = None,
    text: str | None = None,
) -> CheckResult:
    """Measure the share of paragraphs with the right sign before them."""

    def measure(paragraph: Paragraph) -> float:
        kind = paragraph.bullet.kind
        right = kind != "none" if bullet == "any" else kind == bullet
        return right and char in (None, paragraph.bullet.char)

    sign = f"with bullet {bullet}" + (f" {char}" if char else "")
    return _measure_paragraphs(pair, text, sign, measure)


@shape_check("text")
def paragraph_level(pair: ShapePair, level: Level, text: str | None = None) -> CheckResult:
    """Measure the share of paragraphs at an outline level; a step in its direction earns half."""
    paragraphs = () if pair.before is None else pair.before.paragraphs
    before = {paragraph.text.strip(): paragraph.level for paragraph in paragraphs}

    def measure(paragraph: Paragraph) -> float:
        if paragraph.level == level:
            return 1.0
        start = before.get(paragraph.text.strip(), paragraph.level)
        nearer = abs(paragraph.level - level) < abs(start - level)
        return 0.5 if nearer else 0.0

    return _measure_paragraphs(pair, text, f"at level {level}", measure)


@shape_check("text")
def line_spacing(
    pair: ShapePair, percent: float, tolerance: float = 2.0, text: str | None = None
) -> CheckResult:
    """Measure the share of paragraphs whose lines have the right distance."""

    def measure(paragraph: Paragraph) -> float:
        found = paragraph.line_spacing_pct
        return found is not None and abs(found - percent) <= tolerance

    return _measure_paragraphs(pair, text, f"spaced at {percent:g} %", measure)


def _measure_runs(
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


def _measure_paragraphs(
    pair: ShapePair, text: str | None, what: str, measure: Callable[[Paragraph], float]
) -> CheckResult:
    paragraphs = matching_paragraphs(pair.after, text)
    if not paragraphs:
        missing = "no text" if text is None else f"no paragraph with {clip(text)}"
        return CheckResult(0.0, f"{pair.label} has {missing}")
    results = [
        CheckResult(value, f"{clip(paragraph.text)} is{'' if value == 1 else ' not'} {what}")
        for paragraph, value in ((each, float(measure(each))) for each in paragraphs)
    ]
    return mean_of(results, f"paragraphs of {pair.label}")
