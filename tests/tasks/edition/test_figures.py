"""Redrawn figures add up, and keep their order and their number format."""

import random

import pytest
from tests.each_case import each_case

from pptarena.errors import TaskError
from pptarena.tasks.edition.deck_names import Figures
from pptarena.tasks.edition.figures import draw_figures, number_of

TABLE = Figures(
    free=("1,240", "860", "410"),
    share=0.2,
    step=10,
    derived={"2,510": "1,240 + 860 + 410", "2.510": "1,240 + 860 + 410", "400": "410 - #10"},
)


@each_case("seed", range(20))
def test_sums_and_order_are_kept(seed: int) -> None:
    new = draw_figures(TABLE, random.Random(seed))
    assert all(new[old] != old for old in TABLE.free)
    parts = [number_of(new[old]) for old in TABLE.free]
    assert parts == sorted(parts, reverse=True)
    assert number_of(new["2,510"]) == sum(parts)
    assert new["2.510"] == new["2,510"].replace(",", ".")
    assert number_of(new["400"]) == parts[2] - 10


def test_number_format_is_kept() -> None:
    new = draw_figures(Figures(("182.4", "95.0", "1961", "4.200")), random.Random(1))
    assert [text.count(".") for text in new.values()] == [1, 1, 0, 1]
    assert "," not in "".join(new.values())
    assert len(new["182.4"].split(".")[1]) == 1


def test_sum_of_an_unknown_figure_is_rejected() -> None:
    with pytest.raises(TaskError, match="'7' is not among the free figures"):
        draw_figures(Figures(("10",), derived={"17": "10 + 7"}), random.Random(1))


def test_unsatisfiable_order_is_rejected() -> None:
    # Steps of 10 cannot keep the derived figure between the two free figures.
    group = Figures(("10", "12"), share=0.01, step=10, derived={"11": "10 + 12"})
    with pytest.raises(TaskError, match="keep the order"):
        draw_figures(group, random.Random(1))
