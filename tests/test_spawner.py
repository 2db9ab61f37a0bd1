"""Child processes that end with their parent."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from pptarena import spawner
from pptarena.errors import HostError
from pptarena.spawner import parent_death_prefix, spawn, stderr_tail


def finish(process: "subprocess.Popen[bytes]") -> str:
    process.wait(10)
    stderr = stderr_tail(process)
    assert process.stderr is not None
    process.stderr.close()
    return stderr


def has_exited(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def test_stderr_is_readable_at_any_time() -> None:
    process = spawn(["sh", "-c", "echo bad news >&2; exec sleep 30"])
    deadline = time.monotonic() + 10
    while not (stderr := stderr_tail(process)):
        assert time.monotonic() < deadline
    assert stderr == "bad news"
    assert stderr_tail(process) == "", "reading does not block"
    process.kill()
    assert finish(process) == ""
    assert stderr_tail(process) == ""


def test_full_pipe_does_not_block() -> None:
    process = spawn([sys.executable, "-c", "import os\nwhile True:\n os.write(2, b'x' * 4096)"])
    stderr = finish(process)  # the program ends with an error although its output is not read
    assert stderr.endswith("x")
    assert process.returncode != 0


def test_failed_start_leaks_no_descriptor() -> None:
    spawn(["true"]).communicate()
    before = os.listdir("/proc/self/fd")
    with pytest.raises(FileNotFoundError):
        spawn(["/no/such/program"])
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.slow
@pytest.mark.parametrize("starter", ["main", "thread"])
def test_child_ends_with_its_parent_process_not_with_its_thread(starter: str) -> None:
    script = textwrap.dedent(
        """
        import sys, threading, time
        from pptarena.spawner import parent_death_prefix, spawn
        def start():
            print(spawn([*parent_death_prefix(), "sleep", "60"]).pid, flush=True)
        if sys.argv[1] == "main":
            start()
        else:
            thread = threading.Thread(target=start)
            thread.start()
            thread.join()
        time.sleep(60)
        """
    )
    command = [sys.executable, "-c", script, starter]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    with host, host.stdout as output:
        pid = int(output.readline())
        time.sleep(0.3)
        assert Path(f"/proc/{pid}/comm").read_text() == "sleep\n"
        host.kill()
        host.wait()
    assert has_exited(pid)


@pytest.mark.slow
def test_parent_that_exits_before_exec_is_detected(tmp_path: Path) -> None:
    """The parent may be killed between the fork and the request for the death signal."""
    script = textwrap.dedent(
        """
        import os, sys, time
        from pptarena.spawner import parent_death_prefix
        parent, command = os.getpid(), [*parent_death_prefix(), "touch", sys.argv[1]]
        if os.fork() == 0:
            while os.getppid() == parent:
                time.sleep(0.01)
            os.execv(command[0], command)
        """
    )
    file = tmp_path / "file"
    subprocess.run([sys.executable, "-c", script, str(file)], check=True)
    time.sleep(0.7)
    assert not file.exists()
    subprocess.run([*parent_death_prefix(), "touch", str(file)], check=True)
    assert file.exists()


def test_missing_setpriv_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match=r"setpriv is missing; install it with: .*util-linux"):
        parent_death_prefix()


def test_forked_process_starts_its_own_thread() -> None:
    script = textwrap.dedent(
        """
        import os, signal
        from pptarena.spawner import spawn
        spawn(["true"]).wait()
        child = os.fork()
        if child == 0:
            signal.alarm(10)        # a hang ends here
            os._exit(spawn(["sh", "-c", "exit 7"]).wait())
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    command = [sys.executable, "-W", "ignore", "-c", script]
    assert subprocess.check_output(command, text=True, timeout=30) == "7\n"


def test_interrupt_during_start_leaves_no_process() -> None:
    script = textwrap.dedent(
        """
        import os, signal, subprocess, time
        from concurrent.futures import Future
        from pathlib import Path
        from pptarena import spawner
        started = []
        class Interrupted(Future):
            def result(self, timeout=None):
                if not started:
                    started.append(super().result())
                    raise KeyboardInterrupt
                return super().result(timeout)
        spawner.Future = Interrupted
        before = os.listdir("/proc/self/fd")
        for start in (spawner.spawn, lambda command: spawner.start_child(command, stdout=-1)):
            try:
                start(["sleep", "60"])
            except KeyboardInterrupt:
                same = os.listdir("/proc/self/fd") == before
                print(started.pop().returncode, same)
        """
    )
    command = [sys.executable, "-c", script]
    assert subprocess.check_output(command, text=True, timeout=30) == "-9 True\n" * 2


def test_one_thread_starts_all_processes() -> None:
    finish(spawn(["true"]))
    finish(spawn(["true"]))
    assert list(spawner._SPAWNERS) == [os.getpid()]
