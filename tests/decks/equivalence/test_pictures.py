"""Pictures that look the same by other means: recoloring, grayscale files, cropped files."""

import hashlib
import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from tests.each_case import each_case

from pptarena.decks import Picture
from pptarena.decks.equivalence.equivalences import looks_equal
from pptarena.decks.equivalence.pictures import effective_crop, is_grayscale, same_recolor
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
    content = picture_file(digest, lambda: lambda: data, len(data))
    return Picture(digest, file=content, **values)  # type: ignore[arg-type]


def _grayscale(image: Image.Image) -> Image.Image:
    return image.convert("L").convert("RGB")


@each_case("seed", range(4))
@each_case(
    "recolor",
    ["grayscale", "saturation sat=0", "duotone #000000 #FFFFFF", "hsl hue=0 lum=0 sat=-100000",
     "grayscale; saturation sat=0"],
)  # fmt: skip
def test_grayscale_recoloring_is_recognized(seed: int, recolor: str) -> None:
    before = _picture(_image(seed))
    grayscale = replace(before, recolor=recolor)
    assert is_grayscale(grayscale, before)
    assert looks_equal("pictures", "", replace(before, recolor="grayscale"), grayscale)
    assert looks_equal("pictures", "recolor", "grayscale", recolor)


@each_case("seed", range(6))
@each_case("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_grayscale_file_is_recognized(seed: int, kind: str) -> None:
    before = _picture(_image(seed))
    grayscale = _picture(_grayscale(_image(seed)), kind)
    assert is_grayscale(grayscale, before)
    assert looks_equal("pictures", "", replace(before, recolor="grayscale"), grayscale)


@each_case(
    "recolor",
    ["", "saturation sat=40000", "saturation sat=400000", "duotone #000000 #F0C080",
     "duotone #FFFFFF #000000", "duotone #FFFFFF #FFFFFF", "duotone #000000 #000000",
     "black_white 50", "hsl hue=0 lum=0 sat=-40000", "grayscale; duotone #000000 #F0C080",
     "tint amt=100"],
)  # fmt: skip
def test_other_recoloring_is_not_grayscale(recolor: str) -> None:
    before = _picture(_image(1))
    assert not is_grayscale(replace(before, recolor=recolor), before)
    assert not same_recolor("grayscale", recolor)


@each_case("seed", range(3))
def test_different_grayscale_files_are_not_equal(seed: int) -> None:
    image, before = _image(seed), _picture(_image(seed))
    negative = Image.fromarray(255 - np.asarray(_grayscale(image)))
    dark = Image.fromarray((np.asarray(_grayscale(image)) // 4).astype(np.uint8))
    sepia = Image.merge(
        "RGB", [image.convert("L").point(lambda v, k=k: v * k) for k in (1, 0.8, 0.6)]
    )
    others = [negative, dark, sepia, _grayscale(_image(seed + 50)), _grayscale(image).rotate(180),
              Image.new("RGB", image.size, "gray"), image]  # fmt: skip
    for other in others:
        assert not is_grayscale(_picture(other), before)
        assert not looks_equal(
            "pictures", "", replace(before, recolor="grayscale"), _picture(other)
        )


def test_undecodable_pictures_are_not_grayscale() -> None:
    assert not is_grayscale(Picture("ab"), Picture("cd"))
    assert not is_grayscale(Picture("ab"))
    broken = picture_file("broken", lambda: lambda: b"\x89PNG\r\n\x1a\nnothing", 10)
    assert broken.thumbnail is None
    assert not is_grayscale(Picture("ab", file=broken), Picture("cd"))


CROPS = [(25, 0, 25, 0), (0, 20, 0, 10), (40, 0, 10, 0), (10, 10, 10, 10), (0, 0, 0, 50)]


@each_case("crop", CROPS)
@each_case("seed", range(3))
def test_cut_file_equals_a_cropped_picture(crop: tuple[int, int, int, int], seed: int) -> None:
    image, before = _image(seed), _picture(_image(seed))
    left, top, right, bottom = crop
    w, h = image.size
    box = (w * left // 100, h * top // 100, w - w * right // 100, h - h * bottom // 100)
    cut_file = _picture(image.crop(box))
    detected_crop = effective_crop(before, cut_file)
    assert detected_crop is not None
    assert all(abs(a - b) <= 2 for a, b in zip(detected_crop, crop, strict=True))
    cropped = replace(before, crop_pct=(float(left), float(top), float(right), float(bottom)))
    assert looks_equal("pictures", "", cropped, cut_file)
    assert not looks_equal("pictures", "", before, cut_file)


@each_case("seed", range(5))
def test_different_picture_is_not_a_crop(seed: int) -> None:
    before = _picture(_image(seed))
    assert effective_crop(before, _picture(_image(seed + 50).crop((80, 0, 240, _SIDE)))) is None
    gray = _grayscale(_image(seed)).crop((80, 0, 240, _SIDE))
    assert effective_crop(before, _picture(gray)) is None
    rotated = _image(seed).crop((80, 0, 240, _SIDE)).rotate(180)
    assert effective_crop(before, _picture(rotated)) is None


@pytest.mark.parametrize(
    "values", [{"opacity_pct": 12}, {"brightness_pct": 60}, {"crop_pct": (0.0, 0.0, 85.0, 90.0)}]
)
def test_same_file_with_other_settings_differs(values: dict[str, float]) -> None:
    before = _picture(_image(2))
    assert not looks_equal("pictures", "", before, replace(before, **values))  # type: ignore[arg-type]
