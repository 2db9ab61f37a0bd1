from itertools import product
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from pptarena.rollouts.report.intervals import _student, _tail, clustered_mean


def test_interval_of_two_tasks_is_their_range() -> None:
    # Of the four samples of two tasks, one has the first twice and one the second twice.
    interval = clustered_mean([0.0, 1.0], ["a", "b"])
    assert (interval.mean, interval.low, interval.high, interval.why_none) == (0.5, 0.0, 1.0, "")


def test_mean_is_over_episodes_and_samples_are_over_tasks() -> None:
    # Task a has three episodes: sampled twice, the mean is 1/3; with b, it is (1/3 * 3 + 1) / 4.
    interval = clustered_mean([1.0, 0.0, 0.0, 1.0], ["a", "a", "a", "b"])
    assert interval.mean == 0.5
    assert interval.low == pytest.approx(1 / 3)
    assert interval.high == 1.0


def test_ends_are_quantiles_of_all_possible_samples() -> None:
    sums, sizes = np.array([0.0, 1.5, 0.25, 2.0, 0.5]), np.array([1, 3, 1, 2, 1])
    values, tasks = [], []
    for task, (total, size) in enumerate(zip(sums, sizes, strict=True)):
        values += [total / size] * size
        tasks += [task] * size
    samples = np.array(list(product(range(5), repeat=5)))  # all 3125, equally likely
    means = np.sort(sums[samples].sum(1) / sizes[samples].sum(1))
    interval = clustered_mean(values, tasks)
    assert interval.low is not None
    assert interval.high is not None
    # The share of means below an end is the tail, up to the error of 10,000 samples.
    tail = _tail(5)
    assert (
        (means < interval.low - 1e-9).mean()
        <= tail + 0.001
        <= (means <= interval.low + 0.05).mean()
    )
    assert (
        (means > interval.high + 1e-9).mean()
        <= tail + 0.001
        <= (means >= interval.high - 0.05).mean()
    )


def test_tail_equals_the_published_formula() -> None:
    # Hesterberg: Phi(-sqrt(n / (n - 1)) * t) with t for n - 1 degrees of freedom.
    assert _tail(10) == pytest.approx(NormalDist().cdf(-sqrt(10 / 9) * 2.2622), abs=1e-6)
    assert _tail(2) < 1e-9
    assert _tail(100_000) == pytest.approx(0.025, abs=1e-4)


@pytest.mark.parametrize("freedom", [1, 2, 7, 30, 31, 40, 100, 1000])
def test_student_quantile_equals_that_of_scipy(freedom: int) -> None:
    from scipy import stats  # type: ignore[import-untyped]  # takes a second

    assert _student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=1e-4)


@pytest.mark.parametrize(
    ("values", "tasks", "mean", "reason"),
    [
        ([], [], None, "no scored episode"),
        ([0.5], ["a"], 0.5, "one task only"),
        ([0.0, 1.0, 1.0], ["a", "a", "a"], 2 / 3, "one task only"),
        ([1.0, 1.0, 1.0], ["a", "b", "c"], 1.0, "all tasks have the same value"),
        ([0.0, 1.0, 1.0, 0.0], ["a", "a", "b", "b"], 0.5, "all tasks have the same value"),
    ],
)
def test_missing_interval_has_a_reason(
    values: list[float], tasks: list[str], mean: float | None, reason: str
) -> None:
    interval = clustered_mean(values, tasks)
    assert interval.mean == (None if mean is None else pytest.approx(mean))
    assert (interval.low, interval.high, interval.why_none) == (None, None, reason)


def test_interval_is_reproducible() -> None:
    values = [0.1, 0.5, 0.9, 0.4, 0.6, 0.3, 0.2, 0.8]
    tasks = list("abcdefgh")
    assert clustered_mean(values, tasks) == clustered_mean(values, tasks)
    assert clustered_mean(values, tasks, seed=1) != clustered_mean(values, tasks)


def test_more_episodes_of_the_same_tasks_do_not_narrow_the_interval() -> None:
    once = clustered_mean([0.0, 0.2, 0.7, 1.0], list("abcd"))
    often = clustered_mean([0.0, 0.2, 0.7, 1.0] * 25, list("abcd") * 25)
    assert (once.low, once.high) == pytest.approx((often.low, often.high))


@pytest.mark.slow
def test_intervals_have_the_nominal_coverage() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(200):
        by_task = rng.uniform(0, 1, 8)  # the true mean is 0.5
        values = np.clip(by_task.repeat(3) + rng.normal(0, 0.05, 24), 0, 1)
        interval = clustered_mean(list(values), [index // 3 for index in range(24)])
        assert interval.low is not None
        assert interval.high is not None
        covered += interval.low <= 0.5 <= interval.high
    assert 0.91 <= covered / 200 <= 0.99


def test_lengths_must_be_equal() -> None:
    with pytest.raises(ValueError, match="longer"):
        clustered_mean([1.0], ["a", "b"])
