"""Rank correlation of two series: Kendall's tau-b and Spearman's rho."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from pptarena.errors import ConfigError

__all__ = ["kendall_tau_b", "spearman_rho"]


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Kendall's rank correlation, corrected for ties.

    ``(C - D) / sqrt((P - T1) (P - T2))``, where C and D are the numbers of concordant and
    discordant pairs, P the number of all pairs, and T1 and T2 the numbers of ties in the first and
    second series (Kendall 1945, "The treatment of ties in ranking problems"). Quadratic in the
    length.

    Args:
        first: Numbers, such as grades.
        second: Numbers, such as scores; as many as in `first`.

    Returns:
        A value from -1 (reversed order) to 1 (same order).

    Raises:
        ConfigError: If the lengths differ, a number is not finite, or a series has fewer than two
            different values.
    """
    _check(first, second)
    balance = sum(
        _sign(a - b) * _sign(x - y)
        for (a, x), (b, y) in combinations(zip(first, second, strict=True), 2)
    )
    pairs = math.comb(len(first), 2)
    return balance / math.sqrt((pairs - _tied_pairs(first)) * (pairs - _tied_pairs(second)))


def spearman_rho(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation: Pearson's of the ranks, with mean ranks for ties.

    Args:
        first: Numbers, such as grades.
        second: Numbers, such as scores; as many as in `first`.

    Returns:
        A value from -1 (reversed order) to 1 (same order).

    Raises:
        ConfigError: As for `kendall_tau_b`.
    """
    _check(first, second)
    middle = (len(first) + 1) / 2
    first_ranks = [rank - middle for rank in _ranks(first)]
    second_ranks = [rank - middle for rank in _ranks(second)]
    covariance = math.fsum(a * b for a, b in zip(first_ranks, second_ranks, strict=True))
    sums_of_squares = [math.fsum(a * a for a in ranks) for ranks in (first_ranks, second_ranks)]
    return max(-1.0, min(1.0, covariance / math.sqrt(math.prod(sums_of_squares))))


def _check(first: Sequence[float], second: Sequence[float]) -> None:
    if len(first) != len(second):
        raise ConfigError(
            f"expected two series of equal length, got {len(first)} and {len(second)}"
        )
    for name, series in (("first", first), ("second", second)):
        if not all(math.isfinite(value) for value in series):
            raise ConfigError(f"expected finite numbers in the {name} series")
        if len(set(series)) < 2:
            raise ConfigError(f"expected at least two different values in the {name} series")


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _tied_pairs(series: Sequence[float]) -> int:
    return sum(math.comb(count, 2) for count in Counter(series).values())


def _ranks(series: Sequence[float]) -> list[float]:
    """Return ranks from 1; equal values get the mean of their ranks."""
    ranks_by_value: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(series), start=1):
        ranks_by_value.setdefault(value, []).append(rank)
    return [sum(ranks_by_value[value]) / len(ranks_by_value[value]) for value in series]
