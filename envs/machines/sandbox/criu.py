"""Save and restore the processes of a sandbox with CRIU, which comes with the image.

CRIU runs on the host with the image's own loader and libraries, as root. See criu(8).
"""

import os
import re
import shlex
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pptarena.envs.machines.process_tree import process_tree
from pptarena.errors import HostError, MachineLostError, MachineTimeoutError
from pptarena.spawner import parent_death_prefix
from pptarena.vm_images import Image

__all__ = [
    "SavedState",
    "checkpoint_problem",
    "complete_restore",
    "first_process",
    "has_all_users",
    "log_tail",
    "missing_features",
    "restore_command",
    "save_processes",
    "separate_users",
]

_LOG = "criu.log"
_VERBOSITY = "-v1"
_LIBRARIES = "usr/lib/x86_64-linux-gnu"
_PROGRAM = "usr/sbin/criu"
_CAPABILITIES = {"DAC_READ_SEARCH": 2, "NET_ADMIN": 12, "SYS_PTRACE": 19, "SYS_ADMIN": 21}
_TOOLS = "unshare", "nsenter", "setpriv", "mount"  # of the Debian packages util-linux and mount
_LOG_LINES = 3
_LAST_PID = "/proc/sys/kernel/ns_last_pid"
_CRIU_PID = 32_000  # above the ids in a sandbox, below the usual limit of 32,768
_COMMON_OPTIONS = (
    *("--manage-cgroups=ignore", "--file-locks"),
    *("--network-lock", "skip", "--empty-ns", "net"),
)
_LOG_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class SavedState:
    """The saved processes of a sandbox.

    Attributes:
        folder: CRIU's files, readable by this user only.
        pipes: Inodes of the pipes that the guest program reads and writes.
    """

    folder: Path
    pipes: tuple[int, int]


def separate_users() -> bool:
    """Return whether sandboxes have a user for the desktop alone, which CRIU requires.

    That takes root of the computer, not of a user namespace, whose users are few; and Linux 5.8,
    the first version that hides processes in one view of ``/proc`` only.
    """
    version = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    return os.geteuid() == 0 and has_all_users() and version >= (5, 8)


def checkpoint_problem(root: Path) -> tuple[str, str]:
    """Return why sandboxes cannot be saved here, and a fix; two empty texts if nothing is known.

    This checks conditions only; `save_processes` may still fail.

    Args:
        root: Root filesystem of their image.
    """
    if os.geteuid() != 0:
        return "saving the processes of a sandbox requires root", "run pptarena as root"
    if not has_all_users():
        return "root of a user namespace is not enough", "run pptarena as root of the computer"
    if not separate_users():
        return "the kernel is older than Linux 5.8", "use a newer kernel"
    status = Path("/proc/self/status").read_text()
    effective = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    capabilities = int(effective.split()[1], 16)
    missing_capabilities = [
        name for name, bit in _CAPABILITIES.items() if not capabilities >> bit & 1
    ]
    if missing_capabilities:
        options = " ".join(f"--cap-add {name}" for name in missing_capabilities)
        reason = f"root lacks the capabilities {', '.join(missing_capabilities)}"
        return reason, f"start the container with {options} --security-opt seccomp=unconfined"
    missing_tools = [name for name in _TOOLS if shutil.which(name) is None]
    if missing_tools:
        return f"not installed: {', '.join(missing_tools)}", "sudo apt-get install util-linux mount"
    if not (root / _PROGRAM).exists():
        return "the image has no CRIU", "pptarena image build"
    if not all(_only_root_can_replace(root / name) for name in (_PROGRAM, _LIBRARIES)):
        return f"users other than root can change {root}", "build an image as root"
    return "", ""


def has_all_users() -> bool:
    """Return whether this is the computer's first user namespace, or one with all of its users."""
    return Path("/proc/self/uid_map").read_text().split() == ["0", "0", "4294967295"]


def _only_root_can_replace(path: Path) -> bool:
    """Return whether only root can replace a file, which root is about to run."""
    stats = [folder.stat() for folder in (path, *path.parents)]
    writable = [status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX for status in stats]
    return not any(writable) and all(status.st_uid == 0 for status in stats)


def missing_features(image: Image) -> str:
    """Return what CRIU misses in this kernel; "" if nothing. It takes a tenth of a second."""
    result = subprocess.run([*_criu(image), "check"], capture_output=True, check=False)
    output = (result.stdout + result.stderr).decode("utf-8", "replace")
    return "" if result.returncode == 0 else _errors(output) or "CRIU does not work here"


def first_process(pid: int) -> int:
    """Return the guest program's process id on the host, the first one in the sandbox.

    Args:
        pid: The process that started the sandbox: bubblewrap, or ``unshare``, which started CRIU.

    Raises:
        MachineLostError: If it has ended.
    """
    levels_by_process = [(_levels(process), process) for process in process_tree(pid)]
    deepest = max((levels for levels, _ in levels_by_process), default=0)
    if len(levels_by_process) < 2 or deepest < 2:
        raise MachineLostError("the sandbox has ended")
    return next(process for levels, process in levels_by_process if levels == deepest)


