"""The PowerPointDiff with the faults of the published one: animations.

Source of the tables and rules: PPT-Eval (microsoft/ppteval, MIT). The names are wrong on purpose;
those of PowerPoint are in ``decks.read.motion``.
"""

import re
from collections.abc import Iterator, Mapping

from lxml.etree import QName, _Element

from pptarena.decks.package.names import A, P
from pptarena.envs.programs.pptdiff.model import AnimationEffect

__all__ = ["published_animations", "shape_text"]

# Preset number, preset subtype: name.
_ENTRANCES = {
    (2, 8): "fly_in_from_left", (2, 2): "fly_in_from_right", (2, 4): "fly_in_from_top",
    (2, 6): "fly_in_from_bottom", (2, 1): "fly_in_from_top_left",
    (2, 3): "fly_in_from_top_right", (2, 7): "fly_in_from_bottom_left",
    (2, 9): "fly_in_from_bottom_right", (1, 0): "fade_in", (0, 0): "appear",
    (5, 8): "wipe_from_left", (5, 2): "wipe_from_right", (5, 4): "wipe_from_top",
    (5, 6): "wipe_from_bottom", (13, 10): "split_horizontal_in", (13, 5): "split_vertical_in",
    (3, 5): "blinds_horizontal", (3, 10): "blinds_vertical", (4, 5): "box_in",
    (4, 0): "box_out", (6, 5): "checkerboard_across", (6, 10): "checkerboard_down",
    (8, 0): "dissolve_in", (9, 5): "random_bars_horizontal", (9, 10): "random_bars_vertical",
    (10, 1): "strips_left_up", (10, 3): "strips_right_up", (10, 7): "strips_left_down",
    (10, 9): "strips_right_down", (16, 0): "zoom_in", (16, 1): "zoom_in_from_screen_center",
    (16, 2): "zoom_in_slightly", (14, 8): "stretch_from_left", (14, 2): "stretch_from_right",
    (14, 4): "stretch_from_top", (14, 6): "stretch_from_bottom", (15, 0): "swivel",
    (11, 0): "spiral_in",
}  # fmt: skip
_EXITS = {
    (2, 2): "fly_out_to_right", (2, 8): "fly_out_to_left", (2, 4): "fly_out_to_top",
    (2, 6): "fly_out_to_bottom", (1, 0): "fade_out", (0, 0): "disappear",
    (5, 2): "wipe_out_to_right", (5, 8): "wipe_out_to_left", (5, 4): "wipe_out_to_top",
    (5, 6): "wipe_out_to_bottom", (13, 10): "split_horizontal_out",
    (13, 5): "split_vertical_out", (4, 0): "box_out", (16, 0): "zoom_out", (11, 0): "spiral_out",
}  # fmt: skip
_EMPHASES = {
    (19, 0): "color_emphasis", (1, 0): "pulse", (2, 0): "grow_shrink", (3, 0): "spin",
    (18, 0): "transparency", (4, 0): "bold_flash", (5, 0): "bold_reveal", (6, 0): "wave",
    (7, 0): "lighten", (8, 0): "darken", (9, 0): "complementary_color",
    (10, 0): "complementary_color_2", (11, 0): "contrasting_color", (12, 0): "brush_on_color",
    (13, 0): "reveal_underline", (14, 0): "underline", (15, 0): "style_emphasis",
    (16, 0): "font_color", (17, 0): "teeter", (20, 0): "flicker",
}  # fmt: skip
# Preset class, its table, and the trigger and the duration in seconds of all its effects.
_TABLES: tuple[tuple[str, Mapping[tuple[int, int], str], str, float], ...] = (
    ("entr", _ENTRANCES, "click", 0.5),
    ("exit", _EXITS, "on_click", 0.5),
    ("emph", _EMPHASES, "with_previous", 1.0),
)
_BLOCKS = ("animEffect", "animMotion", "animClr", "animRot", "animScale", "set")
_TRIGGERS = {
    "onBegin": "withPrevious",
    "onEnd": "afterPrevious",
    "onDblClick": "onDoubleClick",
}
_SHAPE_TYPES = (
    ("TextBox", "textbox"),
    ("Text Box", "textbox"),
    ("Title", "title"),
    ("Content", "content"),
)
_ARROW_PRESETS = ("rightArrow", "leftArrow", "upArrow", "downArrow")
_STAR_PRESETS = ("star5", "star6", "star8")


def published_animations(root: _Element, slide_id: str) -> list[AnimationEffect]:
    """Return the effects of a slide as the published comparison finds them.

    Args:
        root: Root element of the slide's part.
        slide_id: Slide id of the effects.
    """
    timing = root.find(f".//{P}timing")
    if timing is None:
        return []
    effects: list[AnimationEffect] = []
    for kind, table, trigger, duration in _TABLES:
        effects += _presets(timing, root, slide_id, (kind, table, trigger, duration))
    effects += _motions(timing, root, slide_id)
    element_ids = {effect.element_id for effect in effects}
    shapes = {
        shape.find(f".//{P}cNvPr").get("id"): shape  # type: ignore[union-attr]
        for shape in root.iterfind(f".//{P}sp")
        if shape.find(f".//{P}cNvPr") is not None
    }
    for order, block in enumerate(_blocks(timing)):
        effect = _block_effect(block, timing, slide_id, order, shapes)
        if effect.element_id not in element_ids:
            effects.append(effect)
    return effects


def shape_text(shape: _Element) -> str | None:
    """Return the text runs of a shape, joined without separators between paragraphs."""
    text = "".join(run.text for run in shape.iter(f"{A}t") if run.text).strip()
    return re.sub(r"[ \t]+", " ", text) or None


