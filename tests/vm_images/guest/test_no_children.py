"""A program under the filter has threads, and starts no other program in any way."""

import subprocess
import sys

import pytest

from pptarena.vm_images.guest.no_children import forbid_children

TRY = """import os, subprocess, threading
try:
    print({})
except OSError:
    print("refused")
"""


def said(expression: str) -> str:
    command = [sys.executable, "-c", TRY.format(expression)]
    return subprocess.check_output(command, preexec_fn=forbid_children, text=True).strip()


@pytest.mark.parametrize(
    "expression",
    [
        "os.fork() and 'started'",
        "subprocess.run(['true'])",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.posix_spawn('/bin/true', ['true'], {}, setsid=True)",
        "os.forkpty()",
    ],
)
def test_no_process_is_started(expression: str) -> None:
    assert said(expression) == "refused"


def test_a_shell_does_not_run() -> None:
    assert said("os.system('echo it runs') != 0") == "True"


def test_threads_run() -> None:
    ran = "[t.start() or t.join() or t.ident > 0 for t in [threading.Thread(target=print)]]"
    assert said(ran).endswith("[True]")


def test_it_holds_for_what_the_program_becomes() -> None:
    fork = TRY.format("os.fork()")
    code = f"import os, sys; os.execv(sys.executable, [sys.executable, '-c', {fork!r}])"
    out = subprocess.check_output([sys.executable, "-c", code], preexec_fn=forbid_children)
    assert out.strip() == b"refused"
