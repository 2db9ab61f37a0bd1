"""Decide whether two slide images look the same."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pptarena.decks.visibility.pictures import channel_distance, decoded

__all__ = ["Screening", "ssim"]

_WINDOW_PX = 7
_GRAY = np.array([0.2125, 0.7154, 0.0721])  # luma of ITU-R BT.709, as in scikit-image


@dataclass(frozen=True, slots=True)
class Screening:
    """Thresholds for two images to count as the same.

    Structural similarity alone is not sufficient: averaged over a slide it hardly detects one
    changed word, and it is almost blind to another color of a flat area. Both bounds must hold.

    Attributes:
        min_ssim: Least mean structural similarity, in [-1, 1].
        max_changed_share: Largest share of visibly different pixels, in [0, 1].
        level: Difference of a color channel above which a pixel is visibly different, in [0, 255].
    """

    min_ssim: float = 0.99
    max_changed_share: float = 0.0002
    level: int = 8

    def same(self, first: bytes, second: bytes) -> bool:
        """Return whether two PNG files look the same; images of different size do not.

        Raises:
            UnscoredError: If one of them is not an image.
        """
        if first == second:
            return True
        one, two = decoded(first), decoded(second)
        if one.shape != two.shape:
            return False
        distance = channel_distance(one, two)
        if float((distance > self.level).mean()) > self.max_changed_share:
            return False
        return ssim(one @ _GRAY, two @ _GRAY) >= self.min_ssim


def ssim(first: NDArray[np.generic], second: NDArray[np.generic]) -> float:
    """Return the mean structural similarity of two grayscale images, in [-1, 1].

    Uniform windows of 7 x 7 pixels, sample variance, K1 = 0.01, K2 = 0.03, range 255.
    Source: Wang et al., "Image quality assessment", IEEE Trans. Image Processing 13 (4), 2004;
    the parameters and results are those of scikit-image's ``structural_similarity``.

    Args:
        first: Image of shape (height, width), values in [0, 255].
        second: Image of the same shape.

    Raises:
        ValueError: If the shapes differ or are smaller than a window.
    """
    if first.shape != second.shape or first.ndim != 2 or min(first.shape) < _WINDOW_PX:
        raise ValueError(
            f"expected two grey pictures of one size, at least {_WINDOW_PX} pixels high and wide, "
            f"got {first.shape} and {second.shape}"
        )
    x, y = first.astype(np.float64), second.astype(np.float64)
    mean_x, mean_y = _window_mean(x), _window_mean(y)
    sample = _WINDOW_PX**2 / (_WINDOW_PX**2 - 1)
    var_x = sample * (_window_mean(x * x) - mean_x * mean_x)
    var_y = sample * (_window_mean(y * y) - mean_y * mean_y)
    covariance = sample * (_window_mean(x * y) - mean_x * mean_y)
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    above = (2 * mean_x * mean_y + c1) * (2 * covariance + c2)
    below = (mean_x**2 + mean_y**2 + c1) * (var_x + var_y + c2)
    return float((above / below).mean())


def _window_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of every complete window, computed from a summed-area table."""
    sums = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    sums[1:, 1:] = values.cumsum(axis=0).cumsum(axis=1)
    size = _WINDOW_PX
    total = sums[size:, size:] - sums[:-size, size:] - sums[size:, :-size] + sums[:-size, :-size]
    return np.asarray(total / size**2)
