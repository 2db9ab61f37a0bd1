"""Checks of the formatting of characters and paragraphs."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypedDict, Unpack, cast

from pptarena.decks import Deck, Paragraph, RunStyle, Shape
from pptarena.decks.diff.text import clip
from pptarena.decks.facts.text import Bullet
from pptarena.rewards.checking.arguments import Color, ColorOrNone, Count, Level
from pptarena.rewards.checking.registry import part_check, shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of, require, score_near, with_note
from pptarena.rewards.checking.values import (
    COLOR_TOLERANCE,
    color_test,
    matching_paragraphs,
    matching_runs,
    nearest_text,
    run_character_count,
    same_font,
)
from pptarena.rewards.checking.view import Part, ShapePair

__all__ = ["TargetStyle", "require_style", "style_tests"]


_SIZE_TOLERANCE_PT = 0.3
_BASELINES = {0: "normal", 1: "superscript", -1: "subscript"}

Test = Callable[[RunStyle], bool]


class TargetStyle(TypedDict, total=False):
    """Target formatting of characters; omitted properties are not compared."""

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


_PROPERTIES = tuple(name for name in TargetStyle.__annotations__ if name != "color_tolerance")


def require_style(values: Mapping[str, Any]) -> None:
    """Raise ValueError unless at least one formatting property is given."""
    if all(values[name] is None for name in _PROPERTIES):
        raise ValueError("expected at least one property, such as bold, size_pt or color, got none")


def style_tests(deck: Deck, target: TargetStyle) -> Iterator[tuple[str, Test]]:
    """Yield a name and a test for each formatting property that is given."""
    for flag in ("bold", "italic", "underline", "strike"):
        on = cast(bool | None, target.get(flag))
        if on is not None:
            yield flag if on else f"not {flag}", _flag_test(flag, on)
    if (size := target.get("size_pt")) is not None:
        yield f"{size:g} pt", lambda style: abs(style.size_pt - size) <= _SIZE_TOLERANCE_PT
    if (min_size := target.get("size_min_pt")) is not None:
        yield (
            f"at least {min_size:g} pt",
            lambda style: style.size_pt >= min_size - _SIZE_TOLERANCE_PT,
        )
    if (max_size := target.get("size_max_pt")) is not None:
        yield (
            f"at most {max_size:g} pt",
            lambda style: style.size_pt <= max_size + _SIZE_TOLERANCE_PT,
        )
    tolerance = target.get("color_tolerance", COLOR_TOLERANCE)
    if (name := target.get("color")) is not None:
        is_right = color_test(name, deck, tolerance)
        yield name, lambda style: is_right(style.color)
    if (font := target.get("font")) is not None:
        yield f"in {font}", lambda style: same_font(style.font, font)
    yield from _special_tests(deck, target, tolerance)


def _special_tests(deck: Deck, target: TargetStyle, tolerance: float) -> Iterator[tuple[str, Test]]:
    if (highlight := target.get("highlight")) is not None:
        if highlight == "none":
            yield "not highlighted", lambda style: style.highlight is None
        else:
            is_right = color_test(highlight, deck, tolerance)
            yield f"highlighted {highlight}", lambda style: is_right(style.highlight)
    if (caps := target.get("caps")) is not None:
        name = "without capitals" if caps == "none" else f"in {caps} capitals"
        yield name, lambda style: style.caps == caps
    if (baseline := target.get("baseline")) is not None:
        yield (
            baseline,
            lambda style: _BASELINES[(style.baseline > 0) - (style.baseline < 0)] == baseline,
        )


def _flag_test(flag: str, expected: bool) -> Test:
    return lambda style: (getattr(style, flag) not in (False, "none")) == expected


_SIZE_TOLERANCE_PCT = 1.0
_ARABIC = "arabic"


@part_check(validate=require_style)
def run_format(
    part: Part, text: str | None = None, alone: bool = False, **style: Unpack[TargetStyle]
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
        return (
            _with_exclusivity(part, tests, text, result) if alone and text is not None else result
        )
    nearest, likeness = nearest_text(part.shapes, text)
    result = _measure_runs(part, tests, require(nearest, f"{part.label} has no {clip(text)}"))
    # A typing error in the text does not undo its formatting.
    return CheckResult(likeness * result.score, f"{result.reason}; expected {clip(text)}")


def _with_exclusivity(
    part: Part, tests: list[tuple[str, Test]], text: str, result: CheckResult
) -> CheckResult:
    """Scale a result by the share of other characters without the target formatting."""
    all_runs, target_runs = (matching_runs(part.shapes, each) for each in (None, text))
    others = run_character_count(all_runs) - run_character_count(target_runs)
    if others <= 0:
        return result
    formatted, right = (
        run_character_count(run for run in runs if all(test(run.style) for _, test in tests))
        for runs in (all_runs, target_runs)
    )
    plain_share = 1 - max(0, formatted - right) / others
    note = (
        ""
        if plain_share == 1
        else f"{1 - plain_share:.0%} of the other characters have the same formatting"
    )
    return with_note(CheckResult(result.score * plain_share, result.reason), note)


class ParagraphStyle(TypedDict, total=False):
    """Target formatting of paragraphs; omitted properties are not compared."""

    align: Literal["left", "center", "right", "justify"] | None
    level: Level | None
    right_to_left: bool | None
    line_spacing_pct: float | None
    bullet: Literal["none", "char", "number", "any"] | None
    bullet_char: str | None
    bullet_color: Color | None
    bullet_size_pct: float | None
    bullet_start: Count | None


def _require_bullet(values: Mapping[str, Any]) -> None:
    details = [name for name in values if name.startswith("bullet_") and values[name] is not None]
    if details and values["bullet"] is None:
        raise ValueError(f"expected bullet with {' and '.join(details)}, got none")


@shape_check(
    at_least_one=("align", "level", "right_to_left", "line_spacing_pct", "bullet"),
    validate=_require_bullet,
)
def paragraph_format(
    pair: ShapePair,
    text: str | None = None,
    spacing_tolerance_pct: float = 2.0,
    color_tolerance: float = COLOR_TOLERANCE,
    **style: Unpack[ParagraphStyle],
) -> CheckResult:
    """Measure the share of right properties of paragraphs.

    A step towards the wanted level earns half. A bullet is right if all of its details are.

    Args:
        text: Only paragraphs with this text.
        bullet_char: The character, or the numbering scheme such as `arabicPeriod`; `arabic` for any
            scheme of arabic numbers.
        bullet_size_pct: In percent of the text's size.
        bullet_start: First number of the numbering.
    """
    missing = "no text" if text is None else f"no paragraph with {clip(text)}"
    paragraphs = require(matching_paragraphs(pair.after, text), f"{pair.label} has {missing}")
    tests = list(_paragraph_tests(pair, style, spacing_tolerance_pct, color_tolerance))
    results = [
        CheckResult(
            score, f"{clip(paragraph.text)} is{'' if score == 1 else ' not'} {property_name}"
        )
        for property_name, test in tests
        for paragraph, score in ((each, float(test(each))) for each in paragraphs)
    ]
    properties = "" if len(tests) == 1 else "properties of "
    return mean_of(results, f"{properties}paragraphs of {pair.label}")


def _paragraph_tests(
    pair: ShapePair, style: ParagraphStyle, spacing_pct: float, color_tolerance: float
) -> Iterator[tuple[str, Callable[[Paragraph], float]]]:
    """Yield a name and a test for each property that is given."""
    if (align := style.get("align")) is not None:
        yield f"aligned {align}", lambda p: p.align == align
    if (level := style.get("level")) is not None:
        yield f"at level {level}", _level_test(pair, level)
    if (leftward := style.get("right_to_left")) is not None:
        side = "right to left" if leftward else "left to right"
        yield side, lambda p: p.right_to_left == leftward
    if (percent := style.get("line_spacing_pct")) is not None:
        name = f"spaced at {percent:g} %"
        yield name, lambda p: score_near(name, p.line_spacing_pct, percent, spacing_pct).score
    if (bullet := style.get("bullet")) is not None:
        char = style.get("bullet_char")
        name = f"with bullet {bullet}" + (f" {char}" if char else "")
        yield name, _bullet_test(pair, style, color_tolerance)


def _level_test(pair: ShapePair, level: int) -> Callable[[Paragraph], float]:
    paragraphs = () if pair.before is None else pair.before.paragraphs
    before = {paragraph.text.strip(): paragraph.level for paragraph in paragraphs}

    def measure(paragraph: Paragraph) -> float:
        start = before.get(paragraph.text.strip(), paragraph.level)
        nearer = abs(paragraph.level - level) < abs(start - level)
        return 1.0 if paragraph.level == level else 0.5 * nearer

    return measure


def _bullet_test(
    pair: ShapePair, style: ParagraphStyle, color_tolerance: float
) -> Callable[[Paragraph], float]:
    kind, color = style.get("bullet"), style.get("bullet_color")
    size_pct = style.get("bullet_size_pct")
    is_right = None if color is None else color_test(color, pair.deck, color_tolerance)

    def measure(paragraph: Paragraph) -> float:
        sign = paragraph.bullet
        return all(
            (
                sign.kind != "none" if kind == "any" else sign.kind == kind,
                _has_bullet_char(sign, style.get("bullet_char")),
                is_right is None or is_right(sign.color or _text_color(paragraph)),
                size_pct is None or abs(sign.size_pct - size_pct) <= _SIZE_TOLERANCE_PCT,
                style.get("bullet_start") in (None, sign.start),
            )
        )

    return measure


def _has_bullet_char(bullet: Bullet, char: str | None) -> bool:
    """Return whether a bullet has a character or numbering scheme."""
    if char == _ARABIC and bullet.kind == "number":
        return bullet.char.startswith(_ARABIC)
    return char in (None, bullet.char)


def _text_color(paragraph: Paragraph) -> str | None:
    return paragraph.runs[0].style.color if paragraph.runs else None


def _measure_runs(part: Part, tests: list[tuple[str, Test]], text: str | None) -> CheckResult:
    """Score the share of all characters that are visible and have the target formatting."""
    runs, total = (
        matching_runs(part.visible, text),
        run_character_count(matching_runs(part.shapes, text)),
    )
    missing = "no text" if text is None else f"no {clip(text)}"
    require(total, f"{part.label} has {missing}")
    shares = {
        name: run_character_count(run for run in runs if test(run.style)) / total
        for name, test in tests
    }
    subject = part.label if text is None else f"{clip(text)} in {part.label}"
    imperfect = [f"{share:.0%} {name}" for name, share in shares.items() if share < 1]
    if not imperfect:
        return CheckResult(1.0, f"{subject} is {' and '.join(shares)}")
    score = sum(shares.values()) / len(shares)
    return CheckResult(score, f"of the characters of {subject}, only {', '.join(imperfect)}")


@shape_check(at_least_one=("before_pt", "after_pt", "line_pt"))
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
        description = f"of {clip(each.text)} in pt"
        results += [
            score_near(
                f"the space before {description}", each.space_before_pt, before_pt, tolerance_pt
            ),
            score_near(
                f"the space after {description}", each.space_after_pt, after_pt, tolerance_pt
            ),
            score_near(
                f"the line spacing {description}", each.line_spacing_pt, line_pt, tolerance_pt
            ),
        ]
    return mean_of(results, "distances")


def _paragraphs(pair: ShapePair, shape: Shape, text: str | None) -> list[Paragraph]:
    return require(matching_paragraphs(shape, text), f"{pair.label} has no matching text")
