"""How letters should look: arguments and tests that several checks share."""

from collections.abc import Callable, Mapping
from typing import Any, TypedDict, cast

from pptarena.decks import Deck, RunStyle
from pptarena.rewards.checks.arguments import Color
from pptarena.rewards.checks.values import COLOR_TOLERANCE, color_matches, wanted_color

__all__ = ["RunLook", "Test", "require_look", "run_tests"]

_SIZE_TOLERANCE_PT = 0.3
_FLAGS = ("bold", "italic", "underline", "strike")

Test = Callable[[RunStyle], bool]


class RunLook(TypedDict, total=False):
    """How letters should look; what is left out does not matter."""

    bold: bool | None
    italic: bool | None
    underline: bool | None
    strike: bool | None
    size_pt: float | None
    size_min_pt: float | None
    size_max_pt: float | None
    color: Color | None
    font: str | None
    color_tolerance: float


def require_look(values: Mapping[str, Any]) -> None:
    """Raise ValueError unless at least one property of letters is given."""
    if all(values[name] is None for name in RunLook.__annotations__ if name != "color_tolerance"):
        raise ValueError("expected at least one property, such as bold, size_pt or color, got none")


def run_tests(deck: Deck, look: RunLook) -> list[tuple[str, Test]]:
    """Return a name and a test for each property of letters that is asked for."""
    tests: list[tuple[str, Test]] = []
    for flag in _FLAGS:
        wanted = cast(bool | None, look.get(flag))
        if wanted is not None:
            tests.append((flag if wanted else f"not {flag}", _flag_test(flag, wanted)))
    if (size := look.get("size_pt")) is not None:
        tests.append((f"{size:g} pt", lambda s: abs(s.size_pt - size) <= _SIZE_TOLERANCE_PT))
    if (least := look.get("size_min_pt")) is not None:
        low = least - _SIZE_TOLERANCE_PT
        tests.append((f"at least {least:g} pt", lambda s: s.size_pt >= low))
    if (most := look.get("size_max_pt")) is not None:
        high = most + _SIZE_TOLERANCE_PT
        tests.append((f"at most {most:g} pt", lambda s: s.size_pt <= high))
    if (name := look.get("color")) is not None:
        color = wanted_color(name, deck)
        tolerance = look.get("color_tolerance", COLOR_TOLERANCE)
        tests.append((name, lambda s: color_matches(s.color, color, tolerance)))
    if (font := look.get("font")) is not None:
        tests.append((f"in {font}", lambda s: s.font.casefold() == font.casefold()))
    return tests


def _flag_test(flag: str, wanted: bool) -> Test:
    if flag == "underline":
        return lambda style: (style.underline != "none") == wanted
    return lambda style: getattr(style, flag) == wanted
