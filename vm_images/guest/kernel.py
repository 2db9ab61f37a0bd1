"""Linux system calls without a Python wrapper (see the manual pages)."""

import ctypes
import os
import struct

__all__ = [
    "NEW_MOUNTS",
    "NEW_NETWORK",
    "NEW_PIDS",
    "NEW_USERS",
    "bind_read_only",
    "bound_inodes",
    "drop_powers",
    "hide_process",
    "keep_powers",
    "mount",
    "mount_propagation_off",
    "raise_powers",
    "unmount",
    "unshare",
    "wake_all",
]

NEW_MOUNTS, NEW_USERS, NEW_PIDS = 0x00020000, 0x10000000, 0x20000000
NEW_NETWORK = 0x40000000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_EXEC = 1, 2, 4, 8
_REMOUNT, _BIND = 32, 4096
_DETACH = 2
_PR_SET_DUMPABLE, _PR_SET_KEEPCAPS, _PR_CAPBSET_DROP = 4, 8, 24
_PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _AMBIENT_CLEAR = 38, 47, 4
_CAPABILITIES_3 = 0x20080522
_MOST_CAPABILITIES = 64

_SYS_FUTEX, _FUTEX_WAKE, _ALL = 202, 1, 2**31 - 1  # x86-64

_libc = ctypes.CDLL(None, use_errno=True)


def wake_all(address: int) -> None:
    """Wake all threads, in all processes, that sleep on a word of shared memory (futex)."""
    _libc.syscall(_SYS_FUTEX, ctypes.c_void_p(address), _FUTEX_WAKE, _ALL, None, None, 0)


def unshare(flags: int) -> None:
    """Move this process (for process ids: its children) into new namespaces.

    Raises:
        OSError: If the kernel refuses.
    """
    _checked(_libc.unshare(flags), "unshare")


def mount(kind: str, target: str, options: str = "", *, flags: int = 0) -> None:
    """Mount a file system with nosuid and nodev.

    Raises:
        OSError: If the kernel refuses.
    """
    flags |= _NO_SUID | _NO_DEVICES
    data = options.encode() or None
    _checked(
        _libc.mount(kind.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data),
        target,
    )


def mount_propagation_off() -> None:
    """Make later mounts private to this mount namespace.

    Raises:
        OSError: If the kernel refuses.
    """
    private_below = 0x40000 | 0x4000
    _checked(_libc.mount(b"none", b"/", None, ctypes.c_ulong(private_below), None), "/")


def bind_read_only(source: str, target: str) -> None:
    """Bind-mount a file or folder read-only.

    Raises:
        OSError: If the kernel refuses.
    """
    names = source.encode(), target.encode()
    _checked(_libc.mount(*names, None, ctypes.c_ulong(_BIND), None), target)
    flags = _REMOUNT | _BIND | _READ_ONLY | _NO_SUID | _NO_DEVICES | _NO_EXEC
    _checked(_libc.mount(None, names[1], None, ctypes.c_ulong(flags), None), target)


def unmount(target: str) -> bool:
    """Unmount a file system; return whether there was one."""
    return bool(_libc.umount2(target.encode(), _DETACH) == 0)


def bound_inodes(target: str, options: str) -> None:
    """Change the limits of a mounted in-memory file system.

    Raises:
        OSError: If the kernel refuses.
    """
    flags = _REMOUNT | _NO_SUID | _NO_DEVICES
    arguments = (None, target.encode(), None, ctypes.c_ulong(flags), options.encode())
    _checked(_libc.mount(*arguments), target)


def hide_process() -> None:
    """Prevent other processes from tracing this one, reading its memory or taking its descriptors.

    Raises:
        OSError: If the kernel refuses.
    """
    _checked(_libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "dumpable")


def keep_powers() -> None:
    """Keep the capabilities when this process drops root.

    Raises:
        OSError: If the kernel refuses.
    """
    _checked(_libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0), "keep capabilities")


def raise_powers() -> None:
    """Make all permitted capabilities effective.

    Raises:
        OSError: If the kernel refuses.
    """
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_3, 0))
    data = ctypes.create_string_buffer(24)
    _checked(_libc.capget(header, data), "capabilities")
    _, low, inherited, _, high, inherited_high = struct.unpack("=6I", data.raw[:24])
    data = ctypes.create_string_buffer(
        struct.pack("=6I", low, low, inherited, high, high, inherited_high)
    )
    _checked(_libc.capset(header, data), "capabilities")


def drop_powers() -> None:
    """Drop all capabilities permanently, also for programs started later.

    Raises:
        OSError: If the kernel refuses.
    """
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    for number in range(_MOST_CAPABILITIES):  # refused for nonexistent ones and without privileges
        _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    _libc.prctl(_PR_CAP_AMBIENT, _AMBIENT_CLEAR, 0, 0, 0)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_3, 0))
    _checked(_libc.capset(header, ctypes.create_string_buffer(24)), "capabilities")


def _checked(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), what)
