"""Attacks by code that runs as the desktop's user: Python programs executed in the machine.

Each program sets `outcome` to a text: ``refused...`` if the attack failed, any other text if it
succeeded. `others` lists the processes other than the desktop's own programs.
"""

from dataclasses import dataclass

__all__ = ["ATTACKS", "FLOODS", "PRELUDE", "Attack"]

PRELUDE = r"""
import ctypes, glob, json, mmap, os, resource, signal, socket, struct, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
outcome = "refused"
def call(number, *arguments):
    ctypes.set_errno(0)
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return libc.syscall(ctypes.c_long(number), *words)
def error():
    return os.strerror(ctypes.get_errno())
def text(path):
    try:
        return open(path, "rb").read().decode("utf-8", "replace").replace("\0", " ")
    except OSError:
        return ""
OWN = ("soffice", "openbox", "dbus", "at-spi", "dconf", "oosplash", "xclip")
def name_of(pid):
    return text(f"/proc/{pid}/comm").strip()
pids = [int(p[6:]) for p in glob.glob("/proc/[0-9]*")]
others = [p for p in pids if p != os.getpid() and not name_of(p).startswith(OWN)]
def tried(action):
    try:
        return action()
    except OSError as e:
        return f"refused: {e}"
"""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    Attributes:
        name: Short description.
        code: The program; `PRELUDE` runs before it.
    """

    name: str
    code: str


ATTACKS = (
    Attack(
        "see the guest program or the X server",
        """
visible = [name_of(p) for p in others if p != 1]
outcome = f"sees {visible}" if visible else "refused: only the desktop's own programs are there"
""",
    ),
    Attack(
        "trace a process that is not the desktop's",
        """
hits = [p for p in others if call(101, 16, p, 0, 0) == 0]
outcome = f"traced {[name_of(p) for p in hits]}" if hits else f"refused: {error()}"
""",
    ),
    Attack(
        "stop the guest program, the X server or process 1",
        """
for p in others:
    tried(lambda: os.kill(p, signal.SIGSTOP))
time.sleep(0.3)
hits = [p for p in others if ") T " in text(f"/proc/{p}/stat")]
for p in hits:
    os.kill(p, signal.SIGCONT)
outcome = f"stopped {[name_of(p) for p in hits]}" if hits else "refused: nothing stopped"
""",
    ),
    Attack(
        "take a socket out of another process (pidfd_getfd)",
        """
hits = 0
for p in others:
    fd = call(434, p, 0)
    hits += sum(call(438, fd, n, 0) >= 0 for n in range(64)) if fd >= 0 else 0
outcome = f"took {hits} descriptors" if hits else f"refused: {error()}"
""",
    ),
    Attack(
        "write the memory of another process",
        """
hits = []
for p in others:
    try:
        os.close(os.open(f"/proc/{p}/mem", os.O_RDWR)); hits.append(name_of(p))
    except OSError:
        pass
outcome = f"opened the memory of {hits}" if hits else "refused"
""",
    ),
    Attack(
        "read environment and open files of another process",
        """
hits = []
for p in others:
    for what in ("environ", "fd", "maps"):
        try:
            at = f"/proc/{p}/{what}"
            if os.listdir(at) if what == "fd" else open(at).read(): hits.append((name_of(p), what))
        except OSError:
            pass
outcome = f"read {hits}" if hits else "refused"
""",
    ),
    Attack(
        "a user namespace of its own with a file system of 64 GB",
        """
if call(272, 0x10020000) == 0:
    outcome = "unshared a user and a mount namespace"
else:
    outcome = f"refused: {error()}"
""",
    ),
    Attack(
        "a child in a new user namespace (clone)",
        """
p = call(56, 0x10000011, 0, 0, 0, 0)
if p == 0:
    os._exit(0)
outcome = f"refused: {error()}" if p < 0 else "cloned into a user namespace"
""",
    ),
    Attack(
        "mount and unmount",
        """
