"""Files that an agent creates next to the deck, and rubric leaves that check them."""

import io
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from pptx import Presentation

from pptarena.envs import PPTArenaEnv, actions
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import ConfigError, RubricError, TaskError
from pptarena.rewards import load_rubric, read_deck, score
from pptarena.tasks import Task, load_task
from pptarena.tasks.task_files import TaskFile

PNG = b"\x89PNG\r\n\x1a\n and so on"


def deck(*titles: str) -> bytes:
    presentation, stream = Presentation(), io.BytesIO()
    for title in titles:
        presentation.slides.add_slide(presentation.slide_layouts[5]).shapes.title.text = title
    presentation.save(stream)
    return stream.getvalue()


def task(*leaves: dict[str, Any], files: tuple[TaskFile, ...] = ()) -> Task:
    children = [{"name": str(index), **leaf} for index, leaf in enumerate(leaves)]
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


def play(task: Task, files: dict[str, bytes]) -> tuple[float, dict[str, Any]]:
    """Return score and info of an episode that creates only these files."""
    with closing(PPTArenaEnv(task, machine="fake", look="never")) as env:
        _, info = env.reset(seed=0)
        assert info["score"] == 0.0
        machine: Any = env.machine
        machine.files = {**machine.files, **files}
        _, reward, _, _, info = env.step(actions.key("Escape"))
        assert reward == 0.0  # the deck is unchanged: files are checked at the end
        _, reward, terminated, _, info = env.step(actions.done())
        assert terminated
        assert reward == info["score"]
        return info["score"], info


def test_requested_files_are_scored_at_the_end() -> None:
    collecting_task = task(PICTURE, SUMMARY)
    assert collecting_task.collected == ("chart.png", "summary.pptx")
    assert play(collecting_task, {"chart.png": PNG, "summary.pptx": deck("Plan")})[0] == 1.0
    files = {"chart.png": PNG, "summary.pptx": deck("Plan", "Costs")}
    assert 0.0 < play(collecting_task, files)[0] < 1.0


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "there is no file summary.pptx next to the deck"),
        ({"summary.pptx": b"PK no deck"}, "summary.pptx cannot be read as a deck"),
        ({"Summary.pptx": deck("Plan")}, "there is no file summary.pptx next to the deck"),
    ],
)
def test_missing_or_unreadable_file_scores_zero(files: dict[str, bytes], reason: str) -> None:
    final_score, info = play(task(SUMMARY), files)
    leaf = info["rubric"]["children"][0]
    assert (final_score, leaf["score"]) == (0.0, 0.0)
    assert reason in leaf["reason"]
    assert info["infra_error"] is None


def test_file_of_another_type_scores_zero() -> None:
    assert play(task(PICTURE), {"chart.png": b"GIF89a"})[0] == 0.0
    assert play(task(PICTURE), {"chart.png": b""})[0] == 0.0


def test_existing_attachment_is_scored_by_its_change() -> None:
    attachments = (TaskFile("summary.pptx", deck("Plan", "Costs", "Risks")),)
    collecting_task = task(SUMMARY, files=attachments)
    assert play(collecting_task, {})[0] == 0.0
    assert play(collecting_task, {"summary.pptx": deck("Plan")})[0] == 1.0


def test_machine_lost_while_collecting_truncates() -> None:
    machine = FakeMachine()
    with closing(PPTArenaEnv(task(PICTURE), machine=machine, look="never")) as env:
        env.reset(seed=0)
        env.step(actions.key("Escape"))
        machine.fail_next("lost", on="collect")
        _, reward, terminated, truncated, info = env.step(actions.done())
        assert (reward, terminated, truncated) == (0.0, False, True)
        assert "MachineLostError" in info["infra_error"]


def test_document_environment_rejects_tasks_that_collect_files() -> None:
    env = gym.make("PPTArenaDoc-v0", disable_env_checker=True)
    with pytest.raises(ConfigError, match=r"requires chart\.png next to the deck"):
        env.reset(options={"task": task(PICTURE)})
    env.close()


@pytest.mark.parametrize("name", ["../secret.pptx", "a/b.png", "deck.pptx", "", ".profile", "ü"])
def test_unsafe_file_names_are_rejected(name: str) -> None:
    leaf = {**PICTURE, "file": name}
    with pytest.raises((TaskError, RubricError), match="file"):
        task(leaf)


def test_file_argument_must_fit_the_check() -> None:
    with pytest.raises(RubricError, match="gold_match checks the deck alone"):
        task({"check": "gold_match", "file": "summary.pptx"})
    with pytest.raises(RubricError, match="file_exists needs 'file'"):
        task({"check": "file_exists"})


def test_uncollected_file_leaves_the_leaf_unscored() -> None:

    before = read_deck(deck("Plan"))
    scored = score(task(SUMMARY).rubric, before, before)
    assert scored.score is None
    assert "was not collected" in scored.children[0].reason


def test_rubric_round_trip_keeps_file_names() -> None:
    rubric = task(PICTURE, SUMMARY).rubric
    assert load_rubric(rubric.to_json()) == rubric
    assert replace(task(PICTURE)).collected == ("chart.png",)


def test_task_file_declares_collected_files(tmp_path: Path) -> None:
    (tmp_path / "plan.pptx").write_bytes(deck("Plan"))
    (tmp_path / "task.json").write_text(
        '{"version": 2, "id": "leave-a-file", "deck": "plan.pptx", "instruction": "Export it.",'
        ' "scope": {"parts": [{"slides": "all", "aspects": ["text"]}]}, "rubric": {"version": 1,'
        ' "root": {"name": "chart", "check": "file_exists", "file": "chart.png"}}}'
    )
    assert load_task(tmp_path).collected == ("chart.png",)
