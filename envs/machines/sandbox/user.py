"""Whom the sandbox's user is on the host: nobody, where the host's user is root."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

from pptarena.errors import HostError

__all__ = ["user_namespace"]

_AGENT = 1000
_NOBODYS_FIRST = 2_000_000_000  # far from what systems give to users and containers


def user_namespace() -> int | None:
    """Return a descriptor of a user namespace for one sandbox, None where bwrap makes its own.

    A sandbox of root has two users: root, who builds it, and the agent, who is nobody on the host:
    not root, to whom the kernel grants its settings and unlimited processes whatever a sandbox
    takes from him.

    Raises:
        HostError: If the namespace cannot be made.
    """
    if os.geteuid() != 0:
        return None
    program = shutil.which("unshare")
    if program is None:
        raise HostError("unshare is missing; install it with: sudo apt-get install util-linux")
    holder = subprocess.Popen(
        [program, "--user", "sh", "-c", "echo; read wait"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        try:
            if holder.stdout.read(1) != b"\n":
                raise HostError("unshare cannot make a user namespace; see: pptarena doctor")
            folder = Path(f"/proc/{holder.pid}")
            users = f"0 0 1\n{_AGENT} {_NOBODYS_FIRST + _AGENT} 1\n"
            for name in ("uid_map", "gid_map"):
                (folder / name).write_text(users)
            return os.open(folder / "ns/user", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise HostError(f"a user namespace cannot be set up: {error}") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                holder.kill()