r = libc.mount(b"t", b"/tmp", b"tmpfs", 0, None), libc.umount2(b"/proc", 2)
outcome = f"refused: {error()}" if r == (-1, -1) else f"mount, umount -> {r}"
""",
    ),
    Attack(
        "raise its own limits",
        """
names = ("NPROC", "AS", "FSIZE", "CORE", "NOFILE")
hits = []
for n in names:
    what = getattr(resource, "RLIMIT_" + n)
    hard = resource.getrlimit(what)[1]
    if hard == resource.RLIM_INFINITY:
        hits.append(n + " is unlimited")
        continue
    try:
        resource.setrlimit(what, (hard + 1, hard + 1)); hits.append(n)
    except (OSError, ValueError):
        pass
outcome = f"raised {hits}" if hits else "refused"
""",
    ),
    Attack(
        "memory that belongs to nobody (memfd)",
        """
fd = call(319, b"x", 0)
outcome = f"refused: {error()}" if fd < 0 else "made a memfd"
""",
    ),
    Attack(
        "shared anonymous memory that is let go but kept",
        """
at = libc.mmap(None, 1 << 26, 3, 0x21, -1, 0)
outcome = f"refused: {error()}" if at in (None, 2**64 - 1) else "mapped shared anonymous memory"
""",
    ),
    Attack(
        "shared memory by /dev/zero",
        """
def f():
    fd = os.open("/dev/zero", os.O_RDWR)
    mmap.mmap(fd, 1 << 26)
    return "mapped /dev/zero shared"
outcome = tried(f)
""",
    ),
    Attack(
        "shared memory, messages and semaphores of System V",
        """
total = 0
while total < 4 << 30 and call(29, 0, 16 << 20, 0o1600) >= 0:
    total += 16 << 20
hits = [n for n, c in (("msg", (68, 0, 0o1600)), ("sem", (64, 0, 1, 0o1600))) if call(*c) >= 0]
big = call(29, 0, 1 << 30, 0o1600) >= 0
for line in text("/proc/sysvipc/shm").splitlines()[1:]:
    if int(line.split()[6]) == 0:
        call(31, int(line.split()[1]), 0, 0)
outcome = f"made {total >> 20} MB, {hits}" if hits or big or total > 1 << 30 else "refused: little"
""",
    ),
    Attack(
        "queues of POSIX messages",
        """
fd = call(240, b"q", 0o102, 0o600, 0)
outcome = f"refused: {error()}" if fd < 0 else "made a queue"
""",
    ),
    Attack(
        "keys in the kernel's keyring",
        """
k = call(248, b"user", b"pptarena", b"secret", 6, -4)
outcome = f"refused: {error()}" if k < 0 else "stored a key"
""",
    ),
    Attack(
        "io_uring, bpf, perf events, userfaultfd",
        """
made = {"io_uring": call(425, 4, ctypes.create_string_buffer(120)), "userfaultfd": call(323, 0),
        "bpf": call(321, 0, ctypes.create_string_buffer(120), 120),
        "perf": call(298, ctypes.create_string_buffer(b"\\0" * 4 + b"\\x70", 112), 0, -1, -1, 0)}
hits = [n for n, fd in made.items() if fd >= 0]
outcome = f"opened {hits}" if hits else f"refused: {error()}"
""",
    ),
    Attack(
        "the network",
        """
hits = []
for host in (("127.0.0.1", 22), ("10.0.0.1", 80), ("8.8.8.8", 53)):
    try:
        socket.create_connection(host, 1); hits.append(host)
    except OSError:
        pass
outcome = f"reached {hits}" if hits else "refused"
""",
    ),
    Attack(
        "sockets of the host by abstract name",
        """
