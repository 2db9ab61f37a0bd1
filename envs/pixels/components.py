"""Connected components of a mask and edges of a screenshot, with NumPy alone."""

import numpy as np
from numpy.typing import NDArray

from pptarena.envs.pixels.detection import Box, Screenshot

__all__ = ["Mask", "component_boxes", "dilate", "edges", "runs", "steps_down", "steps_right"]

Mask = NDArray[np.bool_]


def steps_right(screenshot: Screenshot, contrast: int) -> Mask:
    """Return the pixels that differ from the pixel to the left.

    Args:
        screenshot: The screenshot.
        contrast: Least difference in any color channel, 1 to 255.

    Returns:
        Boolean (height, width).
    """
    pixels = screenshot.astype(np.int16)
    mask = np.zeros(screenshot.shape[:2], bool)
    mask[:, 1:] = np.abs(pixels[:, 1:] - pixels[:, :-1]).max(-1) >= contrast
    return mask


def steps_down(screenshot: Screenshot, contrast: int) -> Mask:
    """Return the pixels that differ from the pixel above; see `steps_right`."""
    return steps_right(screenshot.swapaxes(0, 1), contrast).T


def edges(screenshot: Screenshot, contrast: int) -> Mask:
    """Return the pixels that differ from the pixel to the left or above; see `steps_right`."""
    return steps_right(screenshot, contrast) | steps_down(screenshot, contrast)


def dilate(mask: Mask, x_px: int, y_px: int) -> Mask:
    """Return a mask with every set pixel spread to a number of pixels on each side."""
    widened = mask.copy()
    for step in range(1, x_px + 1):
        widened[:, step:] |= mask[:, :-step]
        widened[:, :-step] |= mask[:, step:]
    result = widened.copy()
    for step in range(1, y_px + 1):
        result[step:, :] |= widened[:-step, :]
        result[:-step, :] |= widened[step:, :]
    return result


def component_boxes(mask: Mask) -> list[Box]:
    """Return the bounding boxes of the 4-connected components of a mask, from top to bottom.

    Args:
        mask: Boolean (height, width).
    """
    height, width = mask.shape
    rows, starts, ends = runs(mask)
    if not len(rows):
        return []
    labels = _label_runs(rows, starts, ends, width + 1)
    count = len(rows)
    lefts, tops = np.full(count, width), np.full(count, height)
    rights, bottoms = np.zeros(count, int), np.zeros(count, int)
    np.minimum.at(lefts, labels, starts)
    np.minimum.at(tops, labels, rows)
    np.maximum.at(rights, labels, ends)
    np.maximum.at(bottoms, labels, rows + 1)
    return [
        (
            int(lefts[label]),
            int(tops[label]),
            int(rights[label] - lefts[label]),
            int(bottoms[label] - tops[label]),
        )
        for label in np.unique(labels)
    ]


def runs(mask: Mask) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return row, start and end (exclusive) of the horizontal runs of set pixels."""
    steps = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(steps == 1)
    return rows, starts, np.nonzero(steps == -1)[1]


def _label_runs(
    rows: NDArray[np.intp], starts: NDArray[np.intp], ends: NDArray[np.intp], stride: int
) -> NDArray[np.intp]:
    """Return the index of the first run of each run's component; runs are in reading order."""
    # Runs of the row below that overlap a run are a range in the list of all runs.
    first = np.searchsorted(rows * stride + ends, (rows + 1) * stride + starts, side="right")
    last = np.searchsorted(rows * stride + starts, (rows + 1) * stride + ends, side="left")
    counts = np.maximum(last - first, 0)
    above = np.repeat(np.arange(len(rows)), counts)
    below = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    below += np.repeat(first, counts)
    labels = np.arange(len(rows))
    while True:
        lowest = labels.copy()
        np.minimum.at(lowest, above, labels[below])
        np.minimum.at(lowest, below, labels[above])
        # A label points to a run of the same component: follow the labels to halve the distances.
        lowest = lowest[lowest]
        if (lowest == labels).all():
            return labels
        labels = lowest
