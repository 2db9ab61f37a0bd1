"""Target decks of packaged tasks as gold decks."""

import io
from functools import cache

import pytest
from pptx import Presentation

from pptarena.rewards import Deck, load_rubric, read_deck, score
from pptarena.rewards.gold import plan_of, scope_of
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.draft import draft_task
from pptarena.tasks.goals import goal_deck
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.slow

TASKS = list_tasks("starter")
GOLD = load_rubric({"version": 1, "root": {"name": "as the gold", "check": "gold_match"}})
UNCHANGED = load_rubric({"version": 1, "root": {"name": "kept", "check": "nothing_else_changed"}})

each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)


@cache
def original_and_goal(id: str) -> tuple[Deck, Deck]:
    task = get_task(id)
    return read_deck(task.deck_bytes()), read_deck(goal_deck(task))


def resave(file: bytes) -> Deck:
    stream = io.BytesIO()
    Presentation(io.BytesIO(file)).save(stream)
    return read_deck(stream.getvalue())


@each_task
def test_goal_keeps_its_score_in_its_derived_scope(task: Task) -> None:
    original, goal = original_and_goal(task.id)
    node = score(task.rubric, original, goal, scope_of(original, goal))
    assert node.score == 1.0, node.to_json()
    assert score(UNCHANGED, original, goal, scope_of(original, goal)).score == 1.0


@each_task
def test_gold_rubric_scores_zero_without_work_and_one_for_the_goal(task: Task) -> None:
    original, goal = original_and_goal(task.id)
    scores = [
        score(GOLD, original, deck, gold=goal).score
        for deck in (
            original,
            read_deck(task.deck_bytes()),
            resave(task.deck_bytes()),
            goal,
            resave(goal_deck(task)),
        )
    ]
    assert scores == [0.0, 0.0, 0.0, 1.0, 1.0]


@each_task
def test_derived_scope_covers_only_changed_slides(task: Task) -> None:
    original, goal = original_and_goal(task.id)
    scope = scope_of(original, goal)
    changed = {change.slide for change in plan_of(original, goal).changes if change.slide}
    allowed = {n for n in range(1, len(original.slides) + 1) if scope.has_slide(n)}
    assert allowed == changed


def test_goal_of_another_task_is_outside_the_derived_scope() -> None:
    original, goal = original_and_goal("meridian-retitle-products")
    _, other = original_and_goal("meridian-rename-tent")
    assert out_of_scope_changes(plan_of(original, other).match, scope_of(original, goal))


@pytest.mark.image
@pytest.mark.timeout(600)
def test_scores_survive_saving_in_the_application() -> None:
    files = [task.deck_bytes() for task in TASKS] + [goal_deck(task) for task in TASKS]
    saved = Office().save_all(files)
    saved_decks = [read_deck(each) for each in saved if isinstance(each, bytes)]
    assert len(saved_decks) == len(files)
    for task, original, goal in zip(TASKS, saved_decks, saved_decks[len(TASKS) :], strict=False):
        scores = [score(GOLD, original, deck, gold=goal).score for deck in (original, goal)]
        assert scores == [0.0, 1.0], task.id
        draft = draft_task(*original_and_goal(task.id), id=task.id, instruction=task.instruction)
        rubric = load_rubric(draft.task["rubric"])
        node = score(rubric, original, goal, draft.scope, gold=goal)
        assert node.score == 1.0, f"{task.id}: {node.to_json()}"