names = {l.split()[-1] for l in text("/proc/net/unix").splitlines()[1:] if "@" in l}
hits = [n for n in names if "X11" not in n and "dbus" not in n and "ICE" not in n]
outcome = f"sees {hits}" if hits else "refused: none there"
""",
    ),
    Attack(
        "put a socket of its own in the X server's place",
        """
def f():
    at = "/tmp/.X11-unix/" + os.listdir("/tmp/.X11-unix")[0]
    os.rename(at, at + "-taken")
    os.rename(at + "-taken", at)
    return "moved the X server's socket"
outcome = tried(f)
""",
    ),
    Attack(
        "an abstract socket in the X server's place",
        """
def f():
    s = socket.socket(socket.AF_UNIX)
    s.bind("\\0/tmp/.X11-unix/X0")
    return "took the X server's abstract name"
outcome = tried(f)
""",
    ),
    Attack(
        "change the guest program's files",
        """
hits = []
for at in ("/opt/pptarena", "/opt/pptarena/pptarena/vm_images/guest", "/usr/lib/python3",
           "/usr/lib/python3/dist-packages", "/etc"):
    try:
        open(at + "/attack.py", "w").close(); hits.append(at)
    except OSError:
        pass
outcome = f"wrote to {hits}" if hits else "refused"
""",
    ),
    Attack(
        "read the guest program",
        """
found = glob.glob("/opt/pptarena/pptarena/vm_images/guest/*.py")
outcome = f"found {len(found)} files" if found else "refused: not there"
""",
    ),
    Attack(
        "settings of the kernel",
        """
hits = []
for at in ("kernel/pid_max", "user/max_user_namespaces", "kernel/ns_last_pid", "kernel/shmmax",
           "net/ipv4/ip_unprivileged_port_start", "kernel/core_pattern"):
    try:
        at = "/proc/sys/" + at
        value = open(at).read(); open(at, "w").write(value); hits.append(at)
    except OSError:
        pass
for at in ("/proc/sysrq-trigger", "/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse"):
    try:
        os.close(os.open(at, os.O_WRONLY)); hits.append(at)
    except OSError:
        pass
outcome = f"may write {hits}" if hits else "refused"
""",
    ),
    Attack(
        "command line of process 1",
        """
line = text("/proc/1/cmdline")
named = [word for word in ("/root", "/home/", "bwrap") if word in line]
outcome = f"shows {line[:80]!r}" if named else "refused"
""",
    ),
    Attack(
        "start a program of its choice through the session bus",
        """
def f():
    home = os.path.expanduser("~agent") if os.path.isdir("/home/agent") else os.environ["HOME"]
    at = home + "/.local/share/dbus-1/services"
    os.makedirs(at, exist_ok=True)
    with open(at + "/org.attack.service", "w") as file:
        file.write("[D-BUS Service]\\nName=org.attack\\nExec=/usr/bin/touch /tmp/started\\n")
    bus = os.environ.get("DBUS_SESSION_BUS_ADDRESS") or next(
        v for p in pids for v in text(f"/proc/{p}/environ").split(" ")
        if v.startswith("DBUS_SESSION")).split("=", 1)[1]
    env = dict(os.environ, DBUS_SESSION_BUS_ADDRESS=bus)
    for call_ in ("ReloadConfig", "StartServiceByName string:org.attack uint32:0"):
        subprocess.run(["dbus-send", "--session", "--print-reply", "--reply-timeout=2000",
            "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
            "org.freedesktop.DBus." + call_.split()[0], *call_.split()[1:]], env=env,
            capture_output=True)
    time.sleep(1)
    return "the bus started it" if os.path.exists("/tmp/started") else "refused: it did not start"
outcome = tried(f)
""",
    ),
    Attack(
        "change what the session bus starts programs with",
        """
bus = next((v for p in pids for v in text(f"/proc/{p}/environ").split(" ")
    if v.startswith("DBUS_SESSION")), "x=").split("=", 1)[1]
