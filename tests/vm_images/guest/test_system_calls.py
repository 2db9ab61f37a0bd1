"""The filter of system calls, in processes on this computer."""

import os
import subprocess
import sys

import pytest
from tests.each_case import each_case

pytestmark = pytest.mark.slow

PRELUDE = """
import ctypes, mmap, os, subprocess, threading
from pptarena.vm_images.guest.kernel import drop_capabilities
from pptarena.vm_images.guest.system_calls import restrict_system_calls
drop_capabilities()
restrict_system_calls(alone={alone})
call = ctypes.CDLL(None, use_errno=True).syscall
"""
REFUSED = {
    "ptrace": "print(call(101, 0, 0, 0, 0))",
    "pidfd_getfd": "print(call(438, 0, 0, 0))",
    "unshare": "print(call(272, 0x10000000))",
    "clone with a namespace": "print(call(56, 0x10000011, 0, 0, 0, 0))",
    "clone3": "print(call(435, 0, 0))",
    "memfd": "print(call(319, b'x', 0))",
    "io_uring": "print(call(425, 1, 0))",
    "a large segment": "print(call(29, 0, 1 << 30, 0o1600))",
    "a segment over 4 GiB": "print(call(29, 0, 1 << 33, 0o1600))",
    "the x32 table": "print(call(0x40000000 + 39))",
    "anonymous shared memory": ("\ntry:\n    mmap.mmap(-1, 4096)\nexcept OSError:\n    print(-1)"),
}
ALLOWED = {
    "private memory": "mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); print(1)",
    "threads": "t = threading.Thread(target=print, args=(1,)); t.start(); t.join()",
}


def run(code: str, *, alone: bool) -> str:
    result = subprocess.run(
        [sys.executable, "-c", PRELUDE.format(alone=alone) + code],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env=os.environ,
    )
    return result.stdout.strip() or result.stderr.strip()


@each_case("name", REFUSED)
@each_case("alone", [False, True])
def test_system_call_is_refused(name: str, alone: bool) -> None:
    assert run(REFUSED[name], alone=alone) == "-1"


@each_case("name", ALLOWED)
@each_case("alone", [False, True])
def test_system_call_is_allowed(name: str, alone: bool) -> None:
    assert run(ALLOWED[name], alone=alone) == "1"


@pytest.mark.parametrize(
    "code", ["os.fork()", "subprocess.run(['true'])", "os.posix_spawnp('true', ['true'], {})"]
)
def test_alone_allows_no_further_process(code: str) -> None:
    assert "PermissionError" in run(code, alone=True)
    assert "Error" not in run(f"{code}; print(1)", alone=False)
