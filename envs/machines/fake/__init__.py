"""The `fake` machine: a deterministic stand-in that runs in this process."""

from pptarena.envs.machines.fake.machine import FakeConfig, FakeMachine

__all__ = ["FakeConfig", "FakeMachine"]
