import json
import subprocess
from collections.abc import Callable

import pytest

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = "meridian-hide-backup"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--oracle", "crystal"), "--oracle: expected 'application', got 'crystal'"),
        (("--oracle", "application", "--attacks"), "expected --attacks or --oracle, got both"),
    ],
)
def test_wrong_options_are_refused(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    done = cli("tasks", "check", *arguments, code=2)
    assert message in " ".join(done.stderr.split())


@pytest.mark.image
def test_a_goal_reached_inside_the_application(cli: Cli) -> None:
    done = cli("tasks", "check", TASK, "--oracle", "application", "--json")
    assert json.loads(done.stdout) == {
        "ok": True,
        "tasks": [{"task": TASK, "ok": True, "score": 1.0, "reason": ""}],
    }
