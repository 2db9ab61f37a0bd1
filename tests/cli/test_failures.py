"""``pptarena runs failures``: one table over all agents."""

import json
from collections.abc import Callable
from pathlib import Path

from pptarena.tasks import list_tasks

Here = Callable[..., tuple[object, str, str]]
SOLVED, IDLE = list_tasks("starter")[:2]


def test_episode_endings_are_counted_and_shown(here: Here, product_run: Path) -> None:
    code, out, errors = here("runs", "failures", "run", "--json")
    assert code == 0, errors
    results = json.loads(out)
    assert {each["task"]: (each["ending"], each["cause"]) for each in results["episodes"]} == {
        SOLVED.id: ("solved", ""),
        IDLE.id: ("done too early", "no change"),
    }
    assert results["rows"][0]["endings"]["solved"] == 1
    for command in ("failures", "compare"):
        code, out, _ = here("runs", command, "run")
        assert code == 0
        assert "How episodes ended" in out
