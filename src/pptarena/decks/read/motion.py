"""Read animations.

Effects are identified by the ``presetID`` that PowerPoint writes; exits share the ids of entrances.
"""

from collections.abc import Iterator, Mapping

from lxml.etree import _Element

from pptarena.decks.facts.motion import NO_TRANSITION, Animation, Transition
from pptarena.decks.package.compatibility import find_child
from pptarena.decks.package.names import P14, P, R, find_path, local_name
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.read.numbers import COUNT, int_attribute, number, real_number
from pptarena.decks.read.source import PartSource

__all__ = ["motion_path", "property_changes", "read_animations", "read_transition", "unread_timing"]

_MAX_STEPS = 50
_MAX_PATH = 2_000


def motion_path(node: _Element) -> str:
    """Return the path of a motion effect, with numbers rounded to thousandths of the slide."""
    motion = next(node.iter(f"{P}animMotion"), None)
    if motion is None:
        return ""
    steps = (motion.get("path") or "")[:_MAX_PATH].split()
    rounded = [_rounded(step) for step in steps]
    # The end mark is redundant.
    return " ".join(rounded[:-1] if rounded and rounded[-1].upper() == "E" else rounded)


def property_changes(node: _Element, source: PartSource) -> str:
    """Return the property changes of an emphasis effect, separated by semicolons."""
    steps = (step for step in node.iterdescendants() if find_path(step, f"{P}cBhvr") is not None)
    changes: list[str] = []
    for step, _ in zip(steps, range(_MAX_STEPS), strict=False):
        changes += _step(step, source)
    following = node.find(f"{P}subTnLst")
    if following is not None and len(following):
        changes.append(f"then {source.fingerprints.elements([following], source.name)[:16]}")
    return "; ".join(dict.fromkeys(changes))


def _step(step: _Element, source: PartSource) -> Iterator[str]:
    name = local_name(step)
    names = (each.text or "" for each in step.iter(f"{P}attrName"))
    property_name = " ".join(names)
    if name == "animClr":
        color = resolve_color(first_color(step.find(f"{P}to")), source.context.colors)[0]
        if color is not None:
            yield f"{property_name} {color}"
        by = step.find(f"{P}by")
        if by is not None:
            parts = (f"{key}={value}" for each in by for key, value in sorted(each.items()))
            yield f"{property_name} by {' '.join(parts)}"
    elif name == "animScale":
        by = next((e for e in step if local_name(e) in ("by", "to")), None)
        if by is not None:
            sizes = [round((int_attribute(by, axis) or 0) / 1000) for axis in ("x", "y")]
            yield f"scale {sizes[0]}x{sizes[1]}"
    elif name == "animRot":
        yield f"turn {round((int_attribute(step, 'by') or 0) / 60_000)}"
    elif name == "set":
        value = next((e.get("val") or "" for e in step.iter() if local_name(e) == "strVal"), "")
        if property_name != "style.visibility":
            yield f"{property_name} {value}".strip()
    elif name == "cmd":
        yield f"{step.get('type')} {step.get('cmd')}"
    elif name == "anim":
        values = [str(each.get("val")) for each in step.iter() if local_name(each) == "strVal"]
        yield f"{property_name} {step.get('to') or step.get('by') or ' '.join(values)}".strip()


def _rounded(text: str) -> str:
    number = real_number(text)
    if number is None:
        return text
    value = round(number, 3)
    return f"{value + 0.0:g}" if value else "0"


_TRIGGERS = {
    "clickEffect": "on_click", "withEffect": "with_previous", "afterEffect": "after_previous",
}  # fmt: skip
_BUILDS = {"p": "paragraph", "cust": "custom", "allAtOnce": "all_at_once", "whole": ""}
_ITERATIONS = {"lt": "letter", "wd": "word"}
_BEHAVIORS = frozenset((
    "anim", "animClr", "animEffect", "animMotion", "animRot", "animScale", "set", "cmd", "audio",
    "video",
))  # fmt: skip
_KINDS = {
    "entr": "entrance", "emph": "emphasis", "exit": "exit", "path": "motion",
    "mediacall": "media", "verb": "other",
}  # fmt: skip

