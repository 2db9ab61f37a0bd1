"""Lengths in EMU and colors used by PPTC's executor."""

from typing import Final

__all__ = [
    "COLORS",
    "CONTENT_BOX",
    "GAP",
    "MARGIN",
    "PICTURE_SIZE",
    "ROW_HEIGHT",
    "SHAPE_SIZE",
    "TEXT_BOX_HEIGHT",
]

CONTENT_BOX: Final = (628_650, 1_825_625, 7_886_700, 4_351_338)
"""Initial left, top, width and height of text boxes, tables, charts and pictures."""

SHAPE_SIZE: Final = 900_000
"""Width and height of a new shape."""

TEXT_BOX_HEIGHT: Final = 370_000
"""Height of a new text box."""

ROW_HEIGHT: Final = 370_000
"""Height of a row in a new table."""

PICTURE_SIZE: Final = 2_160_000
"""Width and height of a new picture: 6 cm."""

MARGIN: Final = 600_000
"""Distance of aligned objects from the edge or center line."""

GAP: Final = 50_000
"""Distance between two objects placed next to each other."""

COLORS: Final = {
    "black": "000000",
    "white": "FFFFFF",
    "purple": "800080",
    "pink": "FFC0CB",
    "blue": "0000FF",
    "light blue": "ADD8E6",
    "dark blue": "00008B",
    "green": "008000",
    "light green": "90EE90",
    "dark green": "006400",
    "yellow": "FFFF00",
    "light yellow": "FFFFE0",
    "dark yellow": "BDB76B",
    "orange": "FFA500",
    "light orange": "FFDAB9",
    "dark orange": "FF8C00",
    "red": "FF0000",
    "light red": "FFC0CB",
    "dark red": "8B0000",
}
"""RRGGBB value by color name."""
