"""The `fake` machine: a deterministic stand-in in this very process."""

from pptarena.envs.machines.fake.machine import FakeConfig, FakeMachine

__all__ = ["FakeConfig", "FakeMachine"]
