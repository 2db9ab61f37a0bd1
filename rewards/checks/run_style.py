"""The wanted formatting of characters: arguments and tests that several checks share."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypedDict, cast

from pptarena.decks import Deck, RunStyle
from pptarena.rewards.checking.arguments import Color, ColorOrNone
from pptarena.rewards.checking.colors import color_test
from pptarena.rewards.checking.fonts import same_font
from pptarena.rewards.checking.values import COLOR_TOLERANCE

__all__ = ["Test", "WantedStyle", "require_style", "style_tests"]

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
