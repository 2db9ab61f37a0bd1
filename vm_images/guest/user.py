"""Drop root privileges if the guest program starts as root (Linux)."""

import contextlib
import os
from pathlib import Path

from pptarena.vm_images.guest import kernel

__all__ = ["AGENT", "desktop_user", "switch_to_agent", "switch_to_guest"]

AGENT = 1000
"""The image's user ``agent``, who owns the desktop."""

_GUEST = 1001  # the image's user ``pptarena``
_SHARED_PAGES = 512 * 2**20 // 4096  # for images sent to the X server


def switch_to_agent() -> None:
    """Switch to the image's user; the capabilities to create the desktop's namespaces stay.

    A process without root privileges is left as it is.

    Raises:
        OSError: If the system refuses.
    """
    if os.getuid() == 0:
        _switch(AGENT)


def switch_to_guest() -> None:
    """Switch to a user that the desktop's programs cannot signal or trace.

    Files are still accessed as the desktop's user. Requires root privileges; the capabilities to
    create the desktop's namespaces stay.

    Raises:
        OSError: If the system refuses.
    """
    _switch(_GUEST)
    kernel.access_files_as(AGENT, AGENT)
    kernel.end_with_parent()


def desktop_user() -> int | None:
    """Return the user of the desktop's programs; None if it is that of this process."""
    return AGENT if os.getuid() == _GUEST else None


def _switch(user: int) -> None:
    for name in ("HOME", "XDG_RUNTIME_DIR"):
        folder = Path(os.environ[name])
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.chown(folder, AGENT, AGENT)
        folder.chmod(0o700)
    with contextlib.suppress(OSError):  # another user namespace may own it
        Path("/proc/sys/kernel/shmall").write_text(str(_SHARED_PAGES))
    kernel.keep_capabilities()
    # Recent kernels clear ambient capabilities on exec unless the effective group is the file
    # system group or one of the supplementary groups.
    os.setgroups([user])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    kernel.raise_capabilities()