_ENTRANCE = {
    1: "appear", 2: "fly_in", 3: "blinds", 4: "box", 5: "checkerboard", 6: "circle",
    7: "crawl_in", 8: "diamond", 9: "dissolve_in", 10: "fade", 11: "flash_once", 12: "peek_in",
    13: "plus", 14: "random_bars", 15: "spiral_in", 16: "split", 17: "stretch", 18: "strips",
    19: "swivel", 20: "wedge", 21: "wheel", 22: "wipe", 23: "zoom", 24: "random", 25: "boomerang",
    26: "bounce", 28: "credits", 29: "ease_in", 30: "float", 31: "grow_and_turn", 35: "pinwheel",
    37: "rise_up", 41: "whip", 42: "ascend", 43: "center_revolve", 45: "fade_and_swivel",
    47: "descend", 48: "sling", 49: "spin_in", 50: "compress", 51: "magnify", 52: "curve_up",
    53: "fade_and_zoom", 54: "glide", 55: "expand", 56: "flip", 58: "fold",
}  # fmt: skip
_EMPHASIS = {
    1: "fill_color", 2: "font", 3: "font_color", 4: "font_size", 5: "font_style",
    6: "grow_shrink", 7: "line_color", 8: "spin", 9: "transparency", 10: "bold_flash",
    14: "blast", 15: "bold_reveal", 18: "underline", 19: "color_blend", 21: "complementary_color",
    23: "contrasting_color", 24: "darken", 25: "desaturate", 26: "pulse", 27: "color_pulse",
    28: "grow_with_color", 30: "lighten", 32: "teeter", 34: "wave", 35: "blink", 36: "shimmer",
}  # fmt: skip

_EFFECT_NAMES = {"entrance": _ENTRANCE, "emphasis": _EMPHASIS}

# Sides are bits of the variant number, and so are "in" and "out".
_DIRECTIONS = {
    1: "from_top", 2: "from_right", 3: "from_top_right", 4: "from_bottom", 6: "from_bottom_right",
    8: "from_left", 9: "from_top_left", 12: "from_bottom_left", 5: "vertical", 10: "horizontal",
    16: "in", 32: "out", 21: "vertical_in", 37: "vertical_out", 26: "horizontal_in",
    42: "horizontal_out", 272: "in_slightly", 288: "out_slightly", 528: "in_from_center",
    36: "out_from_bottom",
}  # fmt: skip


def read_animations(
    slide: _Element, shapes: Mapping[str, int], source: PartSource
) -> tuple[Animation, ...]:
    """Return the animation effects of a slide in playing order.

    `shapes` maps shape ids in the file to indexes in `Slide.shapes`.
    """
    timing = find_child(slide, f"{P}timing")
    if timing is None:
        return ()
    builds = _builds(timing)
    nodes = (node for node in timing.iter(f"{P}cTn") if node.get("presetClass") is not None)
    return tuple(_effect(node, shapes, builds, source) for node in nodes)


def unread_timing(
    slide: _Element, shapes: Mapping[str, int], source: PartSource
) -> tuple[tuple[str, str], ...]:
    """Return location and digest of timing content outside animation effects."""
    timing = find_child(slide, f"{P}timing")
    if timing is None:
        return ()
    digests = []
    for element in _outside_effects(timing):
        target = next(element.iter(f"{P}spTgt"), None)
        index = None if target is None else shapes.get(target.get("spid") or "")
        location = f"{local_name(element)} {'' if index is None else index}".strip()
        digests.append((location, source.fingerprints.elements([element], source.name)))
    return tuple(sorted(digests))


def _outside_effects(timing: _Element) -> Iterator[_Element]:
    stack = [timing]
    while stack:
        element = stack.pop()
        if local_name(element) in _BEHAVIORS:
            yield element
        elif element.get("presetClass") is None:
            stack.extend(reversed(element))


def _effect(
    node: _Element, shapes: Mapping[str, int], builds: Mapping[str, str], source: PartSource
) -> Animation:
    preset = int_attribute(node, "presetID") or 0
    kind = _KINDS.get(node.get("presetClass") or "", "other")
    target = next(node.iter(f"{P}spTgt"), None)
    names = _EFFECT_NAMES.get("entrance" if kind == "exit" else kind, {})
    effect = names.get(preset, str(preset))
    first = find_path(node, f"{P}stCondLst", f"{P}cond")
    trigger, trigger_id = _trigger(node)
    changes = kind in ("emphasis", "other", "media")
    return Animation(
        kind=kind,
        effect=effect,
        preset=preset,
        trigger=trigger,
        shape=None if target is None else shapes.get(target.get("spid") or ""),
        paragraphs=_paragraphs(target),
        duration_sec=_duration(node),
        delay_sec=(int_attribute(first, "delay", COUNT) or 0) / 1000,
        direction=_direction_name(effect, int_attribute(node, "presetSubtype") or 0),
        repeat=_repeat(node),
        path=motion_path(node) if kind == "motion" else "",
        build=_build(node, target, builds),
        part=_part(target),
        value=property_changes(node, source) if changes else "",
        auto_reverse=node.get("autoRev") in ("1", "true"),
        trigger_shape=shapes.get(trigger_id) if trigger_id else None,
    )


def _trigger(node: _Element) -> tuple[str, str]:
    """Return the trigger of an effect, and the id of the shape whose click starts it."""
    trigger = _TRIGGERS.get(node.get("nodeType") or "", "on_click")
    for parent in node.iterancestors(f"{P}cTn"):
        if parent.get("nodeType") == "interactiveSeq":
            conditions = parent.find(f"{P}stCondLst")
            target = None if conditions is None else next(conditions.iter(f"{P}spTgt"), None)
            shape = "" if target is None else target.get("spid") or ""
            return ("on_shape_click" if trigger == "on_click" else trigger), shape
    return trigger, ""


