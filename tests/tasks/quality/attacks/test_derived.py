"""Attacks and variants derived from the target deck of a task."""

from functools import cache
from typing import Any

import pytest
from tests.tasks.generator.conftest import generated_material, sample_drafts
from tests.tasks.quality.attacks.test_material import material

from pptarena.decks import Deck
from pptarena.decks.facts.chart import Chart
from pptarena.decks.facts.content import Table
from pptarena.rewards import diff_decks, read_deck
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import DeckGenerator
from pptarena.tasks.quality.attacks import (
    ALLOWED_GAIN,
    KINDS,
    AttackResult,
    Material,
    attack_target,
    shares,
    try_equivalents,
)
from pptarena.tasks.quality.attacks.attack import AttackedDeck
from pptarena.tasks.quality.attacks.changed_objects import changed_objects
from pptarena.tasks.quality.attacks.derived import derive
from pptarena.tasks.quality.attacks.equivalents import EQUIVALENTS
from pptarena.tasks.quality.attacks.extra import EXTRAS
from pptarena.tasks.quality.attacks.extras_text import change_digits
from pptarena.tasks.targets import deck_facts


def _table(deck: Deck) -> Table:
    return next(s.table for each in deck.slides[6:] for s in each.shapes if s.table is not None)


def _chart(deck: Deck) -> Chart:
    return next(s.chart for s in deck.slides[17].shapes if s.chart is not None)


def attacked_deck(target: Material, extra: str) -> Deck:
    """Return the deck of the first derived attack with an extra change of that name."""
    for each in derive(target):
        if each.name.startswith(f"goal and {extra}: "):
            attempt = each.make(target)
            assert isinstance(attempt, AttackedDeck)
            return read_deck(attempt.deck)
    raise AssertionError(f"no attack {extra!r} of {target.task.id}")


@pytest.mark.slow
def test_changed_chart_is_found() -> None:
    target = material("ledger-budget-series")
    changes = changed_objects(target.original, target.goal)
    assert [(change.type, change.place, change.is_new) for change in changes] == [
        ("slide", "slide 18", False),
        ("chart", "slide 18 shape 4", False),
    ]


@pytest.mark.slow
def test_stamp_on_a_layout_is_found() -> None:
    target = material("harbor-draft-stamp")
    changes = changed_objects(target.original, target.goal)
    assert [(change.type, change.is_new) for change in changes] == [
        ("master", False),
        ("stamp", True),
    ]


@pytest.mark.slow
def test_shapes_of_a_new_slide_are_new() -> None:
    target = material("field-quote-slide")
    changes = changed_objects(target.original, target.goal)
    assert {change.is_new for change in changes if change.slide == 7} == {True}
    assert {change.type for change in changes if change.slide == 7} == {"slide", "text"}


def test_target_without_changed_objects_gives_the_first_slide() -> None:
    target = material("meridian-retitle-products")
    assert [each.place for each in changed_objects(target.goal, target.goal)] == ["slide 1"]


@pytest.mark.slow
def test_attack_falsifies_only_unrequested_figures_of_a_table() -> None:
    target = material("clinic-icu-row")
    before, goal = deck_facts(target.original), deck_facts(target.goal)
    requested = {cell.text for row in _table(before).rows for cell in row}
    after = _table(attacked_deck(target, "the figures of the other cells"))
    pairs = [(a.text, b.text) for x, y in zip(_table(goal).rows, after.rows, strict=True)
             for a, b in zip(x, y, strict=True)]  # fmt: skip
    assert {a == b for a, b in pairs if a not in requested} == {True}
    figures = [(a, b) for a, b in pairs if a in requested and any(c.isdigit() for c in a)]
    assert figures
    assert {a == b for a, b in figures} == {False}


def test_attack_on_one_cell_is_one_change() -> None:
    target = material("clinic-icu-row")
    changes = diff_decks(deck_facts(target.goal), attacked_deck(target, "a figure of another cell"))
    assert [(c.aspect, c.slide) for c in changes] == [("tables", 7)]


@pytest.mark.slow
def test_attack_sets_unrequested_chart_values_to_one() -> None:
    target = material("ledger-budget-series")
    chart = _chart(attacked_deck(target, "all other values 1"))
    assert [series.values for series in chart.series] == [(1, 1, 1), (19.4, 19.8, 20.1)]


def test_axis_out_of_reach_starts_above_the_values() -> None:
    chart = _chart(attacked_deck(material("ledger-budget-series"), "an axis out of reach"))
    lowest = [axis.minimum for axis in chart.axes if axis.kind == "value"]
    assert min(value or 0 for value in lowest) > 20.6


@pytest.mark.slow
def test_hidden_stamp_has_the_color_of_its_background() -> None:
    target = material("harbor-draft-stamp")
    deck = attacked_deck(target, "in the color of the background")
    [stamp] = [shape for layout in deck.masters[0].layouts for shape in layout.shapes
               if shape.text == "Entwurf"]  # fmt: skip
    color = stamp.paragraphs[0].runs[0].style.color
    assert color == deck.masters[0].background.color


