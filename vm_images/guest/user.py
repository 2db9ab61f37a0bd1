"""Stop to be the machine's root, where the guest program starts as one (Linux)."""

import contextlib
import os
from pathlib import Path

from pptarena.vm_images.guest import kernel

__all__ = ["become_user"]

_USER = 1000  # agent, of the image
_SHARED_PAGES = 512 * 2**20 // 4096  # for pictures on their way to the X server


def become_user() -> None:
    """Become the user of the image; the powers to build the desktop's namespaces stay.

    A process that is no root stays what it is.

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
    with contextlib.suppress(OSError):  # not where the kernel's settings are not this root's
        Path("/proc/sys/kernel/shmall").write_text(str(_SHARED_PAGES))
    kernel.keep_powers()
    os.setgroups([])
    os.setresgid(_USER, _USER, _USER)
    os.setresuid(_USER, _USER, _USER)
    kernel.raise_powers()
