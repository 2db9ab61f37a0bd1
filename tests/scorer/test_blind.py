"""Blind policies score next to nothing."""

from typing import Any

import pytest
from tests.scorer.blind import ALL_TOGETHER, POLICIES
from tests.scorer.blind.policies import together
from tests.scorer.blind.policy import Policy
from tests.scorer.blind.policy_scores import MAX_MEAN, MAX_UNION_MEAN, best_union, score_policy

from pptarena.rewards import diff_decks, read_deck
from pptarena.tasks import get_task, list_tasks
from pptarena.tasks.goals.editing import open_deck


def policies_named(*names: str) -> Policy:
    """Return a policy that combines the policies with these names."""
    policies = tuple(each for each in POLICIES if each.name in names)
    assert len(policies) == len(names)
    return together("chosen", policies)


def test_policy_names_are_unique() -> None:
    assert len({each.name for each in POLICIES}) == len(POLICIES) > 40


@pytest.mark.slow
@pytest.mark.parametrize("deck", ["townhall-spelling", "negev-descriptions", "ledger-axis"])
def test_every_policy_leaves_a_readable_deck(deck: str) -> None:
    original = get_task(deck).deck_bytes()
    before = read_deck(original)
    changed = sum(bool(diff_decks(before, read_deck(p.run(original)))) for p in POLICIES)
    assert changed > len(POLICIES) / 2
    assert diff_decks(before, read_deck(ALL_TOGETHER[-1].run(original)))


def test_sorting_keeps_total_last() -> None:
    deck = open_deck(
        policies_named("sorts tables by their first figures").run(
            get_task("ledger-axis").deck_bytes()
        )
    )
    table: Any = next(s.table for s in deck.slides[9].shapes if s.has_table)
    texts = [[cell.text for cell in row.cells] for row in table.rows]
    figures = [float(row[1]) for row in texts[1:-1]]
    assert figures == sorted(figures, reverse=True)
    assert texts[-1][0].lower().startswith("total")


@pytest.mark.slow
def test_policy_scores_if_it_does_what_a_task_requires() -> None:
    (task,) = (each for each in list_tasks("bench") if each.id == "onboard-no-animations")
    assert score_policy(policies_named("removes all animations"), [task]).mean == pytest.approx(1)


@pytest.mark.slow
def test_five_improvements_together_score_next_to_nothing() -> None:
    five = policies_named(
        "removes all animations",
        "fades all slides",
        "darkens pale text",
        "levels the tops of rows",
        "corrects common spelling mistakes",
    )
    assert score_policy(five, list_tasks("bench")).mean <= MAX_MEAN


@pytest.mark.nightly
def test_no_policy_scores_better_than_chance() -> None:
    tasks = list_tasks("bench")
    single = [score_policy(policy, tasks) for policy in POLICIES]
    means = {scores.policy.name: scores.mean for scores in single}
    means |= {policy.name: score_policy(policy, tasks).mean for policy in ALL_TOGETHER}
    assert {name: mean for name, mean in means.items() if mean > MAX_MEAN} == {}
    best = sorted(single, key=lambda scores: -scores.mean)[:8]
    assert best_union(best, tasks).mean <= MAX_UNION_MEAN
