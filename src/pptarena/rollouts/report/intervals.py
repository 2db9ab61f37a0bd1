"""Means with confidence intervals for episodes that are clustered by task.

Episodes of one task are not independent: a hard task is hard for every seed. Tasks are therefore
resampled with replacement (cluster bootstrap; Efron and Tibshirani, An Introduction to the
Bootstrap, 1993), and each resample gives the mean over all episodes of its tasks.

Plain percentile intervals of these means are too narrow for few tasks. They are widened to the
share ``Phi(-sqrt(n / (n - 1)) * t)``, with t the Student quantile for n - 1 degrees of freedom
(the expanded percentile interval of Hesterberg, What Teachers Should Know About the Bootstrap, The
American Statistician 69, 2015, section 3.3). There is no interval for a single task, or if all
tasks have the same values.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

__all__ = ["CONFIDENCE_PCT", "RESAMPLES", "SEED", "Estimate", "clustered_mean"]

CONFIDENCE_PCT = 95
"""Confidence level of the intervals, in percent."""

RESAMPLES = 10_000
"""Number of bootstrap resamples."""

SEED = 20_260_101
"""Default seed of the bootstrap."""

# 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom.
_STUDENT = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its precision.

    Attributes:
        mean: Over all episodes; None without any.
        low, high: Ends of the interval; None without an interval.
        why_none: Why there is no interval; empty if there is one.
    """

    mean: float | None
    low: float | None = None
    high: float | None = None
    why_none: str = ""


def clustered_mean(
    values: Sequence[float], clusters: Sequence[Hashable], seed: int = SEED
) -> Estimate:
    """Return the mean of the values with a 95 % interval.

    Args:
        values: One number per episode.
        clusters: The task of each episode.
        seed: Seed of the bootstrap; equal values and seed give the same interval.

    Raises:
        ValueError: If the two differ in length.
    """
    sums: dict[Hashable, float] = defaultdict(float)
    sizes: dict[Hashable, int] = defaultdict(int)
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] += value
        sizes[cluster] += 1
    if not sums:
        return Estimate(None, why_none="no scored episode")
    mean = sum(values) / len(values)
    if len(sums) < 2:
        return Estimate(mean, why_none="one task only")
    totals, counts = np.array(list(sums.values())), np.array(list(sizes.values()))
    if np.ptp(totals / counts) < 1e-12:
        return Estimate(mean, why_none="all tasks have the same value")
    tasks = len(totals)
    draws = np.random.default_rng(seed).multinomial(tasks, np.full(tasks, 1 / tasks), RESAMPLES)
    means = (draws @ totals) / (draws @ counts)
    tail = _tail(tasks)
    low, high = np.quantile(means, (tail, 1 - tail))
    return Estimate(mean, float(low), float(high))


def _tail(tasks: int) -> float:
    """Return the share of resampled means outside of each end of the interval."""
    return NormalDist().cdf(-sqrt(tasks / (tasks - 1)) * _student(tasks - 1))


def _student(degrees_of_freedom: int) -> float:
    if degrees_of_freedom <= len(_STUDENT):
        return _STUDENT[degrees_of_freedom - 1]
    z = NormalDist().inv_cdf((1 + CONFIDENCE_PCT / 100) / 2)
    # The first terms of the Cornish-Fisher expansion; accurate to four digits from here on.
    first = (z**3 + z) / (4 * degrees_of_freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees_of_freedom**2)
    return z + first + second
