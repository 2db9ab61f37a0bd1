"""Set-of-Marks: one readable number for each element of the table that actions use."""

from typing import Any

import numpy as np
import pytest

from pptarena.wrappers import MarkedScreenshot
from pptarena.wrappers import marks as module
from pptarena.wrappers.marks import draw_marks


def _plates(boxes: np.ndarray[Any, Any], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    plates: list[Any] = []
    place = module._Plates.place

    def record_place(self: Any, box: Any, size: Any) -> Any:
        plates.append(place(self, box, size))
        return plates[-1]

    monkeypatch.setattr(module._Plates, "place", record_place)
    draw_marks(np.full((720, 1280, 3), 255, np.uint8), boxes)
    return plates


def test_plates_never_overlap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    corners = rng.random((200, 2)) * 0.9
    crowd = np.hstack([corners, corners + rng.random((200, 2)) * 0.08 + 0.005])
    same = np.tile([0.5, 0.5, 0.52, 0.52], (40, 1))
    plates = _plates(np.vstack([crowd, same]).astype(np.float32), monkeypatch)
    assert len(plates) == 240
    coverage = np.zeros((720, 1280), int)
    for left, top, right, bottom in plates:
        assert 0 <= left <= right < 1280
        assert 0 <= top <= bottom < 720
        coverage[top : bottom + 1, left : right + 1] += 1
    assert coverage.max() == 1


def test_each_number_is_drawn_differently() -> None:
    screen = np.full((200, 300, 3), 255, np.uint8)
    box = np.array([[0.2, 0.2, 0.6, 0.6]], np.float32)
    drawn = [
        draw_marks(screen, np.vstack([np.full((n, 4), 0.99), box]).astype(np.float32))[40:60, 60:90]
        for n in range(12)
    ]
    digests = {each.tobytes() for each in drawn}
    assert len(digests) == 12
    assert (screen == 255).all(), "the screenshot was changed"


def test_marks_are_drawn_at_the_elements_of_the_table(make: Any) -> None:
    plain, marked = make(width_px=1280, height_px=720), None
    before, info = plain.reset(seed=0)
    marked, same = MarkedScreenshot(make(width_px=1280, height_px=720)).reset(seed=0)
    assert info["task_id"] == same["task_id"]
    rows = before["elements"][: before["element_count"]]
    expected = draw_marks(before["screenshot"], rows[:, :4])
    assert (marked["screenshot"] == expected).all()
    assert (marked["screenshot"] != before["screenshot"]).any()


def test_screen_without_elements_stays_unmarked() -> None:
    screen = np.zeros((90, 160, 3), np.uint8)
    assert (draw_marks(screen, np.zeros((0, 4), np.float32)) == screen).all()
