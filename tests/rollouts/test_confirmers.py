"""Confirmation of risky actions by a person or a model."""

from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from typing import Any

import gymnasium as gym
import pytest

from pptarena.envs.document import ToolCall
from pptarena.errors import ConfigError
from pptarena.rollouts.confirmers import confirmer_name, make_confirmer
from pptarena.rollouts.env import make_document_env
from pptarena.wrappers import ConfirmRisky


@pytest.fixture
def env() -> Iterator[gym.Env[Any, Any]]:
    """An environment on a document."""
    with closing(make_document_env(task="meridian-hide-backup")) as env:
        yield env


def test_person_confirms_on_the_terminal(
    env: gym.Env[Any, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("\nyes\n"))
    with closing(ConfirmRisky(env, make_confirmer("person"), "person")) as wrapped:
        wrapped.reset(seed=0)
        call = ToolCall.of("delete_slide", slide=272)
        errors = [wrapped.step(call)[-1]["action_error"] for _ in range(2)]
    assert errors == ["refused by person", None]
    assert "deletes slides" in capsys.readouterr().err


def test_model_confirms(
    env: gym.Env[Any, Any], server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_JUDGE_MODEL", "m")
    monkeypatch.setenv("PPTARENA_JUDGE_URL", server.url)
    server.script += ["no: the user wants to keep it"]
    with closing(ConfirmRisky(env, make_confirmer("model"), confirmer_name("model"))) as wrapped:
        wrapped.reset(seed=0)
        *_, info = wrapped.step(ToolCall.of("delete_slide", slide=272))
    assert info["action_error"] == "refused by model: the user wants to keep it"
    assert "delete_slide" in str(server.requests[0])


@pytest.mark.parametrize("confirmer", ["nobody", "no.such.module:f", "os:sep", "model", 3])
def test_invalid_confirmers_are_rejected(confirmer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PPTARENA_JUDGE_MODEL", raising=False)
    with pytest.raises(ConfigError, match="confirm"):
        make_confirmer(confirmer)
