"""Virtual machines: processes of QEMU, their kept states, and forks of them."""

from pptarena.envs.machines.qemu.config import QemuConfig

__all__ = ["QemuConfig"]
