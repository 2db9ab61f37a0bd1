"""The proofs of a task, on the fake machine: a sound task passes, each fault fails its proof."""

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


def proof(found: TaskCheck, name: str) -> Proof:
    return next(one for one in found.proofs if one.name == name)


def not_passed(found: TaskCheck) -> set[str]:
    return {one.name for one in found.proofs if one.status != "pass"}


def rubric(check_name: str, **arguments: object) -> Any:
    root = {"name": "goal", "critical": True, "check": check_name, "args": arguments}
    return load_rubric({"version": 1, "strategy": "weighted", "root": root})


def edited(task: Task, edit: Callable[[Any], None]) -> bytes:
    presentation = Presentation(BytesIO(task.deck_bytes()))
    edit(presentation)
    stream = BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def deal(monkeypatch: pytest.MonkeyPatch, task: Task, *decks: bytes) -> None:
    """Let the task start from another deck in each episode."""
    left = list(decks)
    monkeypatch.setattr(type(task), "deck_bytes", lambda self: left.pop(0))
    # What identifies a task reads its deck, too.
    playing = importlib.import_module("pptarena.rollouts.play")
    monkeypatch.setattr(playing, "task_digest", lambda task: "")


def test_a_sound_task_passes_every_proof(env: Env, task: Task) -> None:
    runs: list[str] = []
    found = check(env, task, 3, runs.append)
    assert tuple(one.name for one in found.proofs) == PROOFS
    assert not_passed(found) == set()
    assert found.ok
    assert found.curve == (0.0, 1.0, 1.0)
    assert proof(found, "replay").value == "3 of 3"
    assert runs == [
        "no work",
        "demonstration",
        *(f"replay {number} of 3" for number in (1, 2, 3)),
    ]
    assert len(runs) == runs_per_task(3)


def test_the_json_has_the_curve_and_every_replay(env: Env, task: Task) -> None:
    value = check(env, task, 2).to_json()
    assert (value["task"], value["ok"], value["curve"]) == (task.id, True, [0.0, 1.0, 1.0])
    assert [replay["score"] for replay in value["replays"]] == [1.0, 1.0]
    assert value["proofs"][0] == {
        "name": "no work",
        "status": "pass",
        "value": "0.00",
        "reason": "",
    }


def test_no_work_that_scores_fails(env: Env, task: Task) -> None:
    goal = rubric("run_format", slide=1, shape="@title", bold=False)
    found = check(env, dataclasses.replace(task, rubric=goal, demonstration=(DemoStep("wait"),)))
    assert not_passed(found) == {"no work"}
    assert proof(found, "no work").reason == "the episode scores 1.00 instead of 0"
    assert not found.ok


def test_a_rubric_that_cannot_be_judged_fails(env: Env, task: Task) -> None:
    goal = rubric("run_format", slide=1, shape="no such shape", bold=True)
    found = check(env, dataclasses.replace(task, rubric=goal))
    assert not_passed(found) == {"no work", "demonstration", "curve", "replay", "same twice"}
    assert proof(found, "curve").reason == "no action was scored"
    assert found.to_json()["replays"] == [
        {"error": "the demonstration has no score to compare with"}
    ]


def test_a_demonstration_that_ends_below_1_fails(env: Env, task: Task) -> None:
    found = check(env, dataclasses.replace(task, demonstration=task.demonstration[:1]))
    assert not_passed(found) == {"demonstration"}
    reason = proof(found, "demonstration").reason
    assert reason.startswith("it ends at 0.00 instead of 1: of the characters of the title")


def test_a_demonstration_that_misses_its_target_fails(env: Env, task: Task) -> None:
    step = DemoStep("click", target={"role": "push button", "name": "Blod"})
    found = check(env, dataclasses.replace(task, demonstration=(step,)))
    assert not_passed(found) == {"demonstration"}
    assert "Blod" in proof(found, "demonstration").reason


def test_a_demonstration_beyond_the_budget_fails(env: Env, task: Task) -> None:
    found = check(env, dataclasses.replace(task, max_steps=2))
    assert not_passed(found) == {"demonstration"}
    assert "within 2 steps" in proof(found, "demonstration").reason


def test_a_score_that_falls_on_the_way_is_a_warning(env: Env, task: Task) -> None:
    found = check(env, dataclasses.replace(task, demonstration=(*task.demonstration, BOLD, BOLD)))
    assert found.ok
    assert not_passed(found) == {"curve"}
    curve = proof(found, "curve")
    assert (curve.status, curve.value) == ("warn", "0.00 1.00 0.00 1.00")
    assert curve.reason == "the score falls from 1.00 to 0.00 at action 3 (key)"


def test_a_replay_with_another_score_fails(
    env: Env, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lower_the_title(presentation: Any) -> None:
        title = presentation.slides[0].shapes.title
        box = title.left, title.width, title.height
        title.left, title.width, title.height = box
        title.top = presentation.slide_height - title.height

    same, other = task.deck_bytes(), edited(task, lower_the_title)
    deal(monkeypatch, task, same, same, same, other)
    found = check(env, task, 2)
    assert not_passed(found) == {"replay"}
    assert proof(found, "replay").value == "1 of 2"
    reason = "replay 2 ends at 0.00 instead of 1.00, first different after action 2"
    assert proof(found, "replay").reason == reason


def test_a_machine_that_fails_in_a_replay_is_no_success(
    env: Env, task: Task, machine: FakeMachine
) -> None:
    def on_run(run: str) -> None:
        if run == "replay 1 of 2":
            machine.fail_next("lost")

    found = check(env, task, 2, on_run)
    assert not_passed(found) == {"replay"}
    assert proof(found, "replay").value == "1 of 2"
    assert "replay 1: MachineLostError" in proof(found, "replay").reason


def test_a_machine_that_fails_in_the_demonstration_proves_nothing(
    env: Env, task: Task, machine: FakeMachine
) -> None:
    def on_run(run: str) -> None:
        if run == "demonstration":
            machine.fail_next("lost")

    found = check(env, task, 1, on_run)
    assert not_passed(found) == set(PROOFS) - {"no work"}
    assert "the machine failed: MachineLostError" in proof(found, "demonstration").reason


def test_a_save_that_changes_the_deck_is_seen(
    env: Env, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(presentation: Any) -> None:
        presentation.slides[1].shapes.title.text = "Pruning"

    decks = task.deck_bytes(), edited(task, rename), edited(task, rename)
    deal(monkeypatch, task, *decks)
    found = check(env, task)
    assert not_passed(found) == {"blind to saving"}
    assert "Pruning" in proof(found, "blind to saving").reason
    assert "loading and saving again" in proof(found, "blind to saving").reason


def test_a_deck_that_is_saved_broken_fails(env: Env, task: Task, machine: FakeMachine) -> None:
    def on_run(run: str) -> None:
        if run == "demonstration":
            machine.fail_next("garbage", on="save")

    found = check(env, task, 1, on_run)
    assert not_passed(found) == {"demonstration", "replay"}


def test_a_deck_that_cannot_be_opened_fails(
    env: Env, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal(monkeypatch, task, b"no deck")
    found = check(env, task)
    assert not found.ok
    assert [one.name for one in found.proofs] == ["no work"]
    assert "not a valid .pptx" in found.proofs[0].reason


def test_a_task_that_cannot_be_done_is_solved_by_saying_so(env: Env, task: Task) -> None:
    found = check(env, dataclasses.replace(task, feasible=False, demonstration=(DemoStep("fail"),)))
    assert not_passed(found) == set()
