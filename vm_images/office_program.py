"""Guest programs that run with the image's office application but without a desktop.

They run in separate namespaces: no network, no access to files of the host.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pptarena.errors import DeckError, HostError, MachineError, MachineTimeoutError
from pptarena.vm_images.image import Image

__all__ = ["office_command", "run_office_program"]

_GUEST = Path(__file__).resolve().parent / "guest"
_GUEST_INSIDE = "/opt/pptarena/pptarena/vm_images/guest"
_REFUSED = 3  # exit status for a deck that the program refuses


def run_office_program(
    image: Image, program: str, arguments: Sequence[str], data: bytes, timeout_sec: float, goal: str
) -> bytes:
    """Run one guest program and return its standard output.

    Args:
        image: The image whose office application runs.
        program: Name of the module within the guest's package.
        arguments: Arguments of its command line.
        data: Its standard input.
        timeout_sec: Timeout.
        goal: The result as a participle such as ``rendered``, for messages.

    Raises:
        DeckError: If the program refuses the deck.
        HostError: If bubblewrap is missing or not allowed to create namespaces.
        MachineError: If the program fails or takes too long.
    """
    try:
        done = subprocess.run(
            office_command(image, program, arguments),
            input=data,
            capture_output=True,
            timeout=timeout_sec,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MachineTimeoutError(f"the deck was not {goal} within {timeout_sec:g} s") from error
    said = done.stderr.decode("utf-8", "replace").strip()[-500:]
    if done.returncode == _REFUSED:
        raise DeckError(said)
    if said.startswith("bwrap:"):
        raise HostError(f"bubblewrap failed: {said}; see what this host lacks: pptarena doctor")
    if done.returncode != 0:
        raise MachineError(f"the deck could not be {goal}: {said or done.returncode}")
    return done.stdout


def office_command(image: Image, program: str, arguments: Sequence[str]) -> list[str]:
    """Return the command that runs one guest program in separate namespaces.

    Args:
        image: The image whose office application runs.
        program: Name of the module within the guest's package.
        arguments: Arguments of its command line.

    Raises:
        HostError: If bubblewrap is missing.
    """
    return [
        *sandbox_command(image),
        "python3",
        "-m",
        f"pptarena.vm_images.guest.{program}",
        *arguments,
    ]


def sandbox_command(image: Image) -> list[str]:
    """Return the prefix of a command that runs a program in separate namespaces."""
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
