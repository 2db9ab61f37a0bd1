"""Last layer of isolation of a leaf: resource limits and a seccomp filter.

The sandbox's namespaces already block network and files. The filter also prevents a leaf from
creating processes, each of which would have its own limits, and from reaching the worker and
through it later leaves. It is an allowlist, so system calls of newer kernels are refused. Numbers:
the kernel's tables of system calls, asm/unistd_64.h and asm-generic/unistd.h.
"""

import ctypes
import os
import resource
import struct
from typing import Any

__all__ = ["ALLOWED", "ARCHITECTURES", "ConfineError", "limit", "lock"]

# Name: number on x86_64, number on aarch64 (None if it has no such call).
ALLOWED: dict[str, tuple[int, int | None]] = {
    "read": (0, 63), "write": (1, 64), "open": (2, None), "close": (3, 57), "stat": (4, None),
    "fstat": (5, 80), "lstat": (6, None), "poll": (7, None), "lseek": (8, 62), "mmap": (9, 222),
    "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "ioctl": (16, 29),
    "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66),
    "access": (21, None), "select": (23, None), "sched_yield": (24, 124), "mremap": (25, 216),
    "madvise": (28, 233), "dup": (32, 23), "dup2": (33, None), "nanosleep": (35, 101),
    "getpid": (39, 172), "sendfile": (40, 71), "exit": (60, 93), "uname": (63, 160),
    "fcntl": (72, 25), "fsync": (74, 82), "fdatasync": (75, 83), "truncate": (76, 45),
    "ftruncate": (77, 46), "getdents": (78, None), "getcwd": (79, 17), "chdir": (80, 49),
    "fchdir": (81, 50), "rename": (82, None), "mkdir": (83, None), "rmdir": (84, None),
    "unlink": (87, None), "readlink": (89, None), "chmod": (90, None), "fchmod": (91, 52),
    "umask": (95, 166), "gettimeofday": (96, 169), "getrusage": (98, 165), "sysinfo": (99, 179),
    "times": (100, 153), "getuid": (102, 174), "getgid": (104, 176), "geteuid": (107, 175),
    "getegid": (108, 177), "getppid": (110, 173), "getgroups": (115, 158),
    "sigaltstack": (131, 132), "statfs": (137, 43), "fstatfs": (138, 44), "gettid": (186, 178),
    "time": (201, None), "futex": (202, 98), "sched_getaffinity": (204, 123),
    "getdents64": (217, 61), "fadvise64": (221, 223), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "exit_group": (231, 94),
    "openat": (257, 56), "mkdirat": (258, 34), "newfstatat": (262, 79), "unlinkat": (263, 35),
    "renameat": (264, 38), "readlinkat": (267, 78), "fchmodat": (268, 53),
    "faccessat": (269, 48), "pselect6": (270, 72), "ppoll": (271, 73), "utimensat": (280, 88),
    "dup3": (292, 24), "renameat2": (316, 276), "getrandom": (318, 278),
    "membarrier": (324, 283), "copy_file_range": (326, 285), "statx": (332, 291),
    "rseq": (334, 293), "faccessat2": (439, 439),
}  # fmt: skip

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""For each supported CPU architecture: its audit number and its column in `ALLOWED`."""

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_KILL, _REFUSE, _ALLOW = 0x80000000, 0x00050001, 0x7FFF0000  # refuse: EPERM


class ConfineError(Exception):
    """Isolation cannot be set up, so no leaf may run."""


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def limit(cpu_sec: int, memory_bytes: int, file_bytes: int) -> None:
    """Limit the resources of this process permanently.

    Args:
        cpu_sec: CPU time limit in seconds.
        memory_bytes: Address space.
        file_bytes: Size of a file that it writes.
    """
    for resource_limit, soft, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, 256, 256),
        (resource.RLIMIT_FSIZE, file_bytes, file_bytes),
        (resource.RLIMIT_CPU, cpu_sec, cpu_sec + 1),
        (resource.RLIMIT_AS, memory_bytes, memory_bytes),
    ):
        resource.setrlimit(resource_limit, (soft, hard))


def lock() -> None:
    """Refuse all system calls of this process that are not in `ALLOWED`, permanently.

    Raises:
        ConfineError: If the architecture is unknown or the kernel does not support it.
    """
    program = _program(os.uname().machine)
    library: Any = ctypes.CDLL(None, use_errno=True)
    filter_program = _FilterProgram(len(program) // 8, program)
    if library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or library.prctl(
        _PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(filter_program), 0, 0
    ):
        raise ConfineError(f"no filter of system calls: {os.strerror(ctypes.get_errno())}")


def _program(machine: str) -> bytes:
    """Return the filter as a BPF program: instructions of 8 bytes."""
    if machine not in ARCHITECTURES:
        raise ConfineError(f"no filter of system calls for the processor {machine!r}")
    architecture, column = ARCHITECTURES[machine]
    numbers = sorted(
        number for call_numbers in ALLOWED.values() if (number := call_numbers[column]) is not None
    )
    instructions = [
        (_LOAD, 0, 0, 4),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
    ]
    instructions += [(_JUMP_EQUAL, len(numbers) - i, 0, n) for i, n in enumerate(numbers)]
    instructions += [(_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in instructions)
