"""Tests in a separate process, as adopting orphans cannot be undone."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

PROGRAM = """
import os, subprocess, sys, time
from pptarena.vm_images.guest.descendants import end_descendants, reap_orphans
from pptarena.vm_images.guest.kernel import adopt_orphans

adopt_orphans()
nested = "(trap '' TERM; setsid sh -c 'sleep 60 & sleep 60') & sleep 60"
children = [subprocess.Popen(["sh", "-c", nested]) for _ in range(2)]
time.sleep(0.3)
children[0].kill()   # its children are orphans now
children[0].wait()

exiting = subprocess.Popen(["sh", "-c", "sleep 0.1 & exit"])
exiting.wait()
time.sleep(0.3)
reap_orphans(children[1].pid)
states = [open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[:2]
          for pid in os.listdir("/proc") if pid.isdigit() and os.path.exists(f"/proc/{pid}/stat")]
assert ["Z", str(os.getpid())] not in states, "an ended orphan was not reaped"

assert end_descendants(time.monotonic() + 5)
assert not subprocess.run(["pgrep", "-P", str(os.getpid()), "sleep"], capture_output=True).stdout
print("none left")
"""


def test_all_descendants_are_ended() -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=30, check=False
    )
    assert result.stdout == "none left\n"
    # Shells may print how their children ended.
    assert set(result.stderr.splitlines()) <= {"Killed"}
