"""Rights of the two users, guest program and desktop, in a process that switches between them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="switching users requires root")

SWITCH = """
import os, signal, sys
from pathlib import Path
from pptarena.vm_images.guest import kernel, user
folder = Path(sys.argv[1])
os.environ["HOME"] = str(folder / "home")
os.environ["XDG_RUNTIME_DIR"] = str(folder / "run")
user._SHARED_PAGES = int(Path("/proc/sys/kernel/shmall").read_text())
user.switch_to_guest()
"""


def run(code: str, folder: Path) -> str:
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    result = subprocess.run(
        [sys.executable, "-c", SWITCH + code, str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.slow
def test_files_belong_to_the_desktop_user(tmp_path: Path) -> None:
    code = """
(folder / "home" / "deck.pptx").write_bytes(b"deck")
print(os.getresuid(), user.desktop_user())
"""
    assert run(code, tmp_path) == "(1001, 1001, 1001) 1000"
    status = (tmp_path / "home" / "deck.pptx").stat()
    assert (status.st_uid, status.st_gid) == (1000, 1000)


@pytest.mark.slow
def test_desktop_user_cannot_reach_the_guest_program(tmp_path: Path) -> None:
    code = """
guest = os.getpid()
if os.fork() == 0:
    os.setresuid(1000, 1000, 1000)
    kernel.drop_capabilities()
    for action in (lambda: os.kill(guest, 9), lambda: open(f"/proc/{guest}/environ").read()):
        try:
            action()
            print("reached it", flush=True)
        except PermissionError:
            print("refused", flush=True)
    os._exit(0)
os.wait()
"""
    assert run(code, tmp_path).split() == ["refused", "refused"]


@pytest.mark.slow
def test_only_requested_capabilities_remain(tmp_path: Path) -> None:
    code = """
kernel.drop_capabilities((kernel.KILL, kernel.SET_USER))
names = "CapInh", "CapPrm", "CapEff", "CapAmb"
lines = Path("/proc/self/status").read_text().splitlines()
print([int(line.split()[1], 16) for line in lines if line.startswith(names)], flush=True)
os.execv("/bin/cat", ["cat", "/proc/self/status"])
"""
    first, _, rest = run(code, tmp_path).partition("\n")
    mask = (1 << 5) + (1 << 7)
    assert first == str([0, mask, mask, 0])
    status = dict(line.split(":", 1) for line in rest.splitlines() if ":" in line)
    assert int(status["CapEff"], 16) == 0
    assert status["NoNewPrivs"].strip() == "1"


@pytest.mark.slow
def test_capability_is_passed_on_within_the_block_only(tmp_path: Path) -> None:
    code = """
import subprocess
show = ["/bin/cat", "/proc/self/status"]
with kernel.pass_capability(kernel.IPC_OWNER):
    inside = subprocess.run(show, capture_output=True, text=True).stdout
after = subprocess.run(show, capture_output=True, text=True).stdout
for text in (inside, after):
    print(next(line.split()[1] for line in text.splitlines() if line.startswith("CapEff")))
"""
    assert [int(mask, 16) for mask in run(code, tmp_path).split()] == [1 << 15, 0]
