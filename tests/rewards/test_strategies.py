from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.rewards.scored_tree import LAMBDA, STRATEGIES, Scores, combine

SCORE = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))
CHILD = st.tuples(st.booleans(), SCORE)
CHILDREN = st.lists(CHILD, min_size=1, max_size=6)
GATES = ("ai_rubric_gate", "mind2web2_gate")
MONOTONE = [name for name in STRATEGIES if name != "ai_rubric_gate"]
JUST_BELOW_ONE = 0.999


def _children(text: str) -> Scores:
    """Parse children such as ``c1 n0.5 c?``: critical or not, and the score."""
    return [(word[0] == "c", None if word[1:] == "?" else float(word[1:])) for word in text.split()]


def _weighted(critical: list[float], noncritical: list[float]) -> float:
    result = combine(
        "weighted", [*((True, s) for s in critical), *((False, s) for s in noncritical)]
    )
    assert result is not None
    return result


def _improved(children: Scores, position: int, minimum: float) -> Scores:
    at = position % len(children)
    critical, value = children[at]
    assert value is not None
    return [*children[:at], (critical, max(value, minimum)), *children[at + 1 :]]


@each_case(
    "children, weighted_score, ai_rubric, mind2web2",
    [
        ("c1 c1 n1", 1, 1, 1),
        ("c1 n0", 0.7, 0, 0),
        ("c1 n0.5 n1", 0.925, 0.75, 0.75),
        ("c0 n1", 0, 0, 0),
        ("c1 c0 n1", 0.5, 0, 0),
        ("c1 c0 n0.5", 0.35, 0, 0),
        ("c0.2 n0", 0, 0.1, 0),
        ("c0.5 n1", 0.5, 0.75, 0),
        ("c0.5 c1 n0", 0.45, 0.5, 0),
        ("c1 c1", 1, 1, 1),
        ("c1 c0.5", 0.75, 0.75, 0),
        ("c1 c0", 0.5, 0, 0),
        ("n1 n0", 0.5, 0.5, 0.5),
        ("n0.25", 0.25, 0.25, 0.25),
        ("c0.25", 0.25, 0.25, 0),
        ("c1", 1, 1, 1),
        ("c0", 0, 0, 0),
        ("c1 c? n1", 1, None, None),  # the gate depends on the unscored child
        ("c? n1", None, None, None),  # and "nothing else changed" alone proves nothing
        ("c? n0", None, None, None),
        ("c? c0 n1", 0, 0, 0),  # closed whatever the unscored child gets
        ("c? c0.5 n1", 0.5, None, 0),
        ("c? c1", 1, None, None),
        ("c?", None, None, None),
        ("c1 n?", 1, None, None),  # behind the open gate only the unscored child counts
        ("c1 n? n0.5", 0.85, 0.5, 0.5),
        ("c0.5 n?", 0.5, 0.5, 0),
        ("c0 n?", 0, 0, 0),
        ("n? n0.5", 0.5, 0.5, 0.5),
        ("n?", None, None, None),
    ],
)
def test_scores_match_hand_computed_values(
    children: str, weighted_score: float | None, ai_rubric: float | None, mind2web2: float | None
) -> None:
    expected = dict(zip(STRATEGIES, (weighted_score, ai_rubric, mind2web2), strict=True))
    for name, value in expected.items():
        result = combine(name, _children(children))
        assert (result is None) if value is None else (result == pytest.approx(value)), name


def test_combining_no_children_is_an_error() -> None:
    for name in STRATEGIES:
        with pytest.raises(ValueError, match="at least one"):
            combine(name, [])


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
@given(children=CHILDREN)
def test_scores_are_bounded(name: str, children: Scores) -> None:
    value = combine(name, children)
    assert value is not None, "all children are judged"
    assert -1e-12 <= value <= 1 + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