def _paragraphs(target: _Element | None) -> tuple[int, int] | None:
    span = next(target.iter(f"{P}pRg"), None) if target is not None else None
    if span is None:
        return None
    start = int_attribute(span, "st", COUNT) or 0
    return start, int_attribute(span, "end", COUNT) or start


def _duration(node: _Element) -> float | None:
    durations = (
        int_attribute(each, "dur", COUNT) for each in node.iter(f"{P}cTn") if each is not node
    )
    times = [time for time in durations if time is not None]
    if not times:
        return None
    # PowerPoint writes one millisecond for an immediate effect.
    return 0.0 if max(times) <= 1 else max(times) / 1000


def _repeat(node: _Element) -> str:
    count = node.get("repeatCount") or ""
    if not count:
        inner = (each.get("repeatCount") or "" for each in node.iter(f"{P}cTn"))
        count = next(filter(None, inner), "")
    if count == "indefinite":
        ends = node.find(f"{P}endCondLst")
        events = () if ends is None else (each.get("evt") for each in ends)
        return "until_click" if "onNext" in events else "until_slide_end"
    times = number(count, COUNT)
    return "" if times in (None, 1000) else f"{times / 1000:g}"


def _builds(timing: _Element) -> Mapping[str, str]:
    """Return the build unit of shapes, by shape id and animation group."""
    units = {}
    for entry in timing.iterfind(f"{P}bldLst/*"):
        name = local_name(entry)
        unit = ""
        if name == "bldP":
            unit = _BUILDS.get(entry.get("build") or "whole", entry.get("build") or "")
        else:
            builds = (each.get("bld") for each in entry.iter())
            unit = next((each for each in builds if each), entry.get("bld") or "")
            unit = "" if unit in ("whole", "allAtOnce") else unit
        units[f"{entry.get('spid')} {entry.get('grpId')}"] = unit
    return units


def _build(node: _Element, target: _Element | None, builds: Mapping[str, str]) -> str:
    shape = "" if target is None else target.get("spid") or ""
    units = [builds.get(f"{shape} {node.get('grpId')}", "")]
    iterate = node.find(f"{P}iterate")
    if iterate is not None:
        units.append(_ITERATIONS.get(iterate.get("type") or "", ""))
    return " ".join(filter(None, units))


def _part(target: _Element | None) -> str:
    """Return the animated part of a shape, other than paragraphs."""
    for element in () if target is None else target.iterdescendants():
        name = local_name(element)
        if name == "bg":
            return "background"
        if name == "charRg":
            return f"letters {element.get('st')}-{element.get('end')}"
        if name in ("chart", "dgm", "oleChartEl"):
            values = (
                f"{key} {value}"
                for key, value in sorted((str(k), str(v)) for k, v in element.items())
                if key != "id" and value != "-3"
            )
            return " ".join([name, *values])
        if name == "subSp":
            return "member"
    return ""


def _direction_name(effect: str, subtype: int) -> str:
    """Return the name of a variant by its number in the file, or the number if it has no name."""
    if subtype <= 0:
        return ""
    if effect == "wheel":
        return f"{subtype} spokes"
    return _DIRECTIONS.get(subtype, str(subtype))


_SPEED_SEC = {"fast": 0.5, "med": 0.75, "slow": 1.0}
_NO_EFFECT = frozenset(("sndAc", "extLst"))
# Default options according to the standard, which some applications write explicitly.
_DEFAULT_OPTIONS: Mapping[str, Mapping[str, str]] = {
    **{name: {"dir": "l"} for name in ("wipe", "push", "cover", "pull", "pan")},
    **{name: {"dir": "horz"} for name in ("blinds", "checker", "comb", "randomBar")},
    **{name: {"thruBlk": "0"} for name in ("fade", "cut")},
    "split": {"orient": "horz", "dir": "out"},
    "strips": {"dir": "lu"},
    "zoom": {"dir": "out"},
    "wheel": {"spokes": "4"},
    "morph": {"option": "byObject"},
}
_BOOLEANS = {"false": "0", "true": "1"}


def read_transition(slide: _Element, source: PartSource) -> Transition:
    """Return the transition to a slide."""
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
    defaults = _DEFAULT_OPTIONS.get(local_name(effect), {})
    options = {str(name): _BOOLEANS.get(str(value), str(value)) for name, value in effect.items()}
    parts = (
        f"{name}={value}"
        for name, value in sorted(options.items())
        if name != "prst" and defaults.get(name) != value
    )
    return " ".join(parts)


def _sound(element: _Element, source: PartSource) -> str:
    for child in element:
        if local_name(child) == "sndAc":
            for sound in child.iter(f"{P}snd"):
                return source.fingerprints.target(source.name, sound.get(f"{R}embed") or "")
            return "stop"
    return ""
