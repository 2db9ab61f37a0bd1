"""Pictures that are repainted: a name is painted over, colours are turned."""

import hashlib
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

from PIL import Image

from pptarena.tasks.deck_source import read_source
from pptarena.tasks.edition import draw_variant, load_names
from pptarena.tasks.edition.pictures import repainted


def picture() -> bytes:
    image = Image.new("P", (8, 8), 0)
    image.putpalette([18, 53, 91, 255, 255, 255])
    image.putpixel((4, 4), 1)
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def test_a_name_is_painted_over_and_colours_are_turned() -> None:
    data = picture()
    variant = replace(draw_variant(load_names("ledger"), 1), turn=120)
    named = replace(variant, pictures={hashlib.sha256(data).hexdigest(): (3, 3, 6, 6)})
    assert repainted(data, variant) == data
    made = Image.open(BytesIO(repainted(data, named))).convert("RGB")
    colors = made.getcolors()
    assert colors is not None
    ((count, color),) = colors
    assert count == 64
    assert color != (18, 53, 91)


def test_the_logo_with_a_name_is_in_its_deck() -> None:
    with ZipFile(BytesIO(read_source("meridian", "deck"))) as deck:
        hashes = {hashlib.sha256(deck.read(name)).hexdigest() for name in deck.namelist()}
    assert set(load_names("meridian").pictures) <= hashes
