"""``pptarena image serve`` without OpenEnv; tests/rollouts/trainers/test_openenv.py has it."""

import sys

import pytest
from typer.testing import CliRunner

from pptarena.cli.app import app
from pptarena.errors import ConfigError


def test_without_openenv_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(app, ["image", "serve"])
    assert isinstance(result.exception, ConfigError)
    assert "pip install -e '.[openenv]'" in str(result.exception)
