"""Attacks by leaves, in the real sandbox."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from tests.envs.programs.conftest import make_leaf

from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.runner import PythonLeaves
from pptarena.errors import LeafError

pytestmark = pytest.mark.slow

WORKER = "/opt/leaf/pptarena/envs/programs/inside/worker.py"
FINE = "return 'fine', 1"

# Each attack returns "did it" with score 1 only if it succeeds.
ATTACKS = {
    "open an internet socket": "import socket; socket.socket()",
    "open a unix socket": "import socket; socket.socket(socket.AF_UNIX)",
    "make a pair of sockets": "import socket; socket.socketpair()",
    "fetch a page": "import urllib.request; urllib.request.urlopen('http://127.0.0.1')",
    "resolve a name": "import socket; socket.getaddrinfo('example.com', 80)",
    "read the users": "open('/etc/passwd').read()",
    "read the home folder": "import os; os.listdir(HOME)",
    "read the project": "import os; os.listdir(PROJECT)",
    "read the users' homes": "import os; os.listdir('/home')",
    "read other processes": "import os; os.listdir('/proc')",
    "read kernel settings": "import os; os.listdir('/sys')",
    "import the package's scoring": "import pptarena.rewards.scoring",
    "import what is not needed": "import hypothesis",
    "write to the deck": "open(modified_ppt_path, 'r+b').write(b'x')",
    "write to the original": "open(original_ppt_path, 'ab').write(b'x')",
    "remove the deck": "import os; os.remove(modified_ppt_path)",
    "move the deck": "import os; os.rename(modified_ppt_path, '/tmp/x')",
    "put a file next to the deck": "open('/decks/x', 'w')",
    "put a module before the others": "open('/opt/site/re.py', 'w')",
    "change the worker": f"open({WORKER!r}, 'a')",
    "write to the root": "open('/x', 'w')",
    "write to devices": "open('/dev/x', 'w')",
    "fork": "import os; os.fork()",
    "run a program": "import subprocess; subprocess.run(['/opt/python/bin/python3', '-c', '1'])",
    "become a program": "import os; os.execv('/opt/python/bin/python3', ['python3'])",
    "start a thread": "import threading; threading.Thread(target=print).start()",
    "kill the worker": "import os; os.kill(os.getppid(), 9)",
    "kill everything": "import os; os.kill(-1, 9)",
    "kill the first process": "import os; os.kill(1, 9)",
    "raise its limits": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "change the worker's limits": "import os, resource; "
    "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))",
    "change the worker's priority": "import os; os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "write to a file without end": "f = open('/tmp/x', 'wb')\n"
    "    while True: f.write(bytes(2**20)); f.flush()",
    "fill the disk with files": "import itertools\n"
    "    for i in itertools.count(): open(f'/tmp/{i}', 'wb').write(bytes(2**20))",
    "reach privileges": "import os; os.setuid(0)",
    "change the host's name": "import socket; socket.sethostname('x')",
    "allocate four gigabytes": "bytearray(4 * 2**30)",
    "allocate without end": "x = []\n    while True: x.append(bytes(2**20))",
    "recurse without end": "f = lambda: f(); f()",
    "a path out of the sandbox": "open('/decks/../../../../etc/shadow').read()",
    "open its parent's memory": "open(f'/proc/{__import__(\"os\").getppid()}/mem', 'r+b')",
}

# System calls by number on x86_64 that Python has no function for; each must fail with EPERM.
SYSTEM_CALLS = {
    "ptrace": (101, 16), "process_vm_readv": (310,), "process_vm_writev": (311,),
    "pidfd_open": (434, 2), "pidfd_getfd": (438,), "unshare": (272, 0x10000000),
    "setns": (308,), "mount": (165,), "bpf": (321,), "io_uring_setup": (425, 1),
    "userfaultfd": (323,), "keyctl": (250,), "add_key": (248,), "shmget": (29, 1, 4096, 0o1666),
    "msgget": (68, 1, 0o1666), "mq_open": (240,), "perf_event_open": (298,), "clone3": (435,),
    "vfork": (58,), "socket through x32": (0x40000000 + 41, 2, 1), "prctl": (157, 4, 1),
    "seccomp": (317,), "memfd_create": (319,), "personality": (135, 0), "chroot": (161,),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_fails_and_the_next_leaf_is_unharmed(shared: PythonLeaves, name: str) -> None:
    settings = f"HOME = {str(Path.home())!r}\nPROJECT = {str(Path(__file__).parents[3])!r}\n"
    with pytest.raises(LeafError):
        shared.run_leaf(make_leaf(f"{settings}{ATTACKS[name]}\nreturn 'did it', 1"))
    assert shared.run_leaf(make_leaf(FINE)).score == 1


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
def test_forbidden_system_calls_are_refused(run: Any) -> None:
    verdict = run(
        f"""
        import ctypes, errno, json
        library = ctypes.CDLL(None, use_errno=True)
        allowed = []
        for name, numbers in {SYSTEM_CALLS!r}.items():
            ctypes.set_errno(0)
            if library.syscall(*numbers, 0, 0, 0) != -1 or ctypes.get_errno() != errno.EPERM:
                allowed.append(name)
        return json.dumps(allowed), 1
        """
    )
    assert json.loads(verdict.reason) == []


def test_host_is_invisible_to_leaves(run: Any) -> None:
    verdict = run(
        """
        import json, os, platform, sys
        return json.dumps({
            "environment": sorted(os.environ),
            "root": sorted(os.listdir("/")),
            "etc": sorted(os.listdir("/etc")),
            "devices": sorted(os.listdir("/dev")),
            "decks": sorted(os.listdir("/decks")),
            "name": platform.node(),
            "user": os.getuid(),
            "arguments": sys.argv,
        }), 1
        """
    )
    visible = json.loads(verdict.reason)
    assert not {"PATH", "USER", "OPENAI_API_KEY", "PPTARENA_HOME"} & set(visible["environment"])
    assert not {"root", "home", "proc", "sys", "run", "var", "work"} & set(visible["root"])
    assert set(visible["etc"]) <= {"alternatives", "ld.so.cache"}
    assert visible["devices"] == ["null", "urandom"]
    assert visible["decks"] == ["modified.pptx", "original.pptx"]
    assert (visible["name"], visible["user"]) == ("pptarena", 1000)
    assert not any(str(Path.home()) in argument for argument in visible["arguments"])


def test_modules_show_no_path_of_the_host(run: Any) -> None:
    verdict = run(
        """
        import sys
        files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
        return " ".join(sorted({file.split("/")[1] for file in files if file})), 1
        """
    )
    assert verdict.reason == "opt"


def test_fork_bomb_creates_no_process(run: Any) -> None:
    verdict = run(
        """
        import os
        children = 0
        for _ in range(1000):
            try:
                children += os.fork() == 0
            except PermissionError:
                pass
        return str(children), 1
        """
    )
    assert verdict.reason == "0"


@pytest.mark.parametrize(
    ("body", "limits", "message"),
    [
        ("while True: pass", {"cpu_sec": 1}, "more than 1 s of processor time"),
        ("import time; time.sleep(60)", {"wall_sec": 0.5}, "longer than 0.5 s"),
        (
            "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
            {"cpu_sec": 1},
            "SIGKILL",
        ),
        ("'a' * 10**12", {}, "1024 MB of memory"),
        ("return 'x' * 2**30, 1", {}, "memory"),
        ("return 'x' * 2**24, 1", {}, "a reason of 16777216 characters"),
        ("import os; os._exit(0)", {}, "ended itself with status 0"),
        ("import os; os._exit(9)", {}, "ended itself with status 9"),
        ("import ctypes; ctypes.string_at(0)", {}, "SIGSEGV"),
        ("raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})", {}, "cannot be read"),
        ("raise BaseException('x' * 10**6)", {}, "BaseException: xxx"),
    ],
)
def test_exceeded_limit_is_an_error(
    make_leaves: Any, body: str, limits: dict[str, Any], message: str
) -> None:
    leaves = make_leaves(limits=LeafLimits(**{"wall_sec": 60, "cpu_sec": 20, **limits}))
    started = time.monotonic()
    with pytest.raises(LeafError) as caught:
        leaves.run_leaf(make_leaf(body))
    assert message in str(caught.value)
    assert time.monotonic() - started < 50
    assert len(leaves.failures) == 1
    assert leaves.run_leaf(make_leaf(FINE)).score == 1


def test_excessive_output_is_discarded(run: Any) -> None:
    verdict = run(
        """
        import os, sys
        block = "x" * 2**20
        for _ in range(1024):
            sys.stdout.write(block)
        os.write(1, block.encode())
        os.write(2, block.encode())
        return "printed", 1
        """
    )
    assert verdict.reason == "printed"


def test_killed_host_leaves_no_process(tmp_path: Path) -> None:
    """A host killed in the middle of a leaf leaves no process behind."""
    code = textwrap.dedent(
        """
        import sys, threading
        from pathlib import Path
        from pptarena.envs.programs import PythonLeaf
        from pptarena.envs.programs.runner import PythonLeaves
        deck = Path(sys.argv[1]).read_bytes()
        leaves = PythonLeaves(deck, deck)
        leaves.run_leaf(PythonLeaf("def compute_score(): return 'ok', 1"))
        print(leaves._process.pid, flush=True)
        leaves.run_leaf(PythonLeaf("def compute_score():\\n    while True: pass"))
        """
    )
    deck = Path(__file__).parents[3] / "tasks/decks/meridian.pptx"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", code, str(deck)], stdout=subprocess.PIPE, env=environment
    ) as host:
        assert host.stdout is not None
        pid = int(host.stdout.readline())
        inside = _descendants(pid)
        assert len(inside) >= 2
        host.send_signal(signal.SIGKILL)
        host.wait()
    deadline = time.monotonic() + 5
    while any(_is_running(each) for each in (pid, *inside)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [each for each in (pid, *inside) if _is_running(each)] == []


def _descendants(pid: int) -> list[int]:
    descendants, pending = [], [pid]
    while pending:
        task = Path(f"/proc/{pending.pop()}/task")
        for thread in task.iterdir() if task.exists() else ():
            children = [int(word) for word in (thread / "children").read_text().split()]
            descendants += children
            pending += children
    return descendants


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
