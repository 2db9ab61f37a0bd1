"""Attacks score at most what they deserve; equivalent variants keep full credit."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from pptx.oxml.ns import qn
from tests.slide_edits import slide_at

from pptarena.rewards import load_rubric, load_scope
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.quality.attacks import ALLOWED_GAIN, ATTACKS, VARIANTS, Attack, Material
from pptarena.tasks.quality.attacks.attack import AttackedDeck
from pptarena.tasks.quality.attacks.battery import AttackResult, attack_task, try_variants

pytestmark = pytest.mark.slow

# These tasks change a position, a bullet, a color, a column, a description in Japanese or a box
# rather than text.
WITHOUT_NEW_TEXT = (
    "clinic-contrast",
    "clinic-drop-2024",
    "kanto-descriptions",
    "ledger-tile",
    "onboard-alarm-numbers",
    "onboard-hr-partner",
    "onboard-mentor",
)
TASKS = [*list_tasks("starter"), *map(get_task, WITHOUT_NEW_TEXT)]
TASK_IDS = [task.id for task in TASKS]


def material(task: Task) -> Material:
    return Material(task, task.deck_bytes(), goal_deck(task))


@cache
def attacks_on(task_id: str) -> tuple[AttackResult, ...]:
    return attack_task(material(get_task(task_id)))


@cache
def variants_of(task_id: str) -> tuple[AttackResult, ...]:
    return try_variants(material(get_task(task_id)))


@pytest.mark.parametrize("task_id", TASK_IDS)
def test_no_attack_gains_more_than_it_deserves(task_id: str) -> None:
    results = attacks_on(task_id)
    assert len(results) > len(ATTACKS) / 2
    bad = [f"{r.attack}: {r.score:.2f} for {r.deserved:.2f}" for r in results if not r.ok]
    assert bad == []


@pytest.mark.parametrize("task_id", TASK_IDS)
def test_equivalent_variants_keep_full_credit(task_id: str) -> None:
    results = variants_of(task_id)
    assert {r.attack: r.score for r in results} == {r.attack: 1.0 for r in results}
    assert all(r.ok for r in results)


def test_theme_colors_of_the_slides_own_master_are_equivalent() -> None:
    # The slide belongs to the second master of its deck.
    colours = [variant for variant in VARIANTS if variant.name == "theme colours for equal ones"]
    [result] = try_variants(material(get_task("negev-valve-price")), variants=colours)
    assert result.score == 1.0


def test_every_attack_and_variant_applies_to_some_task() -> None:
    # Typographic signs do not apply to these tasks; a test below covers them.
    results = (r for name in TASK_IDS for r in (*attacks_on(name), *variants_of(name)))
    never = {each.name for each in (*ATTACKS, *VARIANTS)} - {r.attack for r in results}
    assert never == {"typographic signs"}


def test_names_are_unique_and_summaries_are_sentences() -> None:
    both = (*ATTACKS, *VARIANTS)
    assert len({each.name for each in both}) == len(both)
    assert all(each.summary.endswith(".") for each in both)


def careless(task: Task) -> Task:
    """Return the task with a rubric that only searches for a text."""
    leaf = {
        "name": "words",
        "check": "slide_text_contains",
        "args": {"slide": 7, "texts": ["Tents are now our largest line"], "visible": False},
    }
    root = {"name": "root", "children": [leaf]}
    rubric = load_rubric({"version": 1, "strategy": "weighted", "root": root})
    return replace(task, rubric=rubric, scope=None)


def test_careless_rubric_is_exposed() -> None:
    task = careless(get_task("meridian-retitle-products"))
    bad = (
        "words off the slide",
        "words of 1 pt",
        "words in a hidden shape",
        "right copy beside the wrong one",
        "every answer on every slide",
        "goal, the other slides deleted",
        "goal, hidden",
    )
    selected = [attack for attack in ATTACKS if attack.name in (*bad, "words in the notes")]
    results = {r.attack: r for r in attack_task(material(task), attacks=selected)}
    assert [name for name in bad if results[name].gain <= ALLOWED_GAIN] == []
    assert [name for name, result in results.items() if result.ok] == ["words in the notes"]


def test_unfair_rubric_is_exposed() -> None:
    task = get_task("resistance-cell-picture")
    args = {"slide": 5, "name": "Cell", "new": False}
    leaf = {"name": "name", "check": "shape_exists", "critical": False, "args": args}
    nodes = [*task.rubric.to_json()["root"]["children"], leaf]
    root = {"name": "root", "children": nodes}
    rubric = load_rubric({"version": 1, "strategy": "weighted", "root": root})
    selected = [
        variant for variant in VARIANTS if variant.name in ("shape made again", "other run splits")
    ]
    results = {
        r.attack: r.ok
        for r in try_variants(material(replace(task, rubric=rubric)), variants=selected)
    }
    assert results == {"other run splits": True, "shape made again": False}


def quoting(deck: Any) -> None:
    slide_at(deck, 7).shapes.title.text = 'The "TrailLite" is Jonas\' idea...'


def test_typographic_signs_keep_full_credit() -> None:
    task = get_task("meridian-retitle-products")
    leaf = {
        "name": "title",
        "check": "title_is",
        "args": {"slide": 7, "text": 'The "TrailLite" is Jonas\' idea...'},
    }
    root = {"name": "root", "children": [leaf]}
    rubric = load_rubric({"version": 1, "strategy": "weighted", "root": root})
    task = replace(task, rubric=rubric)
    quoted = Material(task, task.deck_bytes(), edit_deck(task.deck_bytes(), quoting))
    selected = [variant for variant in VARIANTS if variant.name == "typographic signs"]
    (result,) = try_variants(quoted, variants=selected)
    assert result.score == 1.0


def test_target_limits_damage_if_the_scope_allows_the_entire_deck() -> None:
    task = replace(get_task("meridian-hide-backup"), scope=load_scope({"slides": "all"}))
    selected = [attack for attack in ATTACKS if attack.name == "goal, pictures over all slides"]
    (result,) = attack_task(material(task), attacks=selected)
    assert result.score <= 0.3


def test_text_in_groups_is_attacked() -> None:
    def in_dollars(deck: Any) -> None:
        for text in slide_at(deck, 3)._element.iter(qn("a:t")):  # a group of tiles
            text.text = text.text.replace("€", "$")

    task = get_task("meridian-retitle-products")
    selected = [attack for attack in ATTACKS if attack.name == "duplicate with the right words"]
    changed = Material(task, task.deck_bytes(), edit_deck(task.deck_bytes(), in_dollars))
    assert [result.attack for result in attack_task(changed, attacks=selected)] == [
        selected[0].name
    ]


def test_attacks_without_effect_are_skipped() -> None:
    vain = Attack(
        "vain",
        "It saves the target again.",
        lambda material: AttackedDeck(material.edit_goal(), None),
    )
    assert attack_task(material(get_task("meridian-hide-backup")), attacks=[vain]) == ()


@pytest.mark.image
@pytest.mark.parametrize("deck", sorted({task.deck for task in TASKS}))
def test_goal_saved_by_the_application_keeps_full_credit(deck: str) -> None:
    from pptarena.tasks.scorer import Scorer
    from pptarena.vm_images.office import Office

    tasks = [task for task in TASKS if task.deck == deck]
    saved = Office().save_all([tasks[0].deck_bytes(), *map(goal_deck, tasks)])
    original, *goals = (item for item in saved if isinstance(item, bytes))
    assert len(goals) == len(tasks)
    for task, goal in zip(tasks, goals, strict=True):
        scorer = Scorer(task, original=original)
        tree = scorer.score(goal)
        assert tree.score == 1.0, tree.to_json()
        assert scorer.score(original).score == 0.0
