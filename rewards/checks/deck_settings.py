"""Checks of deck settings, and of the footers, numbers and dates of slides."""

from typing import Literal

from pptarena.decks.diff.text import clip
from pptarena.decks.selectors import is_kind
from pptarena.decks.text_match import text_share
from pptarena.rewards.checking.compare import near, same
from pptarena.rewards.checking.pairs import SlidePair
from pptarena.rewards.checking.registry import deck_check, slide_check
from pptarena.rewards.checking.result import CheckResult, mean_of, verdict
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checking.view import View
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.relative import LengthEmu

_INCH = 914_400
_RATIO_TOLERANCE = 0.01


@deck_check("slides", "layouts", at_least_one=("width_emu", "height_emu", "ratio"))
def slide_size_is(
    view: View,
    width_emu: LengthEmu | None = None,
    height_emu: LengthEmu | None = None,
    ratio: float | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far the slide size is from the wanted size."""
    width, height = view.current.width_emu, view.current.height_emu
    results = [
        near("the width of slides in EMU", width, width_emu, tolerance_emu, _INCH),
        near("the height of slides in EMU", height, height_emu, tolerance_emu, _INCH),
    ]
    if ratio is not None:
        now = width / max(1, height)
        scale = 0.2 * ratio
        results.append(near("width by height", now, ratio, _RATIO_TOLERANCE * ratio, scale))
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
    """Measure how well a document property matches the wanted text, by words in common."""
    now: str = getattr(view.current.properties, property)
    return same_words(now, text, match_case, f"the document's {property}")


@deck_check("slides", is_binary=True)
def show_setting_is(view: View, setting: str, value: str | None = None) -> CheckResult:
    """Measure whether a setting of the slide show has a value.

    Args:
        setting: Such as `loop`.
        value: By default, the setting must not be set.
    """
    now = dict(view.current.show).get(setting)
    found = f"{setting} is {now or 'not set'}"
    return verdict(now == value, found, f"{found} instead of {value or 'not set'}")


@slide_check("slides", "masters", explain_hidden=True, at_least_one=("text", "number", "date"))
def footer_is(
    pair: SlidePair, text: str | None = None, number: bool | None = None, date: bool | None = None
) -> CheckResult:
    """Measure the share of right parts of a slide's footer: its text, number and date."""
    slide, where = pair.visible, pair.place
    dated = any(is_kind(shape, "date") and shape.text.strip() for shape in slide.shapes)
    results = [
        same(f"the slide number on {where}", slide.number_shown, number),
        same(f"the date on {where}", dated, date),
    ]
    if text is not None:
        right = text_share(slide.footer, text, match_case=False)
        results.append(CheckResult(right, f"the footer of {where} is {clip(slide.footer)}"))
    return mean_of(results, "parts")
