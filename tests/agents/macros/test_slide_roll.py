import pytest

from pptarena.agents.macros.desk import SlideRoll
from pptarena.errors import MacroError


def origins(roll: SlideRoll, count: int) -> list[int | None]:
    return [roll.origin(position) for position in range(1, count + 1)]


def test_slides_are_followed_as_they_come_and_go() -> None:
    roll = SlideRoll(4)
    roll.delete(2)
    assert origins(roll, 3) == [0, 2, 3]
    roll.insert(1)
    assert origins(roll, 4) == [0, None, 2, 3]
    roll.insert(3, copy=True)
    assert origins(roll, 5) == [0, None, 2, 2, 3]
    roll.move(5, 2)
    assert origins(roll, 5) == [0, 3, None, 2, 2]


def test_a_place_beyond_the_deck_is_refused() -> None:
    with pytest.raises(MacroError, match="from 1 to 2, as they stand by now, got 3"):
        SlideRoll(2).move(1, 3)
