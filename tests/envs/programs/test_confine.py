import re
from pathlib import Path

import pytest
from tests.each_case import each_case

from pptarena.envs.programs.inside import confine

HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}
DANGEROUS = {
    "clone", "clone3", "fork", "vfork", "execve", "execveat", "kill", "tkill", "tgkill", "ptrace",
    "socket", "connect", "process_vm_readv", "process_vm_writev", "pidfd_open", "pidfd_getfd",
    "prlimit64", "setrlimit", "mount", "unshare", "setns", "bpf", "keyctl", "io_uring_setup",
    "shmget", "prctl", "setpriority", "mknod", "link", "symlink",
}  # fmt: skip


def _numbers(machine: str) -> dict[str, int]:
    file = Path(HEADERS[machine])
    if not file.exists():
        pytest.skip(f"no header {file}")
    lines = re.findall(r"#define __NR(3264)?_(\w+)\s+(\d+)\s*$", file.read_text(), re.M)
    return {{"fstatat": "newfstatat"}.get(name, name): int(number) for _, name, number in lines}


@each_case("machine", HEADERS)
def test_system_call_numbers_match_the_kernel(machine: str) -> None:
    kernel, column = _numbers(machine), confine.ARCHITECTURES[machine][1]
    for name, numbers in confine.ALLOWED.items():
        number = numbers[column]
        if number is None:
            assert name not in kernel
        else:
            assert kernel[name] == number, name


def test_nothing_dangerous_is_allowed() -> None:
    assert not DANGEROUS & set(confine.ALLOWED)


def test_unknown_processor_is_rejected() -> None:
    with pytest.raises(confine.ConfineError, match="processor 'mips'"):
        confine._program("mips")


@each_case("machine", confine.ARCHITECTURES)
def test_jumps_stay_inside_the_filter(machine: str) -> None:
    program = confine._program(machine)
    count = len(program) // 8
    for index in range(count):
        code, yes, no = program[8 * index], program[8 * index + 2], program[8 * index + 3]
        if code == 0x15:
            assert index + 1 + max(yes, no) < count
    # The last instruction allows the call; every true comparison jumps to it.
    assert program[-4:] == (0x7FFF0000).to_bytes(4, "little")
