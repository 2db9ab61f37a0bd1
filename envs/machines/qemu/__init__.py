"""QEMU virtual machines, their snapshots and forks."""

from pptarena.envs.machines.qemu.config import QemuConfig

__all__ = ["QemuConfig"]
