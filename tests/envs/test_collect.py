"""Files that an agent creates next to the deck, and rubric leaves that check them."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from pptx import Presentation

from pptarena.envs import actions
from pptarena.errors import ConfigError, RubricError, TaskError
from pptarena.rewards import load_rubric
from pptarena.tasks import Task, load_task
from pptarena.tasks.task_files import TaskFile

PNG = b"\x89PNG\r\n\x1a\n and so on"


def deck(*titles: str) -> bytes:
    made, stream = Presentation(), io.BytesIO()
    for title in titles:
        made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = title
    made.save(stream)
    return stream.getvalue()


def task(*leaves: dict[str, Any], files: tuple[TaskFile, ...] = ()) -> Task:
    children = [{"name": str(place), **leaf} for place, leaf in enumerate(leaves)]
    return Task(
        id="leave-a-file",
        suite="own",
        difficulty="easy",
        level="L1",
        edit_types=(),
        deck=deck("Plan", "Costs"),
        instruction="Save the first slide as summary.pptx and the chart as chart.png.",
        max_steps=9,
        rubric=load_rubric({"version": 1, "root": {"name": "files", "children": children}}),
        files=files,
    )


PICTURE = {"check": "file_exists", "file": "chart.png", "args": {"kind": "png"}}
SUMMARY = {"check": "slide_count", "file": "summary.pptx", "args": {"count": 1}}


def play(given: Task, left: dict[str, bytes], end: str = "done") -> tuple[float, dict[str, Any]]:
    """Return score and info of an episode that leaves files and touches nothing else."""
    env = gym.make("PPTArena-v0", machine="fake", look="never", disable_env_checker=True)
    try:
        _, info = env.reset(seed=0, options={"task": given})
        assert info["score"] == 0.0
        machine = env.unwrapped.machine  # type: ignore[attr-defined]
        machine.files = {**machine.files, **left}
        _, reward, _, _, info = env.step(actions.key("Escape"))
        assert reward == 0.0  # the deck did not change: looked at with the end
        _, reward, terminated, _, info = env.step(getattr(actions, end)())
        assert terminated
        assert reward == info["score"]
        return info["score"], info
    finally:
        env.close()


def test_files_that_were_asked_for_are_looked_at_with_the_end() -> None:
    given = task(PICTURE, SUMMARY)
    assert given.collected == ("chart.png", "summary.pptx")
    score, _ = play(given, {"chart.png": PNG, "summary.pptx": deck("Plan")})
    assert score == 1.0
    score, _ = play(given, {"chart.png": PNG, "summary.pptx": deck("Plan", "Costs")})
    assert 0.0 < score < 1.0


@pytest.mark.parametrize(
    ("left", "reason"),
    [
        ({}, "there is no file summary.pptx next to the deck"),
        ({"summary.pptx": b"PK no deck"}, "summary.pptx cannot be read as a deck"),
        ({"Summary.pptx": deck("Plan")}, "there is no file summary.pptx next to the deck"),
    ],
)
def test_what_is_missing_or_broken_is_not_done(left: dict[str, bytes], reason: str) -> None:
    score, info = play(task(SUMMARY), left)
    leaf = info["rubric"]["children"][0]
    assert (score, leaf["score"]) == (0.0, 0.0)
    assert reason in leaf["reason"]
    assert info["infra_error"] is None


def test_another_kind_of_file_under_the_name_is_not_it() -> None:
    assert play(task(PICTURE), {"chart.png": b"GIF89a"})[0] == 0.0
    assert play(task(PICTURE), {"chart.png": b""})[0] == 0.0


def test_a_deck_that_lay_there_before_is_measured_from_what_it_was() -> None:
    beside = (TaskFile("summary.pptx", deck("Plan", "Costs", "Risks")),)
    given = task(SUMMARY, files=beside)
    assert play(given, {})[0] == 0.0
    assert play(given, {"summary.pptx": deck("Plan")})[0] == 1.0


def test_a_machine_that_is_lost_meanwhile_is_no_bad_agent() -> None:
    env = gym.make("PPTArena-v0", machine="fake", look="never", disable_env_checker=True)
    try:
        env.reset(seed=0, options={"task": task(PICTURE)})
        env.step(actions.key("Escape"))
        env.unwrapped.machine.fail_next("lost", on="collect")  # type: ignore[attr-defined]
        _, reward, terminated, truncated, info = env.step(actions.done())
        assert (reward, terminated, truncated) == (0.0, False, True)
        assert "MachineLostError" in info["infra_error"]
    finally:
        env.close()


def test_the_document_environment_refuses_what_it_cannot_make() -> None:
    env = gym.make("PPTArenaDoc-v0", disable_env_checker=True)
    with pytest.raises(ConfigError, match=r"asks for chart\.png beside the deck"):
        env.reset(options={"task": task(PICTURE)})
    env.close()


@pytest.mark.parametrize("name", ["../secret.pptx", "a/b.png", "deck.pptx", "", ".profile", "ü"])
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    leaf = {**PICTURE, "file": name}
    with pytest.raises((TaskError, RubricError), match="file"):
        task(leaf)


def test_leaves_that_need_more_than_a_deck_have_no_file() -> None:
    with pytest.raises(RubricError, match="gold_match is about the deck alone"):
        task({"check": "gold_match", "file": "summary.pptx"})
    with pytest.raises(RubricError, match="file_exists needs 'file'"):
        task({"check": "file_exists"})


def test_without_a_machine_such_a_leaf_is_not_judged() -> None:
    from pptarena.rewards import read_deck, score

    before = read_deck(deck("Plan"))
    found = score(task(SUMMARY).rubric, before, before)
    assert found.score is None
    assert "was not collected" in found.children[0].reason


def test_a_rubric_keeps_the_names_of_its_files() -> None:
    rubric = task(PICTURE, SUMMARY).rubric
    assert load_rubric(rubric.to_json()) == rubric
    assert replace(task(PICTURE)).collected == ("chart.png",)


def test_a_task_file_says_it_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "plan.pptx").write_bytes(deck("Plan"))
    (tmp_path / "task.json").write_text(
        '{"version": 2, "id": "leave-a-file", "deck": "plan.pptx", "instruction": "Export it.",'
        ' "scope": {"parts": [{"slides": "all", "aspects": ["text"]}]}, "rubric": {"version": 1,'
        ' "root": {"name": "chart", "check": "file_exists", "file": "chart.png"}}}'
    )
    assert load_task(tmp_path).collected == ("chart.png",)
