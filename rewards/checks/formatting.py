"""Checks of the formatting of characters, paragraphs and text frames."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypedDict, Unpack, cast

from pptarena.decks import Deck, Paragraph, RunStyle, Shape
from pptarena.decks.diff.text import clip
from pptarena.rewards.checking.arguments import Color, ColorOrNone, Count, Level
from pptarena.rewards.checking.colors import color_test
from pptarena.rewards.checking.pairs import Part, ShapePair
from pptarena.rewards.checking.registry import part_check, shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of, near, needed, noted, same
from pptarena.rewards.checking.values import (
    COLOR_TOLERANCE,
    letters_of,
    matching_paragraphs,
    matching_runs,
    nearest_text,
    same_font,
)

__all__ = ["WantedStyle", "require_style", "style_tests"]


_SIZE_TOLERANCE_PT = 0.3
_SIDES = {0: "normal", 1: "superscript", -1: "subscript"}

Test = Callable[[RunStyle], bool]


class WantedStyle(TypedDict, total=False):
    """The wanted formatting of characters; properties that are left out are not compared."""

    bold: bool | None
    italic: bool | None
    underline: bool | None
    strike: bool | None
    size_pt: float | None
    size_min_pt: float | None
    size_max_pt: float | None
    color: Color | None
    font: str | None
    highlight: ColorOrNone | None
    caps: Literal["none", "small", "all"] | None
    baseline: Literal["normal", "superscript", "subscript"] | None
    color_tolerance: float


_PROPERTIES = tuple(name for name in WantedStyle.__annotations__ if name != "color_tolerance")


def require_style(values: Mapping[str, Any]) -> None:
    """Raise ValueError unless at least one formatting property is given."""
    if all(values[name] is None for name in _PROPERTIES):
        raise ValueError("expected at least one property, such as bold, size_pt or color, got none")


def style_tests(deck: Deck, wanted: WantedStyle) -> Iterator[tuple[str, Test]]:
    """Yield a name and a test for each formatting property that is given."""
    for flag in ("bold", "italic", "underline", "strike"):
        on = cast(bool | None, wanted.get(flag))
        if on is not None:
            yield flag if on else f"not {flag}", _flag_test(flag, on)
    if (size := wanted.get("size_pt")) is not None:
        yield f"{size:g} pt", lambda style: abs(style.size_pt - size) <= _SIZE_TOLERANCE_PT
    if (least := wanted.get("size_min_pt")) is not None:
        yield f"at least {least:g} pt", lambda style: style.size_pt >= least - _SIZE_TOLERANCE_PT
    if (most := wanted.get("size_max_pt")) is not None:
        yield f"at most {most:g} pt", lambda style: style.size_pt <= most + _SIZE_TOLERANCE_PT
    tolerance = wanted.get("color_tolerance", COLOR_TOLERANCE)
    if (name := wanted.get("color")) is not None:
        is_right = color_test(name, deck, tolerance)
        yield name, lambda style: is_right(style.color)
    if (font := wanted.get("font")) is not None:
        yield f"in {font}", lambda style: same_font(style.font, font)
    yield from _rarer_tests(deck, wanted, tolerance)


def _rarer_tests(deck: Deck, wanted: WantedStyle, tolerance: float) -> Iterator[tuple[str, Test]]:
    if (behind := wanted.get("highlight")) is not None:
        if behind == "none":
            yield "not highlighted", lambda style: style.highlight is None
        else:
            is_behind = color_test(behind, deck, tolerance)
            yield f"highlighted {behind}", lambda style: is_behind(style.highlight)
    if (caps := wanted.get("caps")) is not None:
        name = "without capitals" if caps == "none" else f"in {caps} capitals"
        yield name, lambda style: style.caps == caps
    if (raised := wanted.get("baseline")) is not None:
        yield raised, lambda style: _SIDES[(style.baseline > 0) - (style.baseline < 0)] == raised


def _flag_test(flag: str, wanted: bool) -> Test:
    return lambda style: (getattr(style, flag) not in (False, "none")) == wanted


_PERCENT = 1.0


@part_check("text", more=require_style)
def run_format(
    part: Part, text: str | None = None, alone: bool = False, **style: Unpack[WantedStyle]
) -> CheckResult:
    """Measure the share of characters with the wanted formatting, over all given properties.

    Args:
        text: Only this text; nearly the same text counts less.
        alone: Whether only this text may have the formatting; the share of all other characters
            without it then counts as well.
    """
    tests = list(style_tests(part.deck, style))
    if text is None or matching_runs(part.shapes, text):
        result = _measure_runs(part, tests, text)
        return _set_apart(part, tests, text, result) if alone and text is not None else result
    nearest, likeness = nearest_text(part.shapes, text)
    result = _measure_runs(part, tests, needed(nearest, f"{part.label} has no {clip(text)}"))
    # A typing error in the text does not undo its formatting.
    return CheckResult(likeness * result.score, f"{result.reason}; expected {clip(text)}")


def _set_apart(
    part: Part, tests: list[tuple[str, Test]], text: str, result: CheckResult
) -> CheckResult:
    """Return a result times the share of all other characters without the wanted formatting."""
    every, meant = (matching_runs(part.shapes, each) for each in (None, text))
    others = letters_of(every) - letters_of(meant)
    if others <= 0:
        return result
    alike, right = (
        letters_of(run for run in runs if all(test(run.style) for _, test in tests))
        for runs in (every, meant)
    )
    kept = 1 - max(0, alike - right) / others
    note = "" if kept == 1 else f"{1 - kept:.0%} of the other characters have the same formatting"
    return noted(CheckResult(result.score * kept, result.reason), note)


@shape_check("text")
def paragraph_alignment(
    pair: ShapePair, align: Literal["left", "center", "right", "justify"], text: str | None = None
) -> CheckResult:
    """Measure the share of paragraphs with the wanted alignment.

    Args:
        text: Only paragraphs with this text.
    """
    return _measure_paragraphs(pair, text, f"aligned {align}", lambda p: p.align == align)


@shape_check("text")
def paragraph_bullet(
    pair: ShapePair,
    bullet: Literal["none", "char", "number", "any"],
    char: str | None = None,
    text: str | None = None,
    color: Color | None = None,
    size_pct: float | None = None,
    start: Count | None = None,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure the share of paragraphs with the wanted bullet or number.

    Args:
        char: The character, or the numbering scheme such as `arabicPeriod`.
        text: Only paragraphs with this text.
        size_pct: In percent of the text's size.
        start: First number of the numbering.
    """
    is_right = None if color is None else color_test(color, pair.deck, color_tolerance)

    def measure(paragraph: Paragraph) -> float:
        sign = paragraph.bullet
        tests = [
            sign.kind != "none" if bullet == "any" else sign.kind == bullet,
            char in (None, sign.char),
            is_right is None or is_right(sign.color or _letters_color(paragraph)),
            size_pct is None or abs(sign.size_pct - size_pct) <= _PERCENT,
            start in (None, sign.start),
        ]
        return all(tests)

    sign = f"with bullet {bullet}" + (f" {char}" if char else "")
    return _measure_paragraphs(pair, text, sign, measure)


