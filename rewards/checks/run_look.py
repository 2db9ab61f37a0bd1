"""How letters should look: arguments and tests that several checks share."""

from collections.abc import Callable
from dataclasses import dataclass

from pptarena.decks import RunStyle
from pptarena.rewards.checks.values import COLOR_TOLERANCE, color_matches, wanted_color
from pptarena.rewards.checks.view import View

__all__ = ["RunLook", "Test", "run_tests"]

_SIZE_TOLERANCE_PT = 0.3
_FLAGS = ("bold", "italic", "underline", "strike")
_OTHERS = ("size_pt", "size_min_pt", "size_max_pt", "color", "font")

Test = Callable[[RunStyle], bool]


@dataclass(frozen=True, kw_only=True)
class RunLook:
    """How letters should look; what is None does not matter."""

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

    @property
    def says_something(self) -> bool:
        """Whether at least one of the properties is given."""
        return any(getattr(self, name) is not None for name in (*_FLAGS, *_OTHERS))


def run_tests(view: View, args: RunLook) -> list[tuple[str, Test]]:
    """Return a name and a test for each property of letters that is asked for."""
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
