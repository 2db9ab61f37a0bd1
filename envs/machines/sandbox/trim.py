"""Return the freed memory of a program to the kernel before the program is saved.

LibreOffice keeps the memory that it frees (``vm_images/guest/heap.py``), a third of its heap. A
snapshot would contain that memory, and every restore would fill it again. ptrace(2) makes the
program call malloc_trim(3), which changes no contents.
"""

import ctypes
import os
import signal
import struct
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pptarena.errors import MachineTimeoutError

__all__ = ["release_freed_memory"]

_LIBRARY = "usr/lib/x86_64-linux-gnu/libc.so.6"
_FUNCTION = b"malloc_trim"
_POLL_SEC = 0.001

_POKE_DATA, _CONTINUE, _GET, _SET, _DETACH = 5, 7, 12, 13, 17
_SEIZE, _INTERRUPT = 0x4206, 0x4207
_ANY_CHILD = 0x40000000  # __WALL
_REGISTERS = struct.Struct("=27Q")  # struct user_regs_struct of sys/user.h, x86-64
_RAX, _RDI, _ORIG_RAX, _RIP, _RSP = 10, 14, 15, 16, 19
_NO_SYSTEM_CALL = 2**64 - 1
_RED_ZONE_BYTES = 128
_RETURN_ADDRESS = 0  # not executable, so the program stops there

# ELF64, elf(5)
_HEADER = struct.Struct("=40xQ10xHHH")
_SECTION = struct.Struct("=IIQQQQIIQQ")
_SYMBOL = struct.Struct("=IBBHQQ")
_DYNAMIC_SYMBOLS = 11

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def release_freed_memory(pid: int, root: Path, timeout_sec: float) -> bool:
    """Make a program return its freed memory; all of its threads must be asleep.

    Args:
        pid: The process.
        root: Its root filesystem, whose C library it uses.
        timeout_sec: Seconds until this gives up and kills the program.

    Returns:
        Whether it did.

    Raises:
        MachineTimeoutError: If it does not finish in time; it was killed.
    """
    deadline = time.monotonic() + timeout_sec
    try:
        address = _address(pid, root)
        if address == 0:
            return False
        _ptrace(_SEIZE, pid)
    except OSError:  # it has ended, or may not be traced
        return False
    try:
        _ptrace(_INTERRUPT, pid)
        signals = [_wait(pid, deadline)]
        registers = _registers(pid)
        succeeded = _call(pid, address, registers, deadline, signals)
        _set_registers(pid, registers)
        _ptrace(_DETACH, pid)
        for number in signals:
            if number != signal.SIGTRAP:  # not of this function
                os.kill(pid, number)
    except OSError:  # it has ended
        return False
    except MachineTimeoutError:
        os.kill(pid, signal.SIGKILL)
        raise
    return succeeded


def _call(
    pid: int, address: int, registers: tuple[int, ...], deadline: float, signals: list[int]
) -> bool:
    """Run the function to its end; signals that arrive during the call are added to `signals`."""
    stack = (registers[_RSP] - _RED_ZONE_BYTES) // 16 * 16 - 8
    if _libc.ptrace(_POKE_DATA, pid, stack, _RETURN_ADDRESS) < 0:
        return False
    call_registers = list(registers)
    call_registers[_RIP], call_registers[_RSP] = address, stack
    call_registers[_RDI] = call_registers[_RAX] = 0
    call_registers[_ORIG_RAX] = _NO_SYSTEM_CALL  # the interrupted one is not restarted yet
    _set_registers(pid, call_registers)
    _ptrace(_CONTINUE, pid)
    while (number := _wait(pid, deadline)) != signal.SIGSEGV:
        signals.append(number)
        _ptrace(_CONTINUE, pid)
    return _registers(pid)[_RIP] == _RETURN_ADDRESS


def _registers(pid: int) -> tuple[int, ...]:
    data = ctypes.create_string_buffer(_REGISTERS.size)
    _ptrace(_GET, pid, data)
    return _REGISTERS.unpack(data.raw)


def _set_registers(pid: int, values: Sequence[int]) -> None:
    packed = _REGISTERS.pack(*values)
    _ptrace(_SET, pid, ctypes.create_string_buffer(packed, len(packed)))


def _ptrace(request: int, pid: int, data: "ctypes.Array[ctypes.c_char] | None" = None) -> None:
    if _libc.ptrace(request, pid, None, None if data is None else ctypes.addressof(data)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _wait(pid: int, deadline: float) -> int:
    """Wait until a traced process stops and return the signal that stopped it.

    waitpid(2) has no time limit, and a pidfd does not report stops, so this polls.
    """
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG | _ANY_CHILD)
        if ended:
            if not os.WIFSTOPPED(status):
                raise ProcessLookupError(f"process {pid} has ended")
            return os.WSTOPSIG(status)
        if time.monotonic() > deadline:
            raise MachineTimeoutError("the application did not release its freed memory")
        time.sleep(_POLL_SEC)


def _address(pid: int, root: Path) -> int:
    """Return the address of the function in a process; 0 if it has no such library."""
    library = root / _LIBRARY
    library_status = library.stat()
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        fields = line.split()
        if len(fields) >= 6 and int(fields[4]) == library_status.st_ino and int(fields[2], 16) == 0:
            return int(fields[0].partition("-")[0], 16) + _offset(library)
    return 0


@lru_cache
def _offset(library: Path) -> int:
    """Return the offset of the function in a library.

    Raises:
        ValueError: If the library does not define it.
    """
    data = library.read_bytes()
    section_table, size, count, _ = _HEADER.unpack_from(data)
    sections = [
        _SECTION.unpack_from(data, section_table + size * number) for number in range(count)
    ]
    for section in sections:
        if section[1] == _DYNAMIC_SYMBOLS:
            names = sections[section[6]][4]
            for offset in range(section[4], section[4] + section[5], _SYMBOL.size):
                name, _, _, _, value, _ = _SYMBOL.unpack_from(data, offset)
                start = names + name
                if data[start : start + len(_FUNCTION) + 1] == _FUNCTION + b"\0":
                    return int(value)
    raise ValueError(f"{library} has no {_FUNCTION.decode()}")
