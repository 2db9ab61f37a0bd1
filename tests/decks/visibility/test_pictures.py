import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pptarena.decks.visibility.pictures import Pixels, decoded, differing, marks
from pptarena.errors import UnscoredError

SIZE = 160, 90


def words(color: str = "black", behind: str = "white", at: tuple[int, int] = (20, 30)) -> Pixels:
    picture = Image.new("RGB", SIZE, behind)
    ImageDraw.Draw(picture).text(at, "Some words to read", fill=color)
    return np.asarray(picture).astype(np.int16)


def covered(share: float) -> Pixels:
    found = words()
    found[:, : round(share * SIZE[0])] = 255
    return found


def lost(before: Pixels, now: Pixels) -> float:
    found, gone = marks(before, now)
    return float(gone.sum() / found.sum())


@pytest.mark.parametrize(
    "now",
    [
        words(),
        words(at=(21, 31)),
        words(at=(22, 30)),
        words("white", "navy"),
        words("#404040", "#F0F0F0"),
    ],
    ids=["same", "one off", "two off", "other colours", "paler"],
)
def test_words_that_are_still_there_keep_their_marks(now: Pixels) -> None:
    assert lost(words(), now) < 0.02


@pytest.mark.parametrize(
    ("now", "least"),
    [
        (covered(1.0), 0.99),
        (covered(0.5), 0.3),
        (words("#F4F4F4"), 0.99),
        (words(at=(20, 60)), 0.7),
        (np.full_like(words(), 0), 0.99),
        (np.random.default_rng(1).integers(0, 256, words().shape).astype(np.int16), 0.5),
    ],
    ids=["covered", "half covered", "faded", "elsewhere", "black", "noise"],
)
def test_words_that_are_gone_lose_their_marks(now: Pixels, least: float) -> None:
    assert lost(words(), now) >= least


def test_a_shift_by_one_pixel_is_no_difference() -> None:
    assert not differing(words(), words(at=(21, 30))).any()
    assert differing(words(), words("#B0B0B0")).any()


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(UnscoredError, match="cannot be read"):
        decoded(b"no picture")
    huge = io.BytesIO()
    Image.new("1", (5000, 5000)).save(huge, "PNG")
    with pytest.raises(UnscoredError, match="5000 x 5000"):
        decoded(huge.getvalue())