@pytest.mark.slow
def test_attack_makes_a_slide_advance_immediately() -> None:
    deck = attacked_deck(material("thesis-campus-wipe"), "the slide leaves by itself")
    assert deck.slides[13].transition.advance_after_sec == 0


@pytest.mark.parametrize(
    ("text", "false"), [("1,025", "4,358"), ("EUR 9", "EUR 3"), ("Ward", "Ward"), ("", "")]
)
def test_changed_digits_all_differ(text: str, false: str) -> None:
    assert change_digits(text) == false


def test_first_attacks_cover_all_kinds() -> None:
    attacks = derive(material("clinic-icu-row"))
    kinds = {each.kind for each in attacks}
    assert kinds == {"false data", "stuffing", "lost content", "formatting", "placement",
                     "unreadable", "hidden", "same slide", "time"}  # fmt: skip
    assert {each.kind for each in attacks[: len(kinds)]} == kinds


def test_seed_determines_the_order_of_attacks() -> None:
    target = material("clinic-icu-row")
    names = [each.name for each in derive(target, 1)]
    assert names == [each.name for each in derive(target, 1)]
    assert names != [each.name for each in derive(target, 2)]
    assert sorted(names) == sorted(each.name for each in derive(target, 2))


@pytest.mark.slow
def test_both_halves_of_the_work_are_derived() -> None:
    target = material("field-links")
    [first, second] = [each for each in derive(target) if each.kind == "half"]
    decks = [each.make(target) for each in (first, second)]
    back = [{c.shape_index_now for c in diff_decks(deck_facts(target.goal), read_deck(d.deck))}
            for d in decks if d is not None]  # fmt: skip
    assert len(back) == 2
    assert all(back)


def test_names_are_unique_and_summaries_are_sentences() -> None:
    assert len({each.name + each.kind + str(each.object_types) for each in EXTRAS}) == len(EXTRAS)
    assert {each.kind for each in EXTRAS} | {"half"} == set(KINDS)
    assert all(each.summary.endswith(".") for each in EXTRAS)
    assert all(each.summary.endswith(".") for each in EQUIVALENTS)
    assert all(0 < kind.deserved < 1 and kind.reason.endswith(".") for kind in KINDS.values())


@pytest.mark.slow
def test_number_of_results_is_limited() -> None:
    target = material("ledger-budget-series")
    assert len(attack_target(target, 3)) == 3
    assert attack_target(target, 0) == ()
    assert len(try_equivalents(target, 2)) == 2


def test_shares_are_counted_by_kind() -> None:
    def result(kind: str, score: float, deserved: float, ok: bool) -> AttackResult:
        return AttackResult("t", "a", score, deserved, ok, kind=kind)

    counts = shares(
        [
            result("false data", 0.9, 0.5, False),
            result("variant", 0.8, 1.0, False),
            result("false data", 0.1, 0.5, True),
        ]
    )
    assert [(count.kind, count.tried, count.held) for count in counts] == [
        ("false data", 2, 1),
        ("variant", 1, 0),
    ]
    assert [count.worst for count in counts] == [pytest.approx(0.4), pytest.approx(0.2)]
    assert counts[0].to_json()["share"] == 0.5


@pytest.mark.slow
def test_hidden_work_scores_low() -> None:
    target = material("meridian-retitle-products")
    results = attack_target(target, 40)
    off = [each for each in results if each.attack.startswith("goal and off the slide")]
    assert [(each.kind, each.ok) for each in off] == [("hidden", True)]
    assert off[0].score <= KINDS["hidden"].deserved + ALLOWED_GAIN


@cache
def _generator() -> DeckGenerator:
    return DeckGenerator(read_deck_file("meridian"), "meridian")


# Extra changes that attackers once got full credit for on generated tasks.
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
def test_known_exploits_are_derived(operator: str, extra: str) -> None:
    drafts: list[Any] = sample_drafts(_generator(), operator, 4)
    target = generated_material(drafts[0])
    goal_facts = deck_facts(target.goal)
    assert diff_decks(goal_facts, attacked_deck(target, extra))


def test_damage_to_one_of_several_answers_retains_the_others() -> None:
    assert KINDS["false data"].worth(1) == 0.5
    assert KINDS["false data"].worth(4) == pytest.approx(0.875)
    assert KINDS["theme"].worth(4) == KINDS["theme"].deserved


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "extra"),
    [
        ("clinic-lying-bars", "an axis ten times as long"),
        ("townhall-internal-stamp", "over the slides' titles"),
    ],
)
def test_former_loopholes_are_penalized(task: str, extra: str) -> None:
    target = material(task)
    attack = next(each for each in derive(target) if f"goal and {extra}: " in each.name)
    attempt = attack.make(target)
    assert attempt is not None
    scorer = target.scorer(None, targets=(target.goal,))
    assert scorer.score(target.goal).score == pytest.approx(1)
    assert (scorer.score(attempt.deck).score or 0.0) <= 0.65
