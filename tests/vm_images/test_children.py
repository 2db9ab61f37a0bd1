import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pptarena.vm_images.children import ChildGroup

SLEEP = 'echo $$ > "$1"; sleep 300; true'
STUBBORN = 'trap "" TERM; echo $$ > "$1"; while :; do sleep 1; done'


def started(record: Path) -> int:
    """Wait for a script to write its process id."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if record.exists() and (text := record.read_text()).endswith("\n"):
            return int(text)
        time.sleep(0.01)
    raise AssertionError("the program did not start")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pid: int) -> bool:
    end = time.monotonic() + 20
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not alive(pid)


def test_what_ends_by_itself_is_left_to_end() -> None:
    with ChildGroup() as group:
        child = group.start(["sh", "-c", "echo done; exit 3"], stdout=subprocess.PIPE)
        said, _ = child.communicate()
    assert (said, child.returncode) == (b"done\n", 3)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_exception_ends_the_group(tmp_path: Path, error: type[BaseException]) -> None:
    record = tmp_path / "pid"

    def fail() -> None:
        with ChildGroup() as group:
            group.start(["sh", "-c", SLEEP, "sh", str(record)])
            started(record)
            raise error

    with pytest.raises(error):
        fail()
    assert not alive(started(record))


@pytest.mark.slow
def test_programs_that_ignore_the_request_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pptarena.vm_images.children._END_SEC", 0.3)
    record = tmp_path / "pid"

    def fail() -> None:
        with ChildGroup() as group:
            group.start(["sh", "-c", STUBBORN, "sh", str(record)])
            started(record)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert not alive(started(record))


@pytest.mark.slow
def test_the_group_dies_with_the_process_that_made_it(tmp_path: Path) -> None:
    record = tmp_path / "pid"
    code = (
        "import sys, time\n"
        "from pptarena.vm_images.children import ChildGroup\n"
        "with ChildGroup() as group:\n"
        f"    group.start(['sh', '-c', {SLEEP!r}, 'sh', sys.argv[1]]).wait()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(record)]) as parent:
        child = started(record)
        assert alive(child)
        os.kill(parent.pid, signal.SIGKILL)
    assert gone(child)
