import json
from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.exporters import DatasetCard

META = EpisodeMeta(
    agent="a", task="one", suite="bench", difficulty="easy", level="L1", edit_types=(),
    feasible=True, instruction="", seed=0, attempt=1, score=1.0, total_reward=1.0, steps=4,
    end="done", infra_error=None, agent_error=None, started_at="", reset_sec=1.0, run_sec=2.0,
    agent_sec=0.5, machine="fake", application="Office 1", screen=(640, 360), reward="dense",
    max_steps=20, versions={"pptarena": "1.2"},
)  # fmt: skip


@pytest.fixture
def card() -> DatasetCard:
    made = DatasetCard("chat")
    for meta in (META, replace(META, task="two", score=0.5, steps=2)):
        made.add(meta)
    return made


def front(text: str) -> dict[str, object]:
    _, block, _ = text.split("---\n", 2)
    pairs = (line.partition(": ") for line in block.splitlines())
    return {name: json.loads(value) for name, _, value in pairs}


def test_a_card_counts_and_says_how_to_load(card: DatasetCard, tmp_path: Path) -> None:
    assert card.write(tmp_path, "score>=0.5", "load()")
    text = (tmp_path / "README.md").read_text("utf-8")
    assert front(text)["license"] == "mit"
    assert front(text)["size_categories"] == ["n<1K"]
    files = [{"config_name": "default", "data_files": "chat*.parquet"}]
    assert front(text)["configs"] == files
    for line in (
        "| episodes | 2 |", "| steps | 6 |", "| mean score | 0.750 |", "| full score | 1 |",
        "| selection | score\\>=0.5 |", "| version of pptarena | 1.2 |", "| two | 1 |", "load()",
    ):  # fmt: skip
        assert line in text


def test_front_matter_is_yaml(card: DatasetCard) -> None:
    yaml = pytest.importorskip("yaml")
    text = card.text("", "load()")
    assert yaml.safe_load(text.split("---\n", 2)[1]) == front(text)


def test_names_cannot_break_the_card(card: DatasetCard) -> None:
    card.add(replace(META, agent="a|b\n---\n<script>[x](y)`", task_place="/elsewhere"))
    text = card.text("", "load()")
    assert "| a\\|b --- \\<script\\>\\[x\\](y)\\` | 1 |" in text
    assert front(text)["license"] == "other"
    assert "their licence has to be stated" in " ".join(text.split())


def test_a_readme_of_somebody_else_stays(card: DatasetCard, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    assert not card.write(tmp_path, "", "load()")
    assert (tmp_path / "README.md").read_text() == "mine"
    (tmp_path / "other").mkdir()
    assert card.write(tmp_path / "other", "first", "load()")
    assert card.write(tmp_path / "other", "second", "load()")
    assert "second" in (tmp_path / "other/README.md").read_text()
