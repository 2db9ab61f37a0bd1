"""Programs that die with this process."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from pptarena import spawner
from pptarena.errors import HostError
from pptarena.spawner import spawn, stderr_tail, with_parent_death_signal


def finish(process: "subprocess.Popen[bytes]") -> str:
    process.wait(10)
    said = stderr_tail(process)
    assert process.stderr is not None
    process.stderr.close()
    return said


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def test_its_last_words_can_be_read_any_time() -> None:
    process = spawn(["sh", "-c", "echo bad news >&2; exec sleep 30"])
    deadline = time.monotonic() + 10
    while not (said := stderr_tail(process)):
        assert time.monotonic() < deadline
    assert said == "bad news"
    assert stderr_tail(process) == "", "reading waits for nothing"
    process.kill()
    assert finish(process) == ""
    assert stderr_tail(process) == ""


def test_a_full_pipe_holds_nobody_up() -> None:
    process = spawn([sys.executable, "-c", "import os\nwhile True:\n os.write(2, b'x' * 4096)"])
    said = finish(process)  # ends, with an error, although its output was not read
    assert said.endswith("x")
    assert process.returncode != 0


def test_what_cannot_be_started_leaves_nothing() -> None:
    spawn(["true"]).communicate()
    before = os.listdir("/proc/self/fd")
    with pytest.raises(FileNotFoundError):
        spawn(["/no/such/program"])
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.slow
@pytest.mark.parametrize("starter", ["main", "thread"])
def test_it_dies_with_a_killed_parent_and_not_with_a_thread(starter: str) -> None:
    script = textwrap.dedent(
        """
        import sys, threading, time
        from pptarena.spawner import with_parent_death_signal, spawn
        def start():
            print(spawn([*with_parent_death_signal(), "sleep", "60"]).pid, flush=True)
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
    with host, host.stdout as said:
        pid = int(said.readline())
        time.sleep(0.3)
        assert Path(f"/proc/{pid}/comm").read_text() == "sleep\n"
        host.kill()
        host.wait()
    assert gone(pid)


@pytest.mark.slow
def test_a_parent_that_died_too_early_is_noticed(tmp_path: Path) -> None:
    """The parent may be killed after the fork and before the kernel was asked."""
    script = textwrap.dedent(
        """
        import os, sys, time
        from pptarena.spawner import with_parent_death_signal
        parent, command = os.getpid(), [*with_parent_death_signal(), "touch", sys.argv[1]]
        if os.fork() == 0:
            while os.getppid() == parent:
                time.sleep(0.01)
            os.execv(command[0], command)
        """
    )
    for early in (True, False):
        wrote = tmp_path / f"early-{early}"
        if early:
            subprocess.run([sys.executable, "-c", script, str(wrote)], check=True)
            time.sleep(0.7)
            assert not wrote.exists()
        else:
            subprocess.run([*with_parent_death_signal(), "touch", str(wrote)], check=True)
            assert wrote.exists()


def test_without_setpriv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match=r"setpriv is missing; install it with: .*util-linux"):
        with_parent_death_signal()


def test_a_forked_process_has_a_thread_of_its_own() -> None:
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
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "7\n"


def test_who_is_interrupted_leaves_no_program() -> None:
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
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "-9 True\n" * 2


def test_one_thread_starts_them_all() -> None:
    finish(spawn(["true"]))
    finish(spawn(["true"]))
    assert list(spawner._SPAWNERS) == [os.getpid()]
