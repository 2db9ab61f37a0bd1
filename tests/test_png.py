"""Screenshots are encoded losslessly."""

import io

import numpy as np
import pytest
from PIL import Image

from pptarena.png import png_bytes


@pytest.mark.parametrize("shape", [(720, 1280, 3), (1, 1, 3), (3, 7, 3)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_pixels_survive_encoding(shape: tuple[int, int, int], order: str) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    data = png_bytes(np.array(pixels, order="F" if order == "F" else "C"))
    with Image.open(io.BytesIO(data)) as picture:
        picture.verify()
    with Image.open(io.BytesIO(data)) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGB")
        assert (np.asarray(picture) == pixels).all()
