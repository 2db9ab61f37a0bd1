"""The styles of the decks, one per converted template."""

from dataclasses import replace

from tools.decks.deck_template import DeckStyle

__all__ = [
    "BLUE_CURVE",
    "DUSK",
    "FOCUS",
    "FORESTBIRD",
    "LIGHTS",
    "MIDNIGHT",
    "NATURE",
    "PENCIL",
    "PIANO",
    "PROGRESS",
    "QUAY",
    "STYLES",
    "VIVID",
]

MIDNIGHT = DeckStyle(
    template="Midnightblue",
    content_graphics=0,
    title_graphics=1,
    colors=(
        *("1F2D3A", "FFFFFF", "2C3E50", "ECF0F1"),
        *("16A085", "2980B9", "E67E22", "8E44AD", "D4AC0D", "C0392B"),
        *("1F6FB2", "7D5BA6"),
    ),
    font="Calibri",
    title_color="bg1",
    opening_color="bg1",
    title=(1.0, 0.55, 26.0, 2.2),
    body=(1.0, 4.1, 26.0, 10.0),
    opening_title=(1.5, 4.6, 20.0, 5.0),
    opening_text=(1.5, 11.2, 25.0, 3.0),
    number=(25.875, 14.375, 1.25, 1.25),
    number_color="bg1",
)

BLUE_CURVE = DeckStyle(
    template="Blue_Curve",
    content_graphics=2,
    title_graphics=0,
    colors=(
        *("1D2B36", "FFFFFF", "0B3C5D", "EDF4F9"),
        *("0077B6", "F2A104", "2A9D8F", "6C757D", "8E5EA2", "C44536"),
        *("005F99", "6B4E8E"),
    ),
    font="Calibri",
    title_color="bg1",
    opening_color="tx2",
    title=(1.0, 0.2, 26.0, 1.6),
    body=(1.0, 2.9, 26.0, 10.6),
    opening_title=(1.5, 2.4, 25.0, 4.4),
    opening_text=(1.5, 7.2, 25.0, 3.6),
    number=(25.4, 14.5, 1.6, 0.9),
    number_color="tx2",
)

VIVID = DeckStyle(
    template="Vivid",
    content_graphics=2,
    title_graphics=0,
    colors=(
        *("22303C", "FFFFFF", "1B3A5C", "F1F5F8"),
        *("0F7BC0", "F49100", "3A9D6B", "A23B72", "5C6F82", "C8452F"),
        *("0B5E93", "7A4E8A"),
    ),
    font="Calibri",
    title_color="bg1",
    opening_color="tx2",
    title=(1.4, 0.3, 25.2, 2.4),
    body=(1.4, 3.9, 25.2, 9.8),
    opening_title=(1.4, 1.2, 25.2, 4.6),
    opening_text=(1.4, 6.2, 25.2, 3.6),
    number=(25.0, 14.5, 1.6, 0.9),
    number_color="tx2",
)

LIGHTS = DeckStyle(
    template="Lights",
    content_graphics=3,
    title_graphics=0,
    colors=(
        *("262033", "FFFFFF", "3B2A55", "F6F1F7"),
        *("B5004F", "4B3F8F", "2C8C99", "D98200", "7A6C8F", "5A8F3D"),
        *("8A0A48", "5B4A8A"),
    ),
    font="Calibri",
    title_color="bg1",
    opening_color="bg1",
    title=(1.5, 0.6, 25.0, 2.4),
    body=(1.5, 4.3, 25.0, 9.6),
    opening_title=(3.5, 3.2, 21.0, 4.0),
    opening_text=(3.5, 7.6, 21.0, 3.6),
    number=(25.4, 14.5, 1.6, 0.9),
    number_color="tx2",
)

PENCIL = DeckStyle(
    template="Pencil",
    content_graphics=-1,
    content_master=1,
    title_graphics=-1,
    colors=(
        *("2B2420", "FFFFFF", "5A3A22", "FBF3E6"),
        *("B85C1E", "2F6F8F", "E9A82E", "6B8E4E", "8C5A86", "A33B3B"),
        *("8A4A12", "6B4E8E"),
    ),
    font="Calibri",
    title_color="tx2",
    opening_color="tx2",
    title=(1.0, 0.6, 24.0, 2.2),
    body=(1.0, 3.2, 26.0, 10.6),
    opening_title=(1.5, 2.2, 20.5, 4.8),
    opening_text=(1.5, 8.6, 22.0, 3.6),
    number=(25.2, 14.75, 1.6, 0.8),
    number_color="tx2",
)

FORESTBIRD = DeckStyle(
    template="Forestbird",
    content_graphics=3,
    title_graphics=0,
    colors=(
        *("22301C", "FFFFFF", "2F5D1E", "F4F8EE"),
        *("3E7D23", "C98A2B", "2E7F9E", "A65A2E", "7A6FA0", "5E6B52"),
        *("1F6F8B", "7A5195"),
    ),
    font="Calibri",
    title_color="tx2",
    opening_color="tx2",
    title=(1.5, 0.5, 25.0, 2.2),
    body=(1.5, 3.2, 25.0, 9.0),
    opening_title=(1.5, 1.6, 25.0, 4.0),
    opening_text=(1.5, 6.0, 20.0, 3.6),
    number=(25.4, 14.5, 1.6, 0.9),
    number_color="tx1",
)

