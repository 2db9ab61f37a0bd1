"""A copy of PPT-Eval, written here, played on the fake machine."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from pptx import Presentation
from tests.bubblewrap import needs_sandbox

from pptarena.benchmarks.ppteval import load_tasks
from pptarena.benchmarks.ppteval.suite import PUBLISHED_STEPS
from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import click, done, key
from pptarena.errors import TaskError
from pptarena.rewards.judges import JudgeConfig
from pptarena.tasks import find_task, get_task, list_tasks

pytestmark = pytest.mark.slow

BOLD = """
def compute_score():
    from pptx import Presentation
    title = Presentation(modified_ppt_path).slides[0].shapes.title
    bold = any(run.font.bold for p in title.text_frame.paragraphs for run in p.runs)
    return f"bold: {bold}", float(bold)
"""
ASKS_MODEL = """
def compute_score():
    return llm_call("Is it tidy?"), 1.0
"""


def _leaf(name: str, code: str, *, critical: bool = True) -> dict[str, Any]:
    scorer = {"type": "function", "function_code": code}
    return {"name": name, "description": "", "is_critical": critical, "scorer": scorer}


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy with two tasks: one scored by a program, one that asks a model as well."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    folder = tmp_path / "ppteval-copy"
    for name in ("task_registry", "rubrics", "decks"):
        (folder / name).mkdir(parents=True)
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Harvest"
    presentation.save(str(folder / "decks/original deck.pptx"))
    registry = {}
    for id, leaves in (("3-002", [BOLD]), ("HSC-038", [BOLD, ASKS_MODEL])):
        children = [_leaf(f"leaf {n}", code, critical=n == 0) for n, code in enumerate(leaves)]
        root = {"name": "root", "description": "", "is_critical": True, "children": children}
        (folder / f"rubrics/{id}.json").write_text(json.dumps({"root": root}), "utf-8")
        registry[id] = {
            "goal": " Make the title bold. ",
            "rubric_path": f"rubrics/{id}.json",
            "file_path": "decks/original deck.pptx",
            "misc": {"difficulty": "Easy" if id == "3-002" else "unknown"},
        }
    (folder / "task_registry/tasks.json").write_text(json.dumps(registry), "utf-8")
    return folder


@pytest.fixture
def env(copy: Path) -> Iterator[PPTArenaEnv]:
    wrapped = gym.make("PPTArena-v0", suite=str(copy), machine="fake", width_px=640, height_px=360)
    base = wrapped.unwrapped
    assert isinstance(base, PPTArenaEnv)
    yield base
    wrapped.close()


def test_folder_is_a_suite(copy: Path) -> None:
    tasks = list_tasks(copy)
    assert [task.id for task in tasks] == ["ppteval-3-002", "ppteval-hsc-038"]
    assert [task.difficulty for task in tasks] == ["easy", "medium"]
    first = tasks[0]
    assert (first.suite, first.instruction, first.scope) == (
        "ppteval-copy",
        "Make the title bold.",
        None,
    )
    assert (first.max_steps, first.file_name) == (PUBLISHED_STEPS, "original deck.pptx")
    assert find_task(first.id, first.place) == first
    assert load_tasks(copy) == tasks


def test_missing_deck_affects_only_its_task(copy: Path, env: PPTArenaEnv) -> None:
    (copy / "decks/original deck.pptx").unlink()
    with pytest.raises(TaskError, match=r"deck: .*original deck\.pptx cannot be read"):
        env.reset(seed=0)
    _, info = env.reset(seed=0, options={"task": get_task("meridian-hide-backup")})
    assert info["score"] == 0.0


@needs_sandbox
def test_programs_score_episodes(env: PPTArenaEnv) -> None:
    _, info = env.reset(seed=0, options={"task": "ppteval-3-002"})
    assert info["score"] == 0.0
    assert info["rubric"]["children"][0]["reason"] == "bold: False"
    title = next(node for node in info["a11y"]["nodes"] if node["name"] == "Title 1")
    env.step(click(element=title["element"]))
    _, reward, _, _, info = env.step(key("ctrl+b"))
    assert (reward, info["score"]) == (1.0, 1.0)
    assert info["rubric"]["children"][0]["reason"] == "bold: True"
    _, reward, terminated, _, info = env.step(done())
    assert (reward, terminated, info["score"]) == (0.0, True, 1.0)


@needs_sandbox
def test_programs_that_ask_a_model_need_a_judge(env: PPTArenaEnv) -> None:
    env.reset(seed=0, options={"task": "ppteval-hsc-038"})
    info = env.step(done())[4]
    assert [child["score"] for child in info["rubric"]["children"]] == [0.0, None]
    assert "none is configured" in info["rubric"]["children"][1]["reason"]


@needs_sandbox
def test_judge_answers_programs_in_last_step(copy: Path, server: Any) -> None:
    server.default = "yes, tidy"
    config = JudgeConfig(model="m", base_url=server.url, cache=False, backoff_sec=0.01)
    env = PPTArenaEnv(
        task="ppteval-hsc-038", suite=copy, machine="fake", width_px=640, height_px=360,
        judge=config,
    )  # fmt: skip
    env.reset(seed=0)
    assert server.requests == []
    info = env.step(done())[4]
    assert [child["score"] for child in info["rubric"]["children"]] == [0.0, 1.0]
    assert info["rubric"]["children"][1]["reason"] == "yes, tidy"
    env.close()
