import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from pptarena.rollouts.report.pictures import (
    FIDELITIES,
    TILE_HEIGHT_PX,
    TILE_WIDTH_PX,
    PicturePool,
    Screen,
)


def desktop(width: int = 1280, height: int = 720, seed: int = 0) -> NDArray[np.uint8]:
    """Return pixels like those of a screen: uniform areas and an area of noise."""
    pixels = np.full((height, width, 3), 240, np.uint8)
    rng = np.random.default_rng(seed)
    pixels[100:300, 200:500] = rng.integers(0, 256, (200, 300, 3), np.uint8)
    return pixels


def assemble(pool: PicturePool, screen: Screen) -> NDArray[np.uint8]:
    files = list(pool.encoded(FIDELITIES[0]))
    pixels = np.zeros((screen.height_px, screen.width_px, 3), np.uint8)
    columns = -(-screen.width_px // TILE_WIDTH_PX)
    for index, number in enumerate(screen.tiles):
        tile = np.asarray(Image.open(io.BytesIO(files[number])).convert("RGB"))
        top, left = index // columns * TILE_HEIGHT_PX, index % columns * TILE_WIDTH_PX
        pixels[top : top + tile.shape[0], left : left + tile.shape[1]] = tile
    return pixels


@pytest.mark.parametrize("size", [(1280, 720), (1281, 721), (640, 360), (7, 5)])
def test_screens_are_stored_without_loss(size: tuple[int, int]) -> None:
    width, height = size
    pixels = desktop()[:height, :width] if width < 1281 else desktop(width, height)
    pool = PicturePool()
    screen = pool.add_screen(pixels)
    assert (screen.width_px, screen.height_px) == size
    assert np.array_equal(assemble(pool, screen), pixels)


def test_equal_tiles_are_stored_once() -> None:
    pool = PicturePool()
    first = pool.add_screen(desktop())
    count = len(pool)
    assert count < len(first.tiles)  # the uniform areas share one tile
    assert pool.add_screen(desktop()) == first
    assert len(pool) == count
    changed = desktop()
    changed[700, 1200] = 0
    pool.add_screen(changed)
    assert len(pool) == count + 1


@pytest.mark.slow
def test_lower_fidelity_gives_smaller_files() -> None:
    pool = PicturePool()
    pool.add_screen(desktop())
    slide = io.BytesIO()
    Image.fromarray(desktop(1920, 1080)).save(slide, "PNG")
    number = pool.add_slide(slide.getvalue())
    assert pool.add_slide(slide.getvalue()) == number
    sizes = []
    for fidelity in FIDELITIES:
        files = list(pool.encoded(fidelity))
        assert len(files) == len(pool)
        sizes.append(sum(map(len, files)))
        width, height = Image.open(io.BytesIO(files[number])).size
        assert width == fidelity.slide_width_px
        assert abs(height / width - 1080 / 1920) < 0.01
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0] / 10
