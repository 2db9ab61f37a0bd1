"""Run code inside a sandbox as the desktop's user. For tests only.

The code gets the same user, namespaces, resource limits and system call filter as a program of the
desktop, and no capabilities.
"""

import base64
import contextlib
import os
import resource
import subprocess
from pathlib import Path

from tests.security.isolation_attacks import PRELUDE

from pptarena.envs.machines.process_tree import process_tree
from pptarena.errors import MachineError
from pptarena.vm_images.guest.system_calls import filter_program

__all__ = ["find_process", "run_inside"]

_LIMITS = ("AS", "NPROC", "FSIZE", "NOFILE", "MSGQUEUE", "MEMLOCK", "CORE")
_CONFINE = """
import base64, ctypes, os, resource, struct
if os.fork():
    os._exit(0)  # the child continues below the machine's first process
for name, value in {limits!r}.items():
    resource.setrlimit(getattr(resource, "RLIMIT_" + name), value)
_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl(38, 1, 0, 0, 0)
_program = base64.b64decode({program!r})
_buffer = ctypes.create_string_buffer(_program, len(_program))
_header = struct.pack("HxxxxxxP", len(_program) // 8, ctypes.addressof(_buffer))
assert _libc.prctl(22, 2, ctypes.c_char_p(_header), 0, 0) == 0
"""


def find_process(pid: int, name: str) -> int:
    """Return the host's id of a process in a machine.

    Args:
        pid: Id of the machine's first process.
        name: Name of the program.

    Raises:
        MachineError: If no process has that name.
    """
    for process in process_tree(pid):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{process}/comm").read_text().strip() == name:
                return process
    raise MachineError(f"expected a process {name} in the machine, there is none")


def run_inside(pid: int, code: str, timeout_sec: float) -> str:
    """Run Python code next to a sandbox's application and return its `outcome`.

    Args:
        pid: Id of the machine's first process.
        code: The program; see `tests.security.isolation_attacks`.
        timeout_sec: Seconds until the program is killed.
    """
    application = find_process(pid, "soffice.bin")
    limits = {
        name: resource.prlimit(application, getattr(resource, f"RLIMIT_{name}")) for name in _LIMITS
    }
    program = base64.b64encode(filter_program(alone=False)).decode()
    confine = _CONFINE.format(limits=limits, program=program)
    owner = Path(f"/proc/{application}/mem").stat().st_uid
    user = ["--preserve-credentials"] if owner == os.geteuid() else ["-S", "1000", "-G", "1000"]
    try:
        result = subprocess.run(
            [
                *("nsenter", "-t", str(application), "-U", "-p", "-m", "-n", "-i", *user, "env"),
                *("-i", "PATH=/usr/bin:/bin", "HOME=/home/agent", "python3", "-c"),
                f"{confine}\n{PRELUDE}\n{code}\nprint(outcome)",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_sec,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "did not end"
    return result.stdout.decode("utf-8", "replace").strip()[-300:] or f"ended ({result.returncode})"
