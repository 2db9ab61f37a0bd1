"""The short examples run as their first lines describe, and show what they promise."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"


def output_of(name: str, home: Path) -> str:
    """Run an example without arguments and return its output."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PPTARENA_HOME": str(home), "PATH": "/usr/bin:/bin"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_best_fork_wins(tmp_path: Path) -> None:
    output = output_of("checkpoint_search.py", tmp_path)
    scores = [float(score) for score in re.findall(r"^  (\d\.\d\d)  '", output, re.MULTILINE)]
    assert len(scores) == 4
    assert max(scores) == 1.0 > min(scores)
    assert "the best of 4 gives 1.00: 'Tents are now our largest line'" in output


def test_better_rollouts_have_higher_advantages(tmp_path: Path) -> None:
    output = output_of("group_advantages.py", tmp_path)
    results = re.findall(r"reward (-?\d\.\d\d)  advantage ([+-]\d\.\d\d)  ", output)
    pairs = sorted((float(reward), float(advantage)) for reward, advantage in results)
    assert len(pairs) == 6
    assert pairs[0][0] < pairs[-1][0]
    assert [advantage for _, advantage in pairs] == sorted(advantage for _, advantage in pairs)
    assert abs(sum(advantage for _, advantage in pairs)) < 0.1