@shape_check("text")
def paragraph_direction(
    pair: ShapePair, right_to_left: bool = True, text: str | None = None
) -> CheckResult:
    """Measure the share of paragraphs with the wanted reading direction.

    Args:
        text: Only paragraphs with this text.
    """
    side = "right to left" if right_to_left else "left to right"
    return _measure_paragraphs(pair, text, side, lambda p: p.right_to_left == right_to_left)


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
    """Measure the share of paragraphs with the wanted line spacing."""

    def measure(paragraph: Paragraph) -> float:
        now = paragraph.line_spacing_pct
        return now is not None and abs(now - percent) <= tolerance

    return _measure_paragraphs(pair, text, f"spaced at {percent:g} %", measure)


def _letters_color(paragraph: Paragraph) -> str | None:
    return paragraph.runs[0].style.color if paragraph.runs else None


def _measure_runs(part: Part, tests: list[tuple[str, Test]], text: str | None) -> CheckResult:
    """Return the share of all characters that are visible and have the wanted formatting."""
    runs, total = matching_runs(part.visible, text), letters_of(matching_runs(part.shapes, text))
    missing = "no text" if text is None else f"no {clip(text)}"
    needed(total, f"{part.label} has {missing}")
    shares = {
        name: letters_of(run for run in runs if test(run.style)) / total for name, test in tests
    }
    what = part.label if text is None else f"{clip(text)} in {part.label}"
    short = [f"{share:.0%} {name}" for name, share in shares.items() if share < 1]
    if not short:
        return CheckResult(1.0, f"{what} is {' and '.join(shares)}")
    score = sum(shares.values()) / len(shares)
    return CheckResult(score, f"of the characters of {what}, only {', '.join(short)}")


def _measure_paragraphs(
    pair: ShapePair, text: str | None, what: str, measure: Callable[[Paragraph], float]
) -> CheckResult:
    missing = "no text" if text is None else f"no paragraph with {clip(text)}"
    paragraphs = needed(matching_paragraphs(pair.after, text), f"{pair.label} has {missing}")
    results = [
        CheckResult(score, f"{clip(paragraph.text)} is{'' if score == 1 else ' not'} {what}")
        for paragraph, score in ((each, float(measure(each))) for each in paragraphs)
    ]
    return mean_of(results, f"paragraphs of {pair.label}")


_FRAME = ("anchor", "wrap", "columns", "vertical")


@shape_check("text", at_least_one=("before_pt", "after_pt", "line_pt"))
def paragraph_spacing(
    pair: ShapePair,
    before_pt: float | None = None,
    after_pt: float | None = None,
    line_pt: float | None = None,
    tolerance_pt: float = 0.6,
    text: str | None = None,
) -> CheckResult:
    """Measure the share of right spacings between paragraphs and lines."""
    results = []
    for each in _paragraphs(pair, pair.after, text):
        what = f"of {clip(each.text)} in pt"
        results += [
            near(f"the space before {what}", each.space_before_pt, before_pt, tolerance_pt),
            near(f"the space after {what}", each.space_after_pt, after_pt, tolerance_pt),
            near(f"the line spacing {what}", each.line_spacing_pt, line_pt, tolerance_pt),
        ]
    return mean_of(results, "distances")


@shape_check("text", "shapes", at_least_one=("autofit", *_FRAME))
def text_frame_is(
    pair: ShapePair,
    anchor: Literal["top", "middle", "bottom"] | None = None,
    autofit: Literal["none", "shape", "text"] | None = None,
    wrap: bool | None = None,
    columns: int | None = None,
    vertical: str | None = None,
) -> CheckResult:
    """Measure the share of right text frame properties of a shape."""
    results = [same(f"the autofit of {pair.label}", pair.after.autofit, autofit)]
    for name, wanted in zip(_FRAME, (anchor, wrap, columns, vertical), strict=True):
        now = getattr(pair.after.frame, name, None)
        results.append(same(f"the {name} setting of {pair.label}", now, wanted))
    return mean_of(results, "properties")


def _paragraphs(pair: ShapePair, shape: Shape, text: str | None) -> list[Paragraph]:
    return needed(matching_paragraphs(shape, text), f"{pair.label} has no matching text")
