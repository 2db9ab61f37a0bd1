"""The `remote` machine: a guest program that runs elsewhere."""

from pptarena.envs.machines.remote.machine import ADDRESS_VARIABLE, RemoteConfig, RemoteMachine

__all__ = ["ADDRESS_VARIABLE", "RemoteConfig", "RemoteMachine"]
