"""Plot learning curves of training runs."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pptarena.errors import StoreError, missing_package
from pptarena.files import read_text

__all__ = ["plot_learning_curve"]


def plot_learning_curve(
    files: Sequence[Path], picture: Path, window: int = 50, baseline_score: float | None = None
) -> None:
    """Plot the mean score of the last episodes over time, one line per run.

    Args:
        files: CSV files with the columns ``elapsed_sec`` and ``score``, one row per episode.
        picture: Path of the PNG file.
        window: Number of episodes that the mean is taken over.
        baseline_score: Mean score of a random baseline, drawn as a line unless None.

    Raises:
        ConfigError: If matplotlib is missing.
        StoreError: If a file cannot be read, or contains no episode.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing_package("a learning curve", "matplotlib", "plots") from error
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for file in files:
        minutes, scores = _read(file)
        means = [np.mean(scores[max(0, i + 1 - window) : i + 1]) for i in range(len(scores))]
        axes.plot(minutes, means, label=file.parent.name)
    if baseline_score is not None:
        axes.axhline(baseline_score, color="grey", linestyle="--", label="random baseline")
    axes.set(
        xlabel="minutes", ylabel=f"mean score of the last {window} episodes", ylim=(-0.02, 1.02)
    )
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(picture, dpi=120)


def _read(file: Path) -> tuple[list[float], list[float]]:
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(file), newline="")))
        minutes = [float(row["elapsed_sec"]) / 60 for row in rows]
        scores = [float(row["score"]) for row in rows]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise StoreError(
            f"{file}: expected episodes with elapsed_sec and score: {error}"
        ) from error
    if not rows:
        raise StoreError(f"{file}: expected episodes, found none")
    return minutes, scores
