"""Which tasks commands play."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.each_case import each_case

from pptarena.cli.output import stderr
from pptarena.cli.select_tasks import require_demonstrations, select_tasks
from pptarena.errors import AgentError, ConfigError
from pptarena.tasks import list_tasks
from pptarena.tasks.solution_macros import has_macros

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


@pytest.fixture(autouse=True)
def _captured_console() -> Iterator[None]:
    """Consoles are made once; each test has its own, which writes where the test reads."""
    stderr.cache_clear()
    yield
    stderr.cache_clear()


def test_macro_agent_samples_only_tasks_with_macros(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = _suite(tmp_path / "suite.jsonl", 4, 6)
    selected = select_tasks(suite, None, 3, 7, agents=["macro"])
    assert len(selected) == 3
    assert all(map(has_macros, selected))
    second = select_tasks(suite, None, 3, 7, agents=["macro"])
    assert [task.id for task in selected] == [task.id for task in second]
    assert len(select_tasks(suite, None, 9, agents=["macro"])) == 4
    assert "--sample 9: only 4 of 10 tasks" in capsys.readouterr().err
    assert len(select_tasks(suite, None, 9)) == 9
    assert len(select_tasks(suite, None, 10, agents=["macro", "random"])) == 10


def test_suite_without_macros_is_named(tmp_path: Path) -> None:
    suite = _suite(tmp_path / "suite.jsonl", 0, 3)
    with pytest.raises(ConfigError, match=r"no task of .* has macros"):
        select_tasks(suite, None, 2, agents=["macro"])


@each_case("agents", [(), ("random",), ("macro",), ("demonstration",)])
@each_case("sample", [121, 500, 10**9])
def test_sample_is_not_larger_than_the_suite(agents: tuple[str, ...], sample: int) -> None:
    with pytest.raises(ConfigError, match=f"--sample {sample}: the suite bench has 120 tasks"):
        select_tasks("bench", None, sample, agents=agents)


def test_only_tasks_with_demonstrations_are_sampled() -> None:
    selected = select_tasks("bench", None, 5, agents=["demonstration"])
    assert len(selected) == 5
    require_demonstrations(["demonstration"], selected)


@pytest.mark.parametrize(
    ("suite", "lacking", "of"), [("bench", 112, 120), ("extra", 27, 27), ("bench-fast", 20, 24)]
)
@pytest.mark.parametrize("agents", [["demonstration"], ["random", "demonstration"]])
def test_missing_demonstrations_are_counted(
    suite: str, lacking: int, of: int, agents: list[str]
) -> None:
    with pytest.raises(AgentError, match=f"{lacking} of {of} tasks have no recorded demonstration"):
        require_demonstrations(agents, list_tasks(suite))
    require_demonstrations(["random", "macro"], list_tasks(suite))
    require_demonstrations(agents, list_tasks("starter"))


def test_tasks_without_a_demonstration_are_named() -> None:
    with pytest.raises(AgentError, match=r"1 of 1 tasks .* \(thesis-backup\); use --agent macro"):
        require_demonstrations(["demonstration"], select_tasks("starter", ["thesis-backup"]))
