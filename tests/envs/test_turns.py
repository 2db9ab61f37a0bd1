"""Tasks with several turns: each has its own instruction and is scored from its first deck."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation as presentation
from tests.envs.conftest import RETITLE
from tests.envs.test_ppt_arena import make_title_bold
from tests.envs.title_steps import element

from pptarena.agents import make_agent
from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import click, done, fail, key, type_text
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.envs.grading import Grading
from pptarena.envs.turn_grader import TurnGrader
from pptarena.rewards import load_rubric, load_scope
from pptarena.tasks import DemoStep, MacroCall, Task, Turn, list_tasks
from pptarena.tasks.goals import goal_decks
from pptarena.tasks.goals.editing import delete_slide, edit_deck
from pptarena.tasks.task import INTACT_RUBRIC


def rubric(check: dict[str, Any]) -> Any:
    root = {"name": "goal", "critical": True, "children": [{"critical": True, **check}]}
    return load_rubric({"version": 1, "strategy": "weighted", "root": root})


@pytest.fixture
def task(bold_task: Task) -> Task:
    second = Turn("Now call it Summer.", rubric(RETITLE))
    return replace(bold_task, turns=(second,), max_steps=30)


@pytest.fixture
def env(task: Task) -> Iterator[PPTArenaEnv]:
    with closing(PPTArenaEnv(task=task, machine="fake")) as env:
        yield env


def retitle(env: PPTArenaEnv, text: str) -> Any:
    info = env.last()[1]
    env.step(click(element(info, "Harvest")))
    for action in (key("F2"), key("ctrl+a"), type_text(text)):
        env.step(action)
    return env.step(key("Escape"))


def test_each_turn_and_the_final_deck_are_rewarded(env: PPTArenaEnv, task: Task) -> None:
    observation, info = env.reset(seed=0)
    assert (observation["instruction"], info["score"]) == (task.instruction, 0.0)
    rewards = [make_title_bold(env, info)[1]]
    assert rewards == [pytest.approx(1 / 3)]
    observation, reward, terminated, truncated, info = env.step(done())
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert observation["instruction"] == info["instruction"] == "Now call it Summer."
    assert [child["name"] for child in info["rubric"]["children"]] == [
        "turn 1: goal",
        "turn 2: goal",
    ]
    assert info["rubric"]["reason"] == "turn 2 of 2"
    assert retitle(env, "Summer")[4]["score"] == pytest.approx(2 / 3)
    _, reward, terminated, _, info = env.step(done())
    assert terminated
    assert [reward, info["score"]] == pytest.approx([1 / 3, 1.0])
    assert info["rubric"]["children"][-1]["name"] == "kept to the end"


def test_done_without_work_earns_nothing(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    env.step(done())
    _, reward, terminated, _, info = env.step(fail())
    assert (reward, terminated, info["score"]) == (0.0, True, 0.0)


def test_undoing_an_earlier_turn_lowers_the_final_score(env: PPTArenaEnv) -> None:
    info = env.reset(seed=0)[1]
    make_title_bold(env, info)
    info = env.step(done())[4]
    env.step(click(element(info, "Bold")))  # not bold any more
    retitle(env, "Summer")
    info = env.step(done())[4]
    final_check = info["rubric"]["children"][-1]
    assert final_check["score"] == pytest.approx(0.5)  # one of two turns
    assert info["score"] == pytest.approx((1 + 1 + 0.5) / 3)


@pytest.mark.slow
def test_earlier_turns_may_be_undone_unless_kept(task: Task) -> None:
    with closing(PPTArenaEnv(task=replace(task, kept=False), machine="fake")) as env:
        info = env.reset(seed=0)[1]
        make_title_bold(env, info)
        info = env.step(done())[4]
        env.step(click(element(info, "Bold")))
        retitle(env, "Summer")
        assert env.step(done())[4]["score"] == pytest.approx(1.0)


def test_exhausted_budget_starts_no_further_turn(task: Task) -> None:
    repeated = replace(task, turns=(Turn("Make it bold.", task.rubric),))
    with closing(PPTArenaEnv(task=repeated, machine="fake", max_steps=3)) as env:
        info = env.reset(seed=0)[1]
        make_title_bold(env, info)
        observation, _, terminated, truncated, info = env.step(done())
        assert (terminated, truncated) == (False, True)
        assert observation["instruction"] == task.instruction
        assert info["score"] == pytest.approx(1 / 3), "the second turn was not reached"


def test_fail_is_rewarded_in_an_infeasible_turn(task: Task) -> None:
    last = Turn("Order lunch.", INTACT_RUBRIC, load_scope({}), feasible=False)
    with closing(PPTArenaEnv(task=replace(task, turns=(last,)), machine="fake")) as env:
        info = env.reset(seed=0)[1]
        make_title_bold(env, info)
        env.step(done())
        _, _, terminated, _, info = env.step(fail())
        assert terminated
        assert info["score"] == pytest.approx(1.0)


@pytest.mark.slow
def test_restore_returns_to_the_turn_of_the_checkpoint(env: PPTArenaEnv) -> None:
    info = env.reset(seed=0)[1]
    make_title_bold(env, info)
    env.step(done())
    with env.checkpoint() as checkpoint:
        retitle(env, "Summer")
        assert env.step(done())[4]["score"] == pytest.approx(1.0)
        observation, info = env.restore(checkpoint)
        assert observation["instruction"] == "Now call it Summer."
        assert info["score"] == pytest.approx(1 / 3)
        retitle(env, "Summer")
        assert env.step(done())[4]["score"] == pytest.approx(1.0)


def test_document_environment_plays_turns(task: Task) -> None:
    with closing(PPTArenaDocEnv(task=task)) as env:
        observation, info = env.reset(seed=0)
        assert observation["instruction"] == task.instruction
        observation, _, terminated, _, info = env.step({"tool": "done", "arguments": {}})
        assert (observation["instruction"], terminated) == ("Now call it Summer.", False)
        _, _, terminated, _, info = env.step({"tool": "done", "arguments": {}})
        assert (terminated, info["score"]) == (True, 0.0)


@pytest.mark.slow
def test_demonstrations_and_macros_mark_the_end_of_a_turn(task: Task) -> None:
    marked = replace(task, demonstration=(DemoStep("done"),), macros=(MacroCall("next_turn"),))
    for name in ("demonstration", "macro"):
        agent: Any = make_agent(name)
        agent._find_task = lambda _: marked
        with closing(PPTArenaEnv(task=marked, machine="fake")) as env:
            observation, info = env.reset(seed=0)
            agent.reset(info, 0)
            kinds, ended = [], False
            while not ended:
                action = agent.act(observation, info)
                kinds.append(action.kind)
                observation, _, terminated, truncated, info = env.step(action)
                ended = terminated or truncated
        assert kinds == ["done", "done"]


def _title(text: str) -> Any:
    return lambda deck: setattr(deck.slides[0].shapes.title, "text", text)


def _with_reverting_turn(task: Task) -> Task:
    """Return a task whose second turn reverts the first one."""
    args = {"slide": 1, "text": "Harvest"}
    back = rubric({"name": "old title", "check": "title_is", "args": args})
    return replace(task, rubric=rubric(RETITLE), turns=(Turn("As it was, please.", back),))


def test_turn_that_reverts_the_deck_is_rewarded_only_after_an_edit(task: Task, deck: bytes) -> None:
    reverting = _with_reverting_turn(task)
    assert _score_of_turns(reverting, [edit_deck(deck, _title("Summer")), deck]) > 0.6
    assert _score_of_turns(reverting, [deck, deck]) == 0.0


def test_deleting_the_subject_of_a_later_turn_earns_nothing(task: Task, deck: bytes) -> None:
    args = {"slide": 3, "text": "Winter"}
    last = rubric({"name": "cellar", "check": "title_is", "args": args})
    third = replace(task, turns=(Turn("Call slide 3 Winter.", last),))
    shortened = edit_deck(deck, lambda open_deck: delete_slide(open_deck, 3))
    grader = _grade_turns(third, [shortened, shortened])
    assert (grader.score, grader.rubric()["score"]) == (0.0, 0.0)
    assert "lacks the turn's subject" in str(grader.rubric())


def _score_of_turns(task: Task, decks: list[bytes]) -> float:
    """Return the score of a task whose turns end with these decks."""
    return _grade_turns(task, decks).score


def _grade_turns(task: Task, decks: list[bytes]) -> TurnGrader:
    grader = Grading(BaselineStore()).grader(task, task.deck_bytes(), "test", task.deck_bytes)
    for number, deck in enumerate(decks):
        grader.grade(deck)
        grader.end_turn(infeasible=False)
        if number < len(decks) - 1:
            grader.next_turn()
    return grader


def _texts(slide: Any) -> list[str]:
    return [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]


def _clear_unchanged_slides(original: bytes) -> Any:
    """Return an edit that clears all slides whose text is that of the original."""
    original_texts = [_texts(slide) for slide in presentation(BytesIO(original)).slides]

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for shape in slide.shapes if _texts(slide) in original_texts else ():
                if shape.has_text_frame:
                    shape.text_frame.text = ""

    return edit


TASKS = list_tasks("all#turns")
FEASIBLE_TASKS = [task for task in TASKS if all(turn.feasible for turn in task.turns)]


@pytest.mark.slow
@pytest.mark.parametrize("task", FEASIBLE_TASKS, ids=lambda task: task.id)
def test_damage_of_all_turns_is_charged_at_the_end(task: Task) -> None:
    decks = list(goal_decks(task))
    assert _score_of_turns(task, decks) == pytest.approx(1.0)
    damaged = [edit_deck(deck, _clear_unchanged_slides(task.deck_bytes())) for deck in decks]
    assert _score_of_turns(task, damaged) < 0.05