@given(children=CHILDREN)
def test_all_fulfilled_scores_one_and_none_scores_zero(name: str, children: Scores) -> None:
    fulfilled = [(critical, 1.0) for critical, _ in children]
    failed = [(critical, 0.0) for critical, _ in children]
    assert combine(name, fulfilled) == pytest.approx(1)
    assert combine(name, failed) == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", MONOTONE)
@given(children=CHILDREN, position=st.integers(0, 5), minimum=SCORE)
def test_improving_a_child_never_lowers_the_score(
    name: str, children: Scores, position: int, minimum: float
) -> None:
    before = combine(name, children)
    after = combine(name, _improved(children, position, minimum))
    assert before is not None
    assert after is not None
    assert after >= before - 1e-9


@pytest.mark.slow
@given(CHILDREN, st.integers(0, 5), SCORE)
def test_ai_rubric_gate_is_monotone_below_full_credit(
    children: Scores, position: int, minimum: float
) -> None:
    critical, value = children[position % len(children)]
    if critical and value is not None and value < 1:
        minimum = min(minimum, JUST_BELOW_ONE)
        if value > JUST_BELOW_ONE:
            return
    before = combine("ai_rubric_gate", children)
    after = combine("ai_rubric_gate", _improved(children, position, minimum))
    assert before is not None
    assert after is not None
    assert after >= before - 1e-9


def test_ai_rubric_gate_drops_at_full_credit() -> None:
    # The published formula has this flaw: a fulfilled gate excludes the critical children.
    almost = combine("ai_rubric_gate", _children("c0.98 n0"))
    assert almost == pytest.approx(0.49)
    assert combine("ai_rubric_gate", _children("c1 n0")) == 0


@pytest.mark.parametrize("name", GATES)
@given(children=st.lists(st.tuples(st.booleans(), st.none() | SCORE), min_size=1, max_size=4))
def test_unscored_critical_child_never_opens_a_gate(name: str, children: Scores) -> None:
    """A reported score holds for every possible score of unscored critical children."""
    reported = combine(name, children)
    unscored = [
        index for index, (critical, value) in enumerate(children) if critical and value is None
    ]
    if reported is None or not unscored:
        return
    for values in product((0.0, 0.5, 1.0), repeat=len(unscored)):
        completed = list(children)
        for index, value in zip(unscored, values, strict=True):
            completed[index] = (True, value)
        assert combine(name, completed) == pytest.approx(reported)


@pytest.mark.slow
@given(st.lists(SCORE, max_size=6), st.lists(SCORE, max_size=6))
def test_noncritical_children_cost_at_most_lambda(
    critical: list[float], noncritical: list[float]
) -> None:
    if not critical or not noncritical:
        return
    value, mean = _weighted(critical, noncritical), sum(critical) / len(critical)
    assert mean - LAMBDA - 1e-9 <= value <= mean + 1e-9


@pytest.mark.parametrize(
    ("strategy", "children", "weights", "expected"),
    [
        ("weighted", [(True, 1.0), (True, 0.0)], [3, 1], 0.75),
        ("weighted", [(True, 1.0), (False, 1.0), (False, 0.0)], [1, 1, 3], 1 - 0.3 * 0.75),
        ("weighted", [(True, 1.0), (True, None)], [1, 9], 1.0),
        ("ai_rubric_gate", [(True, 1.0), (False, 1.0), (False, 0.0)], [9, 1, 3], 0.25),
        ("ai_rubric_gate", [(True, 0.5), (False, 1.0)], [1, 3], 0.875),
        ("mind2web2_gate", [(True, 0.5), (False, 1.0)], [0.001, 1000], 0.0),
        ("mind2web2_gate", [(True, 1.0), (False, 1.0), (False, 0.0)], [1, 1, 1], 0.5),
    ],
)
def test_weights_affect_means_but_not_gates(
    strategy: str, children: Scores, weights: list[float], expected: float
) -> None:
    assert combine(strategy, children, weights=weights) == pytest.approx(expected)
    with pytest.raises(ValueError, match="zip"):
        combine(strategy, children, weights=weights[1:])
