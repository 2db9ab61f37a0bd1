"""The goals of the tasks of the package, taken for gold decks."""

import io
from functools import cache

import pytest
from pptx import Presentation

from pptarena.rewards import Deck, load_rubric, read_deck, score
from pptarena.rewards.gold import plan_of, scope_of
from pptarena.rewards.scope.outside import changes_outside
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.draft import draft_task
from pptarena.tasks.goals import goal_deck
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.slow

TASKS = list_tasks("starter")
GOLD = load_rubric({"version": 1, "root": {"name": "as the gold", "check": "gold_match"}})
KEPT = load_rubric({"version": 1, "root": {"name": "kept", "check": "nothing_else_changed"}})

of_all_tasks = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)


def decks(task: Task) -> tuple[Deck, Deck]:
    return decks_of(task.id)


@cache
def decks_of(id: str) -> tuple[Deck, Deck]:
    task = get_task(id)
    return read_deck(task.deck_bytes()), read_deck(goal_deck(task))


def saved_again(file: bytes) -> Deck:
    stream = io.BytesIO()
    Presentation(io.BytesIO(file)).save(stream)
    return read_deck(stream.getvalue())


@of_all_tasks
def test_a_goal_keeps_its_score_in_the_scope_derived_from_it(task: Task) -> None:
    original, goal = decks(task)
    node = score(task.rubric, original, goal, scope_of(original, goal))
    assert node.score == 1.0, node.to_json()
    assert score(KEPT, original, goal, scope_of(original, goal)).score == 1.0


@of_all_tasks
def test_a_gold_alone_pays_nothing_for_no_work_and_all_for_itself(task: Task) -> None:
    original, goal = decks(task)
    scores = [
        score(GOLD, original, deck, gold=goal).score
        for deck in (
            original,
            read_deck(task.deck_bytes()),
            saved_again(task.deck_bytes()),
            goal,
            saved_again(goal_deck(task)),
        )
    ]
    assert scores == [0.0, 0.0, 0.0, 1.0, 1.0]


@of_all_tasks
def test_a_derived_scope_is_no_wider_than_a_few_slides(task: Task) -> None:
    original, goal = decks(task)
    scope = scope_of(original, goal)
    touched = {change.slide for change in plan_of(original, goal).changes if change.slide}
    allowed = {n for n in range(1, len(original.slides) + 1) if scope.has_slide(n)}
    assert allowed == touched


def test_another_goal_is_outside_a_derived_scope() -> None:
    original, goal = decks_of("meridian-retitle-products")
    _, other = decks_of("meridian-rename-tent")
    assert changes_outside(plan_of(original, other).match, scope_of(original, goal))


@pytest.mark.image
@pytest.mark.timeout(600)
def test_golds_that_the_application_saved_pay_the_same() -> None:
    files = [task.deck_bytes() for task in TASKS] + [goal_deck(task) for task in TASKS]
    saved = Office().save_all(files)
    once = [read_deck(each) for each in saved if isinstance(each, bytes)]
    assert len(once) == len(files)
    for task, original, goal in zip(TASKS, once, once[len(TASKS) :], strict=False):
        scores = [score(GOLD, original, deck, gold=goal).score for deck in (original, goal)]
        assert scores == [0.0, 1.0], task.id
        draft = draft_task(*decks(task), id=task.id, instruction=task.instruction)
        rubric = load_rubric(draft.task["rubric"])
        node = score(rubric, original, goal, draft.scope, gold=goal)
        assert node.score == 1.0, f"{task.id}: {node.to_json()}"
