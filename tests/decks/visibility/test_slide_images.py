import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pptarena.decks.visibility.slide_images import (
    Pixels,
    decode_png,
    find_marks,
    visible_differences,
)
from pptarena.errors import UnscoredError

SIZE = 160, 90


def text_image(
    color: str = "black", background: str = "white", at: tuple[int, int] = (20, 30)
) -> Pixels:
    picture = Image.new("RGB", SIZE, background)
    ImageDraw.Draw(picture).text(at, "Some words to read", fill=color)
    return np.asarray(picture).astype(np.int16)


def covered_text(share: float) -> Pixels:
    image = text_image()
    image[:, : round(share * SIZE[0])] = 255
    return image


def lost_share(before: Pixels, after: Pixels) -> float:
    marks, lost_marks = find_marks(before, after)
    return float(lost_marks.sum() / marks.sum())


@pytest.mark.parametrize(
    "after",
    [
        text_image(),
        text_image(at=(21, 31)),
        text_image(at=(22, 30)),
        text_image("white", "navy"),
        text_image("#404040", "#F0F0F0"),
    ],
    ids=["same", "one off", "two off", "other colors", "paler"],
)
def test_visible_text_keeps_its_marks(after: Pixels) -> None:
    assert lost_share(text_image(), after) < 0.02


@pytest.mark.parametrize(
    ("after", "min_share"),
    [
        (covered_text(1.0), 0.99),
        (covered_text(0.5), 0.3),
        (text_image("#F4F4F4"), 0.99),
        (text_image(at=(20, 60)), 0.7),
        (np.full_like(text_image(), 0), 0.99),
        (np.random.default_rng(1).integers(0, 256, text_image().shape).astype(np.int16), 0.5),
    ],
    ids=["covered", "half covered", "faded", "elsewhere", "black", "noise"],
)
def test_vanished_text_loses_its_marks(after: Pixels, min_share: float) -> None:
    assert lost_share(text_image(), after) >= min_share


def test_shift_by_one_pixel_is_no_difference() -> None:
    assert not visible_differences(text_image(), text_image(at=(21, 30))).any()
    assert visible_differences(text_image(), text_image("#B0B0B0")).any()


def test_unreadable_or_huge_picture_is_refused() -> None:
    with pytest.raises(UnscoredError, match="cannot be read"):
        decode_png(b"no picture")
    huge = io.BytesIO()
    Image.new("1", (5000, 5000)).save(huge, "PNG")
    with pytest.raises(UnscoredError, match="5000 x 5000"):
        decode_png(huge.getvalue())
