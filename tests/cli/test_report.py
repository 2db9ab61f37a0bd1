import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = list_tasks("starter")[0].id


@pytest.fixture
def store(cli: Cli, tmp_path: Path) -> Path:
    """Five random steps."""
    cli(
        "run", "--machine", "fake", "--agent", "random", "--task", TASK, "--max-steps", "5",
        "--out", "out",
    )  # fmt: skip
    return tmp_path / "out"


def test_report_is_one_file_in_the_folder(cli: Cli, store: Path) -> None:
    done = cli("report", "out")
    assert done.stdout.startswith("1 episode, ")
    assert "screenshots lossless: out/report.html" in done.stdout
    page = (store / "report.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    expected = {"random", "report.html"}
    assert {path.name for path in store.iterdir()} == {".lock", "manifest.json", *expected}


def test_report_path_and_size_can_be_set(cli: Cli, store: Path, tmp_path: Path) -> None:
    whole = cli("report", "out", "--out", "there/a.html", "--no-slides")
    size_mb = (tmp_path / "there/a.html").stat().st_size / 1e6
    bound = f"{size_mb - 0.001:.4f}"
    done = cli("report", "out", "--out", "there/b.html", "--no-slides", "--max-mb", bound)
    assert "lossless" in whole.stdout
    assert "to fit the size limit" in done.stdout
    assert (tmp_path / "there/b.html").stat().st_size / 1e6 <= float(bound)


def test_impossible_size_limit_is_a_usage_error(cli: Cli, store: Path) -> None:
    done = cli("report", "out", "--max-mb", "0.01", "--no-slides", code=2)
    assert "the smallest report of" in done.stderr
    assert not (store / "report.html").exists()


def test_folder_without_episodes_is_an_error(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "no readable episode" in cli("report", "empty", code=1).stderr
    assert "nowhere does not exist" in cli("report", "nowhere", code=1).stderr


def test_report_does_not_replace_a_folder(cli: Cli, store: Path) -> None:
    assert "is a folder; choose a file" in cli("report", "out", "--out", "out", code=2).stderr


def test_other_formats_are_refused(cli: Cli, store: Path, tmp_path: Path) -> None:
    done = cli("report", "out", "--out", "report.pdf", code=2)
    assert "report.pdf: a report is an HTML file; choose a .html file" in done.stderr
    assert not (tmp_path / "report.pdf").exists()
