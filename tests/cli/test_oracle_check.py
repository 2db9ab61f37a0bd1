from typer.testing import CliRunner

from pptarena.cli.app import app


def test_an_unknown_oracle_is_refused() -> None:
    done = CliRunner().invoke(app, ["tasks", "check", "--oracle", "crystal"])
    assert done.exit_code != 0
