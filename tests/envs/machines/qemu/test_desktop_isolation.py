"""Isolation of the desktop in a real virtual machine, attacked by a program of the desktop.

The machine boots a guest program that starts an additional program on the desktop. It runs the
attacks of `tests.security` and reports by the console.
"""

import shutil
from pathlib import Path

import pytest
from tests.security.isolation_attacks import ATTACKS, PRELUDE, Attack

from pptarena.envs.machines.guest_machine import guest_settings
from pptarena.envs.machines.qemu import QemuConfig
from pptarena.envs.machines.qemu.machine import QemuMachine
from pptarena.envs.machines.qemu.memory_file import new_memory
from pptarena.envs.machines.qemu.process import VirtualMachine
from pptarena.envs.machines.qemu.snapshots import SnapshotMaker
from pptarena.vm_images import guest
from pptarena.vm_images.disk import guest_archive
from pptarena.vm_images.guest.protocol import PROTOCOL_VERSION

pytestmark = [pytest.mark.image, pytest.mark.vm]

_DEVICES = Attack(
    "open a port to the host, a disk or the console",
    """
ports = glob.glob("/dev/vport*") + glob.glob("/dev/hvc*")
opened = []
for at in (*ports, "/dev/vda", "/dev/console", "/dev/ttyS0", "/dev/port"):
    for how in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
        try:
            os.close(os.open(at, how | os.O_NONBLOCK)); opened.append(at)
        except OSError:
            pass
nodes = {os.stat(at).st_rdev for at in ports}
if opened or nodes != {os.stat("/dev/null").st_rdev}:
    outcome = f"opened {opened}, finds {nodes}"
""",
)
_ALL_ATTACKS = (_DEVICES, *ATTACKS)
_MARK = "attack: "
_PROGRAM = """
for number, code in enumerate({codes!r}):
    pid = os.fork()
    if pid == 0:
        try:
            exec(code)
        except BaseException as e:
            outcome = f"failed: {{e!r}}"
        with open("/tmp/outcome", "a") as file:
            file.write(f"{mark}{{number}} {{outcome[:200]!r}}\\n")
        os._exit(0)
    os.waitpid(pid, 0)
"""
_STARTER = """

_start_desktop, _start_session, _sessions = start_desktop, start_session, []


def start_session(*arguments):
    _sessions.append(_start_session(*arguments))
    return _sessions[0]


def start_desktop(*arguments, **more):
    desktop = _start_desktop(*arguments, **more)
    Path("/tmp/program.py").write_text({program!r})
    command = ["python3", "/tmp/program.py"]
    _sessions[0].programs.start(command, _sessions[0].environment).wait()
    print(Path("/tmp/outcome").read_text(), flush=True)
    return desktop
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """The outcome of each attack, by its index in `_ALL_ATTACKS`."""
    folder = tmp_path_factory.mktemp("isolation")
    attacking = folder / "guest"
    shutil.copytree(Path(guest.__file__).parent, attacking)
    program = PRELUDE + _PROGRAM.format(codes=[attack.code for attack in _ALL_ATTACKS], mark=_MARK)
    with open(attacking / "linux.py", "a", encoding="utf-8") as file:
        file.write(_STARTER.format(program=program))
    with QemuMachine(QemuConfig()) as machine:
        console = _boot(machine._snapshots, guest_archive(attacking), folder)
    rows = (line.split(_MARK, 1)[1] for line in console.splitlines() if _MARK in line)
    return {int(row.split()[0]): row.split(" ", 1)[1].strip("'\"") for row in rows}


def _boot(maker: SnapshotMaker, archive: bytes, folder: Path) -> str:
    """Boot with a guest program until its desktop is up; return the output of the console."""
    memory, initrd, console = (folder / name for name in ("memory", "initrd", "console"))
    new_memory(memory, maker.hardware.memory_bytes)
    initrd.write_bytes(maker.disk.initrd.read_bytes() + archive)
    boot = maker.hardware.boot(maker.disk.kernel, initrd, console)
    limit_sec = 2 * maker.config.start_timeout_sec  # includes the time of the attacks
    machine = VirtualMachine(maker.hardware, memory, boot, limit_sec)
    try:
        hello = {"version": PROTOCOL_VERSION, "settings": guest_settings(maker.config)}
        machine.link.request("hello", hello, limit_sec)
    finally:
        machine.stop()
        memory.unlink()
    return console.read_text("utf-8", "replace")


@pytest.mark.parametrize(
    "number", range(len(_ALL_ATTACKS)), ids=[attack.name for attack in _ALL_ATTACKS]
)
def test_attack_from_the_desktop_is_refused(outcomes: dict[int, str], number: int) -> None:
    assert outcomes[number].startswith("refused")
