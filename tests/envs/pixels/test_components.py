"""Connected components, against a plain flood fill."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pptarena.envs.pixels.components import component_boxes, dilate, edges

Mask = np.ndarray


def flood_fill(mask: Mask) -> list[tuple[int, int, int, int]]:
    remaining = {(int(y), int(x)) for y, x in np.argwhere(mask)}
    boxes = []
    while remaining:
        stack, component = [min(remaining)], set()
        while stack:
            y, x = stack.pop()
            if (y, x) in remaining:
                remaining.remove((y, x))
                component.add((y, x))
                stack += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
        ys, xs = [y for y, _ in component], [x for _, x in component]
        boxes.append((min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1))
    return boxes


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(arrays(bool, st.tuples(st.integers(1, 12), st.integers(1, 12))))
def test_boxes_equal_those_of_a_flood_fill(mask: Mask) -> None:
    assert sorted(component_boxes(mask)) == sorted(flood_fill(mask))


def test_a_long_spiral_is_one_component() -> None:
    mask = np.zeros((41, 41), bool)
    low, high = 0, 40
    while low < high:
        mask[low, low : high + 1] = mask[low : high + 1, high] = True
        mask[high, low : high + 1] = True
        mask[low + 2 : high + 1, low] = True
        mask[low + 2, low : low + 3] = True
        low, high = low + 2, high - 2
    assert component_boxes(mask) == [(0, 0, 41, 41)]


def test_dilate_spreads_to_both_sides() -> None:
    mask = np.zeros((7, 9), bool)
    mask[3, 4] = True
    assert component_boxes(dilate(mask, 2, 1)) == [(2, 2, 5, 3)]


def test_edges_lie_at_color_changes() -> None:
    screenshot = np.zeros((6, 6, 3), np.uint8)
    screenshot[2:4, 2:4, 1] = 30
    assert component_boxes(edges(screenshot, 30)) == [(2, 2, 3, 3)]
    assert not edges(screenshot, 31).any()
