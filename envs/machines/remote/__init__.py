"""The `remote` machine: a guest program on another computer or in a container."""

from pptarena.envs.machines.remote.machine import ADDRESS_VARIABLE, RemoteConfig, RemoteMachine

__all__ = ["ADDRESS_VARIABLE", "RemoteConfig", "RemoteMachine"]
