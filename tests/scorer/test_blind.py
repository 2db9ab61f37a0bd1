"""Policies that read no instruction."""

from typing import Any

import pytest
from tests.scorer.blind import ALL_TOGETHER, POLICIES
from tests.scorer.blind.pay import MOST, MOST_OF_UNION, best_union, pay_of
from tests.scorer.blind.policies import together
from tests.scorer.blind.policy import Policy

from pptarena.rewards import diff_decks, read_deck
from pptarena.tasks import get_task, list_tasks
from pptarena.tasks.goals.editing import opened


def named(*names: str) -> Policy:
    """Return the policies of some names together."""
    found = tuple(each for each in POLICIES if each.name in names)
    assert len(found) == len(names)
    return together("chosen", found)


def test_names_differ() -> None:
    assert len({each.name for each in POLICIES}) == len(POLICIES) > 40


@pytest.mark.slow
@pytest.mark.parametrize("deck", ["townhall-spelling", "negev-descriptions", "ledger-axis"])
def test_every_policy_leaves_a_deck_that_can_be_read(deck: str) -> None:
    original = get_task(deck).deck_bytes()
    before = read_deck(original)
    changed = sum(bool(diff_decks(before, read_deck(p.run(original)))) for p in POLICIES)
    assert changed > len(POLICIES) / 2
    assert diff_decks(before, read_deck(ALL_TOGETHER[-1].run(original)))


def test_sorting_keeps_the_total_last() -> None:
    deck = opened(
        named("sorts tables by their first figures").run(get_task("ledger-axis").deck_bytes())
    )
    table: Any = next(s.table for s in deck.slides[9].shapes if s.has_table)
    texts = [[cell.text for cell in row.cells] for row in table.rows]
    figures = [float(row[1]) for row in texts[1:-1]]
    assert figures == sorted(figures, reverse=True)
    assert texts[-1][0].lower().startswith("total")


def test_what_a_task_asks_for_pays_also_without_reading_it() -> None:
    (task,) = (each for each in list_tasks("bench") if each.id == "onboard-no-animations")
    assert pay_of(named("removes all animations"), [task]).mean == pytest.approx(1)


@pytest.mark.slow
def test_five_improvements_at_once_earn_next_to_nothing() -> None:
    five = named(
        "removes all animations",
        "fades all slides",
        "darkens pale text",
        "levels the tops of rows",
        "corrects common spelling mistakes",
    )
    assert pay_of(five, list_tasks("bench")).mean <= MOST


@pytest.mark.nightly
@pytest.mark.timeout(4 * 3600)
def test_no_policy_earns_more_than_luck() -> None:
    tasks = list_tasks("bench")
    alone = [pay_of(policy, tasks) for policy in POLICIES]
    found = {pay.policy.name: pay.mean for pay in alone}
    found |= {policy.name: pay_of(policy, tasks).mean for policy in ALL_TOGETHER}
    assert {name: mean for name, mean in found.items() if mean > MOST} == {}
    best = sorted(alone, key=lambda pay: -pay.mean)[:8]
    assert best_union(best, tasks).mean <= MOST_OF_UNION
