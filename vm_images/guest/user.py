"""Drop root privileges if the guest program starts as root (Linux)."""

import contextlib
import os
from pathlib import Path

from pptarena.vm_images.guest import kernel

__all__ = ["become_user"]

_USER = 1000  # the image's user ``agent``
_SHARED_PAGES = 512 * 2**20 // 4096  # for images sent to the X server


def become_user() -> None:
    """Switch to the image's user; the capabilities to create the desktop's namespaces stay.

    A process without root privileges is left as it is.

    Raises:
        OSError: If the system refuses.
    """
    if os.getuid() != 0:
        return
    for name in ("HOME", "XDG_RUNTIME_DIR"):
        folder = Path(os.environ[name])
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.chown(folder, _USER, _USER)
        folder.chmod(0o700)
    with contextlib.suppress(OSError):  # another user namespace may own it
        Path("/proc/sys/kernel/shmall").write_text(str(_SHARED_PAGES))
    kernel.keep_powers()
    os.setgroups([])
    os.setresgid(_USER, _USER, _USER)
    os.setresuid(_USER, _USER, _USER)
    kernel.raise_powers()
