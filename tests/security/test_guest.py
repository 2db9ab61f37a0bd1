"""Guests that send invalid replies: lost in time, and no other machine is harmed."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import gymnasium as gym
import pytest
from tests.security.evil_guest import HEIGHT_PX, WIDTH_PX, Attack, EvilGuest
from tests.security.guest_lies import (
    byte_lies,
    error_lies,
    field_lies,
    large_lies,
    other_lies,
)
from tests.security.guest_trial import Trial, every_lie

from pptarena.envs import ppt_arena
from pptarena.envs.actions import wait
from pptarena.envs.baseline import BaselineStore

pytestmark = pytest.mark.slow

STEP = 37  # the nightly test runs all attacks


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    with tempfile.TemporaryDirectory() as folder:
        new_trial = Trial(Path(folder))
        yield new_trial
        new_trial.close()


def every_nth(lies: Iterator[Attack], step: int = STEP) -> list[Attack]:
    return list(lies)[::step]


SAMPLE = [
    *every_nth(attack for _, attack in field_lies("perform")),
    *every_nth((attack for _, attack in field_lies("load")), 101),
    *every_nth(error_lies("perform")),
    *every_nth(error_lies("save"), 41),
    *every_nth(other_lies("perform")),
    *every_nth(byte_lies("perform", 200, 1), 4),
    *every_nth((lie for lie in large_lies("perform") if not lie.name.startswith("64 MB")), 9),
]


def test_sampled_attacks_are_handled(trial: Trial) -> None:
    results = {f"{lie.method}: {lie.name}": trial.try_lie(lie) for lie in SAMPLE}
    assert len(SAMPLE) > 60
    assert {name: problem for name, problem in results.items() if problem} == {}


@pytest.mark.nightly
def test_all_attacks_are_handled(trial: Trial) -> None:
    count, problems = 0, {}
    for lie in every_lie():
        count += 1
        if problem := trial.try_lie(lie):
            problems[f"{lie.method}: {lie.name}"] = problem
    assert count > 5_000
    assert problems == {}


def test_honest_replies_are_accepted(trial: Trial) -> None:
    trial.env.reset(seed=0)
    for _ in range(3):
        observation, _, terminated, truncated, info = trial.env.step(wait(1))
        assert (terminated, truncated, info["infra_error"]) == (False, False, None)
        assert trial.env.observation_space.contains(observation)
    assert json.loads(json.dumps(info, allow_nan=False))["clipboard"] == "words"


def test_malicious_guest_does_not_affect_other_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ppt_arena, "_BASELINES", BaselineStore(tmp_path))
    guests = EvilGuest("a token that both know"), EvilGuest("a token that both know")
    envs = gym.make_vec(
        "pptarena:PPTArena-v0",
        num_envs=2,
        max_steps=1000,
        task="meridian-retitle-products",
        machine="remote",
        remote_address=",".join(guest.address for guest in guests),
        remote_token_file=str(guests[0].token_file),
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        step_timeout_sec=5.0,
        start_timeout_sec=10.0,
    )
    try:
        envs.reset(seed=0)
        for lie in every_nth((attack for _, attack in field_lies("perform") if attack.is_lie), 97):
            with guests[1].lying(lie):
                _, rewards, _, truncated, infos = envs.step([wait(1), wait(1)])
            assert sorted(truncated) == [False, True], lie.name
            honest = list(truncated).index(False)
            assert (list(rewards), infos["infra_error"][honest]) == ([0.0, 0.0], None)
            for _ in range(50):
                _, _, _, truncated, infos = envs.step([wait(1), wait(1)])
                assert not truncated[honest]
                if not any(infos["infra_error"]):
                    break
    finally:
        envs.close()
        for guest in guests:
            guest.close()
