"""The looks of the decks, one per converted template."""

from tools.decks.house import House

__all__ = ["DNA", "MIDNIGHT"]

MIDNIGHT = House(
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

DNA = House(
    template="DNA",
    content_graphics=-1,
    title_graphics=-1,
    colors=(
        *("1B2733", "FFFFFF", "1F4E79", "EAF1F8"),
        *("2A6099", "E2583E", "3A9188", "B08900", "7A5195", "5F6B7A"),
        *("2A6099", "7A5195"),
    ),
    font="Calibri",
    title_color="tx2",
    opening_color="tx2",
    title=(5.0, 0.6, 22.0, 2.2),
    body=(5.0, 3.2, 22.0, 10.6),
    opening_title=(5.0, 3.4, 22.0, 4.4),
    opening_text=(5.0, 8.2, 22.0, 3.6),
    number=(25.4, 14.4, 1.6, 0.9),
    number_color="tx2",
)
