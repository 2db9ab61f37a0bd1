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


def test_export_card_contains_loading_code(cli: Cli, run_folder: str, tmp_path: Path) -> None:
    pytest.importorskip("minari")
    output = cli("runs", "export", run_folder, "--format", "minari", "--out", "data").stdout
    assert "1 episode written to data/pptarena/episodes-v0" in output
    assert "data/README.md describes the data set and how to load it" in output
    card = (tmp_path / "data/README.md").read_text("utf-8")
    assert "minari.load_dataset('pptarena/episodes-v0')" in card
    cli("runs", "export", run_folder, "--format", "chat", "--out", "chat")
    card = (tmp_path / "chat/README.md").read_text("utf-8")
    assert 'datasets.Dataset.from_parquet("chat*.parquet")' in card


def test_unknown_format_lists_the_available_formats(cli: Cli, run_folder: str) -> None:
    done = cli("runs", "export", run_folder, "--format", "csv", "--out", "data", code=2)
    assert (
        "format 'csv' not found. Available: minari, agentnet, sharegpt, chat, atif and 1 more."
        in done.stderr
    )


def test_filter_selects_episodes_and_card_names_it(
    cli: Cli, run_folder: str, tmp_path: Path
) -> None:
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


def test_screenshot_formats_skip_document_episodes(
    cli: Cli, run_folder: str, tmp_path: Path
) -> None:
    task = list_tasks("starter")[0].id
    cli("run", "--env", "doc", "--agent", "goal", "--task", task, "--out", "runs/doc")
    output = cli("runs", "export", run_folder, "--format", "agentnet", "--out", "a").stdout
    assert "1 episode written" in output
    assert "skipped 1 of 2 episodes: the format needs screenshots" in output
    assert "use chat or atif" in output
    assert len((tmp_path / "a/agentnet.jsonl").read_text("utf-8").splitlines()) == 1
    assert "| episodes | 1 |" in (tmp_path / "a/README.md").read_text("utf-8")

    output = cli("runs", "export", run_folder, "--format", "atif", "--out", "b").stdout
    assert "2 episodes written" in output
    assert "skipped" not in output
    assert "or as files, by calls of tools" in (tmp_path / "b/README.md").read_text("utf-8")

    failed = cli("runs", "export", "runs/doc", "--format", "sharegpt", "--out", "c", code=1)
    assert "none of the 1 episodes in runs/doc can be exported: the format needs" in failed.stderr
    assert not (tmp_path / "c").exists()


def test_dialect_requires_a_chat_export_of_screens(
    cli: Cli, run_folder: str, tmp_path: Path
) -> None:
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
