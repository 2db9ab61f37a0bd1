"""The first script of the README does what it says, on the fake machine and on the real one."""

import re
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parents[2] / "README.md"


def first_script() -> str:
    match = re.search(r"## Quick start\n+```python\n(.*?)```", README.read_text("utf-8"), re.S)
    assert match is not None
    return match[1]


@pytest.mark.parametrize("machine", ["fake", pytest.param("sandbox", marks=pytest.mark.image)])
def test_first_script_scores_1(machine: str) -> None:
    names: dict[str, Any] = {"__name__": "first_script"}
    script = first_script()
    assert 'machine="fake"' in script
    exec(script.replace('machine="fake"', f'machine="{machine}"'), names)
    assert names["info"]["score"] == 1.0
    assert names["terminated"]
