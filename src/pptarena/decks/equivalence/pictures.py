"""Picture comparison: equal appearance despite different recoloring, cropping or files."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pptarena.decks.facts.content import THUMBNAIL_PX, Picture, Thumbnail
from pptarena.decks.match.values import near

__all__ = ["effective_crop", "is_grayscale", "same_picture", "same_recolor"]

_Pixels = NDArray[np.float64]

_CROP_TOLERANCE_PCT: Final = 0.3
_ADJUSTMENT_TOLERANCE_PCT: Final = 3
_MAX_CHANNEL_SPREAD: Final = 14.0  # largest difference between the channels of a gray pixel
_MIN_CORRELATION: Final = 0.95  # of one picture converted to gray in different ways
_MAX_GRAY_DISTANCE: Final = 30.0  # mean difference between gray conversions with different weights
_MAX_DISTANCE: Final = 10.0  # mean difference between two compressions of the same pixels
_FLAT_DEVIATION: Final = 3.0  # standard deviation of a picture without a pattern
_MIN_VISIBLE_SHARE: Final = 0.05
_SAMPLES: Final = 48
_DARK, _LIGHT = 64, 191
_NO_SATURATION = re.compile(r"saturation sat=0|hsl(?: (?:hue|lum)=0)* sat=-100000")
_DUOTONE = re.compile(r"duotone #([0-9A-F]{6}) #([0-9A-F]{6})")
_GRAY_WEIGHTS: Final = np.array([0.299, 0.587, 0.114])


def is_grayscale(picture: Picture, before: Picture | None = None) -> bool:
    """Return whether a picture is shown in grayscale.

    The "grayscale" option, zero saturation, a duotone from black to white, and a gray file with the
    content of the original file count as the same. A file that cannot be decoded is not gray.

    Args:
        picture: The current picture.
        before: The picture in color; a gray file must have the same content.
    """
    steps = [step for step in picture.recolor.split("; ") if step]
    if steps and not all(map(_is_gray_step, steps)):
        return False
    replaced = before is not None and before.sha256 != picture.sha256
    if steps and not replaced:
        return True
    pixels = _visible_pixels(picture)
    if pixels is None:
        return bool(steps)  # another file, which the task or its scope must allow
    if not steps and not _is_gray(pixels):
        return False
    if before is None or not replaced:
        return bool(steps) or before is None or before.recolor == picture.recolor
    old = _visible_pixels(before)
    return old is not None and _same_except_color(old, pixels)


def same_recolor(first: str, second: str) -> bool:
    """Return whether two values of `Picture.recolor` have the same effect."""
    if first == second:
        return True
    both = [[step for step in each.split("; ") if step] for each in (first, second)]
    return all(steps and all(map(_is_gray_step, steps)) for steps in both)


def same_picture(first: Picture, second: Picture) -> bool:
    """Return whether two pictures look the same, regardless of file, crop and recoloring."""
    adjustments = (
        (first.brightness_pct, first.contrast_pct, first.opacity_pct),
        (second.brightness_pct, second.contrast_pct, second.opacity_pct),
    )
    same_medium = (first.media_sha256, first.media_kind) == (second.media_sha256, second.media_kind)
    if not same_medium or not near(*adjustments, _ADJUSTMENT_TOLERANCE_PCT):
        return False
    if first.sha256 == second.sha256 and first.linked == second.linked:
        same_crop = near(first.crop_pct, second.crop_pct, _CROP_TOLERANCE_PCT)
        return same_crop and same_recolor(first.recolor, second.recolor)
    old, new = _visible_pixels(first), _visible_pixels(second)
    if old is None or new is None:
        return False
    are_gray = [
        is_grayscale(each) or _is_gray(pixels) for each, pixels in ((first, old), (second, new))
    ]
    if all(are_gray):
        return _same_except_color(old, new)
    is_unmodified = not first.recolor and not second.recolor and not any(are_gray)
    return is_unmodified and _distance(old, new) <= _MAX_DISTANCE


def effective_crop(before: Picture, after: Picture) -> tuple[float, float, float, float] | None:
    """Return the crop of the original picture that the current picture shows.

    A new file that contains only a part of the original counts as cropped.

    Returns:
        Left, top, right and bottom in percent, as in `Picture.crop_pct`; None if the pictures
        differ or cannot be decoded.
    """
    if before.sha256 == after.sha256:
        return after.crop_pct
    old = None if before.file is None else before.file.thumbnail
    new = None if after.file is None else after.file.thumbnail
    if old is None or new is None or any(after.crop_pct):
        return None
    width_share, height_share = new.width / old.width, new.height / old.height
    ratio = (new.width / new.height) / (old.width / old.height)
    sizes = {(min(1.0, ratio), min(1.0, 1 / ratio))}
    if width_share <= 1 and height_share <= 1:
        sizes.add((width_share, height_share))
    pixels, target = _pixels(old), _resample(_pixels(new), (0, 0, 1, 1))
    best_match = min(
        (_distance(_resample(pixels, (x, y, x + w, y + h)), target), (x, y, 1 - x - w, 1 - y - h))
        for w, h in sizes
        for x in _offsets(1 - w)
        for y in _offsets(1 - h)
    )
    if best_match[0] > _MAX_DISTANCE:
        return None
    left, top, right, bottom = (round(100 * max(0.0, each), 1) for each in best_match[1])
    return left, top, right, bottom


def _offsets(free_share: float) -> list[float]:
    steps = round(free_share * _SAMPLES)
    return [free_share * step / steps for step in range(steps + 1)] if steps else [0.0]


def _is_gray_step(step: str) -> bool:
    if step == "grayscale" or _NO_SATURATION.fullmatch(step):
        return True
    match = _DUOTONE.fullmatch(step)
    if match is None:
        return False
    dark, light = (
        [int(each[start : start + 2], 16) for start in (0, 2, 4)] for each in match.groups()
    )
    is_gray = all(max(each) - min(each) <= _MAX_CHANNEL_SPREAD for each in (dark, light))
    return is_gray and max(dark) <= _DARK and min(light) >= _LIGHT


def _pixels(thumbnail: Thumbnail) -> _Pixels:
    flat = np.frombuffer(thumbnail.rgb, np.uint8).astype(np.float64)
    return flat.reshape(THUMBNAIL_PX, THUMBNAIL_PX, 3)


def _visible_pixels(picture: Picture) -> _Pixels | None:
    """Return the cropped picture, of shape (48, 48, 3); None if unknown or almost empty."""
    thumbnail = None if picture.file is None else picture.file.thumbnail
    left, top, right, bottom = (each / 100 for each in picture.crop_pct)
    if thumbnail is None or min(1 - left - right, 1 - top - bottom) < _MIN_VISIBLE_SHARE:
        return None
    return _resample(_pixels(thumbnail), (left, top, 1 - right, 1 - bottom))


def _resample(pixels: _Pixels, part: tuple[float, float, float, float]) -> _Pixels:
    """Resample a part of an image, given in shares of its size, to 48 rows and columns."""
    size = len(pixels)
    columns, rows = (
        np.clip(np.linspace(first, last, 2 * _SAMPLES + 1)[1::2] * size - 0.5, 0, size - 1)
        for first, last in ((part[0], part[2]), (part[1], part[3]))
    )
    return _interpolate(_interpolate(pixels, rows, 0), columns, 1)


def _interpolate(pixels: _Pixels, positions: NDArray[np.float64], axis: int) -> _Pixels:
    low = np.floor(positions).astype(int)
    high = np.minimum(low + 1, pixels.shape[axis] - 1)
    share = (positions - low).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
    return np.asarray(pixels.take(low, axis) * (1 - share) + pixels.take(high, axis) * share)


def _is_gray(pixels: _Pixels) -> bool:
    spread = pixels.max(axis=2) - pixels.min(axis=2)
    return bool(
        np.quantile(spread, 0.98) <= _MAX_CHANNEL_SPREAD and spread.max() <= 3 * _MAX_CHANNEL_SPREAD
    )


def _distance(first: _Pixels, second: _Pixels) -> float:
    return float(np.abs(first - second).mean())


def _same_except_color(first: _Pixels, second: _Pixels) -> bool:
    """Return whether two pictures look the same except for color."""
    first_gray, second_gray = first @ _GRAY_WEIGHTS, second @ _GRAY_WEIGHTS
    if float(np.abs(first_gray - second_gray).mean()) > _MAX_GRAY_DISTANCE:
        return False
    deviations = first_gray.std(), second_gray.std()
    if max(deviations) <= _FLAT_DEVIATION:
        return True
    if min(deviations) <= _FLAT_DEVIATION:
        return False
    covariance = ((first_gray - first_gray.mean()) * (second_gray - second_gray.mean())).mean()
    return bool(covariance / (deviations[0] * deviations[1]) >= _MIN_CORRELATION)
