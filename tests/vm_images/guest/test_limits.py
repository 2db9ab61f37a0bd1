import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

MIB = 2**20
LIMITED = """
import json, resource, sys
from pptarena.vm_images.guest.limits import Limits, limit_processes
hard = int(sys.argv[1])
if hard:
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
limit_processes(Limits(512 << 20, 300))
names = ("RLIMIT_AS", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CORE")
print(json.dumps({name: resource.getrlimit(getattr(resource, name)) for name in names}))
try:
    bytearray(2 << 30)
except MemoryError:
    print("refused")
"""


def run_limited(hard: int) -> tuple[dict[str, list[int]], list[str]]:
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, str(hard)], capture_output=True, text=True, check=True
    )
    limits, *output = result.stdout.splitlines()
    return json.loads(limits), output


def test_limits_are_set_and_enforced() -> None:
    limits, output = run_limited(0)
    assert limits["RLIMIT_AS"] == [1024 * MIB] * 2
    assert limits["RLIMIT_NPROC"] == [300] * 2
    assert limits["RLIMIT_FSIZE"] == [512 * MIB] * 2
    assert limits["RLIMIT_CORE"] == [0, 0]
    assert output == ["refused"]


def test_lower_limits_of_the_host_are_kept() -> None:
    limits, _ = run_limited(700 * MIB)
    assert limits["RLIMIT_AS"] == [700 * MIB] * 2
