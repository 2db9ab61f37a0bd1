import math
import random
from collections.abc import Callable, Sequence

import pytest
from tests.each_case import each_case

from pptarena.errors import ConfigError
from pptarena.rollouts.agreement import kendall_tau_b, spearman_rho

Measure = Callable[[Sequence[float], Sequence[float]], float]
BOTH = pytest.mark.parametrize("measure", [kendall_tau_b, spearman_rho])


@pytest.mark.slow
@each_case("seed", range(20))
def test_coefficients_equal_those_of_scipy(seed: int) -> None:
    from scipy import stats  # type: ignore[import-untyped]  # takes a second

    rng = random.Random(seed)
    first = [rng.randrange(4) for _ in range(40)]
    second = [round(each / 3 + rng.gauss(0, 0.3), 1) for each in first]
    assert kendall_tau_b(first, second) == pytest.approx(stats.kendalltau(first, second).statistic)
    assert spearman_rho(first, second) == pytest.approx(stats.spearmanr(first, second).statistic)


def test_hand_computed_example() -> None:
    # Six pairs: one tied in grades, one in scores, four concordant of the other four.
    grades, scores = [0, 1, 1, 2], [0.0, 0.5, 0.9, 0.9]
    assert kendall_tau_b(grades, scores) == pytest.approx(4 / math.sqrt(5 * 5))
    # Ranks 1, 2.5, 2.5, 4 and 1, 2, 3.5, 3.5.
    assert spearman_rho(grades, scores) == pytest.approx(3.75 / 4.5)


@BOTH
def test_equal_and_reversed_order(measure: Measure) -> None:
    assert measure([1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4]) == 1
    assert measure([1, 2, 3, 4], [0.4, 0.3, 0.2, 0.1]) == -1


@BOTH
@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1, 2], [1.0], "equal length, got 2 and 1"),
        ([], [], "at least two different values in the first"),
        ([1, 2], [0.5, 0.5], "at least two different values in the second"),
        ([3, 3], [0.1, 0.5], "at least two different values in the first"),
        ([1, 2], [math.nan, 0.5], "finite numbers in the second"),
    ],
)
def test_series_without_an_order_are_rejected(
    measure: Measure, first: list[float], second: list[float], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        measure(first, second)
