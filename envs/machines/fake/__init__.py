"""The `fake` machine: a deterministic stand-in in this very process."""

from pptarena.envs.machines.fake.config import FakeConfig
from pptarena.envs.machines.fake.machine import FakeMachine

__all__ = ["FakeConfig", "FakeMachine"]
