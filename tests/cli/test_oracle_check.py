import json
import subprocess
from collections.abc import Callable

import pytest
import typer

from pptarena.cli.task_check import _check_oracle
from pptarena.rollouts import application_oracle
from pptarena.rollouts.application_oracle import OracleProof
from pptarena.tasks import get_task

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = "meridian-hide-backup"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--oracle", "crystal"),
            "--oracle: oracle 'crystal' not found. Available: application, gold.",
        ),
        (("--oracle", "application", "--attacks"), "--attacks and --oracle exclude each other"),
    ],
)
def test_wrong_options_are_refused(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    done = cli("tasks", "check", *arguments, code=2)
    assert message in " ".join(done.stderr.split())


def test_unsolved_task_exits_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proofs = [OracleProof("one", 1.0), OracleProof("two", 0.5, "title: reads 'Tent'")]
    monkeypatch.setattr(application_oracle, "prove_in_application", lambda *_: iter(proofs))
    with pytest.raises(typer.Exit) as exit_:
        _check_oracle([get_task(TASK)] * 2, json=True)
    assert exit_.value.exit_code == 1
    value = json.loads(capsys.readouterr().out)
    assert (value["ok"], [task["ok"] for task in value["tasks"]]) == (False, [True, False])
    with pytest.raises(typer.Exit):
        _check_oracle([get_task(TASK)] * 2, json=False)
    output = capsys.readouterr().out
    assert "✗ two: 0.50, title: reads 'Tent'" in output
    assert "1 of 2 tasks are solved inside the application." in output
