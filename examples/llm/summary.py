"""Tables and a plot of models' results on held-out tasks.

python -m examples.llm.summary runs/llm

Reads the episodes that `evaluate.py` wrote (`*.jsonl`) and the curves of `grpo.py`
(`grpo-*/curve.csv`, or `grpo_*curve.csv` where they are stored) in a folder. Writes `summary.md`
with one row per model and split and the paired differences between models, and `summary.png`.
Intervals resample tasks; seeds of a task stay together.
"""

import argparse
import csv
import json
import math
import sys
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from examples.llm.rollouts import SOLVED

from pptarena.rollouts.report.intervals import clustered_mean

Episodes = Mapping[str, Mapping[str, list[dict[str, Any]]]]
"""Episodes by model and split."""

_SMOOTHED = 5  # updates


def main() -> None:
    """Print and write the tables; draw scores and curves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    episodes = read_episodes(sorted(options.folder.glob("*.jsonl")))
    if not episodes:
        sys.exit(f"{options.folder} has no episodes: run examples.llm.evaluate first")
    text = "\n".join(tables(episodes)) + "\n"
    (options.folder / "summary.md").write_text(text, encoding="utf-8")
    print(text)
    curves = {path.parent.name: path for path in options.folder.glob("grpo-*/curve.csv")}
    stored = options.folder.glob("grpo_*curve.csv")
    curves |= {path.stem.removesuffix("_curve"): path for path in stored}
    plot(episodes, dict(sorted(curves.items())), options.folder / "summary.png")


def read_episodes(files: Iterable[Path]) -> Episodes:
    """Return the episodes of files by model and split; other lines are skipped."""
    episodes: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for path in files:
        with path.open(encoding="utf-8") as file:
            for line in map(json.loads, file):
                if {"name", "split", "task", "score", "seed"} <= line.keys():
                    episodes.setdefault(line["name"], {}).setdefault(line["split"], []).append(line)
    return episodes


def tables(episodes: Episodes) -> Iterable[str]:
    """Yield the lines of the tables in Markdown."""
    yield "| model | split | seeds | episodes | mean score (95 %) | solved (95 %) | no call |"
    yield "|---|---|---|---|---|---|---|"
    for name, splits in episodes.items():
        for split, split_episodes in splits.items():
            yield _row(name, split, split_episodes)
        if len(splits) > 1:
            yield _row(name, "all", [episode for part in splits.values() for episode in part])
    pairs = list(combinations(episodes, 2))
    if not pairs:
        return
    yield ""
    yield "| difference on equal tasks | tasks | mean score (95 %) |"
    yield "|---|---|---|"
    for first, second in pairs:
        first_scores, second_scores = _by_task(episodes[first]), _by_task(episodes[second])
        common = sorted(first_scores.keys() & second_scores.keys())
        if common:
            differences = [
                _mean(second_scores[task]) - _mean(first_scores[task]) for task in common
            ]
            yield f"| {second} - {first} | {len(common)} | {_estimate(differences, common)} |"


def _row(name: str, split: str, episodes: Sequence[dict[str, Any]]) -> str:
    scores = [float(episode["score"]) for episode in episodes]
    solved = sum(score >= SOLVED for score in scores)
    low, high = wilson(solved, len(scores))
    no_call = sum(not episode["parsed"] for episode in episodes) / len(episodes)
    seeds = len({episode["seed"] for episode in episodes})
    return (
        f"| {name} | {split} | {seeds} | {len(scores)} "
        f"| {_estimate(scores, [episode['task'] for episode in episodes])} "
        f"| {solved / len(scores):.3f} ({low:.3f} to {high:.3f}) | {no_call:.2f} |"
    )


def _estimate(values: Sequence[float], tasks: Sequence[str]) -> str:
    low, high = interval(values, tasks)
    interval_text = "" if low is None or high is None else f" ({low:.3f} to {high:.3f})"
    return f"{_mean(values):.3f}{interval_text}"


def interval(
    values: Sequence[float], tasks: Sequence[Hashable]
) -> tuple[float | None, float | None]:
    """Return the 95 % bootstrap interval of a mean over tasks; None if all values are equal."""
    estimate = clustered_mean(values, tasks)
    return _rounded(estimate.low), _rounded(estimate.high)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a proportion."""
    if not count:
        return 0.0, 1.0
    z, proportion = 1.96, hits / count
    center = (proportion + z * z / (2 * count)) / (1 + z * z / count)
    half_width = (
        z
        * math.sqrt(proportion * (1 - proportion) / count + z * z / (4 * count**2))
        / (1 + z * z / count)
    )
    return round(center - half_width, 3), round(center + half_width, 3)


def _by_task(splits: Mapping[str, Sequence[dict[str, Any]]]) -> Mapping[str, list[float]]:
    scores: dict[str, list[float]] = defaultdict(list)
    for episodes in splits.values():
        for episode in episodes:
            scores[episode["task"]].append(float(episode["score"]))
    return scores


def _bars(episodes: Episodes) -> Iterable[tuple[str, float, float, float]]:
    """Yield name and number of episodes, mean score and the ends of its interval by model."""
    for name, splits in episodes.items():
        results = [
            (float(episode["score"]), episode["task"])
            for part in splits.values()
            for episode in part
        ]
        values = [score for score, _ in results]
        mean = _mean(values)
        low, high = interval(values, [task for _, task in results])
        bounds = (mean, mean) if low is None or high is None else (low, high)
        yield f"{name} ({len(values)})", mean, *bounds


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def plot(episodes: Episodes, curves: Mapping[str, Path], picture: Path) -> None:
    """Draw each model's mean score with its interval, and the score of each update of GRPO.

    Args:
        episodes: Episodes by model and split.
        curves: Files of `grpo.py` by name; without any there is one plot only.
        picture: The PNG file to write.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    panels = 1 + bool(curves)
    figure, axes = pyplot.subplots(
        1, panels, figsize=(6 * panels, 3.5), layout="constrained", squeeze=False
    )
    scores = axes[0][0]
    for label, mean, low, high in sorted(_bars(episodes), key=lambda bar: bar[1]):
        scores.barh(label, mean, color="tab:blue", alpha=0.6)
        scores.plot([low, high], [label] * 2, color="black")
    scores.invert_yaxis()
    scores.set(xlabel="mean score on held-out tasks, 95 % interval", xlim=(0, 1))
    if curves:
        updates = axes[0][1]
        for name, path in curves.items():
            with path.open(newline="") as file:
                line = [float(row["score"]) for row in csv.DictReader(file)]
            ends = range(min(_SMOOTHED, len(line)), len(line) + 1)
            updates.plot(
                ends, [_mean(line[max(0, end - _SMOOTHED) : end]) for end in ends], label=name
            )
        label = f"sampled answers, mean of {_SMOOTHED} updates"
        updates.set(xlabel="update", ylabel=label, ylim=(0, 1))
        updates.legend()
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)


if __name__ == "__main__":
    main()
