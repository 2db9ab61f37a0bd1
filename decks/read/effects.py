"""Names of the animation presets that the file format knows by number.

The numbers are those that PowerPoint writes as ``presetID``; exits have the numbers of entrances.
"""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["EFFECT_NAMES", "KINDS", "direction_name"]

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "entr": "entrance",
        "emph": "emphasis",
        "exit": "exit",
        "path": "motion",
        "mediacall": "media",
        "verb": "other",
    }
)

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

EFFECT_NAMES: Mapping[str, Mapping[int, str]] = MappingProxyType(
    {"entrance": MappingProxyType(_ENTRANCE), "emphasis": MappingProxyType(_EMPHASIS)}
)

# Sides are bits of the variant's number, and so are "in" and "out".
_DIRECTIONS = {
    1: "from_top", 2: "from_right", 3: "from_top_right", 4: "from_bottom", 6: "from_bottom_right",
    8: "from_left", 9: "from_top_left", 12: "from_bottom_left", 5: "vertical", 10: "horizontal",
    16: "in", 32: "out", 21: "vertical_in", 37: "vertical_out", 26: "horizontal_in",
    42: "horizontal_out", 272: "in_slightly", 288: "out_slightly", 528: "in_from_center",
    36: "out_from_bottom",
}  # fmt: skip


def direction_name(effect: str, subtype: int) -> str:
    """Return the name of a preset's variant.

    Args:
        effect: Name of the effect.
        subtype: The variant's number in the file; 0 for none.

    Returns:
        Such as ``from_bottom``; the number as text if it has no name, empty for no variant.
    """
    if subtype <= 0:
        return ""
    if effect == "wheel":
        return f"{subtype} spokes"
    return _DIRECTIONS.get(subtype, str(subtype))
