"""Comparisons of stored facts: what is common, paired, counted, drawn and refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from rich.console import Console

from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts.compare import (
    compare,
    comparison_tables,
    plot_comparison,
    read_contenders,
)
from pptarena.rollouts.episode import EpisodeMeta

BASE = EpisodeMeta(
    agent="a", task="one", suite="tests", difficulty="easy", level="L1", edit_types=("text",),
    feasible=True, instruction="", seed=0, attempt=1, score=1.0, total_reward=1.0, steps=4,
    end="done", infra_error=None, agent_error=None, started_at="", reset_sec=1.0, run_sec=2.0,
    agent_sec=0.5, machine="fake", application="", screen=(640, 360), reward="dense", max_steps=10,
    versions={"pptarena": "1"},
)  # fmt: skip
SCORES = {"one": (0.2, 0.4), "two": (0.5, 1.0), "three": (0.9, 0.8)}
Keep = Callable[..., Path]


@pytest.fixture
def keep(tmp_path: Path) -> Keep:
    """Store the facts of an episode."""

    def one(run: str, **facts: Any) -> Path:
        meta = replace(BASE, **facts)
        folder = tmp_path / run / meta.agent / meta.task / f"seed-{meta.seed}"
        folder.mkdir(parents=True)
        (folder / "meta.json").write_text(json.dumps(meta.to_json()))
        return folder

    return one


@pytest.fixture
def runs(keep: Keep, tmp_path: Path) -> list[Path]:
    """Two runs of one agent on three tasks, one of them hard."""
    for task, scores in SCORES.items():
        difficulty = "hard" if task == "three" else "easy"
        for run, score in zip(("base", "tuned"), scores, strict=True):
            keep(run, task=task, score=score, difficulty=difficulty)
    return [tmp_path / "base", tmp_path / "tuned"]


def test_differences_are_paired_by_task(runs: list[Path]) -> None:
    found = compare(read_contenders(runs).found)
    assert [each.name for each in found.standings] == ["base: a", "tuned: a"]
    assert found.standings[0].total.score.mean == pytest.approx(1.6 / 3)
    assert found.standings[0].total.seconds.mean == 3.0
    rows = {(row.kind, row.value): row for row in found.differences}
    total = rows["all", ""]
    assert total.score.mean == pytest.approx((0.2 + 0.5 - 0.1) / 3)
    assert total.score.low is not None
    assert total.score.high is not None
    assert total.score.low < 0.2 < total.score.high
    assert (total.tasks, total.better, total.worse) == (3, 2, 1)
    assert total.success.mean == pytest.approx(1 / 3)
    assert rows["difficulty", "hard"].score.mean == pytest.approx(-0.1)
    assert rows["difficulty", "hard"].score.why_none == "one task only"
    assert rows["edit type", "text"].tasks == 3


@pytest.mark.slow
def test_a_seed_decides_the_intervals(keep: Keep, runs: list[Path]) -> None:
    for number in range(12):
        keep("base", task=f"more-{number}", score=0.5)
        keep("tuned", task=f"more-{number}", score=number**2 / 121)
    contenders = read_contenders(runs).found
    assert compare(contenders, 5) == compare(contenders, 5)
    ends = {compare(contenders, seed).differences[0].score.low for seed in range(8)}
    assert len(ends) > 1


def test_a_task_counts_once_however_often_it_was_played(keep: Keep, runs: list[Path]) -> None:
    for seed in range(1, 4):
        keep("tuned", task="one", score=0.4, seed=seed)
    found = compare(read_contenders(runs).found)
    assert found.differences[0].score.mean == pytest.approx(0.2)


def test_what_has_no_score_is_counted_and_in_no_mean(keep: Keep, runs: list[Path]) -> None:
    keep("tuned", task="one", score=None, seed=1)
    keep("tuned", task="four", score=None)
    keep("tuned", task="two", score=None, infra_error="lost", seed=1)
    keep("base", task="four", score=1.0)
    base, tuned = compare(read_contenders(runs).found).standings
    assert (tuned.unscored, tuned.infra_failed, tuned.total.episodes) == (2, 1, 3)
    assert (base.missing, tuned.missing) == ((), ("four",))
    assert tuned.total.score.mean == pytest.approx(2.2 / 3)
    assert base.total.score.mean == pytest.approx(1.6 / 3)


def test_other_circumstances_are_told(keep: Keep, runs: list[Path]) -> None:
    keep("tuned", task="four", instruction="Another one.", machine="sandbox", max_steps=5)
    keep("base", task="four")
    found = compare(read_contenders(runs).found)
    assert found.tasks == ("one", "three", "two")
    assert found.notes == (
        "not the same everywhere: machine: fake, sandbox",
        "not the same everywhere: the step budgets of tasks",
        "left out, as their instructions differ: four",
    )


def test_screen_and_document_are_told_apart(keep: Keep, tmp_path: Path) -> None:
    keep("run", agent="macro", machine="sandbox", screen=(1280, 720))
    keep("run", agent="goal", machine="document", screen=(1, 1), score=0.5)
    found = compare(read_contenders([tmp_path / "run"]).found)
    assert [(each.name, each.played_on) for each in found.standings] == [
        ("goal", "document"),
        ("macro", "screen"),
    ]
    assert found.notes == ("not the same everywhere: machine: document, sandbox",)
    console = Console(file=StringIO(), width=140)
    console.print(next(iter(comparison_tables(found))))
    assert "played on" in console.file.getvalue()  # type: ignore[attr-defined]
    keep("other", agent="goal", machine="document", screen=(1, 1))
    alone = compare(read_contenders([tmp_path / "other"]).found)
    assert [each.header for each in next(iter(comparison_tables(alone))).columns][1] == "episodes"


def test_agents_of_one_run_keep_their_names_and_costs(keep: Keep, tmp_path: Path) -> None:
    keep("run", agent="demo")
    folder = keep("run", agent="m--json", score=0.5)
    usage = {"requests": 4, "input_tokens": 900, "output_tokens": 100, "malformed": 1,
             "cut_off": 0, "refused": 0, "model_sec": 2.0}  # fmt: skip
    facts = {"model": "m", "dialect": "json", "view": "text", "system": "", "cost_usd": 0.25}
    (folder / "model.json").write_text(json.dumps({**facts, "usage": usage}))
    found = compare(read_contenders([tmp_path / "run"]).found)
    console = Console(file=StringIO(), width=140)
    for table in comparison_tables(found):
        console.print(table)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert [each.name for each in found.standings] == ["demo", "m--json"]
    assert "1000" in text
    assert "0.2500 USD" in text
    assert "-0.500" in text
    assert json.loads(json.dumps(found.to_json()))["standings"][0]["costs"] is None


def test_what_cannot_be_compared_is_refused(keep: Keep, runs: list[Path], tmp_path: Path) -> None:
    keep("other", task="five")
    with pytest.raises(ConfigError, match=r"none in common \(base: a 3, tuned: a 3, other: a 1"):
        compare(read_contenders([*runs, tmp_path / "other"]).found)
    with pytest.raises(ConfigError, match="every run once"):
        read_contenders([runs[0], runs[0]])
    (tmp_path / "empty").mkdir()
    with pytest.raises(StoreError, match="empty: there is no episode"):
        read_contenders([runs[0], tmp_path / "empty"])


def test_an_episode_that_cannot_be_read_is_left_out(keep: Keep, runs: list[Path]) -> None:
    (keep("base", task="six") / "meta.json").write_text("{")
    found = read_contenders(runs)
    assert [folder.parent.name for folder, _ in found.unreadable] == ["six"]
    assert [len(each.episodes) for each in found.found] == [3, 3]


@pytest.mark.slow
def test_the_plot_is_a_picture(keep: Keep, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for task, scores in SCORES.items():
        for agent, score in zip(("a", "$frac{"), scores, strict=True):
            keep("run", task=task, agent=agent, score=score)
    found = compare(read_contenders([tmp_path / "run"]).found)
    plot_comparison(found, tmp_path / "plot.png")
    with Image.open(tmp_path / "plot.png") as picture:
        assert picture.width > 600
    with pytest.raises(ConfigError, match=r"expected a file ending in \.png"):
        plot_comparison(found, tmp_path / "plot.txt")
