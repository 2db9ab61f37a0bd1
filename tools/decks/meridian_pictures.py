"""Pictures of the deck `meridian`."""

from PIL import Image

from tools.decks.drawing import Canvas

__all__ = ["logo", "satisfaction_plot", "store_map", "tent_drawing"]

_NAVY, _TEAL, _ORANGE, _GREY = "#2c3e50", "#1abc9c", "#e67e22", "#95a5a6"


def logo() -> Image.Image:
    """Return the company's logo: a compass over a ridge, on the color of the title slide."""
    canvas = Canvas(150, 150, "#1cbc9c")
    canvas.circle((75, 75), 70, "#ffffff")
    canvas.circle((75, 75), 62, _NAVY)
    canvas.polygon([(20, 103), (52, 62), (70, 84), (94, 50), (131, 103)], _TEAL)
    canvas.polygon([(94, 50), (104, 64), (94, 70), (84, 64)], "#ffffff")
    canvas.polygon([(75, 18), (81, 38), (75, 46), (69, 38)], _ORANGE)
    canvas.text((75, 117), "MERIDIAN", 14, "#ffffff")
    return canvas.image()


def satisfaction_plot() -> Image.Image:
    """Return a plot of the net promoter scores of stores and online store over nine quarters."""
    canvas = Canvas(620, 440)
    quarters = ("Q3", "Q4", "Q1", "Q2", "Q3", "Q4", "Q1", "Q2", "Q3")
    stores = (41, 42, 44, 43, 46, 47, 49, 51, 54)
    online = (38, 33, 35, 37, 36, 39, 43, 45, 47)

    def place(index: int, value: float) -> tuple[float, float]:
        return 70 + index * 62, 370 - (value - 25) * 9.5

    for value in range(25, 61, 5):
        canvas.line([place(0, value), place(8, value)], "#dfe6e9", 1)
        canvas.text((56, place(0, value)[1]), str(value), 18, _GREY, "rm")
    for index, quarter in enumerate(quarters):
        canvas.text((place(index, 25)[0], 388), quarter, 18, _GREY)
    for middle, year in ((0.5, "2024"), (3.5, "2025"), (7, "2026")):
        canvas.text((70 + middle * 62, 414), year, 18, _GREY)
    for values, color, name, lift in (
        (stores, _NAVY, "Stores", -22),
        (online, _TEAL, "Online store", 44),
    ):
        points = [place(index, value) for index, value in enumerate(values)]
        canvas.line(points, color, 4)
        for point in points:
            canvas.circle(point, 5, "#ffffff", color, 3)
        canvas.text((points[6][0], points[6][1] + lift), name, 21, color)
    canvas.text((70, 18), "Net promoter score", 21, _NAVY, "lm")
    return canvas.image()


def tent_drawing() -> Image.Image:
    """Return a drawing of the tent with its dimensions."""
    canvas = Canvas(600, 420, "#f4f8fa")
    canvas.polygon([(40, 350), (560, 350), (600, 420), (0, 420)], "#d5e8d4")
    canvas.polygon([(110, 345), (270, 110), (490, 345)], _TEAL)
    canvas.polygon([(110, 345), (270, 110), (250, 345)], "#148f77")
    canvas.polygon([(270, 110), (250, 345), (330, 345)], "#0e6655")
    canvas.line([(270, 110), (320, 80)], _NAVY, 4)
    for x, end in ((110, 60), (490, 545)):
        canvas.line([(x, 345), (end, 362)], _GREY, 2)
    canvas.arrow((300, 382), (490, 382), _ORANGE)
    canvas.arrow((300, 382), (110, 382), _ORANGE)
    canvas.text((300, 402), "2.30 m", 20, _ORANGE)
    canvas.arrow((525, 230), (525, 345), _ORANGE)
    canvas.arrow((525, 230), (525, 110), _ORANGE)
    canvas.text((562, 228), "1.15 m", 20, _ORANGE)
    canvas.text((90, 60), "1.48 kg packed", 22, _NAVY, "lm")
    return canvas.image()


def store_map() -> Image.Image:
    """Return a sketch of the four sales regions, sized by their number of stores."""
    canvas = Canvas(560, 420, "#f4f8fa")
    regions = (
        (200, 105, 62, _NAVY, "North", 14),
        (385, 150, 50, _TEAL, "East", 9),
        (240, 290, 58, "#2980b9", "South", 12),
        (95, 235, 44, _ORANGE, "West", 7),
    )
    hub = (270, 190)
    for x, y, *_ in regions:
        canvas.line([hub, (x, y)], _GREY, 2)
    for x, y, radius, color, name, stores in regions:
        canvas.circle((x, y), radius, color, "#ffffff", 3)
        canvas.text((x, y - 12), name, 22, "#ffffff")
        canvas.text((x, y + 14), f"{stores} stores", 18, "#ffffff")
    canvas.box(258, 178, 282, 202, "#c0392b", radius=3)
    canvas.text((352, 220), "Warehouse", 19, "#c0392b")
    return canvas.image()