done = subprocess.run(["dbus-send", "--session", "--print-reply", "--reply-timeout=2000",
    "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
    "org.freedesktop.DBus.UpdateActivationEnvironment", "dict:string:string:LD_PRELOAD,/tmp/x.so"],
    env=dict(os.environ, DBUS_SESSION_BUS_ADDRESS=bus), capture_output=True, text=True)
outcome = "changed it" if done.returncode == 0 else f"refused: {done.stderr.strip()[:90]}"
""",
    ),
    Attack(
        "trace the application",
        """
hits = [p for p in pids if name_of(p).startswith("soffice") and call(101, 16, p, 0, 0) == 0]
outcome = "traced the application" if hits else f"refused: {error()}"
""",
    ),
    Attack(
        "make the application start a program",
        """
p = next(p for p in pids if name_of(p) == "soffice.bin")
mode = [l.split()[1] for l in text(f"/proc/{p}/status").splitlines() if l.startswith("Seccomp:")]
outcome = "refused: a filter is on it" if mode == ["2"] else "no filter is on it"
""",
    ),
)
"""Attacks without side effects, which can share a machine."""

FLOODS = (
    Attack(
        "4 GB of memory",
        """
held = []
for _ in range(40):
    held.append(bytearray(b"x") * (100 << 20))
    time.sleep(0.05)
time.sleep(5)
outcome = f"holds {len(held) * 100} MB"
""",
    ),
    Attack(
        "4 GB in forty processes",
        """
for _ in range(40):
    if os.fork() == 0:
        held = bytearray(b"x") * (100 << 20)
        time.sleep(20)
        os._exit(0)
time.sleep(6)
outcome = "holds 4000 MB"
""",
    ),
    Attack(
        "files in memory, everywhere",
        """
total = 0
block = os.urandom(1 << 20)
folders = "/tmp", "/home/agent", "/dev/shm", "/run/user/1000", "/run", "/home", "/opt", "/dev"
for folder in folders:
    for n in range(40):
        try:
            with open(f"{folder}/fill{n}", "wb") as file:
                for _ in range(500):
                    file.write(block); total += 1
        except OSError:
            pass
time.sleep(3)
outcome = f"refused: stopped at {total} MB" if total < 3000 else f"holds {total} MB"
""",
    ),
    Attack(
        "a million small files",
        """
made = 0
try:
    for folder in ("/tmp", "/home/agent", "/dev/shm"):
        for n in range(400000):
            os.close(os.open(f"{folder}/f{n}", os.O_CREAT)); made += 1
except OSError as e:
    pass
outcome = f"refused: stopped at {made}" if made < 300000 else f"made {made}"
""",
    ),
    Attack(
        "700 processes",
        """
made = 0
try:
    for _ in range(700):
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        made += 1
except OSError:
    pass
time.sleep(4)
outcome = f"refused: stopped at {made}" if made < 600 else f"made {made}"
""",
    ),
    Attack(
        "a fork bomb",
        """
end = time.monotonic() + 8
if os.fork() == 0:
    while time.monotonic() < end:
        try:
            os.fork()
        except OSError:
            pass
    os._exit(0)
time.sleep(4)
outcome = f"refused: {len(glob.glob('/proc/[0-9]*'))} processes" if len(
    glob.glob("/proc/[0-9]*")) < 600 else "thousands of processes"
""",
    ),
    Attack(
        "4 GB in a memfd that lies in a socket's buffer",
        """
pairs = []
total = 0
for _ in range(40):
    fd = call(319, b"x", 0)
    if fd < 0:
        break
    for _ in range(100):
        total += os.write(fd, b"x" * (1 << 20))
    a, b = socket.socketpair(); pairs.append((a, b))
    socket.send_fds(a, [b"x"], [fd]); os.close(fd)
time.sleep(5)
outcome = f"holds {total >> 20} MB" if total else f"refused: {error()}"
""",
    ),
)
"""Attacks that exhaust a resource: the machine terminates, or the system stops the program."""
