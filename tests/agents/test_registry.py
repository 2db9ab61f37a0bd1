import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.each_case import each_case

from pptarena.agents import agent_names, make_agent
from pptarena.errors import ConfigError, UnknownTaskError
from pptarena.tasks import load_task


@each_case("name", agent_names())
def test_every_name_creates_an_agent(name: str) -> None:
    agent = make_agent(name)
    assert callable(agent.act)
    assert callable(agent.reset)


def test_agent_class_is_found_by_its_path() -> None:
    agent = make_agent("pptarena.agents.random_agent:RandomAgent")
    assert type(agent).__name__ == "RandomAgent"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("randon", "agent 'randon' not found. Did you mean 'random'"),
        (
            "",
            "agent '' not found. Available: demonstration, macro, macro-titles, random. Your own",
        ),
        ("no.such.module:Agent", "cannot import"),
        ("pptarena.agents.random_agent:NoAgent", "cannot import"),
        ("io:StringIO", "has no method 'reset'"),
        ("os:path", "expected the class of an agent, but 'os:path' is <module"),
        (".agents:Mine", "agent '.agents:Mine' not found"),
    ],
)
def test_wrong_name_is_explained(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_agent(name)


@pytest.mark.slow
def test_module_in_the_working_directory_is_found(tmp_path: Path) -> None:
    source = (
        "class Mine:\n    def reset(self, info, seed): ...\n    def act(self, obs, info): ...\n"
    )
    (tmp_path / "agent_of_mine.py").write_text(source)
    pptarena = Path(sys.executable).with_name("pptarena")
    arguments = ["run", "--agent", "agent_of_mine:Yours", "--machine", "fake", "--out", "runs"]
    done = subprocess.run(
        [pptarena, *arguments], cwd=tmp_path, capture_output=True, check=False, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "has no attribute 'Yours'" in " ".join(done.stderr.split())


@pytest.mark.slow
def test_agents_are_imported_lazily(tmp_path: Path) -> None:
    code = (
        "import sys, pptarena.agents\n"
        "assert 'pptarena.agents.demonstration' not in sys.modules\n"
        "pptarena.agents.make_agent('random')\n"
        "assert 'pptarena.agents.random_agent' in sys.modules\n"
        "assert 'pptarena.agents.demonstration' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr


def test_demonstration_finds_tasks_from_files(write_task: Callable[..., Path]) -> None:
    task = load_task(write_task("bold-title"))
    make_agent("demonstration", [task]).reset({"task_id": "bold-title"}, 0)
    with pytest.raises(UnknownTaskError, match="bold-title"):
        make_agent("demonstration").reset({"task_id": "bold-title"}, 0)
