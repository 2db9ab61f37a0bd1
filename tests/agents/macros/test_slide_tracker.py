import pytest

from pptarena.agents.macros.driver import SlideTracker
from pptarena.errors import MacroError


def origins(tracker: SlideTracker, count: int) -> list[int | None]:
    return [tracker.origin(position) for position in range(1, count + 1)]


def test_slides_are_tracked_through_changes() -> None:
    tracker = SlideTracker(4)
    tracker.delete(2)
    assert origins(tracker, 3) == [0, 2, 3]
    tracker.insert(1)
    assert origins(tracker, 4) == [0, None, 2, 3]
    tracker.insert(3, copy=True)
    assert origins(tracker, 5) == [0, None, 2, 2, 3]
    tracker.move(5, 2)
    assert origins(tracker, 5) == [0, 3, None, 2, 2]


def test_position_beyond_the_deck_is_refused() -> None:
    with pytest.raises(MacroError, match="from 1 to 2 in the current order, got 3"):
        SlideTracker(2).move(1, 3)
