"""``pptarena image serve`` without OpenEnv; tests/rollouts/trainers/test_openenv.py has it."""

import sys

import pytest
from typer.testing import CliRunner

from pptarena.cli.app import app
from pptarena.errors import ConfigError


def test_missing_openenv_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(app, ["image", "serve"])
    assert isinstance(result.exception, ConfigError)
    assert "pip install -e '.[openenv]'" in str(result.exception)
