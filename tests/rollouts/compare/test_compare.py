"""Comparisons of stored episodes: pairing by task, counts, notes, tables and plot."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from rich.console import Console
from tests.rollouts.playing import episode_meta

from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts.compare import (
    compare,
    comparison_tables,
    plot_comparison,
    read_contenders,
)

SCORES = {"one": (0.2, 0.4), "two": (0.5, 1.0), "three": (0.9, 0.8)}
Store = Callable[..., Path]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Store the meta file of an episode."""

    def store_meta(run: str, **fields: Any) -> Path:
        meta = episode_meta(**fields)
        folder = tmp_path / run / meta.agent / meta.task / f"seed-{meta.seed}"
        folder.mkdir(parents=True)
        (folder / "meta.json").write_text(json.dumps(meta.to_json()))
        return folder

    return store_meta


@pytest.fixture
def runs(store: Store, tmp_path: Path) -> list[Path]:
    """Two runs of one agent on three tasks, one of them hard."""
    for task, scores in SCORES.items():
        difficulty = "hard" if task == "three" else "easy"
        for run, score in zip(("base", "tuned"), scores, strict=True):
            store(run, task=task, score=score, difficulty=difficulty)
    return [tmp_path / "base", tmp_path / "tuned"]


def test_differences_are_paired_by_task(runs: list[Path]) -> None:
    comparison = compare(read_contenders(runs).contenders)
    assert [each.name for each in comparison.standings] == ["base: a", "tuned: a"]
    assert comparison.standings[0].total.score.mean == pytest.approx(1.6 / 3)
    assert comparison.standings[0].total.seconds.mean == 3.0
    rows = {(row.kind, row.value): row for row in comparison.differences}
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
def test_seed_determines_the_intervals(store: Store, runs: list[Path]) -> None:
    for number in range(12):
        store("base", task=f"more-{number}", score=0.5)
        store("tuned", task=f"more-{number}", score=number**2 / 121)
    contenders = read_contenders(runs).contenders
    assert compare(contenders, 5) == compare(contenders, 5)
    ends = {compare(contenders, seed).differences[0].score.low for seed in range(8)}
    assert len(ends) > 1


def test_repeated_task_counts_once(store: Store, runs: list[Path]) -> None:
    for seed in range(1, 4):
        store("tuned", task="one", score=0.4, seed=seed)
    comparison = compare(read_contenders(runs).contenders)
    assert comparison.differences[0].score.mean == pytest.approx(0.2)


def test_unscored_episodes_are_counted_and_excluded_from_means(
    store: Store, runs: list[Path]
) -> None:
    store("tuned", task="one", score=None, seed=1)
    store("tuned", task="four", score=None)
    store("tuned", task="two", score=None, infra_error="lost", seed=1)
    store("base", task="four", score=1.0)
    base, tuned = compare(read_contenders(runs).contenders).standings
    assert (tuned.unscored, tuned.infra_failed, tuned.total.episodes) == (2, 1, 3)
    assert (base.missing, tuned.missing) == ((), ("four",))
    assert tuned.total.score.mean == pytest.approx(2.2 / 3)
    assert base.total.score.mean == pytest.approx(1.6 / 3)


def test_different_settings_are_noted(store: Store, runs: list[Path]) -> None:
    store("tuned", task="four", instruction="Another one.", machine="sandbox", max_steps=5)
    store("base", task="four")
    comparison = compare(read_contenders(runs).contenders)
    assert comparison.tasks == ("one", "three", "two")
    assert comparison.notes == (
        "machine differs: fake, sandbox",
        "the step budgets of tasks differ",
        "left out, as their instructions differ: four",
    )


def test_screen_and_document_agents_are_distinguished(store: Store, tmp_path: Path) -> None:
    store("run", agent="macro", machine="sandbox", screen=(1280, 720))
    store("run", agent="goal", machine="document", screen=(1, 1), score=0.5)
    comparison = compare(read_contenders([tmp_path / "run"]).contenders)
    assert [(each.name, each.played_on) for each in comparison.standings] == [
        ("goal", "document"),
        ("macro", "screen"),
    ]
    assert comparison.notes == ("machine differs: document, sandbox",)
    console = Console(file=StringIO(), width=140)
    console.print(next(iter(comparison_tables(comparison))))
    assert "played on" in console.file.getvalue()  # type: ignore[attr-defined]
    store("other", agent="goal", machine="document", screen=(1, 1))
    documents_only = compare(read_contenders([tmp_path / "other"]).contenders)
    assert [each.header for each in next(iter(comparison_tables(documents_only))).columns][
        1
    ] == "episodes"


def test_agents_of_one_run_have_names_and_costs(store: Store, tmp_path: Path) -> None:
    store("run", agent="demo")
    folder = store("run", agent="m--json", score=0.5)
    usage = {"requests": 4, "input_tokens": 900, "output_tokens": 100, "malformed": 1,
             "cut_off": 0, "refused": 0, "model_sec": 2.0}  # fmt: skip
    facts = {"model": "m", "dialect": "json", "view": "text", "system": "", "cost_usd": 0.25}
    (folder / "model.json").write_text(json.dumps({**facts, "usage": usage}))
    comparison = compare(read_contenders([tmp_path / "run"]).contenders)
    console = Console(file=StringIO(), width=140)
    for table in comparison_tables(comparison):
        console.print(table)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert [each.name for each in comparison.standings] == ["demo", "m--json"]
    assert "1000" in text
    assert "0.2500 USD" in text
    assert "-0.500" in text
    assert json.loads(json.dumps(comparison.to_json()))["standings"][0]["costs"] is None


def test_runs_that_cannot_be_compared_are_rejected(
    store: Store, runs: list[Path], tmp_path: Path
) -> None:
    store("other", task="five")
    with pytest.raises(ConfigError, match=r"none in common \(base: a 3, tuned: a 3, other: a 1"):
        compare(read_contenders([*runs, tmp_path / "other"]).contenders)
    with pytest.raises(ConfigError, match="every run once"):
        read_contenders([runs[0], runs[0]])
    (tmp_path / "empty").mkdir()
    with pytest.raises(StoreError, match="empty: no readable episode"):
        read_contenders([runs[0], tmp_path / "empty"])


def test_unreadable_episode_is_excluded(store: Store, runs: list[Path]) -> None:
    (store("base", task="six") / "meta.json").write_text("{")
    selection = read_contenders(runs)
    assert [folder.parent.name for folder, _ in selection.unreadable] == ["six"]
    assert [len(each.episodes) for each in selection.contenders] == [3, 3]


@pytest.mark.slow
def test_plot_is_written_as_an_image(store: Store, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for task, scores in SCORES.items():
        for agent, score in zip(("a", "$frac{"), scores, strict=True):
            store("run", task=task, agent=agent, score=score)
    comparison = compare(read_contenders([tmp_path / "run"]).contenders)
    plot_comparison(comparison, tmp_path / "plot.png")
    with Image.open(tmp_path / "plot.png") as image:
        assert image.width > 600
    with pytest.raises(ConfigError, match=r"expected a file ending in \.png"):
        plot_comparison(comparison, tmp_path / "plot.txt")
