"""Picture comparison: equal appearance despite different recoloring, cropping or files."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pptarena.decks.facts.content import THUMBNAIL_PX, Picture, Thumbnail
from pptarena.decks.match.values import near

__all__ = ["is_greyscale", "same_picture", "same_recolor", "shown_crop"]

_Pixels = NDArray[np.float64]

_CROP_TOLERANCE_PCT: Final = 0.3
_LIGHT_TOLERANCE_PCT: Final = 3
_GREY: Final = 14.0  # largest difference between the channels of a gray pixel
_ALIKE: Final = 0.95  # least correlation of one picture converted to gray in different ways
_GREY_AWAY: Final = 30.0  # mean difference between gray conversions with different weights
_AWAY: Final = 10.0  # mean difference between two compressions of the same pixels
_FLAT: Final = 3.0  # standard deviation of a picture without a pattern
_LEAST_SHOWN: Final = 0.05
_TRIED: Final = 48
_DARK, _LIGHT = 64, 191
_OFF = re.compile(r"saturation sat=0|hsl(?: (?:hue|lum)=0)* sat=-100000")
_DUOTONE = re.compile(r"duotone #([0-9A-F]{6}) #([0-9A-F]{6})")
_GREY_WEIGHTS: Final = np.array([0.299, 0.587, 0.114])


def is_greyscale(picture: Picture, before: Picture | None = None) -> bool:
    """Return whether a picture is shown in grayscale.

    The "grayscale" option, zero saturation, a duotone from black to white, and a gray file with the
    content of the original file count as the same. A file that cannot be decoded is not gray.

    Args:
        picture: The current picture.
        before: The picture in color; a gray file must have the same content.
    """
    steps = [step for step in picture.recolor.split("; ") if step]
    if steps and not all(map(_makes_grey, steps)):
        return False
    replaced = before is not None and before.sha256 != picture.sha256
    if steps and not replaced:
        return True
    pixels = _shown(picture)
    if pixels is None:
        return bool(steps)  # another file, which the task or its scope must allow
    if not steps and not _is_grey(pixels):
        return False
    if before is None or not replaced:
        return bool(steps) or before is None or before.recolor == picture.recolor
    old = _shown(before)
    return old is not None and _same_greys(old, pixels)


def same_recolor(first: str, second: str) -> bool:
    """Return whether two values of `Picture.recolor` have the same effect."""
    if first == second:
        return True
    both = [[step for step in each.split("; ") if step] for each in (first, second)]
    return all(steps and all(map(_makes_grey, steps)) for steps in both)


def same_picture(first: Picture, second: Picture) -> bool:
    """Return whether two pictures look the same, regardless of file, crop and recoloring."""
    light = (
        (first.brightness_pct, first.contrast_pct, first.opacity_pct),
        (second.brightness_pct, second.contrast_pct, second.opacity_pct),
    )
    medium = (first.media_sha256, first.media_kind) == (second.media_sha256, second.media_kind)
    if not medium or not near(*light, _LIGHT_TOLERANCE_PCT):
        return False
    if first.sha256 == second.sha256 and first.linked == second.linked:
        cropped = near(first.crop_pct, second.crop_pct, _CROP_TOLERANCE_PCT)
        return cropped and same_recolor(first.recolor, second.recolor)
    old, new = _shown(first), _shown(second)
    if old is None or new is None:
        return False
    greys = [
        is_greyscale(each) or _is_grey(pixels) for each, pixels in ((first, old), (second, new))
    ]
    if all(greys):
        return _same_greys(old, new)
    plain = not first.recolor and not second.recolor and not any(greys)
    return plain and _away(old, new) <= _AWAY


def shown_crop(before: Picture, now: Picture) -> tuple[float, float, float, float] | None:
    """Return the crop of the original picture that the current picture shows.

    A new file that contains only a part of the original counts as cropped.

    Returns:
        Left, top, right and bottom in percent, as in `Picture.crop_pct`; None if the pictures
        differ or cannot be decoded.
    """
    if before.sha256 == now.sha256:
        return now.crop_pct
    old = None if before.file is None else before.file.thumbnail
    new = None if now.file is None else now.file.thumbnail
    if old is None or new is None or any(now.crop_pct):
        return None
    wide, high = new.width / old.width, new.height / old.height
    ratio = (new.width / new.height) / (old.width / old.height)
    sizes = {(min(1.0, ratio), min(1.0, 1 / ratio))}
    if wide <= 1 and high <= 1:
        sizes.add((wide, high))
    pixels, small = _pixels(old), _scaled(_pixels(new), (0, 0, 1, 1))
    best = min(
        (_away(_scaled(pixels, (x, y, x + w, y + h)), small), (x, y, 1 - x - w, 1 - y - h))
        for w, h in sizes
        for x in _places(1 - w)
        for y in _places(1 - h)
    )
    if best[0] > _AWAY:
        return None
    left, top, right, bottom = (round(100 * max(0.0, each), 1) for each in best[1])
    return left, top, right, bottom


def _places(room: float) -> list[float]:
    steps = round(room * _TRIED)
    return [room * at / steps for at in range(steps + 1)] if steps else [0.0]


def _makes_grey(step: str) -> bool:
    if step == "grayscale" or _OFF.fullmatch(step):
        return True
    found = _DUOTONE.fullmatch(step)
    if found is None:
        return False
    dark, light = ([int(each[at : at + 2], 16) for at in (0, 2, 4)] for each in found.groups())
    grey = all(max(each) - min(each) <= _GREY for each in (dark, light))
    return grey and max(dark) <= _DARK and min(light) >= _LIGHT


def _pixels(thumbnail: Thumbnail) -> _Pixels:
    flat = np.frombuffer(thumbnail.rgb, np.uint8).astype(np.float64)
    return flat.reshape(THUMBNAIL_PX, THUMBNAIL_PX, 3)


def _shown(picture: Picture) -> _Pixels | None:
    """Return the cropped picture, of shape (48, 48, 3); None if unknown or almost empty."""
    thumbnail = None if picture.file is None else picture.file.thumbnail
    left, top, right, bottom = (each / 100 for each in picture.crop_pct)
    if thumbnail is None or min(1 - left - right, 1 - top - bottom) < _LEAST_SHOWN:
        return None
    return _scaled(_pixels(thumbnail), (left, top, 1 - right, 1 - bottom))


def _scaled(pixels: _Pixels, part: tuple[float, float, float, float]) -> _Pixels:
    """Resample a part of an image, given in shares of its size, to 48 rows and columns."""
    size = len(pixels)
    columns, rows = (
        np.clip(np.linspace(first, last, 2 * _TRIED + 1)[1::2] * size - 0.5, 0, size - 1)
        for first, last in ((part[0], part[2]), (part[1], part[3]))
    )
    return _between(_between(pixels, rows, 0), columns, 1)


def _between(pixels: _Pixels, at: NDArray[np.float64], axis: int) -> _Pixels:
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, pixels.shape[axis] - 1)
    share = (at - low).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
    return np.asarray(pixels.take(low, axis) * (1 - share) + pixels.take(high, axis) * share)


def _is_grey(pixels: _Pixels) -> bool:
    spread = pixels.max(axis=2) - pixels.min(axis=2)
    return bool(np.quantile(spread, 0.98) <= _GREY and spread.max() <= 3 * _GREY)


def _away(first: _Pixels, second: _Pixels) -> float:
    return float(np.abs(first - second).mean())


def _same_greys(first: _Pixels, second: _Pixels) -> bool:
    """Return whether two pictures look the same except for color."""
    one, other = first @ _GREY_WEIGHTS, second @ _GREY_WEIGHTS
    if float(np.abs(one - other).mean()) > _GREY_AWAY:
        return False
    spread = one.std(), other.std()
    if max(spread) <= _FLAT:
        return True
    if min(spread) <= _FLAT:
        return False
    both = ((one - one.mean()) * (other - other.mean())).mean()
    return bool(both / (spread[0] * spread[1]) >= _ALIKE)
