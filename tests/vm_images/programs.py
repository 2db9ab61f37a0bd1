"""Stand-ins for the programs that builds run, and helpers for tests of builds."""

import subprocess
import sys
import time
from pathlib import Path


class Programs:
    """Shell scripts that replace programs on the PATH, and a count of their runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)

    def write(self, name: str, body: str) -> None:
        """Write a shell script that counts its runs."""
        program = self.bin / name
        program.write_text(f'#!/bin/sh\necho run >> "$FAKES/{name}.runs"\n{body}\n')
        program.chmod(0o755)

    def runs(self, name: str = "mmdebstrap") -> int:
        """Return the number of runs of a program."""
        record = self.folder / f"{name}.runs"
        return len(record.read_text().splitlines()) if record.exists() else 0


def ignore(stage: str) -> None:
    pass


def wait_for_pid(file: Path) -> int:
    """Return the process id that a script writes to a file."""
    end = time.monotonic() + 20
    while not (file.exists() and (text := file.read_text()).endswith("\n")):
        assert time.monotonic() < end, "the program did not start"
        time.sleep(0.01)
    return int(text)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends_soon(pid: int) -> bool:
    end = time.monotonic() + 20
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not is_alive(pid)


def names(folder: Path) -> set[str]:
    """Return the names in a folder except the lock."""
    return {entry.name for entry in folder.iterdir()} - {".lock"}


# A test run that a shell started in the background ignores SIGINT, and so would its children.
INTERRUPTIBLE = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


def python(code: str) -> "subprocess.Popen[str]":
    """Start Python code in its own process, interruptible by SIGINT."""
    command = [sys.executable, "-c", INTERRUPTIBLE + code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
