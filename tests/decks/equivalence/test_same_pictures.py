"""Pictures that show the same by other routes: recoloring, grey files, cut files."""

import hashlib
import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from tests.each_case import each_case

from pptarena.decks import Picture
from pptarena.decks.equivalence.pictures import is_greyscale, same_recolor, shown_crop
from pptarena.decks.equivalence.table import equal_for_viewers
from pptarena.decks.read.pictures import picture_file

pytestmark = pytest.mark.slow

_SIDE = 240


def _image(seed: int) -> Image.Image:
    small = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    return Image.fromarray(small).resize((4 * _SIDE // 3, _SIDE), Image.Resampling.BICUBIC)


def _picture(image: Image.Image, kind: str = "PNG", **values: object) -> Picture:
    file = io.BytesIO()
    image.save(file, kind)
    data = file.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    shown = picture_file(digest, lambda: lambda: data, len(data))
    return Picture(digest, file=shown, **values)  # type: ignore[arg-type]


def _grey(image: Image.Image) -> Image.Image:
    return image.convert("L").convert("RGB")


@each_case("seed", range(4))
@each_case(
    "recolor",
    ["grayscale", "saturation sat=0", "duotone #000000 #FFFFFF", "hsl hue=0 lum=0 sat=-100000",
     "grayscale; saturation sat=0"],
)  # fmt: skip
def test_grey_by_recoloring(seed: int, recolor: str) -> None:
    before = _picture(_image(seed))
    grey = replace(before, recolor=recolor)
    assert is_greyscale(grey, before)
    assert equal_for_viewers("pictures", "", replace(before, recolor="grayscale"), grey)
    assert equal_for_viewers("pictures", "recolor", "grayscale", recolor)


@each_case("seed", range(6))
@each_case("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_grey_file(seed: int, kind: str) -> None:
    before = _picture(_image(seed))
    grey = _picture(_grey(_image(seed)), kind)
    assert is_greyscale(grey, before)
    assert equal_for_viewers("pictures", "", replace(before, recolor="grayscale"), grey)


@each_case(
    "recolor",
    ["", "saturation sat=40000", "saturation sat=400000", "duotone #000000 #F0C080",
     "duotone #FFFFFF #000000", "duotone #FFFFFF #FFFFFF", "duotone #000000 #000000",
     "black_white 50", "hsl hue=0 lum=0 sat=-40000", "grayscale; duotone #000000 #F0C080",
     "tint amt=100"],
)  # fmt: skip
def test_recoloring_that_is_not_grey(recolor: str) -> None:
    before = _picture(_image(1))
    assert not is_greyscale(replace(before, recolor=recolor), before)
    assert not same_recolor("grayscale", recolor)


@each_case("seed", range(3))
def test_files_that_do_not_show_the_same_in_grey(seed: int) -> None:
    image, before = _image(seed), _picture(_image(seed))
    negative = Image.fromarray(255 - np.asarray(_grey(image)))
    dark = Image.fromarray((np.asarray(_grey(image)) // 4).astype(np.uint8))
    sepia = Image.merge(
        "RGB", [image.convert("L").point(lambda v, k=k: v * k) for k in (1, 0.8, 0.6)]
    )
    others = [negative, dark, sepia, _grey(_image(seed + 50)), _grey(image).rotate(180),
              Image.new("RGB", image.size, "gray"), image]  # fmt: skip
    for other in others:
        assert not is_greyscale(_picture(other), before)
        assert not equal_for_viewers(
            "pictures", "", replace(before, recolor="grayscale"), _picture(other)
        )


def test_what_cannot_be_decoded_is_not_judged_grey() -> None:
    assert not is_greyscale(Picture("ab"), Picture("cd"))
    assert not is_greyscale(Picture("ab"))
    broken = picture_file("broken", lambda: lambda: b"\x89PNG\r\n\x1a\nnothing", 10)
    assert broken.thumbnail is None
    assert not is_greyscale(Picture("ab", file=broken), Picture("cd"))


CROPS = [(25, 0, 25, 0), (0, 20, 0, 10), (40, 0, 10, 0), (10, 10, 10, 10), (0, 0, 0, 50)]


@each_case("crop", CROPS)
@each_case("seed", range(3))
def test_a_cut_file_is_a_cropped_picture(crop: tuple[int, int, int, int], seed: int) -> None:
    image, before = _image(seed), _picture(_image(seed))
    left, top, right, bottom = crop
    w, h = image.size
    box = (w * left // 100, h * top // 100, w - w * right // 100, h - h * bottom // 100)
    cut = _picture(image.crop(box))
    found = shown_crop(before, cut)
    assert found is not None
    assert all(abs(a - b) <= 2 for a, b in zip(found, crop, strict=True))
    cropped = replace(before, crop_pct=(float(left), float(top), float(right), float(bottom)))
    assert equal_for_viewers("pictures", "", cropped, cut)
    assert not equal_for_viewers("pictures", "", before, cut)


@each_case("seed", range(5))
def test_another_picture_is_not_a_cut_one(seed: int) -> None:
    before = _picture(_image(seed))
    assert shown_crop(before, _picture(_image(seed + 50).crop((80, 0, 240, _SIDE)))) is None
    assert shown_crop(before, _picture(_grey(_image(seed)).crop((80, 0, 240, _SIDE)))) is None
    turned = _image(seed).crop((80, 0, 240, _SIDE)).rotate(180)
    assert shown_crop(before, _picture(turned)) is None


@pytest.mark.parametrize(
    "values", [{"opacity_pct": 12}, {"brightness_pct": 60}, {"crop_pct": (0.0, 0.0, 85.0, 90.0)}]
)
def test_the_same_file_that_shows_something_else(values: dict[str, float]) -> None:
    before = _picture(_image(2))
    assert not equal_for_viewers("pictures", "", before, replace(before, **values))  # type: ignore[arg-type]
