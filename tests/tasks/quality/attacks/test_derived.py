"""Attacks and variants derived from the target deck of a task."""

from functools import cache
from typing import Any

import pytest
from tests.tasks.grow.conftest import drawn, generated_material
from tests.tasks.quality.attacks.test_material import material

from pptarena.decks import Deck
from pptarena.decks.facts.chart import Chart
from pptarena.decks.facts.content import Table
from pptarena.rewards import diff_decks, read_deck
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import DeckGrower
from pptarena.tasks.quality.attacks import (
    ALLOWED_GAIN,
    KINDS,
    AttackResult,
    Material,
    attack_target,
    shares,
    try_equivalents,
)
from pptarena.tasks.quality.attacks.attack import Attempt
from pptarena.tasks.quality.attacks.derived import derive
from pptarena.tasks.quality.attacks.equivalents import EQUIVALENTS
from pptarena.tasks.quality.attacks.extra import EXTRAS
from pptarena.tasks.quality.attacks.extras_text import falsified
from pptarena.tasks.quality.attacks.touched import touched_objects
from pptarena.tasks.targets import deck_facts


def _table(deck: Deck) -> Table:
    return next(s.table for each in deck.slides[6:] for s in each.shapes if s.table is not None)


def _chart(deck: Deck) -> Chart:
    return next(s.chart for s in deck.slides[17].shapes if s.chart is not None)


def made(one: Material, extra: str) -> Deck:
    """Return the first deck that a derived attack with one more change of that name makes."""
    for each in derive(one):
        if each.name.startswith(f"goal and {extra}: "):
            attempt = each.make(one)
            assert isinstance(attempt, Attempt)
            return read_deck(attempt.deck)
    raise AssertionError(f"no attack {extra!r} of {one.task.id}")


@pytest.mark.slow
def test_a_chart_is_a_touched_object() -> None:
    one = material("ledger-budget-series")
    found = touched_objects(one.original, one.goal)
    assert [(each.type, each.place, each.is_new) for each in found] == [
        ("slide", "slide 18", False),
        ("chart", "slide 18 shape 4", False),
    ]


@pytest.mark.slow
def test_a_stamp_of_a_layout_is_a_touched_object() -> None:
    one = material("harbor-draft-stamp")
    found = touched_objects(one.original, one.goal)
    assert [(each.type, each.is_new) for each in found] == [("master", False), ("stamp", True)]


def test_shapes_of_a_new_slide_are_new() -> None:
    one = material("field-quote-slide")
    found = touched_objects(one.original, one.goal)
    assert {each.is_new for each in found if each.slide == 7} == {True}
    assert {each.type for each in found if each.slide == 7} == {"slide", "text"}


def test_a_target_without_objects_gives_the_first_slide() -> None:
    one = material("meridian-retitle-products")
    assert [each.place for each in touched_objects(one.goal, one.goal)] == ["slide 1"]


def test_a_table_keeps_what_was_asked_for_and_the_other_figures_are_false() -> None:
    one = material("clinic-icu-row")
    before, goal = deck_facts(one.original), deck_facts(one.goal)
    kept = {cell.text for row in _table(before).rows for cell in row}
    now = _table(made(one, "the figures of the other cells"))
    pairs = [(a.text, b.text) for x, y in zip(_table(goal).rows, now.rows, strict=True)
             for a, b in zip(x, y, strict=True)]  # fmt: skip
    assert {a == b for a, b in pairs if a not in kept} == {True}
    figures = [(a, b) for a, b in pairs if a in kept and any(c.isdigit() for c in a)]
    assert figures
    assert {a == b for a, b in figures} == {False}


def test_one_change_of_a_cell_is_one_change() -> None:
    one = material("clinic-icu-row")
    changes = diff_decks(deck_facts(one.goal), made(one, "a figure of another cell"))
    assert [(c.aspect, c.slide) for c in changes] == [("tables", 7)]


def test_values_of_a_chart_that_were_to_stay_are_one() -> None:
    one = material("ledger-budget-series")
    chart = _chart(made(one, "all other values 1"))
    assert [series.values for series in chart.series] == [(1, 1, 1), (19.4, 19.8, 20.1)]


def test_an_axis_ends_before_the_values_begin() -> None:
    chart = _chart(made(material("ledger-budget-series"), "an axis out of reach"))
    lowest = [axis.minimum for axis in chart.axes if axis.kind == "value"]
    assert min(value or 0 for value in lowest) > 20.6


@pytest.mark.slow
def test_a_white_stamp_has_the_color_of_its_background() -> None:
    one = material("harbor-draft-stamp")
    deck = made(one, "in the color of the background")
    [stamp] = [shape for layout in deck.masters[0].layouts for shape in layout.shapes
               if shape.text == "Entwurf"]  # fmt: skip
    color = stamp.paragraphs[0].runs[0].style.color
    assert color == deck.masters[0].background.color


@pytest.mark.slow
def test_a_slide_leaves_by_itself() -> None:
    deck = made(material("thesis-campus-wipe"), "the slide leaves by itself")
    assert deck.slides[13].transition.advance_after_sec == 0


@pytest.mark.parametrize(
    ("text", "false"), [("1,025", "4,358"), ("EUR 9", "EUR 3"), ("Ward", "Ward"), ("", "")]
)
def test_false_figures_have_no_digit_in_common(text: str, false: str) -> None:
    assert falsified(text) == false


def test_the_first_attacks_are_of_as_many_kinds_as_there_are() -> None:
    attacks = derive(material("clinic-icu-row"))
    kinds = {each.kind for each in attacks}
    assert kinds == {"false data", "stuffing", "lost content", "formatting", "placement",
                     "unreadable", "hidden", "same slide", "time"}  # fmt: skip
    assert {each.kind for each in attacks[: len(kinds)]} == kinds


