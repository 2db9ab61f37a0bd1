"""Tasks of several turns: the instruction changes, every turn is scored from what was there."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation as presentation
from tests.envs.conftest import RETITLE
from tests.envs.retitling import element
from tests.envs.test_ppt_arena import make_title_bold

from pptarena.agents import make_agent
from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import click, done, fail, key, type_text
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.envs.grading import Grading
from pptarena.envs.turn_grader import TurnGrader
from pptarena.rewards import load_rubric, load_scope
from pptarena.tasks import DemoStep, MacroCall, Task, Turn, list_tasks
from pptarena.tasks.goals import goals_of_turns
from pptarena.tasks.goals.editing import delete_slide, edited
from pptarena.tasks.task import INTACT_RUBRIC


def rubric(goal: dict[str, Any]) -> Any:
    root = {"name": "goal", "critical": True, "children": [{"critical": True, **goal}]}
    return load_rubric({"version": 1, "strategy": "weighted", "root": root})


@pytest.fixture
def task(bold_task: Task) -> Task:
    second = Turn("Now call it Summer.", rubric(RETITLE))
    return replace(bold_task, turns=(second,), max_steps=30)


@pytest.fixture
def env(task: Task) -> Iterator[PPTArenaEnv]:
    with closing(PPTArenaEnv(task=task, machine="fake")) as made:
        yield made


def retitle(env: PPTArenaEnv, text: str) -> Any:
    info = env.last()[1]
    env.step(click(element(info, "Harvest")))
    for action in (key("F2"), key("ctrl+a"), type_text(text)):
        env.step(action)
    return env.step(key("Escape"))


def test_each_turn_pays_and_what_is_kept_pays_at_the_end(env: PPTArenaEnv, task: Task) -> None:
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


def test_saying_done_without_work_pays_nothing(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    env.step(done())
    _, reward, terminated, _, info = env.step(fail())
    assert (reward, terminated, info["score"]) == (0.0, True, 0.0)


def test_what_a_later_turn_undoes_is_not_kept(env: PPTArenaEnv) -> None:
    info = env.reset(seed=0)[1]
    make_title_bold(env, info)
    info = env.step(done())[4]
    env.step(click(element(info, "Bold")))  # not bold any more
    retitle(env, "Summer")
    info = env.step(done())[4]
    kept = info["rubric"]["children"][-1]
    assert kept["score"] == pytest.approx(0.5)  # of two turns, one
    assert info["score"] == pytest.approx((1 + 1 + 0.5) / 3)


@pytest.mark.slow
def test_what_need_not_be_kept_is_not_missed(task: Task) -> None:
    with closing(PPTArenaEnv(task=replace(task, kept=False), machine="fake")) as env:
        info = env.reset(seed=0)[1]
        make_title_bold(env, info)
        info = env.step(done())[4]
        env.step(click(element(info, "Bold")))
        retitle(env, "Summer")
        assert env.step(done())[4]["score"] == pytest.approx(1.0)


def test_the_budget_ends_it_in_any_turn(task: Task) -> None:
    with closing(PPTArenaEnv(task=task, machine="fake", max_steps=3)) as env:
        info = env.reset(seed=0)[1]
        make_title_bold(env, info)
        _, _, terminated, truncated, info = env.step(done())
        assert (terminated, truncated) == (False, True)
        assert info["score"] == pytest.approx(1 / 3)


def test_the_budget_begins_no_turn(task: Task) -> None:
    again = replace(task, turns=(Turn("Make it bold.", task.rubric),))
    with closing(PPTArenaEnv(task=again, machine="fake", max_steps=3)) as env:
        info = env.reset(seed=0)[1]
        make_title_bold(env, info)
        observation, _, _, truncated, info = env.step(done())
        assert truncated
        assert observation["instruction"] == task.instruction
        assert info["score"] == pytest.approx(1 / 3), "what comes next was not reached"


def test_a_turn_that_cannot_be_done_is_paid_for_saying_so(task: Task) -> None:
    last = Turn("Order lunch.", INTACT_RUBRIC, load_scope({}), feasible=False)
    with closing(PPTArenaEnv(task=replace(task, turns=(last,)), machine="fake")) as env:
        info = env.reset(seed=0)[1]
        make_title_bold(env, info)
        env.step(done())
        _, _, terminated, _, info = env.step(fail())
        assert terminated
        assert info["score"] == pytest.approx(1.0)


@pytest.mark.slow
def test_a_checkpoint_knows_its_turn(env: PPTArenaEnv) -> None:
    info = env.reset(seed=0)[1]
    make_title_bold(env, info)
    env.step(done())
    with env.checkpoint() as kept:
        retitle(env, "Summer")
        assert env.step(done())[4]["score"] == pytest.approx(1.0)
        observation, info = env.restore(kept)
        assert observation["instruction"] == "Now call it Summer."
        assert info["score"] == pytest.approx(1 / 3)
        retitle(env, "Summer")
        assert env.step(done())[4]["score"] == pytest.approx(1.0)


def test_the_document_environment_has_turns_too(task: Task) -> None:
    with closing(PPTArenaDocEnv(task=task)) as env:
        observation, info = env.reset(seed=0)
        assert observation["instruction"] == task.instruction
        observation, _, terminated, _, info = env.step({"tool": "done", "arguments": {}})
        assert (observation["instruction"], terminated) == ("Now call it Summer.", False)
        _, _, terminated, _, info = env.step({"tool": "done", "arguments": {}})
        assert (terminated, info["score"]) == (True, 0.0)


def test_a_demonstration_and_macros_say_where_a_turn_ends(task: Task) -> None:
    shown = replace(task, demonstration=(DemoStep("done"),), macros=(MacroCall("next_turn"),))
    for name in ("demonstration", "macro"):
        agent: Any = make_agent(name)
        agent._find_task = lambda _: shown
        with closing(PPTArenaEnv(task=shown, machine="fake")) as env:
            observation, info = env.reset(seed=0)
            agent.reset(info, 0)
            kinds, over = [], False
            while not over:
                action = agent.act(observation, info)
                kinds.append(action.kind)
                observation, _, terminated, truncated, info = env.step(action)
                over = terminated or truncated
        assert kinds == ["done", "done"]


def _title(text: str) -> Any:
    return lambda deck: setattr(deck.slides[0].shapes.title, "text", text)


def _again(task: Task) -> Task:
    """Return a task whose second turn takes back what the first one asks for."""
    args = {"slide": 1, "text": "Harvest"}
    back = rubric({"name": "old title", "check": "title_is", "args": args})
    return replace(task, rubric=rubric(RETITLE), turns=(Turn("As it was, please.", back),))


def test_a_turn_that_asks_for_what_always_was_pays_only_for_work(task: Task, deck: bytes) -> None:
    again = _again(task)
    assert _turns_played(again, [edited(deck, _title("Summer")), deck]) > 0.6
    assert _turns_played(again, [deck, deck]) == 0.0


def test_who_takes_its_subject_from_a_later_turn_is_not_paid_for_it(
    task: Task, deck: bytes
) -> None:
    args = {"slide": 3, "text": "Winter"}
    last = rubric({"name": "cellar", "check": "title_is", "args": args})
    third = replace(task, turns=(Turn("Call slide 3 Winter.", last),))
    cut = edited(deck, lambda opened: delete_slide(opened, 3))
    grader = _graded(third, [cut, cut])
    assert (grader.score, grader.rubric()["score"]) == (0.0, 0.0)
    assert "lacks what it is about" in str(grader.rubric())


def _turns_played(task: Task, decks: list[bytes]) -> float:
    """Return the score of a task of several turns whose turns end with some decks."""
    return _graded(task, decks).score


def _graded(task: Task, decks: list[bytes]) -> TurnGrader:
    grader = Grading(BaselineStore()).grader(task, task.deck_bytes(), "test", task.deck_bytes)
    for number, deck in enumerate(decks):
        grader.grade(deck)
        grader.end_turn(infeasible=False)
        if number < len(decks) - 1:
            grader.next_turn()
    return grader


def _words(slide: Any) -> list[str]:
    return [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]


def _emptied(original: bytes) -> Any:
    """Return an edit that empties all slides that read as they do in the original."""
    told = [_words(slide) for slide in presentation(BytesIO(original)).slides]

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for shape in slide.shapes if _words(slide) in told else ():
                if shape.has_text_frame:
                    shape.text_frame.text = ""

    return edit


OFFICE = list_tasks("all#turns")
TURNED = [task for task in OFFICE if all(turn.feasible for turn in task.turns)]


@pytest.mark.slow
@pytest.mark.parametrize("task", TURNED, ids=lambda task: task.id)
def test_damage_of_all_turns_is_charged_at_the_end(task: Task) -> None:
    decks = list(goals_of_turns(task))
    assert _turns_played(task, decks) == pytest.approx(1.0)
    emptied = [edited(deck, _emptied(task.deck_bytes())) for deck in decks]
    assert _turns_played(task, emptied) < 0.05
