"""The filter of system calls, on processes of this computer."""

import os
import subprocess
import sys

import pytest
from tests.each_case import each_case

pytestmark = pytest.mark.slow

PRELUDE = """
import ctypes, mmap, os, subprocess, threading
from pptarena.vm_images.guest.kernel import drop_powers
from pptarena.vm_images.guest.system_calls import bound_system_calls
drop_powers()
bound_system_calls(alone={alone})
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
    "a segment of more than 4 GiB": "print(call(29, 0, 1 << 33, 0o1600))",
    "the other table": "print(call(0x40000000 + 39))",
    "shared memory of nothing": ("\ntry:\n    mmap.mmap(-1, 4096)\nexcept OSError:\n    print(-1)"),
}
ALLOWED = {
    "private memory": "mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); print(1)",
    "threads": "t = threading.Thread(target=print, args=(1,)); t.start(); t.join()",
}


def run(code: str, *, alone: bool) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE.format(alone=alone) + code],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env=os.environ,
    )
    return done.stdout.strip() or done.stderr.strip()


@each_case("what", REFUSED)
@each_case("alone", [False, True])
def test_refused(what: str, alone: bool) -> None:
    assert run(REFUSED[what], alone=alone) == "-1"


@each_case("what", ALLOWED)
@each_case("alone", [False, True])
def test_allowed(what: str, alone: bool) -> None:
    assert run(ALLOWED[what], alone=alone) == "1"


@pytest.mark.parametrize(
    "way", ["os.fork()", "subprocess.run(['true'])", "os.posix_spawnp('true', ['true'], {})"]
)
def test_alone_means_no_further_process(way: str) -> None:
    assert "PermissionError" in run(way, alone=True)
    assert "Error" not in run(f"{way}; print(1)", alone=False)
