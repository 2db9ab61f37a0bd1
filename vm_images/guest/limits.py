"""Resource limits of each process of the desktop.

Total resources are limited from outside: by the guard on the host, or by the size of the virtual
machine.
"""

import resource
from dataclasses import dataclass

__all__ = ["Limits", "limit_processes"]

_MAX_FILE_BYTES = 512 * 2**20
_MAX_OPEN_FILES = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of the machine.

    Attributes:
        memory_bytes: Limit of all processes together; the address space of each may be twice as
            large, because programs reserve more than they use.
        processes: Maximum number of processes and threads.
    """

    memory_bytes: int
    processes: int


def limit_processes(limits: Limits) -> None:
    """Set limits that child processes inherit and cannot raise."""
    for limit, value in (
        (resource.RLIMIT_AS, 2 * limits.memory_bytes),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_FSIZE, _MAX_FILE_BYTES),
        (resource.RLIMIT_NOFILE, _MAX_OPEN_FILES),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))
