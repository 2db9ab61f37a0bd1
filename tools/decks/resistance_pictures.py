"""Pictures of the deck `resistance`."""

import random

from PIL import Image

from tools.decks.drawing import Canvas

__all__ = ["cell_targets", "dilution_row", "disc_test", "gene_transfer", "selection_plot"]

_BLUE, _RED, _GREY, _INK = "#2a6099", "#e2583e", "#8d99a6", "#1f3347"
_PALE = "#eaf1f8"


def cell_targets() -> Image.Image:
    """Return a bacterial cell with the four targets of antibiotics."""
    canvas = Canvas(620, 420)
    canvas.ellipse((310, 210), (215, 125), "#f6e3c5", _BLUE, 10)
    canvas.ellipse((310, 210), (200, 110), "#fdf6e9", _RED, 3)
    for index in range(5):
        x = 215 + index * 22
        canvas.ellipse((x, 215 + (index % 2) * 26), (24, 15), None, _INK, 3)
    for x, y in ((375, 170), (405, 240), (440, 200), (365, 262), (435, 158)):
        canvas.circle((x, y), 9, _RED)
        canvas.circle((x, y - 10), 6, _RED)
    labels = (
        ((110, 35), (165, 115), "Cell wall"),
        ((515, 35), (455, 128), "Ribosomes"),
        ((110, 390), (235, 250), "DNA copying"),
        ((515, 390), (420, 292), "Folate pathway"),
    )
    for at, tip, text in labels:
        start = (at[0], at[1] + (16 if at[1] < 200 else -16))
        canvas.arrow(start, tip, _GREY, 2)
        canvas.text(at, text, 24, _INK)
    return canvas.image()


def gene_transfer() -> Image.Image:
    """Return two cells joined by a bridge through which a ring of DNA is copied."""
    canvas = Canvas(620, 400)
    canvas.box(232, 190, 388, 226, "#f6e3c5", edge=_BLUE, width=4)
    for x, name in ((140, "Donor"), (480, "Recipient")):
        canvas.ellipse((x, 208), (120, 92), "#fdf6e9", _BLUE, 6)
        canvas.ellipse((x, 182), (56, 26), None, _INK, 4)
        canvas.text((x, 335), name, 24, _INK)
    canvas.circle((130, 245), 24, None, _RED, 6)
    canvas.circle((490, 245), 24, None, _RED, 6)
    canvas.arrow((170, 245), (450, 245), _RED, 4)
    canvas.text((310, 160), "Bridge", 22, _GREY)
    canvas.text((310, 290), "Plasmid with a\nresistance gene", 22, _RED)
    canvas.text((310, 40), "Conjugation", 28, _BLUE)
    return canvas.image()


def selection_plot() -> Image.Image:
    """Return three dishes, before, during and after treatment: resistant cells take over."""
    canvas = Canvas(660, 300)
    chance = random.Random(7)
    dishes = (("Before", 40, 2), ("Treatment", 6, 2), ("A week later", 0, 42))
    for index, (name, sensitive, resistant) in enumerate(dishes):
        x = 115 + index * 215
        canvas.circle((x, 135), 92, _PALE, _GREY, 3)
        for number in range(sensitive + resistant):
            while True:
                dx, dy = chance.uniform(-80, 80), chance.uniform(-80, 80)
                if dx**2 + dy**2 < 78**2:
                    break
            color = _BLUE if number < sensitive else _RED
            canvas.ellipse((x + dx, 135 + dy), (8, 5), color)
        canvas.text((x, 250), name, 22, _INK)
        if index:
            canvas.arrow((x - 120, 135), (x - 96, 135), _INK)
    canvas.circle((200, 284), 7, _BLUE)
    canvas.text((214, 284), "sensitive", 19, _BLUE, "lm")
    canvas.circle((380, 284), 7, _RED)
    canvas.text((394, 284), "resistant", 19, _RED, "lm")
    return canvas.image()


def dilution_row() -> Image.Image:
    """Return a row of test tubes with rising concentration; the fourth is the first clear one."""
    canvas = Canvas(660, 330)
    for index, strength in enumerate(("0.25", "0.5", "1", "2", "4", "8")):
        x = 70 + index * 104
        cloudy = index < 3
        canvas.box(x - 30, 40, x + 30, 220, "#ffffff", radius=28, edge=_GREY, width=3)
        canvas.box(x - 26, 95, x + 26, 216, "#e9c46a" if cloudy else _PALE, radius=24)
        canvas.text((x, 245), strength, 24, _INK)
    canvas.box(340, 28, 424, 268, None, radius=12, edge=_RED, width=4)
    canvas.text((382, 292), "MIC = 2 mg/l", 26, _RED)
    canvas.text((70, 20), "growth", 22, "#b08900")
    canvas.text((590, 20), "no growth", 22, _BLUE)
    canvas.text((135, 292), "Concentration in mg/l", 22, _GREY)
    return canvas.image()


def disc_test() -> Image.Image:
    """Return a dish with four discs and their zones of inhibition."""
    canvas = Canvas(440, 420)
    canvas.circle((220, 210), 200, "#e9d8a6", _GREY, 4)
    discs = (
        (145, 135, 62, "AMP"),
        (300, 140, 44, "CIP"),
        (140, 285, 20, "TET"),
        (300, 285, 74, "GEN"),
    )
    for x, y, zone, name in discs:
        canvas.circle((x, y), zone, "#fbf7ec")
        canvas.circle((x, y), 20, "#ffffff", _INK, 2)
        canvas.text((x, y), name, 15, _INK)
    canvas.arrow((300, 285), (226, 285), _RED, 3)
    canvas.text((226, 372), "zone", 22, _RED)
    return canvas.image()
