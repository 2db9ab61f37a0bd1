"""The example runs as its first lines say."""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "group_advantages.py"


def test_better_members_have_higher_advantages(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PPTARENA_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = re.findall(r"reward (-?\d\.\d\d)  advantage ([+-]\d\.\d\d)  ", done.stdout)
    pairs = sorted((float(reward), float(advantage)) for reward, advantage in found)
    assert len(pairs) == 6
    assert pairs[0][0] < pairs[-1][0]
    assert [advantage for _, advantage in pairs] == sorted(advantage for _, advantage in pairs)
    assert abs(sum(advantage for _, advantage in pairs)) < 0.1