def _presets(
    timing: _Element,
    root: _Element,
    slide_id: str,
    rule: tuple[str, Mapping[tuple[int, int], str], str, float],
) -> list[AnimationEffect]:
    kind, table, trigger, duration = rule
    nodes: dict[tuple[str, str], list[_Element]] = {}
    for node in timing.iter(f"{P}cTn"):
        if node.get("presetClass") == kind:
            preset = node.get("presetID") or "", node.get("presetSubtype") or ""
            nodes.setdefault(preset, []).append(node)
    effects: list[AnimationEffect] = []
    visited = set()
    for (number, subtype), name in table.items():
        for node in nodes.get((str(number), str(subtype)), ()):
            for target in node.iter(f"{P}spTgt"):
                shape = target.get("spid") or ""
                if (shape, name) in visited:
                    continue
                visited.add((shape, name))
                effects.append(
                    _effect(root, slide_id, target, name, trigger, duration, len(effects))
                )
    return effects


def _motions(timing: _Element, root: _Element, slide_id: str) -> list[AnimationEffect]:
    effects: list[AnimationEffect] = []
    for motion in timing.iter(f"{P}animMotion"):
        target = motion.find(f".//{P}cBhvr//{P}tgtEl//{P}spTgt")
        if target is not None:
            name = _motion_name((motion.get("path") or "").lower())
            effects.append(_effect(root, slide_id, target, name, "on_click", 2.0, len(effects)))
    return effects


def _effect(
    root: _Element,
    slide_id: str,
    target: _Element,
    name: str,
    trigger: str,
    duration: float,
    order: int,
) -> AnimationEffect:
    return AnimationEffect(
        slide_id=slide_id,
        element_id=target.get("spid") or "",
        effect_type=name,
        trigger=trigger,
        delay=0.0,
        duration=duration,
        order=order,
        element_text=_text_of(root, target.get("spid") or ""),
        element_type="shape" if target.find(f".//{P}txEl") is None else "text",
    )


def _text_of(root: _Element, shape_id: str) -> str | None:
    for shape in root.iterfind(f".//{P}sp"):
        properties = shape.find(f".//{P}cNvPr")
        if properties is not None and properties.get("id") == shape_id:
            return shape_text(shape)
    return None


def _motion_name(path: str) -> str:
    if "l" in path:
        return "motion_path_curved" if "c" in path else "motion_path_linear"
    if "c" in path:
        return "motion_path_curve"
    return "motion_path_arc" if "a" in path else "motion_path_custom"


def _blocks(timing: _Element) -> Iterator[_Element]:
    """Yield effect building blocks: all of them, then again those in each group."""
    for group in (timing, *timing.iterfind(f".//{P}par")):
        for name in _BLOCKS:
            yield from group.iterfind(f".//{P}{name}")


def _block_effect(
    block: _Element,
    timing: _Element,
    slide_id: str,
    order: int,
    shapes: Mapping[str | None, _Element],
) -> AnimationEffect:
    shape_id = _target(block, timing)
    shape = shapes.get(shape_id)
    delay, duration = _times(block.find(f".//{P}cTn"))
    return AnimationEffect(
        slide_id=slide_id,
        element_id=shape_id,
        effect_type=QName(block).localname,
        trigger=_trigger(block, timing),
        delay=delay,
        duration=duration,
        order=order,
        element_text=None if shape is None else shape_text(shape),
        element_type=None if shape is None else _shape_type(shape),
    )


def _target(block: _Element, timing: _Element) -> str:
    element = block.find(f".//{P}tgtEl")
    for name in ("spTgt", "inkTgt", "txtTgt"):
        target = None if element is None else element.find(f".//{P}{name}")
        if target is not None:
            return target.get("spid") or "unknown"
    for parent in _ancestors(block, timing):
        target = parent.find(f".//{P}tgtEl//{P}spTgt")
        if target is not None:
            return target.get("spid") or "unknown"
    return "unknown"


def _trigger(block: _Element, timing: _Element) -> str:
    for element in (block, *_ancestors(block, timing)):
        condition = element.find(f".//{P}cond")
        if condition is not None:
            event = condition.get("evt") or "onClick"
            return _TRIGGERS.get(event, event)
    return "onClick"


def _ancestors(block: _Element, timing: _Element) -> Iterator[_Element]:
    for parent in block.iterancestors():
        yield parent
        if parent is timing:
            return


def _times(node: _Element | None) -> tuple[float, float]:
    """Return delay and duration in seconds."""
    if node is None or node.get("dur") == "indefinite":
        return 0.0, 1.0 if node is None else 0.0
    try:
        return float(node.get("delay") or "0") / 1000, float(node.get("dur") or "1000") / 1000
    except ValueError:
        return 0.0, 1.0


def _shape_type(shape: _Element) -> str:
    properties = shape.find(f".//{P}nvSpPr//{P}cNvPr")
    name = "" if properties is None else properties.get("name") or ""
    for word, kind in _SHAPE_TYPES:
        if word in name:
            return kind
    if shape.find(f".//{P}txBody") is not None:
        return "text_shape"
    outline = shape.find(f".//{P}spPr//{A}prstGeom")
    if outline is None:
        return "shape"
    preset = outline.get("prst") or ""
    if preset in ("rect", "ellipse"):
        return {"rect": "rectangle", "ellipse": "ellipse"}[preset]
    if preset in _STAR_PRESETS:
        return "star"
    return "arrow" if preset in _ARROW_PRESETS else f"shape_{preset}"
