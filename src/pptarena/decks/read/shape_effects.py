"""Read shadows, glows and other visual effects of shapes."""

from collections.abc import Iterator, Mapping

from lxml.etree import _Element

from pptarena.decks.facts.paint import Effect, EffectKind
from pptarena.decks.package.names import A, children, find_path, local_name
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.read.context import Context
from pptarena.decks.read.numbers import COORDINATE, int_attribute
from pptarena.decks.read.text_values import serialize_element

__all__ = ["read_effects"]

_KINDS: Mapping[str, EffectKind] = {
    "outerShdw": "shadow", "prstShdw": "shadow", "innerShdw": "inner_shadow", "glow": "glow",
    "reflection": "reflection", "softEdge": "soft_edge", "blur": "blur",
}  # fmt: skip
_LENGTHS = {"blurRad": "blur", "dist": "distance", "rad": "radius"}
_PERCENTS = {
    "sx": "scale_x", "sy": "scale_y", "stA": "start_opacity", "endA": "end_opacity",
    "stPos": "start", "endPos": "end",
}  # fmt: skip
_ANGLES = {"dir": "direction", "fadeDir": "fade_direction", "kx": "skew_x", "ky": "skew_y"}
_PLAIN_CAMERA = frozenset(("orthographicFront", "legacyObliqueTopRight", "perspectiveFront"))
# Default values.
_DEFAULTS = {
    "scale_x": 100, "scale_y": 100, "start_opacity": 100, "end_opacity": 0, "start": 0,
    "end": 100, "fade_direction": 90,
}  # fmt: skip


def read_effects(
    own: _Element | None,
    style: _Element | None,
    inherited: tuple[_Element, ...],
    context: Context,
) -> tuple[Effect, ...]:
    """Return the effects of a shape, sorted because their order has no meaning.

    The arguments are those of `PaintReader.fill`.
    """
    reference = find_path(style, f"{A}effectRef")
    index = int_attribute(reference, "idx") or 0
    color = resolve_color(first_color(reference), context.colors)[0]
    effects: list[Effect] = []
    for name in ("effectLst", "scene3d", "sp3d"):
        element = find_path(own, f"{A}{name}")
        theme_effects = None if element is not None else _themed(name, index, color, context)
        if element is None and theme_effects is None:
            inherited_elements = (each.find(f"{A}{name}") for each in inherited)
            element = next((each for each in inherited_elements if each is not None), None)
        if element is not None:
            theme_effects = tuple(_effects(element, context.colors, None))
        effects += theme_effects or ()
    effects += _graphs(inherited if own is None else (own, *inherited), context.colors)
    return tuple(sorted(effects, key=str))


def _themed(
    name: str, index: int, color: str | None, context: Context
) -> tuple[Effect, ...] | None:
    """Return the effects of one type in a theme style; None for none."""
    key = "effects", name, index, color
    if key not in context.theme_styles:
        styles = context.theme.effects[index - 1 : index] if index > 0 else ()
        element = next((each.find(f"{A}{name}") for each in styles), None)
        effects = None if element is None else tuple(_effects(element, context.colors, color))
        context.theme_styles[key] = effects
    cached: tuple[Effect, ...] | None = context.theme_styles[key]
    return cached


def _effects(
    element: _Element, colors: Mapping[str, str], placeholder_color: str | None
) -> Iterator[Effect]:
    name = local_name(element)
    if name == "effectLst":
        yield from (_effect(child, colors, placeholder_color) for child in element)
    elif name == "scene3d":
        yield from _rotation(element)
    else:
        yield from _solid(element, colors, placeholder_color)


def _effect(element: _Element, colors: Mapping[str, str], placeholder_color: str | None) -> Effect:
    name = local_name(element)
    color, opacity = resolve_color(first_color(element), colors, placeholder_color)
    measures = [] if opacity == 100 or color is None else [("opacity", float(opacity))]
    for names, unit in ((_LENGTHS, 12_700), (_PERCENTS, 1000), (_ANGLES, 60_000)):
        for attribute, measure in names.items():
            number = int_attribute(element, attribute, COORDINATE)
            value = 0 if number is None else round(number / unit, 1)
            if number is not None and value != _DEFAULTS.get(measure, 0):
                measures.append((measure, value))
    if name not in _KINDS:
        return Effect("other", color, detail=serialize_element(element, colors))
    return Effect(_KINDS[name], color, tuple(measures))


def _rotation(scene: _Element) -> Iterator[Effect]:
    camera = scene.find(f"{A}camera")
    if camera is None:
        return
    rotation = camera.find(f"{A}rot")
    angles = [round((int_attribute(rotation, n) or 0) / 60_000, 1) for n in ("lat", "lon", "rev")]
    preset = camera.get("prst") or "orthographicFront"
    if any(angles) or preset not in _PLAIN_CAMERA:
        angle_list = ",".join(f"{angle:g}" for angle in angles)
        yield Effect("3d_rotation", detail=f"camera={preset} angles={angle_list}")


def _solid(
    element: _Element, colors: Mapping[str, str], placeholder_color: str | None
) -> Iterator[Effect]:
    for child in children(element):
        name = local_name(child)
        if name in ("bevelT", "bevelB"):
            size = [round((int_attribute(child, n) or 76_200) / 12_700, 1) for n in ("w", "h")]
            side = "top" if name == "bevelT" else "bottom"
            preset = child.get("prst") or "circle"
            if any(size) and child.get("w") != "0":
                yield Effect("bevel", detail=f"{side} {preset} {size[0]:g}x{size[1]:g}")
    depth = {n: int_attribute(element, n) or 0 for n in ("extrusionH", "contourW")}
    if any(depth.values()):
        color = resolve_color(
            first_color(element.find(f"{A}extrusionClr")), colors, placeholder_color
        )[0]
        measures = ((name, round(value / 12_700, 1)) for name, value in depth.items() if value)
        yield Effect("other", color, tuple(measures))


def _graphs(chain: tuple[_Element, ...], colors: Mapping[str, str]) -> Iterator[Effect]:
    for properties in chain:
        graph = properties.find(f"{A}effectDag")
        if graph is not None:
            yield Effect("other", detail=serialize_element(graph, colors)[:500])
            return
