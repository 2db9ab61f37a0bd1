"""Checks of what belongs to the deck as a whole, and of what slides show of it at their edges."""

from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Slide
from pptarena.decks.selectors import is_kind
from pptarena.decks.text_match import folded, text_share
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.checks.values import TOLERANCE_EMU, nearness
from pptarena.rewards.checks.view import SlideArgs, View

_INCH = 914_400
_RATIO_TOLERANCE = 0.01


@dataclass(frozen=True, kw_only=True)
class Sections:
    """The sections that a deck should have, perhaps with the first slide (now, from 1) of each."""

    names: tuple[str, ...]
    starts: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.starts is not None and len(self.starts) != len(self.names):
            raise ValueError("expected as many starts as names")


@dataclass(frozen=True, kw_only=True)
class SlideSize:
    """How large slides should be, in EMU, or the ratio of their width to their height."""

    width_emu: int | None = None
    height_emu: int | None = None
    ratio: float | None = None
    tolerance_emu: int = TOLERANCE_EMU

    def __post_init__(self) -> None:
        if (self.width_emu, self.height_emu, self.ratio) == (None, None, None):
            raise ValueError("expected width_emu, height_emu or ratio")


@dataclass(frozen=True, kw_only=True)
class Property:
    """What a property of the document should say."""

    property: Literal[
        "title", "subject", "author", "keywords", "description", "category", "status"
    ]  # fmt: skip
    text: str
    match_case: bool = False


@dataclass(frozen=True, kw_only=True)
class ShowSetting:
    """How a setting of the show should be; without a value it should not be set."""

    setting: str
    value: str | None = None


@dataclass(frozen=True, kw_only=True)
class FooterIs(SlideArgs):
    """What slides should show at their edges; what is left out does not matter."""

    text: str | None = None
    number: bool | None = None
    date: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.text, self.number, self.date) == (None, None, None):
            raise ValueError("expected text, number or date")


@check("sections_are", "slides")
def sections_are(view: View, args: Sections) -> CheckResult:
    """Measure the share of sections that are there in order, and begin where they should."""
    found = view.current.sections
    if not args.names:
        return verdict(not found, "there are no sections", f"there are {len(found)} sections")
    if not found:
        return CheckResult(0.0, "there are no sections")
    starts = [min(section.slides, default=-1) + 1 for section in found]
    total = max(len(found), len(args.names))
    right = 0.0
    for at, name in enumerate(args.names):
        if at < len(found) and folded(found[at].name) == folded(name):
            begins = args.starts is None or starts[at] == args.starts[at]
            right += 1.0 if begins else 0.5
    names = ", ".join(
        f"'{section.name}' from slide {start}"
        for section, start in zip(found[:6], starts, strict=False)
    )
    return CheckResult(right / total, f"the sections are {names}")


@check("slide_size_is", "slides", "layouts")
def slide_size_is(view: View, args: SlideSize) -> CheckResult:
    """Measure how far the size of slides is from what it should be."""
    width, height = view.current.width_emu, view.current.height_emu
    reason = f"slides are {width / _INCH:.2f} by {height / _INCH:.2f} in"
    results = []
    for found, wanted in ((width, args.width_emu), (height, args.height_emu)):
        if wanted is not None:
            value = nearness(found - wanted, args.tolerance_emu, _INCH)
            results.append(CheckResult(value, reason))
    if args.ratio is not None:
        away = width / max(1, height) / args.ratio - 1
        results.append(CheckResult(nearness(away, _RATIO_TOLERANCE, 0.2), reason))
    return mean_of(results, "sides")


@check("document_property_is", "slides", "accessibility")
def document_property_is(view: View, args: Property) -> CheckResult:
    """Measure whether a property of the document reads as it should."""
    found: str = getattr(view.current.properties, args.property)
    return same_words(found, args.text, args.match_case, f"the document's {args.property}")


@check("show_setting_is", "slides", is_binary=True)
def show_setting_is(view: View, args: ShowSetting) -> CheckResult:
    """Measure whether a setting of the show has a value."""
    found = dict(view.current.show).get(args.setting)
    return verdict(
        found == args.value,
        f"{args.setting} is {found or 'not set'}",
        f"{args.setting} is {found or 'not set'} instead of {args.value or 'not set'}",
    )


@check("footer_is", "slides", "masters")
def footer_is(view: View, args: FooterIs) -> CheckResult:
    """Measure the share of slides that show the right footer, and number and date or neither."""

    def judge(slide: Slide) -> CheckResult:
        where = f"slide {slide.index + 1}"
        results = []
        if args.text is not None:
            share = text_share(slide.footer, args.text, match_case=False)
            results.append(CheckResult(share, f"the footer of {where} is '{slide.footer}'"))
        dated = any(is_kind(shape, "date") and shape.text.strip() for shape in slide.shapes)
        for name, found, wanted in (
            ("number", slide.number_shown, args.number),
            ("date", dated, args.date),
        ):
            if wanted is not None:
                state = f"{where} shows {'its' if found else 'no'} {name}"
                results.append(CheckResult(float(found == wanted), state))
        return mean_of(results, "parts")

    return view.on_seen_slides(args, judge)
