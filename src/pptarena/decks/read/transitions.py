"""Read transitions."""

from collections.abc import Mapping

from lxml.etree import _Element

from pptarena.decks.facts.motion import NO_TRANSITION, Transition
from pptarena.decks.package.compatibility import find_child
from pptarena.decks.package.names import P14, P, R, local_name
from pptarena.decks.read.numbers import COUNT, int_attribute
from pptarena.decks.read.source import PartSource

__all__ = ["read_transition"]

_SPEED_SEC = {"fast": 0.5, "med": 0.75, "slow": 1.0}
_NO_EFFECT = frozenset(("sndAc", "extLst"))
# Default options according to the standard, which some applications write explicitly.
_USUAL: Mapping[str, Mapping[str, str]] = {
    **{name: {"dir": "l"} for name in ("wipe", "push", "cover", "pull", "pan")},
    **{name: {"dir": "horz"} for name in ("blinds", "checker", "comb", "randomBar")},
    **{name: {"thruBlk": "0"} for name in ("fade", "cut")},
    "split": {"orient": "horz", "dir": "out"},
    "strips": {"dir": "lu"},
    "zoom": {"dir": "out"},
    "wheel": {"spokes": "4"},
    "morph": {"option": "byObject"},
}
_FALSE = {"false": "0", "true": "1"}


def read_transition(slide: _Element, source: PartSource) -> Transition:
    """Return the transition to a slide.

    Args:
        slide: Root of the slide part.
        source: State shared by the slide's readers.
    """
    element = find_child(slide, f"{P}transition")
    if element is None:
        return NO_TRANSITION
    effect = next((child for child in element if local_name(child) not in _NO_EFFECT), None)
    after = int_attribute(element, "advTm", COUNT)
    milliseconds = int_attribute(element, f"{P14}dur", COUNT)
    duration = _SPEED_SEC.get(element.get("spd") or "fast")
    if milliseconds is not None:
        duration = milliseconds / 1000
    return Transition(
        type="none" if effect is None else effect.get("prst") or local_name(effect),
        variant="" if effect is None else _variant(effect),
        duration_sec=None if effect is None else duration,
        on_click=element.get("advClick") not in ("0", "false"),
        advance_after_sec=None if after is None else after / 1000,
        sound=_sound(element, source),
    )


def _variant(effect: _Element) -> str:
    usual = _USUAL.get(local_name(effect), {})
    options = {str(name): _FALSE.get(str(value), str(value)) for name, value in effect.items()}
    shown = (
        f"{name}={value}"
        for name, value in sorted(options.items())
        if name != "prst" and usual.get(name) != value
    )
    return " ".join(shown)


def _sound(element: _Element, source: PartSource) -> str:
    for child in element:
        if local_name(child) == "sndAc":
            for mark in child.iter(f"{P}snd"):
                return source.fingerprints.target(source.name, mark.get(f"{R}embed") or "")
            return "stop"
    return ""