def test_the_same_seed_derives_the_same_attacks() -> None:
    one = material("clinic-icu-row")
    names = [each.name for each in derive(one, 1)]
    assert names == [each.name for each in derive(one, 1)]
    assert names != [each.name for each in derive(one, 2)]
    assert sorted(names) == sorted(each.name for each in derive(one, 2))


@pytest.mark.slow
def test_half_of_the_work_leaves_the_other_half() -> None:
    one = material("field-links")
    [first, second] = [each for each in derive(one) if each.kind == "half"]
    decks = [each.make(one) for each in (first, second)]
    back = [{c.shape_index_now for c in diff_decks(deck_facts(one.goal), read_deck(d.deck))}
            for d in decks if d is not None]  # fmt: skip
    assert len(back) == 2
    assert all(back)


def test_names_of_extras_kinds_and_summaries() -> None:
    assert len({each.name + each.kind + str(each.on) for each in EXTRAS}) == len(EXTRAS)
    assert {each.kind for each in EXTRAS} | {"half"} == set(KINDS)
    assert all(each.summary.endswith(".") for each in EXTRAS)
    assert all(each.summary.endswith(".") for each in EQUIVALENTS)
    assert all(0 < kind.deserved < 1 and kind.reason.endswith(".") for kind in KINDS.values())


@pytest.mark.slow
def test_no_more_results_than_asked_for() -> None:
    one = material("ledger-budget-series")
    assert len(attack_target(one, 3)) == 3
    assert attack_target(one, 0) == ()
    assert len(try_equivalents(one, 2)) == 2


def test_shares_by_kind() -> None:
    def result(kind: str, score: float, deserved: float, ok: bool) -> AttackResult:
        return AttackResult("t", "a", score, deserved, ok, kind=kind)

    found = shares(
        [
            result("false data", 0.9, 0.5, False),
            result("variant", 0.8, 1.0, False),
            result("false data", 0.1, 0.5, True),
        ]
    )
    assert [(each.kind, each.tried, each.held) for each in found] == [
        ("false data", 2, 1),
        ("variant", 1, 0),
    ]
    assert [each.worst for each in found] == [pytest.approx(0.4), pytest.approx(0.2)]
    assert found[0].to_json()["share"] == 0.5


@pytest.mark.slow
def test_hidden_work_is_found_out() -> None:
    one = material("meridian-retitle-products")
    results = attack_target(one, 40)
    off = [each for each in results if each.attack.startswith("goal and off the slide")]
    assert [(each.kind, each.ok) for each in off] == [("hidden", True)]
    assert off[0].score <= KINDS["hidden"].deserved + ALLOWED_GAIN


@cache
def _grower() -> DeckGrower:
    return DeckGrower(read_deck_file("meridian"), "meridian")


# One more change of each kind that attackers found to be paid in full on generated tasks.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("operator", "extra"),
    [
        ("delete-column", "the figures of the other cells"),
        ("delete-column", "the words of the other cells"),
        ("delete-row", "the figures of the other cells"),
        ("delete-row", "another row deleted"),
        ("delete-row", "glaring cells"),
        ("add-row", "the figures of the other cells"),
        ("fill-cell", "turned cells"),
        ("fill-cell", "words out of their cells"),
        ("chart-value", "all other values 1"),
        ("chart-value", "another series removed"),
        ("chart-value", "an axis out of reach"),
        ("chart-no-title", "all other values 1"),
        ("stamp-layout", "in the color of the background"),
        ("stamp-layout", "off the slide"),
        ("stamp-layout", "a dark background of the master"),
        ("stamp-layout", "over the slides' titles"),
        ("insert-titled-slide", "upside down"),
        ("insert-titled-slide", "a glaring background"),
        ("set-transition", "the slide leaves by itself"),
        ("animate-shape", "effects ten minutes late"),
        ("animate-shape", "effects undone at once"),
        ("join-shapes", "in the color of the background"),
        ("slide-background", "a background that fades to black"),
        ("add-text-box", "upside down"),
        ("add-text-box", "on the words of a neighbor"),
        ("add-text-box", "7 pt"),
        ("theme-accent", "other text styles of the master"),
        ("link-text", "another link on its area"),
        ("link-to-slide", "another link on its area"),
        ("outline-shape", "a glaring fill"),
    ],
)
def test_kinds_found_by_attackers_are_derived(operator: str, extra: str) -> None:
    drafts: list[Any] = drawn(_grower(), operator, 4)
    one = generated_material(drafts[0])
    known = deck_facts(one.goal)
    assert diff_decks(known, made(one, extra))


def test_a_hit_on_one_of_several_answers_leaves_the_others() -> None:
    assert KINDS["false data"].worth(1) == 0.5
    assert KINDS["false data"].worth(4) == pytest.approx(0.875)
    assert KINDS["theme"].worth(4) == KINDS["theme"].deserved


@pytest.mark.parametrize(
    ("task", "extra"),
    [
        ("clinic-lying-bars", "an axis ten times as long"),
        ("townhall-internal-stamp", "over the slides' titles"),
    ],
)
def test_what_once_cost_nothing_costs(task: str, extra: str) -> None:
    one = material(task)
    attack = next(each for each in derive(one) if f"goal and {extra}: " in each.name)
    attempt = attack.make(one)
    assert attempt is not None
    scorer = one.scorer(None, targets=(one.goal,))
    assert scorer.score(one.goal).score == pytest.approx(1)
    assert (scorer.score(attempt.deck).score or 0.0) <= 0.65
