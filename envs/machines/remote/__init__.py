"""The `remote` machine: a guest program that runs elsewhere."""

from pptarena.envs.machines.remote.machine import ADDRESS_VARIABLE, RemoteMachine

__all__ = ["ADDRESS_VARIABLE", "RemoteMachine"]
