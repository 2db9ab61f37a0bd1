"""``docs/papers.md`` lists all tables of five papers, and their scripts run without a model."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main
from tests.docs.blocks import ROOT, Block
from tests.docs.shell import check_call, record_calls, run_block

from pptarena.cli.app import app

PAGE = (ROOT / "docs/papers.md").read_text("utf-8")
SCRIPTS = sorted(path.name for path in (ROOT / "examples/papers").glob("*_*.sh"))
TABLES = {
    "PPT-Eval": "123456789",
    "UIUC": "1234ABCD",
    "WindowsAgentArena": [str(number) for number in range(1, 11)],
    "PPTC": "123",
    "ProSoftArena": [str(number) for number in range(1, 12)],
}
QUICK = ("prosoft_table_7.sh", "waa_table_2.sh", "waa_table_4.sh", "waa_table_5.sh")
OFTEN = ("gui_table_3.sh", "pptc_table_1.sh", "prosoft_table_5.sh", "uiuc_table_3.sh")
WITH_IMAGE = ("uiuc_table_3.sh", "uiuc_table_4.sh", "uiuc_table_a.sh")


def block(code: str) -> Block:
    return Block("docs/papers.md", 1, "sh", code, None)


def marked(script: str) -> Any:
    often = [pytest.mark.slow] if script in OFTEN else [pytest.mark.nightly]
    marks = [] if script in QUICK else often
    return pytest.param(script, marks=[*marks, *[pytest.mark.image] * (script in WITH_IMAGE)])


def test_page_lists_every_script() -> None:
    assert sorted(set(re.findall(r"`(\w+\.sh)`", PAGE))) == SCRIPTS


@pytest.mark.parametrize("paper", TABLES)
def test_page_lists_every_table(paper: str) -> None:
    (section,) = (each for each in PAGE.split("\n## ") if paper in each.partition("\n")[0])
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| ")][1:]
    tasks = [number.strip() for row in rows for number in row[0].split(",")]
    assert sorted(tasks) == sorted(TABLES[paper])
    for row in rows:
        assert all(cell.strip() for cell in row)
        assert row[2].strip() == "not here" or row[2].strip(" `") in SCRIPTS


def test_commands_on_the_page_exist() -> None:
    results = re.findall(r"`pptarena ([^`]+)`", PAGE)
    assert results
    for arguments in results:
        command: Any = typer.main.get_command(app)
        for word in arguments.split():
            if not hasattr(command, "commands"):
                break
            assert word in command.commands, arguments
            command = command.commands[word]


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_commands_of_a_script_parse(script: str, tmp_path: Path) -> None:
    code = f"BASE_URL=http://127.0.0.1:9/v1 sh {ROOT}/examples/papers/{script}"
    calls = record_calls(block(code), tmp_path)
    assert calls
    for call in calls:
        check_call(call)


@pytest.mark.slow
@pytest.mark.parametrize("script", [marked(each) for each in SCRIPTS])
def test_script_runs(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMPLE", "1")
    monkeypatch.setenv("STEPS", "1")
    folder = Path(sys.executable).parent
    code = f"PATH=$PATH:{folder} OUT=out {ROOT}/examples/papers/{script} > said"
    run_block(block(code), tmp_path)
    assert (tmp_path / "said").read_text("utf-8")
    assert not (tmp_path / "out/endpoint").exists()
