import sys
from pathlib import Path
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeClient, JudgeConfig


@each_case(
    "settings, message",
    [
        ({"model": " "}, "model"),
        ({"timeout_sec": 0}, "timeout_sec"),
        ({"max_calls": 0}, "max_calls"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"repair_retries": -1}, "repair_retries"),
        ({"transport_retries": -1}, "transport_retries"),
        ({"mode": "dream"}, "mode"),
        ({"provider": "oracle"}, "provider"),
        ({"provider": "anthropic", "json_mode": True}, "json_mode"),
        ({"mode": "replay"}, "records"),
        ({"records": Path("x")}, "records"),
        ({"token_limit_field": "limit"}, "token_limit_field"),
        ({"base_url": "localhost:8000"}, "base_url"),
        ({"base_url": "http://me:secret@host/v1"}, "no user, password"),
        ({"base_url": "http://host/v1?key=secret"}, "no user, password"),
    ],
)
def test_settings_are_validated(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as excinfo:
        JudgeConfig(**{"model": "m", **settings})
    assert "secret" not in str(excinfo.value)


def test_environment_variables_configure_the_judge() -> None:
    assert JudgeConfig.from_environment({}) is None
    assert JudgeConfig.from_environment({"PPTARENA_JUDGE_URL": "http://h/v1"}) is None
    plain = JudgeConfig.from_environment({"PPTARENA_JUDGE_MODEL": "m"})
    assert plain == JudgeConfig(model="m")
    replay = JudgeConfig.from_environment(
        {
            "PPTARENA_JUDGE_MODEL": "m",
            "PPTARENA_JUDGE_URL": "http://h/v1",
            "PPTARENA_JUDGE_REPLAY": "r.jsonl",
        }
    )
    assert replay is not None
    assert (replay.mode, replay.records, replay.base_url) == (
        "replay",
        Path("r.jsonl"),
        "http://h/v1",
    )
    environment = {"PPTARENA_JUDGE_MODEL": "m", "PPTARENA_JUDGE_PROVIDER": "anthropic"}
    claude = JudgeConfig.from_environment(environment)
    assert claude == JudgeConfig(model="m", provider="anthropic", temperature=None)
    assert claude.key_name == "ANTHROPIC_API_KEY"
    with pytest.raises(ConfigError, match="one of"):
        JudgeConfig.from_environment(
            {
                "PPTARENA_JUDGE_MODEL": "m",
                "PPTARENA_JUDGE_RECORD": "a",
                "PPTARENA_JUDGE_REPLAY": "b",
            }
        )


@pytest.mark.slow
def test_missing_key_is_reported_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        JudgeClient(JudgeConfig(model="m"))
    JudgeClient(JudgeConfig(model="m", base_url="http://127.0.0.1:1/v1")).close()
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="GEMINI_API_KEY"):
        JudgeClient(JudgeConfig(model="m", provider="gemini"))


def test_missing_package_is_reported_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ConfigError, match=r"the package 'openai'.*'\.\[judge\]'"):
        JudgeClient(JudgeConfig(model="m", base_url="http://127.0.0.1:1/v1"))
