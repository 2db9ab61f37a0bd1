import io

import numpy as np
import pytest
from PIL import Image

from pptarena.decks.visibility.slide_images import ssim
from pptarena.errors import UnscoredError
from pptarena.rewards.judges import Screening

Y, X = np.mgrid[0:24, 0:32]
BASE = ((X * 7 + Y * 13) % 256).astype(np.uint8)
PATCHED = BASE.copy()
PATCHED[8:16, 10:20] = 200


def png(pixels: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "png")
    return out.getvalue()


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        # From scikit-image 0.26.0: structural_similarity(a, b, data_range=255).
        (BASE, 1.0),
        (PATCHED, 0.7480801120501439),
        (np.clip(BASE.astype(int) + 10, 0, 255), 0.995785774909435),
        (255 - BASE, -0.7654863118784415),
        (np.roll(BASE, 1, axis=1), 0.829823267668934),
    ],
    ids=["same", "patched", "brighter", "negative", "shifted"],
)
def test_ssim_matches_scikit_image(other: np.ndarray, expected: float) -> None:
    assert ssim(BASE, other) == pytest.approx(expected, abs=1e-9)
    assert ssim(other, BASE) == pytest.approx(expected, abs=1e-9)


def test_ssim_of_flat_pictures() -> None:
    # Without variance, only the first factor remains: (2ab + c1) / (a² + b² + c1).
    c1 = 2.55**2
    expected = (2 * 255 * 200 + c1) / (255**2 + 200**2 + c1)
    assert ssim(np.full((9, 9), 255), np.full((9, 9), 200)) == pytest.approx(expected)


@pytest.mark.parametrize("shape", [(6, 9), (24, 31)])
def test_ssim_rejects_other_sizes(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="one size"):
        ssim(np.zeros(shape), BASE if shape != (6, 9) else np.zeros(shape))


@pytest.mark.slow
def test_screening_detects_small_visible_changes() -> None:
    slide = np.full((540, 960, 3), 255, np.uint8)
    with_word = slide.copy()
    with_word[100:110, 100:160:2] = 0
    tinted = slide.copy()
    tinted[:, :, 2] = 235
    noisy = slide.copy()
    noisy[::7, ::7] = 252
    for other in (with_word, tinted):
        gray = [np.asarray(Image.fromarray(each).convert("L")) for each in (slide, other)]
        assert ssim(*gray) > 0.99  # too similar to detect either change
        assert not Screening().same(png(slide), png(other))
    assert Screening().same(png(slide), png(noisy))
    assert not Screening().same(png(slide), png(slide[:, :900]))


def test_unreadable_picture_is_an_error() -> None:
    assert Screening().same(b"same", b"same")
    with pytest.raises(UnscoredError, match="cannot be read"):
        Screening().same(b"one", b"other")
    broken = png(BASE)[:-30]
    with pytest.raises(UnscoredError, match="cannot be read"):
        Screening().same(broken, png(BASE))