PROGRESS = DeckStyle(
    template="Progress",
    content_graphics=2,
    title_graphics=0,
    colors=(
        *("20262E", "FFFFFF", "1D3557", "EEF2F6"),
        *("1D6FA5", "E07A1F", "3C8D5A", "8C4A7E", "B8860B", "A63D40"),
        *("1B5E8C", "6B4E8E"),
    ),
    font="Calibri",
    title_color="tx2",
    opening_color="tx2",
    title=(1.4, 0.9, 24.0, 1.8),
    body=(1.4, 4.2, 25.2, 8.2),
    opening_title=(1.4, 3.0, 22.0, 3.6),
    opening_text=(1.4, 11.6, 22.0, 3.2),
    number=(25.4, 14.5, 1.6, 0.9),
    number_color="tx2",
)

PIANO = DeckStyle(
    template="Piano",
    content_graphics=-1,
    content_master=1,
    title_graphics=-1,
    colors=(
        *("1B1B1B", "FFFFFF", "3A3A3A", "F2F2F2"),
        *("4A4A4A", "B03A48", "2F6F8F", "8A6D1F", "6B8E4E", "7A5195"),
        *("2F6F8F", "7A5195"),
    ),
    font="Caladea",
    title_color="bg1",
    opening_color="bg1",
    title=(1.0, 0.2, 26.0, 1.6),
    body=(1.0, 2.6, 26.0, 9.6),
    opening_title=(2.2, 0.9, 23.4, 1.9),
    opening_text=(2.2, 3.6, 23.4, 3.2),
    number=(25.4, 14.6, 1.6, 0.9),
    number_color="bg1",
)

FOCUS = DeckStyle(
    template="Focus",
    content_graphics=4,
    title_graphics=3,
    colors=(
        *("22222E", "FFFFFF", "2A2A4A", "F2F3F7"),
        *("3465A4", "C46200", "168253", "780373", "B58100", "B3261E"),
        *("2A5599", "780373"),
    ),
    font="Calibri",
    title_color="tx2",
    opening_color="tx2",
    title=(3.6, 0.6, 18.0, 2.5),
    body=(3.6, 3.4, 21.0, 10.6),
    opening_title=(6.2, 2.4, 15.8, 5.2),
    opening_text=(6.2, 8.0, 15.8, 3.4),
    number=(23.4, 14.5, 1.4, 0.9),
    number_color="tx2",
    footer=(5.4, 14.5, 11.0, 0.9),
    date=(17.0, 14.5, 6.0, 0.9),
)

NATURE = DeckStyle(
    template="Nature_Illustration",
    content_graphics=2,
    title_graphics=0,
    colors=(
        *("22301C", "FFFFFF", "2F4A25", "EFF5F5"),
        *("3F7D2A", "B86A00", "1F6F5C", "2F6FA3", "7A5230", "B23A2E"),
        *("1F6F5C", "6B4E8E"),
    ),
    font="Calibri",
    title_color="tx2",
    opening_color="tx2",
    title=(1.4, 0.9, 21.6, 2.8),
    body=(1.4, 4.4, 25.2, 12.6),
    opening_title=(2.4, 4.2, 15.6, 2.8),
    opening_text=(2.4, 7.1, 15.6, 2.4),
    number=(25.6, 20.05, 1.6, 0.8),
    number_color="tx2",
    footer=(1.4, 20.05, 12.0, 0.8),
    date=(15.4, 20.05, 8.0, 0.8),
    has_extra_layouts=True,
    background="bg2",
)

DUSK = replace(
    MIDNIGHT,
    colors=(
        *("2B1D2E", "FFFFFF", "4A2545", "FBF1EC"),
        *("C4552D", "7A4B8C", "E0A030", "2F7F86", "A8476A", "6B7280"),
        *("9A3F1E", "6A4C93"),
    ),
    paint={"2c3e50": "tx2", "1abc9c": "accent1"},
)

QUAY = replace(
    VIVID,
    colors=(
        *("14262E", "FFFFFF", "17495C", "EAF4F5"),
        *("1C7C8C", "D9822B", "4F8A5B", "B23A48", "6A5D93", "66747C"),
        *("1C6B9A", "6A5D93"),
    ),
    paint={"04617b": "17495c", "dbf5f9": "e3f1ee", "009eda": "4f8a5b"},
)

STYLES = {
    "blue_curve": BLUE_CURVE,
    "dusk": DUSK,
    "focus": FOCUS,
    "forestbird": FORESTBIRD,
    "lights": LIGHTS,
    "nature": NATURE,
    "pencil": PENCIL,
    "piano": PIANO,
    "progress": PROGRESS,
    "quay": QUAY,
    "vivid": VIVID,
}
"""The styles available to decks defined as data."""
