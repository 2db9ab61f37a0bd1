"""The proofs of a task: a sound task passes, and each fault fails its proof."""

import dataclasses
import importlib
from collections.abc import Callable
from io import BytesIO
from typing import Any

import gymnasium as gym
import pytest
from pptx import Presentation

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.envs.machines.fake import FakeMachine
from pptarena.rewards import load_rubric
from pptarena.rollouts.proofs import PROOFS, Proof
from pptarena.rollouts.task_check import TaskCheck, check_task, runs_per_task
from pptarena.tasks import DemoStep, Task

pytestmark = pytest.mark.slow

Env = gym.Env[Any, Any]
BOLD = DemoStep("key", keys="ctrl+b")


def check(
    env: Env, task: Task, times: int = 1, on_run: Callable[[str], None] = lambda run: None
) -> TaskCheck:
    return check_task(env, task, DemonstrationAgent(lambda task_id: task), times, on_run)


def proof(task_check: TaskCheck, name: str) -> Proof:
    return next(each for each in task_check.proofs if each.name == name)


def not_passed(task_check: TaskCheck) -> set[str]:
    return {each.name for each in task_check.proofs if each.status != "pass"}


def rubric(check_name: str, **arguments: object) -> Any:
    root = {"name": "goal", "critical": True, "check": check_name, "args": arguments}
    return load_rubric({"version": 1, "strategy": "weighted", "root": root})


def edited(task: Task, edit: Callable[[Any], None]) -> bytes:
    presentation = Presentation(BytesIO(task.deck_bytes()))
    edit(presentation)
    stream = BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def set_decks(monkeypatch: pytest.MonkeyPatch, task: Task, *decks: bytes) -> None:
    """Give the task another deck in each episode."""
    remaining = list(decks)
    monkeypatch.setattr(type(task), "deck_bytes", lambda self: remaining.pop(0))
    # The task's digest reads the deck, too.
    playing = importlib.import_module("pptarena.rollouts.play")
    monkeypatch.setattr(playing, "task_digest", lambda task: "")


def test_sound_task_passes_every_proof(env: Env, task: Task) -> None:
    runs: list[str] = []
    task_check = check(env, task, 3, runs.append)
    assert tuple(each.name for each in task_check.proofs) == PROOFS
    assert not_passed(task_check) == set()
    assert task_check.ok
    assert task_check.curve == (0.0, 1.0, 1.0)
    assert proof(task_check, "replay").value == "3 of 3"
    assert runs == [
        "no work",
        "demonstration",
        *(f"replay {number} of 3" for number in (1, 2, 3)),
    ]
    assert len(runs) == runs_per_task(3)


def test_json_has_the_curve_and_every_replay(env: Env, task: Task) -> None:
    value = check(env, task, 2).to_json()
    assert (value["task"], value["ok"], value["curve"]) == (task.id, True, [0.0, 1.0, 1.0])
    assert [replay["score"] for replay in value["replays"]] == [1.0, 1.0]
    first = {"name": "no work", "status": "pass", "value": "0.00", "reason": ""}
    assert value["proofs"][0] == first


def test_score_without_work_fails(env: Env, task: Task) -> None:
    goal = rubric("run_format", slide=1, shape="@title", bold=False)
    task_check = check(
        env, dataclasses.replace(task, rubric=goal, demonstration=(DemoStep("wait"),))
    )
    assert not_passed(task_check) == {"no work"}
    assert proof(task_check, "no work").reason == "the episode scores 1.00 instead of 0"
    assert not task_check.ok


def test_rubric_that_cannot_be_evaluated_fails(env: Env, task: Task) -> None:
    goal = rubric("run_format", slide=1, shape="no such shape", bold=True)
    task_check = check(env, dataclasses.replace(task, rubric=goal))
    assert not_passed(task_check) == {"no work", "demonstration", "curve", "replay", "same twice"}
    assert proof(task_check, "curve").reason == "no action was scored"
    assert task_check.to_json()["replays"] == [
        {"error": "the demonstration has no score to compare with"}
    ]


def test_demonstration_with_a_score_below_1_fails(env: Env, task: Task) -> None:
    task_check = check(env, dataclasses.replace(task, demonstration=task.demonstration[:1]))
    assert not_passed(task_check) == {"demonstration"}
    reason = proof(task_check, "demonstration").reason
    assert reason.startswith("it ends at 0.00 instead of 1: of the characters of the title")


