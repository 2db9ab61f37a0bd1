"""Keep a program from starting others: a filter of the kernel that forbids new processes.

An office application needs threads, but no processes; with the filter neither a macro nor a link,
a mail, a help page or an object of another program can start one. Linux on x86-64.
Sources: seccomp(2), linux/filter.h, linux/audit.h.
"""

import ctypes
import errno
import struct

__all__ = ["forbid_children"]

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _SET, _RETURN = 0x20, 0x15, 0x45, 0x06  # instructions: ld, jeq, jset, ret
_NUMBER, _ARCHITECTURE, _FLAGS = 0, 4, 16  # offsets in struct seccomp_data
_X86_64 = 0xC000003E
_OTHER_ABI = 0x40000000  # numbers of x32, which would go past a filter of numbers
_CLONE, _FORK, _VFORK, _CLONE3 = 56, 57, 58, 435
_CLONE_THREAD = 0x10000

# Each line: instruction, how many lines to skip if true, if false, operand.
_PROGRAM = (
    (_LOAD, 0, 0, _ARCHITECTURE),
    (_EQUAL, 1, 0, _X86_64),
    (_RETURN, 0, 0, _KILL),
    (_LOAD, 0, 0, _NUMBER),
    (_SET, 6, 0, _OTHER_ABI),
    (_EQUAL, 5, 0, _FORK),
    (_EQUAL, 4, 0, _VFORK),
    (_EQUAL, 5, 0, _CLONE3),
    (_EQUAL, 0, 3, _CLONE),
    (_LOAD, 0, 0, _FLAGS),
    (_SET, 1, 0, _CLONE_THREAD),
    (_RETURN, 0, 0, _ERRNO | errno.EPERM),
    (_RETURN, 0, 0, _ALLOW),
    (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),  # clone3: its flags cannot be seen; clone is the other
)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


_CODE = b"".join(struct.pack("=HBBI", *line) for line in _PROGRAM)
_FILTER = _Filter(len(_PROGRAM), _CODE)
_LIBC = ctypes.CDLL(None, use_errno=True)


def forbid_children() -> None:
    """Let this process and all it becomes start threads only; for good.

    Made for ``preexec_fn``: nothing is allocated or imported here, so that it may run between fork
    and exec.

    Raises:
        OSError: If the kernel refuses.
    """
    for call in ((_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (_PR_SET_SECCOMP, _MODE_FILTER, _POINTER)):
        if _LIBC.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), "the kernel does not take the filter of processes")


_POINTER = ctypes.byref(_FILTER)
