from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

Cli = Callable[..., Any]


@pytest.fixture
def run_folder(cli: Cli) -> str:
    task = list_tasks("starter")[0].id
    cli("run", "--machine", "fake", "--agent", "random", "--task", task, "--out", "runs")
    return "runs"


def test_an_export_says_how_it_is_loaded(cli: Cli, run_folder: str, tmp_path: Path) -> None:
    pytest.importorskip("minari")
    said = cli("runs", "export", run_folder, "--format", "minari", "--out", "data").stdout
    assert "1 episode written to data/pptarena/episodes-v0" in said
    assert f"MINARI_DATASETS_PATH={tmp_path / 'data'} in the environment" in said
    assert "minari.load_dataset('pptarena/episodes-v0')" in said
    said = cli("runs", "export", run_folder, "--format", "chat", "--out", "chat").stdout
    assert "datasets.Dataset.from_parquet('chat/chat.parquet')" in said


def test_an_unknown_format_names_those_that_there_are(cli: Cli, run_folder: str) -> None:
    done = cli("runs", "export", run_folder, "--format", "csv", "--out", "data", code=2)
    assert (
        "format 'csv' not found. Available: minari, agentnet, sharegpt, chat, atif and 1 more."
        in done.stderr
    )


def test_a_filter_chooses_and_a_card_tells(cli: Cli, run_folder: str, tmp_path: Path) -> None:
    cli(
        "runs",
        "export",
        run_folder,
        "--format",
        "atif",
        "--out",
        "a",
        "--filter",
        "score<=1,agent=rand*",
    )
    card = (tmp_path / "a/README.md").read_text("utf-8")
    assert "| episodes | 1 |" in card
    assert "agent=rand" in card
    options = ("--format", "atif", "--out", "b", "--filter")
    assert (
        "no scored episode" in cli("runs", "export", run_folder, *options, "steps<0", code=1).stderr
    )
    assert "fields score" in cli("runs", "export", run_folder, *options, "x=1", code=2).stderr
    assert not (tmp_path / "b").exists()


def test_a_mixed_run_leaves_documents_out_of_formats_of_screenshots(
    cli: Cli, run_folder: str, tmp_path: Path
) -> None:
    task = list_tasks("starter")[0].id
    cli("run", "--env", "doc", "--agent", "goal", "--task", task, "--out", "runs/doc")
    said = cli("runs", "export", run_folder, "--format", "agentnet", "--out", "a").stdout
    assert "1 episode written" in said
    assert "skipped 1 of 2 episodes: format agentnet needs screenshots" in said
    assert "use chat or atif" in said
    assert len((tmp_path / "a/agentnet.jsonl").read_text("utf-8").splitlines()) == 1
    assert "| episodes | 1 |" in (tmp_path / "a/README.md").read_text("utf-8")

    said = cli("runs", "export", run_folder, "--format", "atif", "--out", "b").stdout
    assert "2 episodes written" in said
    assert "skipped" not in said
    assert "or as files, by calls of tools" in (tmp_path / "b/README.md").read_text("utf-8")

    failed = cli("runs", "export", "runs/doc", "--format", "sharegpt", "--out", "c", code=1)
    assert (
        "none of the 1 episodes in runs/doc can be exported: format sharegpt needs" in failed.stderr
    )
    assert not (tmp_path / "c").exists()


def test_a_dialect_is_for_chats_of_screens(cli: Cli, run_folder: str, tmp_path: Path) -> None:
    options = ("--out", "d", "--dialect")
    failed = cli("runs", "export", run_folder, "--format", "atif", *options, "uitars", code=2)
    assert "--dialect needs --format chat: the format 'atif'" in failed.stderr
    failed = cli("runs", "export", run_folder, "--format", "chat", *options, "uitarz", code=2)
    assert "Did you mean 'uitars'" in failed.stderr
    task = list_tasks("starter")[0].id
    cli("run", "--env", "doc", "--agent", "goal", "--task", task, "--out", "runs/doc")
    failed = cli("runs", "export", "runs/doc", "--format", "chat", *options, "uitars", code=1)
    assert (
        "none of the 1 episodes in runs/doc can be exported: dialects need a screen"
        in failed.stderr
    )
    assert not (tmp_path / "d").exists()
