"""Reading transitions and animations."""

from collections.abc import Iterator, Mapping

from lxml.etree import _Element

from pptarena.rewards.deck.effects import EFFECT_NAMES, KINDS
from pptarena.rewards.deck.model import Animation, Transition
from pptarena.rewards.deck.names import MC, P14, P, find_path, int_attribute, local_name

__all__ = ["read_animations", "read_transition"]

_SPEED_SEC = {"fast": 0.5, "med": 0.75, "slow": 1.0}
_NO_EFFECT = frozenset(("sndAc", "extLst"))
_TRIGGERS = {
    "clickEffect": "on_click",
    "withEffect": "with_previous",
    "afterEffect": "after_previous",
}


def read_transition(slide: _Element) -> Transition:
    """Return how a slide comes in.

    Args:
        slide: Root of the slide part.
    """
    element = _transition_element(slide)
    if element is None:
        return Transition()
    effect = next((child for child in element if local_name(child) not in _NO_EFFECT), None)
    after = int_attribute(element, "advTm")
    timing = {
        "on_click": element.get("advClick") not in ("0", "false"),
        "advance_after_sec": None if after is None else after / 1000,
    }
    if effect is None:
        return Transition(**timing)  # type: ignore[arg-type]
    milliseconds = int_attribute(element, f"{P14}dur")
    speed = element.get("spd") or "fast"
    options = sorted(f"{name}={value}" for name, value in effect.attrib.items() if name != "prst")
    return Transition(
        type=effect.get("prst") or local_name(effect),
        variant=" ".join(options),
        duration_sec=_SPEED_SEC.get(speed) if milliseconds is None else milliseconds / 1000,
        **timing,  # type: ignore[arg-type]
    )


def _transition_element(slide: _Element) -> _Element | None:
    for child in slide:
        if child.tag == f"{P}transition":
            return child
        if child.tag == f"{MC}AlternateContent":
            # The first choice is the fullest: it has the exact duration.
            for branch in child:
                found = branch.find(f"{P}transition")
                if found is not None:
                    return found
    return None


def read_animations(slide: _Element, shapes: Mapping[str, int]) -> tuple[Animation, ...]:
    """Return a slide's effects in playing order.

    Args:
        slide: Root of the slide part.
        shapes: Index in `Slide.shapes` of each shape id in the file.
    """
    timing = slide.find(f"{P}timing")
    if timing is None:
        return ()
    return tuple(_effect(node, shapes) for node in _effect_nodes(timing))


def _effect_nodes(timing: _Element) -> Iterator[_Element]:
    for node in timing.iter(f"{P}cTn"):
        if node.get("presetClass") is not None:
            yield node


def _effect(node: _Element, shapes: Mapping[str, int]) -> Animation:
    preset = int_attribute(node, "presetID") or 0
    kind = KINDS.get(node.get("presetClass") or "", "other")
    target = next(node.iter(f"{P}spTgt"), None)
    names = EFFECT_NAMES.get("entrance" if kind == "exit" else kind, {})
    first = find_path(node, f"{P}stCondLst", f"{P}cond")
    return Animation(
        kind=kind,
        effect=names.get(preset, str(preset)),
        preset=preset,
        trigger=_trigger(node),
        shape=None if target is None else shapes.get(target.get("spid") or ""),
        paragraphs=_paragraphs(target),
        duration_sec=_duration(node),
        delay_sec=(int_attribute(first, "delay") or 0) / 1000,
    )


def _trigger(node: _Element) -> str:
    trigger = _TRIGGERS.get(node.get("nodeType") or "", "on_click")
    if trigger != "on_click":
        return trigger
    for parent in node.iterancestors(f"{P}cTn"):
        if parent.get("nodeType") == "interactiveSeq":
            return "on_shape_click"
    return trigger


def _paragraphs(target: _Element | None) -> tuple[int, int] | None:
    span = next(target.iter(f"{P}pRg"), None) if target is not None else None
    if span is None:
        return None
    start = int_attribute(span, "st") or 0
    return start, int_attribute(span, "end") or start


def _duration(node: _Element) -> float | None:
    found = (int_attribute(each, "dur") for each in node.iter(f"{P}cTn") if each is not node)
    times = [time for time in found if time is not None]
    if not times:
        return None
    # One millisecond is how the file says "at once".
    return 0.0 if max(times) <= 1 else max(times) / 1000
