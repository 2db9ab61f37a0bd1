import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.vm_images.programs import ends_soon, is_alive, wait_for_pid

from pptarena.vm_images.children import ChildGroup

SLEEP = 'echo $$ > "$1"; sleep 300; true'
IGNORE_TERM = 'trap "" TERM; echo $$ > "$1"; while :; do sleep 1; done'


def test_children_that_end_by_themselves_are_not_killed() -> None:
    with ChildGroup() as group:
        child = group.start(["sh", "-c", "echo done; exit 3"], stdout=subprocess.PIPE)
        output, _ = child.communicate()
    assert (output, child.returncode) == (b"done\n", 3)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (SLEEP, KeyboardInterrupt),
        (SLEEP, RuntimeError),
        pytest.param(IGNORE_TERM, RuntimeError, marks=pytest.mark.slow),
    ],
)
def test_exception_ends_the_group(
    tmp_path: Path, script: str, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    if script == IGNORE_TERM:
        monkeypatch.setattr("pptarena.vm_images.children._END_SEC", 0.3)
    pid_file = tmp_path / "pid"

    def fail() -> None:
        with ChildGroup() as group:
            group.start(["sh", "-c", script, "sh", str(pid_file)])
            wait_for_pid(pid_file)
            raise error

    with pytest.raises(error):
        fail()
    assert not is_alive(wait_for_pid(pid_file))


@pytest.mark.slow
def test_group_ends_with_its_parent_process(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = (
        "import sys, time\n"
        "from pptarena.vm_images.children import ChildGroup\n"
        "with ChildGroup() as group:\n"
        f"    group.start(['sh', '-c', {SLEEP!r}, 'sh', sys.argv[1]]).wait()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(pid_file)]) as parent:
        child = wait_for_pid(pid_file)
        assert is_alive(child)
        os.kill(parent.pid, signal.SIGKILL)
    assert ends_soon(child)
