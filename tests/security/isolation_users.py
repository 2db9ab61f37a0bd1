"""Attacks on a sandbox in which guest program and desktop share a process namespace as two users.

They are programs like those of `tests.security.isolation_attacks`. `hidden` lists the process ids
that exist but are not visible: those of guest program, X server and first process.
"""

from tests.security.isolation_attacks import Attack

__all__ = ["HIDDEN", "USER_ATTACKS"]

HIDDEN = r"""
def alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
hidden = [p for p in range(1, 400) if not os.path.exists(f"/proc/{p}") and alive(p)]
assert 1 in hidden, "the guest program is visible"
"""

USER_ATTACKS = (
    Attack(
        "open files of hidden processes by guessing their ids",
        """
names = ("mem", "maps", "fd", "root", "cwd", "environ", "exe", "stat", "status", "ns/mnt", "task",
         "syscall", "fdinfo", "clear_refs", "oom_score_adj", "map_files", "net/unix")
hits = [(p, n) for p in hidden for n in names if os.path.lexists(f"/proc/{p}/{n}")]
outcome = f"found {hits[:4]}" if hits else "refused"
""",
    ),
    Attack(
        "reach hidden processes on other paths",
        """
ways = ("/proc/self/../{}", "/proc/thread-self/../../../{}", "/proc/{}/task/{}", "/proc/1/root",
        "/proc/self/task/{}", "/proc/self/root/proc/{}", "/proc/self/cwd/../../proc/{}")
hits = [w for w in ways for p in hidden if os.path.lexists(w.format(p, p) + "/stat")]
outcome = f"found {hits}" if hits else "refused"
""",
    ),
    Attack(
        "another view of all processes",
        """
top = {}  # a later mount covers an earlier one
for line in text("/proc/self/mountinfo").splitlines():
    place, _, kind = line.partition(" - ")
    top[place.split()[4]] = kind
hits = [at for at, k in top.items() if k.startswith("proc ") and "hidepid=invisible" not in k]
outcome = f"{hits} show all processes" if hits else "refused: all hide them"
""",
    ),
    Attack(
        "kill hidden processes",
        """
hits = []
for p in hidden:
    for action in (lambda: os.kill(p, 9), lambda: signal.pidfd_send_signal(os.pidfd_open(p), 9)):
        try:
            action(); hits.append(p)
        except OSError:
            pass
    for number, words in ((200, (p, 9)), (234, (p, p, 9)), (129, (p, 9, bytes(128))),
                          (297, (p, p, 9, bytes(128))), (448, (p, 0))):
        if call(number, *words) == 0:
            hits.append((p, number))
outcome = f"sent a signal to {hits}" if hits else f"refused: {error()}"
""",
    ),
    Attack(
        "stop hidden processes with signals to groups and to everything",
        """
if os.fork() == 0:
    os.setpgid(0, 0)
    for group in (0, *(-p for p in hidden if p > 1)):
        try:
            os.kill(group, signal.SIGSTOP if group else 0)
        except OSError:
            pass
    os._exit(0)
time.sleep(0.5)
groups = [p for p in hidden if not alive(p)]
outcome = f"ended {groups}" if groups else "refused"
""",
    ),
    Attack(
        "a signal by the owner of a file (F_SETOWN, F_SETSIG)",
        """
for p in hidden:
    a, b = socket.socketpair()
    words = (8, p), (10, 9), (4, 0o20000)  # F_SETOWN, F_SETSIG SIGKILL, F_SETFL O_ASYNC
    for what, value in words:
        call(72, a.fileno(), what, value)
    b.send(b"x")
time.sleep(0.3)
killed = [p for p in hidden if not alive(p)]
outcome = f"killed {killed}" if killed else "refused"
""",
    ),
    Attack(
        "slow hidden processes down",
        """
mask = ctypes.create_string_buffer(b"\\1", 128)
hits = []
for p in hidden:
    tries = {"setpriority": call(141, 0, p, 19), "sched_setaffinity": call(203, p, 128, mask),
             "sched_setscheduler": call(144, p, 5, bytes(8)),
             "ioprio_set": call(251, 1, p, 3 << 13),
             "sched_setattr": call(314, p, bytes([48]) + bytes(47), 0)}
    hits += [(p, name) for name, result in tries.items() if result == 0]
outcome = f"changed {hits}" if hits else f"refused: {error()}"
""",
    ),
    Attack(
        "lower limits of hidden processes (prlimit)",
        """
hits = []
for p in hidden:
    for what in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_NPROC):
        try:
            resource.prlimit(p, what, (1, 1)); hits.append(p)
        except OSError:
            pass
outcome = f"limited {hits}" if hits else "refused"
""",
    ),
    Attack(
        "become the guest program's user or root",
        """
hits = []
for name in ("setuid", "setgid", "setfsuid", "setfsgid"):
    for user in (0, 1001, 2000001001):
        before = call(122, -1), call(123, -1)
        getattr(libc, name)(user)
        if user in (os.getuid(), os.geteuid(), os.getgid(), call(122, -1), call(123, -1)):
            hits.append((name, user))
for groups in ([0], [1001]):
    try:
        os.setgroups(groups); hits.append(groups)
    except OSError:
        pass
outcome = f"became {hits}" if hits else "refused"
""",
    ),
    Attack(
        "gain capabilities",
        """
hits = [n for n in range(41) if libc.prctl(47, 2, n, 0, 0) == 0]
header = struct.pack("=Ii", 0x20080522, 0)
hits += ["capset"] if call(126, header, struct.pack("=6I", *[0xFFFFFFFF] * 6)) == 0 else []
outcome = f"gained {hits}" if hits else f"refused: {error()}"
""",
    ),
    Attack(
        "a program that runs as its owner (setuid)",
        """
status = dict(l.split(":", 1) for l in text("/proc/self/status").splitlines() if ":" in l)
marked = [f"{at}/{n}" for at in ("/usr/bin", "/usr/sbin", "/usr/libexec", "/usr/lib/dbus-1.0")
          if os.path.isdir(at) for n in os.listdir(at)
          if os.path.isfile(f"{at}/{n}") and os.stat(f"{at}/{n}").st_mode & 0o6000]
off = status["NoNewPrivs"].strip() == "1"
outcome = "refused: no new privileges" if off else f"may start {marked[:3]}"
""",
    ),
    Attack(
        "use the user's other processes to hold something of the guest program",
        """
bad = ("/proc/", "mnt:", "user:", "net:", "pid:", "/dev/kvm", "/opt/")
own = [p for p in pids if name_of(p).startswith(OWN) and p != os.getpid()]
hits = []
for p in own:
    try:
        for n in os.listdir(f"/proc/{p}/fd"):
            at = os.readlink(f"/proc/{p}/fd/{n}")
            hits += [(name_of(p), at)] if at.startswith(bad) or "criu" in at else []
    except OSError:
        pass
outcome = f"finds {hits[:3]}" if hits else "refused"
""",
    ),
    Attack(
        "what a restore leaves open or behind",
        """
unix = [l.split()[-1] for l in text("/proc/net/unix").splitlines() if "crtools" in l or "criu" in l]
folders = "/", "/tmp", "/run", "/dev/shm", "/dev", "/home"
files = [f"{at}/{n}" for at in folders for n in os.listdir(at)
         if "criu" in n or "crtools" in n or n.startswith(".criu")]
mounts = [l.split()[4] for l in text("/proc/self/mountinfo").splitlines()
          if "criu" in l.split()[4] or "snapshots/" in l or "/scratch/" in l]
hits = unix + files + mounts
outcome = f"finds {hits[:3]}" if hits else "refused: nothing"
""",
    ),
    Attack(
        "write to the image or to files of the host",
        """
hits = []
for line in text("/proc/self/mountinfo").splitlines():
    place, _, kind = line.partition(" - ")
    at, flags = place.split()[4], place.split()[5].split(",")
    own = kind.split()[0] in ("tmpfs", "proc", "mqueue", "devpts")
    if not own and not at.startswith("/dev/"):
        hits += [] if {"ro", "nosuid", "nodev"} <= set(flags) else [f"{at} is mounted {flags}"]
for at in ("/var/tmp", "/usr", "/etc", "/var/lib", "/root", "/srv", "/mnt", "/"):
    try:
        open(at + "/attack", "w").close(); hits.append(at)
    except OSError:
        pass
outcome = f"may write {hits[:2]}" if hits else "refused"
""",
    ),
    Attack(
        "write the clock or the files of the guest program",
        """
hits = []
for n in os.listdir("/tmp/.X11-unix"):
    at = "/tmp/.X11-unix/" + n
    for flags in (os.O_RDWR, os.O_WRONLY | os.O_TRUNC):
        try:
            os.close(os.open(at, flags)); hits.append(at)
        except OSError:
            pass
    try:
        os.unlink(at); hits.append("unlink " + at)
    except OSError:
        pass
p = next(p for p in pids if name_of(p) == "soffice.bin")
for line in text(f"/proc/{p}/maps").splitlines():
    if line.endswith("/clock") and "w" in line.split()[1]:
        hits.append("a mapping of the clock is writable")
outcome = f"wrote {hits[:3]}" if hits else "refused"
""",
    ),
    Attack(
        "shared memory of other users",
        """
lines = [l.split() for l in text("/proc/sysvipc/shm").splitlines()[1:]]
foreign = [int(l[1]) for l in lines if int(l[7]) != os.getuid()]
hits = [n for n in foreign if call(30, n, 0, 0) not in (-1, 2**64 - 1)]
outcome = f"attached {hits}" if hits else "refused"
""",
    ),
    Attack(
        "send messages as the guest program (SCM_CREDENTIALS)",
        """
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
b.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
hits = []
for who in ((1, 1001, 1001), (1, os.getuid(), os.getgid()), (os.getpid(), 0, 0),
            (os.getpid(), 1001, 1001)):
    try:
        a.sendmsg([b"x"], [(socket.SOL_SOCKET, 2, struct.pack("3i", *who))]); hits.append(who)
    except OSError:
        pass
outcome = f"sent as {hits}" if hits else "refused"
""",
    ),
    Attack(
        "have the guest program killed first when memory is short",
        """
def f():
    os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"-1000")
    return "lowered its own score"
outcome = tried(f)
""",
    ),
    Attack(
        "limits that a restore could lose",
        """
outcome = "refused"
if text("/proc/sys/user/max_user_namespaces").strip() != "0":
    outcome = "user namespaces are not limited"
for p in [os.getpid(), *(p for p in pids if name_of(p) == "soffice.bin")]:
    status = dict(l.split(":", 1) for l in text(f"/proc/{p}/status").splitlines() if ":" in l)
    powers = [status[n].strip() for n in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")]
    if status["NoNewPrivs"].strip() != "1" or status["Seccomp"].strip() != "2":
        outcome = f"{name_of(p)} has no filter"
    if any(int(mask, 16) for mask in powers[:3] + powers[4:]):
        outcome = f"{name_of(p)} has capabilities {powers}"
""",
    ),
)
"""Attacks without side effects, which can share a machine."""