def _levels(pid: int) -> int:
    """Return the number of process namespaces that a process is in; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next(len(line.split()) - 1 for line in status.splitlines() if line.startswith("NSpid:"))


def save_processes(
    image: Image, pid: int, state: SavedState, binds: dict[str, str], timeout_sec: float
) -> None:
    """Save all processes of a sandbox, which continues.

    Args:
        image: Its image.
        pid: Its first process.
        state: Where to save them; the folder exists and is empty.
        binds: Mounted files and folders of the host by path in the sandbox.
        timeout_sec: Seconds until CRIU is killed.

    Raises:
        HostError: If CRIU fails for a reason that lies in this computer, such as a full disk.
        MachineError: If the sandbox has ended or CRIU does not finish in time.
    """
    command = [
        *(*_criu(image), "dump", "--tree", str(pid), "--images-dir", str(state.folder)),
        *("--leave-running", "--log-file", _LOG, _VERBOSITY),
        *(f"--external=mnt[{path}]:{path}" for path in binds),
        *_COMMON_OPTIONS,
    ]
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_sec, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise MachineTimeoutError(f"the sandbox was not saved within {timeout_sec:g} s") from error
    if result.returncode < 0:
        raise MachineLostError(f"CRIU was killed by signal {-result.returncode} while saving")
    if result.returncode != 0:
        is_full = shutil.disk_usage(state.folder).free < _LOG_BYTES
        reason = f"no space left in {state.folder}" if is_full else log_tail(state.folder / _LOG)
        raise HostError(f"the sandbox cannot be saved: {reason}")


def restore_command(
    image: Image, state: SavedState, binds: dict[str, str], descriptors: tuple[int, int]
) -> list[str]:
    """Return the command that restores a sandbox and runs until it ends.

    It is killed with the calling process, and the sandbox with it. CRIU writes its errors to
    standard error.

    Args:
        image: The image.
        state: The saved processes.
        binds: As in `save_processes`.
        descriptors: Inherited pipes that the guest program will read and write.
    """
    root, folder = os.path.realpath(image.root), os.path.realpath(state.folder)
    sources = {path: os.path.realpath(source) for path, source in binds.items()}
    criu = [
        *(*_criu(image), "restore", "--images-dir", folder, "--root", root, _VERBOSITY),
        *(
            f"--inherit-fd=fd[{descriptor}]:pipe:[{inode}]"
            for descriptor, inode in zip(descriptors, state.pipes, strict=True)
        ),
        *(f"--external=mnt[{path}]:{source}" for path, source in sources.items()),
        *_COMMON_OPTIONS,
    ]
    # The restored root takes the flags of this mount.
    mount_command = 'mount --bind "$0" "$0" && mount -o remount,bind,ro,nosuid,nodev "$0"'
    tmp_commands = _private_tmp_commands({root, folder, *sources.values()}, descriptors)
    # CRIU takes a process with its own id for itself.
    script = f'{tmp_commands} && {mount_command} && echo {_CRIU_PID} > {_LAST_PID} && "$@"; exit $?'
    # Killing CRIU during a restore would leave half-restored processes; ending their namespace
    # ends them all.
    namespaces = ("unshare", "--mount", "--propagation", "private", "--pid", "--mount-proc")
    command = [*namespaces, "--kill-child", "sh", "-c", script, root, *criu]
    return [*parent_death_prefix(), *command]


def _private_tmp_commands(visible: set[str], reserved: tuple[int, int]) -> str:
    """Return the shell commands that replace ``/tmp`` in this mount namespace by an empty one.

    CRIU creates a folder there, which would stay behind if it is killed.

    Args:
        visible: Real paths of folders; those in ``/tmp`` stay visible.
        reserved: File descriptors that the commands must not use.
    """
    tmp = os.path.realpath("/tmp")
    descriptor = next(number for number in range(3, 10) if number not in reserved)
    commands = [f"exec {descriptor}<{tmp}", f"mount -t tmpfs none {tmp}"]
    for path in sorted(visible):
        if path.startswith(f"{tmp}/"):
            target = shlex.quote(path)
            # Made canonical, this source would be a path in the new folder.
            source = shlex.quote(f"/proc/self/fd/{descriptor}{path.removeprefix(tmp)}")
            commands.append(f"mkdir -p {target}")
            commands.append(f"mount --no-canonicalize --bind {source} {target}")
    return " && ".join([*commands, f"exec {descriptor}<&-"])


def complete_restore(pid: int) -> None:
    """Set up what CRIU does not restore in a sandbox.

    These are the limit of user namespaces, and that shared memory ends with its last user.

    Args:
        pid: Its first process.

    Raises:
        MachineLostError: If that fails, for example because the sandbox has ended.
    """
    enter = ["nsenter", "--target", str(pid), "--user", "--mount", "--ipc", "sh", "-c"]
    script = "echo 0 > /proc/sys/user/max_user_namespaces && ipcrm --all=shm"
    result = subprocess.run([*enter, script], capture_output=True, check=False)
    if result.returncode != 0:
        error = result.stderr.decode("utf-8", "replace").strip()
        raise MachineLostError(f"the restore cannot be completed: {error}")


def log_tail(log: Path) -> str:
    """Return the last errors of a log of CRIU; "" if there are none."""
    try:
        return _errors(log.read_bytes()[-_LOG_BYTES:].decode("utf-8", "replace"))
    except OSError:
        return ""


def _errors(log: str) -> str:
    errors = [line.partition("Error")[2].strip() for line in log.splitlines() if "Error" in line]
    # CRIU only warns about its own limit of open files.
    return "; ".join([error for error in errors if "rlimit:" not in error][:_LOG_LINES])


def _criu(image: Image) -> list[str]:
    libraries = str(image.root / _LIBRARIES)
    loader = str(image.root / _LIBRARIES / "ld-linux-x86-64.so.2")
    return [loader, "--library-path", libraries, str(image.root / _PROGRAM)]
