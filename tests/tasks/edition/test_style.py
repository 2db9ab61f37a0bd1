"""Hue rotation that keeps lightness, and pictures with names painted over."""

import hashlib
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from PIL import Image
from tests.each_case import each_case

from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.tasks.deck_source import read_source
from pptarena.tasks.edition import draw_variant, load_names
from pptarena.tasks.edition.style import named_colors, repaint, rotate_hue


@each_case("color", ["0077B6", "2A9D8F", "F4A300", "12355B", "E9EEF2", "E63946"])
@each_case("degrees", [60, 180, 300])
def test_hue_rotation_keeps_contrast(color: str, degrees: int) -> None:
    new = rotate_hue(color, degrees)
    assert new != color
    for background in ("FFFFFF", "000000"):
        assert contrast_ratio(f"#{new}", f"#{background}") == pytest.approx(
            contrast_ratio(f"#{color}", f"#{background}"), rel=0.02
        )


@pytest.mark.parametrize("color", ["FFFFFF", "000000", "808080"])
def test_greys_are_not_rotated(color: str) -> None:
    assert rotate_hue(color, 90) == color


def test_colors_named_in_a_text_are_found() -> None:
    assert named_colors("sand, #f3e5c3, or 1F7A8C, not 1234567") == ["F3E5C3", "1F7A8C"]


def picture() -> bytes:
    image = Image.new("P", (8, 8), 0)
    image.putpalette([18, 53, 91, 255, 255, 255])
    image.putpixel((4, 4), 1)
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def test_names_are_painted_over_and_colors_rotated() -> None:
    data = picture()
    variant = replace(draw_variant(load_names("ledger"), 1), hue_rotation_deg=120)
    named = replace(variant, pictures={hashlib.sha256(data).hexdigest(): (3, 3, 6, 6)})
    assert repaint(data, variant) == data
    repainted = Image.open(BytesIO(repaint(data, named))).convert("RGB")
    colors = repainted.getcolors()
    assert colors is not None
    ((count, color),) = colors
    assert count == 64
    assert color != (18, 53, 91)


def test_pictures_with_names_exist_in_the_deck() -> None:
    with ZipFile(BytesIO(read_source("meridian", "deck"))) as deck:
        hashes = {hashlib.sha256(deck.read(name)).hexdigest() for name in deck.namelist()}
    assert set(load_names("meridian").pictures) <= hashes
