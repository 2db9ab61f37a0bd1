"""Commands that read episodes, of a folder that is not there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Cli = Callable[..., Any]
COMMANDS = {
    "report": "",
    "runs replay": "",
    "runs compare": "",
    "runs leaderboard": "",
    "runs export": "--format atif --out out",
    "runs rescore": "--as pptc",
    "osworld": "",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_missing_folder_is_named(cli: Cli, command: str, tmp_path: Path) -> None:
    name, options = command.split(), COMMANDS[command].split()
    missing = tmp_path / "no such\u202efolder"
    assert "does not exist" in cli(*name, str(missing), *options, code=1).stderr
    file = tmp_path / "file"
    file.write_text("no folder")
    assert (
        "expected a folder of episodes, got a file"
        in cli(*name, str(file), *options, code=1).stderr
    )
    assert not (tmp_path / "out").exists()
