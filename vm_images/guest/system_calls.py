"""System call filter of the desktop's programs (seccomp, x86-64).

The desktop's programs need none of the refused system calls. These reach other processes, other
namespaces, large parts of the kernel, or memory that is not attributed to any process. Sources: the
numbers of Linux' ``arch/x86/entry/syscalls/syscall_64.tbl``, the format of ``linux/filter.h``.
"""

import ctypes
import errno
import os
import platform
import struct

__all__ = ["filter_program", "restrict_system_calls"]

_REFUSED = {
    # other processes
    **{"ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312},
    **{"pidfd_getfd": 438, "process_madvise": 440, "move_pages": 279, "migrate_pages": 256},
    # namespaces and file systems
    **{"unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155},
    **{"chroot": 161, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431},
    **{"fsmount": 432, "fspick": 433, "mount_setattr": 442, "statmount": 457, "listmount": 458},
    **{"name_to_handle_at": 303, "open_by_handle_at": 304, "fanotify_init": 300, "quotactl": 179},
    **{"swapon": 167, "swapoff": 168, "quotactl_fd": 443, "open_tree_attr": 467},
    # the kernel itself
    **{"bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425},
    **{"io_uring_enter": 426, "io_uring_register": 427, "keyctl": 250, "add_key": 248},
    **{"request_key": 249, "init_module": 175, "finit_module": 313, "delete_module": 176},
    **{"kexec_load": 246, "kexec_file_load": 320, "reboot": 169, "syslog": 103, "acct": 163},
    **{"iopl": 172, "ioperm": 173, "modify_ldt": 154, "vmsplice": 278},
    # memory that outlives its processes, or belongs to none
    **{"memfd_create": 319, "memfd_secret": 447, "msgget": 68},
    **{"semget": 64, "mq_open": 240, "io_setup": 206},
}
_CLONE, _CLONE3, _FORK, _VFORK, _MMAP, _SHMGET = 56, 435, 57, 58, 9, 29
_MAX_SHARED_BYTES = 128 * 2**20  # of one segment: images sent to the X server
_NEW_NAMESPACES = 0x7E020080
_THREAD = 0x10000
_SHARED_ANONYMOUS = (0x21, 0x23)  # MAP_SHARED or MAP_SHARED_VALIDATE, with MAP_ANONYMOUS
_MAP_TYPE_MASK = 0x2F
_X32 = 0x40000000  # the x32 system call table
_ARCHITECTURE = 0xC000003E

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_Step = tuple[int, int, int, int]


def filter_program(*, alone: bool) -> bytes:
    """Return the filter.

    Args:
        alone: Also refuse to start further processes; threads are allowed.
    """
    steps: list[_Step] = [
        *((_LOAD, 0, 0, _ARCHITECTURE_OFFSET), (_EQUAL, 1, 0, _ARCHITECTURE), _return(_KILL)),
        *((_LOAD, 0, 0, _NUMBER_OFFSET), (_AT_LEAST, 0, 1, _X32), _return(_ERROR | errno.ENOSYS)),
    ]
    for number in sorted(_REFUSED.values()):
        steps += _refuse(number, errno.EPERM)
    steps += _refuse(_CLONE3, errno.ENOSYS)  # a filter cannot read its flags; clone works
    if alone:
        steps += [*_refuse(_FORK, errno.EPERM), *_refuse(_VFORK, errno.EPERM)]
    # Loading an argument overwrites the number, so each of these checks ends the filter.
    clone = [
        *((_LOAD, 0, 0, _ARGUMENTS_OFFSET), (_ANY_BIT, 0, 1, _NEW_NAMESPACES)),
        *(_return(_ERROR | errno.EPERM), (_ANY_BIT, 1, 0, _THREAD)),
        *(_return(_ERROR | errno.EPERM if alone else _ALLOW), _return(_ALLOW)),
    ]
    steps += [(_EQUAL, 0, len(clone), _CLONE), *clone]
    shmget = [
        *((_LOAD, 0, 0, _ARGUMENTS_OFFSET + 12), (_EQUAL, 1, 0, 0), _return(_ERROR | errno.ENOMEM)),
        *((_LOAD, 0, 0, _ARGUMENTS_OFFSET + 8), (_AT_LEAST, 0, 1, _MAX_SHARED_BYTES + 1)),
        *(_return(_ERROR | errno.ENOMEM), _return(_ALLOW)),
    ]
    steps += [(_EQUAL, 0, len(shmget), _SHMGET), *shmget]
    steps += [
        *((_EQUAL, 1, 0, _MMAP), _return(_ALLOW), (_LOAD, 0, 0, _ARGUMENTS_OFFSET + 3 * 8)),
        *((_AND, 0, 0, _MAP_TYPE_MASK), (_EQUAL, 1, 0, _SHARED_ANONYMOUS[0])),
        *((_EQUAL, 0, 1, _SHARED_ANONYMOUS[1]), _return(_ERROR | errno.ENOMEM), _return(_ALLOW)),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def restrict_system_calls(*, alone: bool) -> None:
    """Install the filter permanently for this process and its descendants.

    Raises:
        OSError: If the kernel refuses, or this is not x86-64.
    """
    if platform.machine() != "x86_64":
        raise OSError(errno.ENOTSUP, "the system call filter supports only x86-64")
    program = filter_program(alone=alone)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.c_char_p(header), 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _return(verdict: int) -> _Step:
    return (_RETURN, 0, 0, verdict)


def _refuse(number: int, code: int) -> list[_Step]:
    return [(_EQUAL, 0, 1, number), _return(_ERROR | code)]
