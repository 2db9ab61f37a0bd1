"""Plot the learning curves of several runs of train_ppo.py.

python examples/plot_curves.py runs/ppo-0 runs/ppo-1 runs/ppo-2 --out curves.png
"""

import argparse
import json
from pathlib import Path

import numpy as np

from pptarena.rollouts.learning_curve import plot_learning_curve


def main() -> None:
    """Plot the curves, and print the results of the runs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("runs", nargs="+", type=Path, help="folders that train_ppo.py wrote")
    parser.add_argument("--out", type=Path, default=Path("curves.png"))
    options = parser.parse_args()
    baseline_scores: list[float] = []
    for run in options.runs:
        summary = json.loads((run / "summary.json").read_text("utf-8"))
        baseline_scores += json.loads((run / "random.json").read_text("utf-8"))
        print(
            f"{run.name}: {summary['episodes']} episodes, {summary['steps']} steps, "
            f"last 50: {summary['mean_score_of_last_50']:.2f}, "
            f"by chance: {summary['random_mean_score']:.2f}"
        )
    files = [run / "episodes.csv" for run in options.runs]
    plot_learning_curve(files, options.out, baseline_score=float(np.mean(baseline_scores)))
    print(f"drawn: {options.out}")


if __name__ == "__main__":
    main()
