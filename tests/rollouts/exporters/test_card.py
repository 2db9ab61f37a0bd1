import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.rollouts.playing import episode_meta

from pptarena.rollouts.exporters import EXPORTERS, DatasetCard

META = episode_meta(application="Office 1", versions={"pptarena": "1.2"})


@pytest.fixture
def card() -> DatasetCard:
    card = DatasetCard(EXPORTERS["chat"])
    for meta in (META, replace(META, task="two", score=0.5, steps=2)):
        card.add(meta)
    return card


def front_matter(text: str) -> dict[str, object]:
    _, block, _ = text.split("---\n", 2)
    pairs = (line.partition(": ") for line in block.splitlines())
    return {name: json.loads(value) for name, _, value in pairs}


def test_card_has_counts_and_loading_code(card: DatasetCard, tmp_path: Path) -> None:
    assert card.write(tmp_path, "score>=0.5", "load()")
    text = (tmp_path / "README.md").read_text("utf-8")
    assert front_matter(text)["license"] == "mit"
    assert front_matter(text)["size_categories"] == ["n<1K"]
    files = [{"config_name": "default", "data_files": "chat*.parquet"}]
    assert front_matter(text)["configs"] == files
    for line in (
        "| episodes | 2 |", "| steps | 6 |", "| mean score | 0.750 |", "| full score | 1 |",
        "| selection | score\\>=0.5 |", "| version of pptarena | 1.2 |", "| two | 1 |", "load()",
    ):  # fmt: skip
        assert line in text


def test_front_matter_is_valid_yaml(card: DatasetCard) -> None:
    yaml = pytest.importorskip("yaml")
    text = card.text("", "load()")
    assert yaml.safe_load(text.split("---\n", 2)[1]) == front_matter(text)


def test_names_are_escaped(card: DatasetCard) -> None:
    card.add(replace(META, agent="a|b\n---\n<script>[x](y)`", task_place="/elsewhere"))
    text = card.text("", "load()")
    assert "| a\\|b --- \\<script\\>\\[x\\](y)\\` | 1 |" in text
    assert front_matter(text)["license"] == "other"
    assert "so state the licence of the decks" in " ".join(text.split())


def test_foreign_readme_is_kept(card: DatasetCard, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    assert not card.write(tmp_path, "", "load()")
    assert (tmp_path / "README.md").read_text() == "mine"
    (tmp_path / "other").mkdir()
    assert card.write(tmp_path / "other", "first", "load()")
    assert card.write(tmp_path / "other", "second", "load()")
    assert "second" in (tmp_path / "other/README.md").read_text()
