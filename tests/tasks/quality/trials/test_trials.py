"""Twelve tasks as people write them: which hold together, what drafts of their golds are worth."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pptarena.cli.app import app
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.tasks import Task, get_task
from pptarena.tasks.draft import draft_task
from pptarena.tasks.quality.attacks import ATTACKS, VARIANTS, Material, attack_task, try_variants
from pptarena.tasks.quality.proofs import prove_leaves
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "tasks"
IDS = sorted({file.parent.name for file in FOLDER.glob("*/task.json")} - {"infeasible"})
BATTERY = ("missed-targets", "pie")
DEAD = ["all five are aligned", "all five have one size", "all five are evenly spaced"]
GROUPS = "duplicate with the right words"


def task_of(trials: Path, id: str) -> Task:
    return get_task(str(trials / id))


def material_of(trials: Path, id: str) -> Material:
    task = task_of(trials, id)
    gold = task.gold_bytes()
    assert gold is not None
    return Material(task, task.deck_bytes(), gold)


def test_twelve_tasks() -> None:
    assert len(IDS) == 12


@pytest.mark.parametrize("id", IDS)
def test_no_leaf_is_wrong_but_those_of_one_task(trials: Path, id: str) -> None:
    proofs = prove_leaves(task_of(trials, id))
    assert proofs
    wrong = [proof.name for proof in proofs if not proof.ok]
    assert wrong == (DEAD if id == "fifth-step" else [])


@pytest.mark.parametrize("id", IDS)
def test_without_its_dead_leaves_every_rubric_scores_one(trials: Path, id: str) -> None:
    task = task_of(trials, id)
    original, goal = read_deck(task.deck_bytes()), read_deck(task.gold_bytes() or b"")
    scores = [score(task.rubric, original, deck, task.scope).score for deck in (original, goal)]
    # Dead leaves do not show in the score: that is why they are looked at one by one.
    assert scores == [0, 1]


@pytest.mark.parametrize("id", IDS)
def test_a_draft_of_its_gold_scores_zero_and_one(trials: Path, id: str) -> None:
    task = task_of(trials, id)
    original, gold = read_deck(task.deck_bytes()), read_deck(task.gold_bytes() or b"")
    draft = draft_task(original, gold, id=id, instruction=task.instruction)
    rubric, scope = load_rubric(draft.task["rubric"]), load_scope(draft.task["scope"])
    scores = [score(rubric, original, deck, scope, gold=gold).score for deck in (original, gold)]
    assert scores == [0, 1]


@pytest.mark.slow
def test_the_check_refuses_the_task_with_dead_leaves(trials: Path) -> None:
    command = ["tasks", "check", "--suite", str(trials), "--machine", "fake", "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 1, done.output
    found = {one["task"]: one for one in json.loads(done.stdout)["tasks"]}
    assert [id for id, one in found.items() if not one["ok"]] == ["fifth-step"]
    assert sorted(found) == sorted((*IDS, "infeasible"))


def test_the_check_names_the_dead_leaves(trials: Path) -> None:
    command = ["tasks", "check", str(trials / "fifth-step"), "--machine", "fake"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 1
    for name in DEAD:
        assert f"rubric item '{name}' is dead: not judged: slide 10 now" in done.output


@pytest.mark.slow
@pytest.mark.parametrize("id", BATTERY)
def test_the_battery_runs(trials: Path, id: str) -> None:
    material = material_of(trials, id)
    attacks = attack_task(material)
    assert 20 < len(attacks) < len(ATTACKS)
    assert all(0 <= one.score <= 1 for one in attacks)
    assert {one.score for one in try_variants(material)} == {1.0}


@pytest.mark.slow
@pytest.mark.parametrize("id", [id for id in IDS if id not in BATTERY])
def test_every_attack_can_be_made(trials: Path, id: str) -> None:
    material = material_of(trials, id)
    made = [one.name for one in (*ATTACKS, *VARIANTS) if one.make(material) is not None]
    assert len(made) > len(ATTACKS) / 2


def test_words_in_a_group_are_attacked(trials: Path) -> None:
    # Slide 3 has a group of tiles, one of which names an amount of money.
    chosen = [one for one in ATTACKS if one.name == GROUPS]
    (result,) = attack_task(material_of(trials, "currency"), attacks=chosen)
    assert result.attack == GROUPS


def test_attacks_that_change_nothing_are_left_out(trials: Path) -> None:
    material = material_of(trials, "pie")
    names = ("the original", "delete the touched slides", "goal, its slides cluttered")
    chosen = [one for one in ATTACKS if one.name in names]
    assert {one.name for one in chosen if one.make(material) is not None} == set(names)
    assert [one.attack for one in attack_task(material, attacks=chosen)] == ["the original"]


@pytest.mark.image
def test_what_libreoffice_never_writes_is_refused(trials: Path) -> None:
    save = Office().save_all
    lost = {
        "fly-in": ["from the left, by paragraph"],
        "rebrand": [],
        "pie": [],
    }
    for id, names in lost.items():
        proofs = prove_leaves(task_of(trials, id), save) or ()
        wrong = [(proof.name, proof.verdict) for proof in proofs if not proof.ok]
        assert wrong == [(name, "unsaved") for name in names]
        assert all("LibreOffice" in proof.reason for proof in proofs if not proof.ok)
