"""Commands that run guest programs of the image without a desktop, in separate namespaces.

The programs have no network and no access to files of the host.
"""

import shutil
from pathlib import Path

from pptarena.errors import HostError
from pptarena.vm_images.image import Image

__all__ = ["office_command", "sandbox_command"]

_GUEST = Path(__file__).resolve().parent / "guest"
_GUEST_INSIDE = "/opt/pptarena/pptarena/vm_images/guest"


def office_command(image: Image, program: str) -> list[str]:
    """Return the command that runs one guest program in separate namespaces.

    Args:
        image: The image whose office application runs.
        program: Name of the module within the guest's package.

    Raises:
        HostError: If bubblewrap is missing.
    """
    return [*sandbox_command(image), "python3", "-m", f"pptarena.vm_images.guest.{program}"]


def sandbox_command(image: Image) -> list[str]:
    """Return the prefix of a command that runs a program in separate namespaces.

    Raises:
        HostError: If bubblewrap is missing.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise HostError("bubblewrap is missing; install it with: sudo apt-get install bubblewrap")
    return [
        *(program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "pptarena"),
        *("--ro-bind", str(image.root), "/", "--proc", "/proc", "--dev", "/dev"),
        *("--size", str(2**29), "--tmpfs", "/tmp", "--size", str(2**28), "--tmpfs", "/dev/shm"),
        *("--size", str(2**28), "--tmpfs", "/home", "--dir", "/home/agent"),
        *("--size", str(2**24), "--tmpfs", "/run", "--dir", "/run/user/1000"),
        *("--size", str(2**24), "--tmpfs", "/opt", "--ro-bind", str(_GUEST), _GUEST_INSIDE),
        *("--chdir", "/home/agent", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"),
        *("--setenv", "HOME", "/home/agent", "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "XDG_RUNTIME_DIR", "/run/user/1000", "--setenv", "SAL_USE_VCLPLUGIN", "svp"),
        *("--setenv", "PYTHONPATH", "/opt/pptarena", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
    ]
