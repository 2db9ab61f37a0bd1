"""The steps in docs/concepts/machines.md suffice to add a machine."""

import logging
import pickle
from dataclasses import dataclass
from typing import Any, ClassVar

import gymnasium as gym
import pytest

from pptarena.envs.actions import click, done
from pptarena.envs.machines import MachineConfig, make_machine, registry
from pptarena.envs.machines.base import MachineCheckpoint, MachineObservation
from pptarena.envs.machines.config import within
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.ppt_arena import base_env
from pptarena.envs.vector import PPTArenaVectorEnv
from pptarena.errors import ConfigError
from pptarena.rollouts.env import env_facts
from pptarena.rollouts.manifest import plan_manifest
from pptarena.vm_images.guest.protocol import Command

TASK = "meridian-hide-backup"
SMALL: dict[str, Any] = {"task": TASK, "width_px": 640, "height_px": 360}


@dataclass(frozen=True, slots=True)
class TinyConfig(MachineConfig):
    """Settings of the tiny machine.

    Attributes:
        echoes: How often each command is recorded.
    """

    echoes: int = within(1, 0, 9)


class TinyMachine(FakeMachine):
    """The fake machine, but slow, with an image and without checkpoints."""

    kind: ClassVar[str] = "tiny"
    config_class: ClassVar[type[MachineConfig]] = TinyConfig
    runs_image: ClassVar[bool] = True
    slow_factor: ClassVar[float] = 2.0
    config: TinyConfig

    def __init__(self, config: MachineConfig | None = None) -> None:
        super().__init__(config)
        self.commands: list[str] = []

    def _checkpoint_problem(self) -> str:
        return "it is too small"

    def _perform_impl(self, command: Command) -> MachineObservation:
        self.commands += [command.op] * self.config.echoes
        return super()._perform_impl(command)

    def _checkpoint_impl(self) -> MachineCheckpoint:
        raise AssertionError("the machine does not support checkpoints")


@pytest.fixture(params=["by name", "as a class"])
def tiny(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str | type:
    """The machine by its registered name, or as an unregistered class."""
    if request.param == "by name":
        monkeypatch.setitem(registry._CLASSES, "tiny", f"{__name__}:TinyMachine")
        return "tiny"
    return TinyMachine


def test_an_episode_on_a_new_machine(tiny: str | type) -> None:
    env = gym.make("PPTArena-v0", machine=tiny, echoes=2, **SMALL)
    try:
        observation, info = env.reset(seed=0)
        assert env.observation_space.contains(observation)
        assert info["score"] == 0.0
        _, reward, terminated, _, info = env.step(click(element=1))
        assert not terminated
        _, last, terminated, _, info = env.step(done())
        assert terminated
        assert float(reward) + float(last) == info["score"]
        assert info["infra_error"] is None
        base = base_env(env)
        assert isinstance(base.machine, TinyMachine)
        assert base.machine.commands[:2] == ["click", "click"]
        assert base.config.machine == TinyConfig(640, 360, echoes=2)
        assert env_facts(env).machine == "tiny"
        with pytest.raises(ConfigError, match="the tiny machine cannot save a checkpoint"):
            base.checkpoint()
        again = pickle.loads(pickle.dumps(base))
        assert again.config == base.config
    finally:
        env.close()


def test_settings_of_a_new_machine_are_checked(tiny: str | type) -> None:
    with pytest.raises(ConfigError, match="expected echoes to be between 0 and 9, got 10"):
        gym.make("PPTArena-v0", machine=tiny, echoes=10)
    with pytest.raises(ConfigError, match="realtime needs machine='qemu', got machine='tiny'"):
        gym.make("PPTArena-v0", machine=tiny, realtime=True)
    with pytest.raises(ConfigError, match="expected a TinyConfig, got a OtherConfig"):
        make_machine(tiny, OtherConfig())


@dataclass(frozen=True, slots=True)
class OtherConfig(MachineConfig):
    """Settings of another machine."""


@pytest.mark.slow
def test_declared_properties_are_used(tiny: str | type, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    envs = PPTArenaVectorEnv(2, machine=tiny, echoes=0, **SMALL)
    try:
        assert envs.deadlines.step_sec == 65.0
        assert envs.reset(seed=0)[1]["score"].tolist() == [0.0, 0.0]
    finally:
        envs.close()
    if isinstance(tiny, str):
        assert plan_manifest([], tiny, None, image="abc").image == "abc"
        assert plan_manifest([], "fake", None, image="abc").image == ""
    assert caplog.text == ""
