"""Which tasks commands play."""

import json
from pathlib import Path

import pytest

from pptarena.cli.choosing import chosen_tasks
from pptarena.errors import ConfigError

_RUBRIC = {
    "version": 1,
    "root": {"name": "title", "check": "title_is", "args": {"slide": 2, "text": "Next"}},
}
_MACROS = [{"macro": "edit_text", "slide": 2, "shape": "@title", "text": "Next"}]


def _suite(path: Path, macros: int, others: int) -> str:
    rows = [
        {
            "version": 2,
            "id": f"task-{at}",
            "deck": "meridian",
            "difficulty": "easy",
            "edit_types": ["text"],
            "max_steps": 20,
            "instruction": "Call slide 2 Next.",
            "rubric": _RUBRIC,
            "scope": {"slides": [2]},
            **({"macros": _MACROS} if at % 2 == 0 and at < 2 * macros else {}),
        }
        for at in range(macros + others)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(path)


def test_only_tasks_with_macros_are_drawn_for_macros(tmp_path: Path) -> None:
    suite = _suite(tmp_path / "suite.jsonl", 4, 6)
    drawn = chosen_tasks(suite, "", 3, 7, with_macros=True)
    assert len(drawn) == 3
    assert all(task.macros for task in drawn)
    assert [t.id for t in drawn] == [t.id for t in chosen_tasks(suite, "", 3, 7, with_macros=True)]
    assert len(chosen_tasks(suite, "", 9, with_macros=True)) == 4
    assert len(chosen_tasks(suite, "", 9)) == 9


def test_a_suite_without_macros_is_named(tmp_path: Path) -> None:
    suite = _suite(tmp_path / "suite.jsonl", 0, 3)
    with pytest.raises(ConfigError, match=r"no task of .* has macros"):
        chosen_tasks(suite, "", 2, with_macros=True)
