"""Text on the screen of the fake machine."""
# ruff: noqa: RUF001 - ambiguous characters are the subject

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pptarena.envs.machines.fake.glyphs import BOX, font_of, line_mask, to_drawable, wrap


def pixels(text: str, size: int = 20) -> np.ndarray:
    line = line_mask(to_drawable(text), size)
    assert line is not None
    left, top, mask = line
    picture = Image.new("L", (40 * size, 3 * size))
    picture.paste(mask, (size + left, size + top))
    return np.array(picture)


@pytest.mark.parametrize(
    ("text", "drawable"),
    [
        ("2024–2025", "2024-2025"),
        ("a — b", "a -- b"),
        ("€ 5 and £3", "EUR 5 and GBP3"),
        ("• first", "· first"),
        ("„low“ “high” ‘x’", '"low“ “high” ‘x’'),
        ("Straße → œuvre…", "Strasse -> oeuvre…"),
        ("x ≤ 3 × 2", "x <= 3 x 2"),
        ("½ №", "1⁄2 No"),
        ("no\N{NO-BREAK SPACE}break", "no break"),
        ("soft\N{SOFT HYPHEN}ly", "softly"),
        ("中文", 2 * BOX),
    ],
)
def test_missing_characters_are_substituted(text: str, drawable: str) -> None:
    assert to_drawable(text) == drawable


def test_ascii_is_drawn_unchanged() -> None:
    text = "".join(map(chr, range(32, 127)))
    assert to_drawable(text) == text
    line = line_mask(text, 14)
    assert line is not None
    left, top, mask = line
    picture = Image.new("L", mask.size)
    ImageDraw.Draw(picture).text((-left, -top), text, fill=255, font=font_of(14))
    assert picture.tobytes() == mask.tobytes()


@pytest.mark.parametrize("size", [11, 14, 30])
@pytest.mark.parametrize("letter", "äöüÄÖÜéèêñåçőčș")
def test_accents_add_pixels_to_their_letter(letter: str, size: int) -> None:
    base = to_drawable(letter)[0]
    accented, plain = pixels(letter, size), pixels(base, size)
    assert (accented >= plain).all()
    assert (accented > plain).sum() >= 2


def test_different_accents_look_different() -> None:
    bitmaps = {pixels(letter).tobytes() for letter in "eéèêëē"}
    assert len(bitmaps) == 6


def test_combining_marks_stay_with_their_letter_when_wrapped() -> None:
    lines = list(wrap(to_drawable("aéio"), 2))
    assert [to_drawable(line) for line in lines] == [to_drawable("aé"), "io"]
    assert list(wrap("", 5)) == [""]
