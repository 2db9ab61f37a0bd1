"""The `remote` machine: a guest program that runs elsewhere."""

from pptarena.envs.machines.remote.config import RemoteConfig
from pptarena.envs.machines.remote.machine import ADDRESS_VARIABLE, RemoteMachine

__all__ = ["ADDRESS_VARIABLE", "RemoteConfig", "RemoteMachine"]
