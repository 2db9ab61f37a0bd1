"""Checks of what belongs to the deck as a whole, and of what slides show of it at their edges."""

from collections.abc import Mapping
from typing import Any, Literal

from pptarena.decks.selectors import is_kind
from pptarena.decks.text_match import folded, text_share
from pptarena.rewards.checks.pairs import SlidePair
from pptarena.rewards.checks.registry import deck_check, slide_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.checks.values import TOLERANCE_EMU, nearness
from pptarena.rewards.checks.view import View
from pptarena.rewards.relative import LengthEmu

_INCH = 914_400
_RATIO_TOLERANCE = 0.01


def _as_many_starts(values: Mapping[str, Any]) -> None:
    starts, names = values["starts"], values["names"]
    if starts is not None and len(starts) != len(names):
        raise ValueError(f"expected as many starts as names, got {len(starts)}")


@deck_check("slides", more=_as_many_starts)
def sections_are(
    view: View, names: tuple[str, ...], starts: tuple[int, ...] | None = None
) -> CheckResult:
    """Measure the share of sections that are there in order; half for one that begins elsewhere.

    Args:
        names: None of them for no sections.
        starts: First slide of each, as slides are now.
    """
    found = view.current.sections
    if not names:
        return verdict(not found, "there are no sections", f"there are {len(found)} sections")
    if not found:
        return CheckResult(0.0, "there are no sections")
    begin_at = [min(section.slides, default=-1) + 1 for section in found]
    total = max(len(found), len(names))
    right = 0.0
    for at, name in enumerate(names):
        if at < len(found) and folded(found[at].name) == folded(name):
            begins = starts is None or begin_at[at] == starts[at]
            right += 1.0 if begins else 0.5
    listed = ", ".join(
        f"'{section.name}' from slide {start}"
        for section, start in zip(found[:6], begin_at, strict=False)
    )
    return CheckResult(right / total, f"the sections are {listed}")


@deck_check("slides", "layouts", at_least_one=("width_emu", "height_emu", "ratio"))
def slide_size_is(
    view: View,
    width_emu: LengthEmu | None = None,
    height_emu: LengthEmu | None = None,
    ratio: float | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far the size of slides is from what it should be."""
    width, height = view.current.width_emu, view.current.height_emu
    reason = f"slides are {width / _INCH:.2f} by {height / _INCH:.2f} in"
    results = []
    for found, wanted in ((width, width_emu), (height, height_emu)):
        if wanted is not None:
            value = nearness(found - wanted, tolerance_emu, _INCH)
            results.append(CheckResult(value, reason))
    if ratio is not None:
        away = width / max(1, height) / ratio - 1
        results.append(CheckResult(nearness(away, _RATIO_TOLERANCE, 0.2), reason))
    return mean_of(results, "sides")


@deck_check("slides", "accessibility")
def document_property_is(
    view: View,
    property: Literal[
        "title", "subject", "author", "keywords", "description", "category", "status"
    ],
    text: str,
    match_case: bool = False,
) -> CheckResult:
    """Measure whether a property of the document reads as it should, by words in common."""
    found: str = getattr(view.current.properties, property)
    return same_words(found, text, match_case, f"the document's {property}")


@deck_check("slides", is_binary=True)
def show_setting_is(view: View, setting: str, value: str | None = None) -> CheckResult:
    """Measure whether a setting of the show has a value.

    Args:
        setting: Such as `loop`.
        value: Left out: not set.
    """
    found = dict(view.current.show).get(setting)
    return verdict(
        found == value,
        f"{setting} is {found or 'not set'}",
        f"{setting} is {found or 'not set'} instead of {value or 'not set'}",
    )


@slide_check("slides", "masters", explain_hidden=True, at_least_one=("text", "number", "date"))
def footer_is(
    pair: SlidePair, text: str | None = None, number: bool | None = None, date: bool | None = None
) -> CheckResult:
    """Measure the share of slides that show the right footer, and number and date or neither."""
    where = pair.place
    results = []
    if text is not None:
        share = text_share(pair.visible.footer, text, match_case=False)
        results.append(CheckResult(share, f"the footer of {where} is '{pair.visible.footer}'"))
    dated = any(is_kind(shape, "date") and shape.text.strip() for shape in pair.visible.shapes)
    for name, found, wanted in (
        ("number", pair.visible.number_shown, number),
        ("date", dated, date),
    ):
        if wanted is not None:
            state = f"{where} shows {'its' if found else 'no'} {name}"
            results.append(CheckResult(float(found == wanted), state))
    return mean_of(results, "parts")
