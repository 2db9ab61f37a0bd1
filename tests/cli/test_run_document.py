"""``pptarena run --env doc``: tasks played on the deck as a file."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.rollouts.store import read_meta, read_steps

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = "meridian-hide-backup"
OTHER = "meridian-rename-tent"


def test_the_goal_is_stored_and_compared(cli: Cli, tmp_path: Path) -> None:
    run = ("run", "--env", "doc", "--agent", "goal", "--tasks", f"{TASK},{OTHER}", "--json")
    value = json.loads(cli(*run, "--out", "one").stdout)
    assert [each["score"] for each in value["episodes"]] == [1.0, 1.0]
    folder = tmp_path / "one" / "goal" / TASK / "seed-0"
    meta, steps = read_meta(folder), read_steps(folder)
    assert (meta.machine, meta.end, meta.steps) == ("document", "done", 2)
    calls = [step.call["tool"] for step in steps if step.call]
    assert calls == ["run_program", "done"]
    scored = cli("score", TASK, str(folder / "final.pptx"), "--as-is", "--no-look", "--json")
    assert json.loads(scored.stdout)["score"] == meta.score

    cli(*run, "--seed", "1", "--out", "two")
    assert "goal" in cli("compare", "one", "two").stdout
    cli("report", "one", "--out", "report")
    assert "no pixels or trees" in cli("replay", "one", code=1).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--env", "paper", "--agent", "goal"), "expected 'screen' or 'doc', got 'paper'"),
        (("--agent", "goal"), "expected --env doc"),
        (("--env", "doc", "--agent", "random"), "random, which needs a screen"),
        (("--env", "doc", "--agent", "goal", "--machine", "fake"), "leave out --machine"),
    ],
)
def test_what_does_not_fit_is_refused(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    done = cli("run", *arguments, "--tasks", TASK, "--out", "out", code=2)
    assert said in " ".join(done.stderr.split())
    assert not Path("out").exists()
