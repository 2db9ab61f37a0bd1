"""The example runs as its first lines say, and shows what it promises."""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "checkpoint_search.py"


def test_the_best_of_the_forks_wins(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PPTARENA_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    scores = [float(score) for score in re.findall(r"^  (\d\.\d\d)  '", done.stdout, re.MULTILINE)]
    assert len(scores) == 4
    assert max(scores) == 1.0 > min(scores)
    assert "the best of 4 gives 1.00: 'Tents are now our largest line'" in done.stdout