def test_demonstration_that_misses_its_target_fails(env: Env, task: Task) -> None:
    step = DemoStep("click", target={"role": "push button", "name": "Blod"})
    task_check = check(env, dataclasses.replace(task, demonstration=(step,)))
    assert not_passed(task_check) == {"demonstration"}
    assert "Blod" in proof(task_check, "demonstration").reason


def test_demonstration_beyond_the_budget_fails(env: Env, task: Task) -> None:
    task_check = check(env, dataclasses.replace(task, max_steps=2))
    assert not_passed(task_check) == {"demonstration"}
    assert "within 2 steps" in proof(task_check, "demonstration").reason


def test_falling_score_is_a_warning(env: Env, task: Task) -> None:
    task_check = check(
        env, dataclasses.replace(task, demonstration=(*task.demonstration, BOLD, BOLD))
    )
    assert task_check.ok
    assert not_passed(task_check) == {"curve"}
    curve = proof(task_check, "curve")
    assert (curve.status, curve.value) == ("warn", "0.00 1.00 0.00 1.00")
    assert curve.reason == "the score falls from 1.00 to 0.00 at action 3 (key)"


def test_replay_with_another_score_fails(
    env: Env, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lower_the_title(presentation: Any) -> None:
        title = presentation.slides[0].shapes.title
        box = title.left, title.width, title.height
        title.left, title.width, title.height = box
        title.top = presentation.slide_height - title.height

    same, other = task.deck_bytes(), edited(task, lower_the_title)
    set_decks(monkeypatch, task, same, same, same, other)
    task_check = check(env, task, 2)
    assert not_passed(task_check) == {"replay"}
    assert proof(task_check, "replay").value == "1 of 2"
    reason = "replay 2 ends at 0.00 instead of 1.00, first different after action 2"
    assert proof(task_check, "replay").reason == reason


def test_machine_failure_during_a_replay_fails_the_replay(
    env: Env, task: Task, machine: FakeMachine
) -> None:
    def on_run(run: str) -> None:
        if run == "replay 1 of 2":
            machine.fail_next("lost")

    task_check = check(env, task, 2, on_run)
    assert not_passed(task_check) == {"replay"}
    assert proof(task_check, "replay").value == "1 of 2"
    assert "replay 1: MachineLostError" in proof(task_check, "replay").reason


def test_machine_failure_during_the_demonstration_proves_nothing(
    env: Env, task: Task, machine: FakeMachine
) -> None:
    def on_run(run: str) -> None:
        if run == "demonstration":
            machine.fail_next("lost")

    task_check = check(env, task, 1, on_run)
    assert not_passed(task_check) == set(PROOFS) - {"no work"}
    assert "the machine failed: MachineLostError" in proof(task_check, "demonstration").reason


def test_save_that_changes_the_deck_fails(
    env: Env, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(presentation: Any) -> None:
        presentation.slides[1].shapes.title.text = "Pruning"

    decks = task.deck_bytes(), edited(task, rename), edited(task, rename)
    set_decks(monkeypatch, task, *decks)
    task_check = check(env, task)
    assert not_passed(task_check) == {"blind to saving"}
    assert "Pruning" in proof(task_check, "blind to saving").reason
    assert "loading and saving again" in proof(task_check, "blind to saving").reason


def test_corrupt_saved_deck_fails(env: Env, task: Task, machine: FakeMachine) -> None:
    def on_run(run: str) -> None:
        if run == "demonstration":
            machine.fail_next("garbage", on="save")

    task_check = check(env, task, 1, on_run)
    assert not_passed(task_check) == {"demonstration", "replay"}


def test_unreadable_deck_fails(env: Env, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    set_decks(monkeypatch, task, b"no deck")
    task_check = check(env, task)
    assert not task_check.ok
    assert [each.name for each in task_check.proofs] == ["no work"]
    assert "not a valid .pptx" in task_check.proofs[0].reason


def test_infeasible_task_is_solved_by_fail(env: Env, task: Task) -> None:
    task_check = check(
        env, dataclasses.replace(task, feasible=False, demonstration=(DemoStep("fail"),))
    )
    assert not_passed(task_check) == set()
