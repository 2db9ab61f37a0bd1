"""The `sandbox` machine: Linux namespaces over the image."""

from pptarena.envs.machines.sandbox.config import SandboxConfig
from pptarena.envs.machines.sandbox.machine import SandboxMachine

__all__ = ["SandboxConfig", "SandboxMachine"]
