"""Environment options given as text, and the recorded options that a replay uses."""

from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig
from pptarena.rollouts.env import make_document_env, make_env
from pptarena.rollouts.env_options import (
    env_arguments,
    read_env_options,
    recorded_options,
    replay_arguments,
)


@pytest.mark.slow
@each_case(
    "text, value",
    [
        ("width_px=1920", 1920),
        ("height_px= 1080 ", 1080),
        ("settle_cap_sec=0.5", 0.5),
        ("memory_limit_bytes=4294967296", 2**32),
        ("score_when=end", "end"),
        ('score_when="end"', "end"),
        ("look=never", "never"),
        ("reward=sparse", "sparse"),
        ("judge=null", None),
        ("judge=environment", "environment"),
        ("judge_when=change", "change"),
        ("answer=person", "person"),
        ("budget=level", "level"),
        ("wording=any", "any"),
        ("wording=2", 2),
        ('judge={"model": "m", "base_url": "http://localhost:1/v1"}', ...),
    ],
)
def test_options_are_read_as_json_or_text(text: str, value: Any) -> None:
    options = read_env_options([text], "fake")
    name = text.partition("=")[0]
    if value is ...:
        assert env_arguments(options)["judge"] == JudgeConfig(
            model="m", base_url="http://localhost:1/v1"
        )
    else:
        assert options == {name: value}
        make_env("fake", **env_arguments(options)).close()


@each_case(
    "texts, machine, message",
    [
        (["widht_px=3"], "fake", r"option 'widht_px' not found\. Did you mean 'width_px'"),
        (["scorewhen=end"], "fake", "Did you mean 'score_when'"),
        (["vm_cpus=2"], "fake", "option 'vm_cpus' not found"),
        (["snapshots=true"], "qemu", "option 'snapshots' not found"),
        (["width_px"], "fake", "expected KEY=VALUE, got 'width_px'"),
        (["=3"], "fake", "option '' not found"),
        (["width_px=640", "width_px=800"], "fake", "width_px is set twice"),
        (["width_px=10"], "fake", "width_px to be between 320 and 7680, got 10"),
        (["width_px=wide"], "fake", "width_px to be between 320 and 7680, got 'wide'"),
        (["width_px=true"], "fake", "width_px to be between"),
        (["width_px=NaN"], "fake", "width_px to be between"),
        (["width_px=1e400"], "fake", "width_px to be between"),
        (["width_px=[1]"], "fake", "width_px to be between"),
        (["score_when=never"], "fake", "score_when to be one of"),
        (["look={}"], "fake", "look to be one of"),
        (["snapshots=yes"], "sandbox", "snapshots to be True or False"),
        (["judge=me"], "fake", "--env-option judge: expected null, environment or"),
        (['judge={"modl": "m"}'], "fake", "judge: expected the fields model"),
        (["answer=yes"], "fake", "answer: expected None, 'person'"),
        (["task=x"], "fake", "task is set by --task"),
        (["max_steps=3"], "fake", "max_steps is set by --max-steps"),
        (["width_px=640"], "remotely", "machine 'remotely' not found"),
    ],
)
def test_invalid_options_are_rejected(texts: list[str], machine: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_env_options(texts, machine)


def test_document_options_are_read_and_recorded() -> None:
    options = read_env_options(["score_when=end", "facts=true"], on_document=True)
    with make_document_env(**options) as env:
        assert recorded_options(env) == {"score_when": "end"}
    with pytest.raises(
        ConfigError, match=r"'basline' not found\. Did you mean 'baseline'\? .*--env doc"
    ):
        read_env_options(["basline=application"], on_document=True)


@pytest.mark.slow
def test_auto_accepts_the_settings_of_both_machines() -> None:
    options = read_env_options(["snapshots=false", "vm_cpus=4"], "auto")
    assert options == {"snapshots": False, "vm_cpus": 4}


def test_only_changed_options_are_recorded_and_never_the_judge() -> None:
    judge = JudgeConfig(model="m", base_url="http://localhost:1/v1")
    with make_env("fake", judge=judge, start_attempts=1, max_steps=3) as env:
        assert recorded_options(env) == {}
    with make_env("fake", width_px=640, look="never") as env:
        assert recorded_options(env) == {"width_px": 640, "look": "never"}


def test_replay_ignores_recorded_files_addresses_and_keys() -> None:
    recorded = {
        "width_px": 640,
        "look": "never",
        "remote_address": "tcp:evil.example:1",
        "remote_token_file": "/etc/passwd",
        "judge": {"model": "m", "base_url": "http://evil.example", "api_key_env": "HOME"},
        "answer": "person",
        "suite": "/etc",
        "realtime": True,
    }
    assert replay_arguments(recorded) == {"width_px": 640, "look": "never"}
