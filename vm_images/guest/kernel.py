"""Linux system calls without a Python wrapper (see the manual pages)."""

import contextlib
import ctypes
import os
import signal
import struct
from collections.abc import Iterator

__all__ = [
    "IPC_OWNER",
    "KILL",
    "NEW_MOUNTS",
    "NEW_NETWORK",
    "NEW_PIDS",
    "NEW_USERS",
    "SET_GROUP",
    "SET_USER",
    "access_files_as",
    "adopt_orphans",
    "bind_read_only",
    "disable_mount_propagation",
    "drop_capabilities",
    "end_with_parent",
    "hide_process",
    "keep_capabilities",
    "limit_inodes",
    "mount",
    "pass_capability",
    "raise_capabilities",
    "show_process",
    "unmount",
    "unshare",
    "wake_all",
]

NEW_MOUNTS, NEW_USERS, NEW_PIDS = 0x00020000, 0x10000000, 0x20000000
NEW_NETWORK = 0x40000000
KILL, SET_GROUP, SET_USER, IPC_OWNER = 5, 6, 7, 15
"""Capabilities (capability(7))."""

_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_EXEC = 1, 2, 4, 8
_REMOUNT, _BIND = 32, 4096
_DETACH = 2
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_KEEPCAPS, _PR_CAPBSET_DROP = 1, 4, 8, 24
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 36, 38
_PR_CAP_AMBIENT, _AMBIENT_RAISE, _AMBIENT_CLEAR = 47, 2, 4
_CAPABILITIES_3 = 0x20080522
_MAX_CAPABILITIES = 64

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
    _check(_libc.unshare(flags), "unshare")


def mount(file_system: str, target: str, options: str = "", *, flags: int = 0) -> None:
    """Mount a file system with nosuid and nodev.

    Raises:
        OSError: If the kernel refuses.
    """
    flags |= _NO_SUID | _NO_DEVICES
    data = options.encode() or None
    _check(
        _libc.mount(
            file_system.encode(), target.encode(), file_system.encode(), ctypes.c_ulong(flags), data
        ),
        target,
    )


def disable_mount_propagation() -> None:
    """Make later mounts private to this mount namespace.

    Raises:
        OSError: If the kernel refuses.
    """
    private_recursive = 0x40000 | 0x4000
    _check(_libc.mount(b"none", b"/", None, ctypes.c_ulong(private_recursive), None), "/")


def bind_read_only(source: str, target: str) -> None:
    """Bind-mount a file or folder read-only.

    Raises:
        OSError: If the kernel refuses.
    """
    names = source.encode(), target.encode()
    _check(_libc.mount(*names, None, ctypes.c_ulong(_BIND), None), target)
    flags = _REMOUNT | _BIND | _READ_ONLY | _NO_SUID | _NO_DEVICES | _NO_EXEC
    _check(_libc.mount(None, names[1], None, ctypes.c_ulong(flags), None), target)


def unmount(target: str) -> bool:
    """Unmount a file system; return whether there was one."""
    return bool(_libc.umount2(target.encode(), _DETACH) == 0)


def limit_inodes(target: str, options: str) -> None:
    """Change the limits of a mounted in-memory file system.

    Raises:
        OSError: If the kernel refuses.
    """
    flags = _REMOUNT | _NO_SUID | _NO_DEVICES
    arguments = (None, target.encode(), None, ctypes.c_ulong(flags), options.encode())
    _check(_libc.mount(*arguments), target)


def hide_process() -> None:
    """Prevent other processes from tracing this one, reading its memory or taking its descriptors.

    Raises:
        OSError: If the kernel refuses.
    """
    _check(_libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "dumpable")


def show_process() -> None:
    """Allow processes of the same user or with the capability to inspect this process.

    Changing users has the effect of `hide_process`.

    Raises:
        OSError: If the kernel refuses.
    """
    _check(_libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0), "dumpable")


def keep_capabilities() -> None:
    """Keep the capabilities when this process drops root.

    Raises:
        OSError: If the kernel refuses.
    """
    _check(_libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0), "keep capabilities")


def raise_capabilities() -> None:
    """Make all permitted capabilities effective.

    Raises:
        OSError: If the kernel refuses.
    """
    _, permitted, inherited = _capabilities()
    _set_capabilities(permitted, permitted, inherited)


@contextlib.contextmanager
def pass_capability(capability: int) -> Iterator[None]:
    """Give programs started in the block one of this process's capabilities.

    Raises:
        OSError: If the kernel refuses.
    """
    effective, permitted, inherited = _capabilities()
    _set_capabilities(effective, permitted, inherited | 1 << capability)
    _check(_libc.prctl(_PR_CAP_AMBIENT, _AMBIENT_RAISE, capability, 0, 0), "ambient capability")
    try:
        yield
    finally:
        _libc.prctl(_PR_CAP_AMBIENT, _AMBIENT_CLEAR, 0, 0, 0)
        _set_capabilities(effective, permitted, inherited)


def drop_capabilities(retained: tuple[int, ...] = ()) -> None:
    """Drop capabilities permanently, also for programs started later.

    Args:
        retained: Capabilities that this process keeps; programs that it starts do not get them.

    Raises:
        OSError: If the kernel refuses.
    """
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    for number in range(_MAX_CAPABILITIES):  # refused for nonexistent ones and without privileges
        _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    _libc.prctl(_PR_CAP_AMBIENT, _AMBIENT_CLEAR, 0, 0, 0)
    mask = sum(1 << number for number in retained)
    _set_capabilities(mask, mask, 0)


def access_files_as(user: int, group: int) -> None:
    """Access files as another user; all other rights of this thread are unchanged.

    Raises:
        OSError: If the kernel refuses.
    """
    for change, number in ((_libc.setfsgid, group), (_libc.setfsuid, user)):
        change(number)  # it returns the previous one, even after a refusal
        _check(change(-1) - number, "file system user")


def end_with_parent() -> None:
    """Make the kernel kill this process when its parent ends; changing users resets this.

    Raises:
        OSError: If the kernel refuses.
    """
    _check(_libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "parent death signal")


def adopt_orphans() -> None:
    """Make this process a child subreaper: orphaned descendants become its children.

    Raises:
        OSError: If the kernel refuses.
    """
    _check(_libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "child subreaper")


def _capabilities() -> tuple[int, int, int]:
    """Return the effective, permitted and inheritable capabilities as masks."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_3, 0))
    data = ctypes.create_string_buffer(24)
    _check(_libc.capget(header, data), "capabilities")
    low = struct.unpack("=6I", data.raw[:24])
    return low[0] | low[3] << 32, low[1] | low[4] << 32, low[2] | low[5] << 32


def _set_capabilities(effective: int, permitted: int, inherited: int) -> None:
    masks = effective, permitted, inherited
    fields = (*(mask & 0xFFFFFFFF for mask in masks), *(mask >> 32 for mask in masks))
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_3, 0))
    data = ctypes.create_string_buffer(struct.pack("=6I", *fields))
    _check(_libc.capset(header, data), "capabilities")


def _check(result: int, subject: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), subject)
