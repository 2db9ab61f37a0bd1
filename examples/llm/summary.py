"""Tables and a plot of models' results on held-out tasks.

python -m examples.llm.summary runs/llm

Reads the episodes that `evaluate.py` wrote (`*.jsonl`) and the curves of `grpo.py`
(`*/curve.csv`) in a folder. Writes `summary.md` with one row per model and split and the paired
differences between models, and `curves.png`. Intervals resample tasks; seeds of a task stay
together.
"""

import argparse
import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from examples.llm.evaluate import interval, wilson
from examples.llm.rollouts import SOLVED

Episodes = Mapping[str, Mapping[str, list[dict[str, Any]]]]
"""Episodes by model and split."""


def main() -> None:
    """Print and write the tables; draw the curves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    episodes = read_episodes(sorted(options.folder.glob("*.jsonl")))
    if not episodes:
        sys.exit(f"{options.folder} has no episodes: run examples.llm.evaluate first")
    text = "\n".join(tables(episodes)) + "\n"
    (options.folder / "summary.md").write_text(text, encoding="utf-8")
    print(text)
    curves = sorted(options.folder.glob("grpo-*/curve.csv"))
    if curves:
        plot(curves, options.folder / "curves.png")


def read_episodes(files: Iterable[Path]) -> Episodes:
    """Return the episodes of files by model and split; other lines are skipped."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for path in files:
        with path.open(encoding="utf-8") as file:
            for line in map(json.loads, file):
                if {"name", "split", "task", "score", "seed"} <= line.keys():
                    found.setdefault(line["name"], {}).setdefault(line["split"], []).append(line)
    return found


def tables(episodes: Episodes) -> Iterable[str]:
    """Yield the lines of the tables in Markdown."""
    yield "| model | split | seeds | episodes | mean score (95 %) | solved (95 %) | no call |"
    yield "|---|---|---|---|---|---|---|"
    for name, splits in episodes.items():
        for split, each in splits.items():
            yield _row(name, split, each)
        if len(splits) > 1:
            yield _row(name, "all", [each for part in splits.values() for each in part])
    pairs = list(combinations(episodes, 2))
    if not pairs:
        return
    yield ""
    yield "| difference on equal tasks | tasks | mean score (95 %) |"
    yield "|---|---|---|"
    for first, second in pairs:
        one, other = _by_task(episodes[first]), _by_task(episodes[second])
        both = sorted(one.keys() & other.keys())
        if both:
            gaps = [_mean(other[task]) - _mean(one[task]) for task in both]
            yield f"| {second} - {first} | {len(both)} | {_estimate(gaps, both)} |"


def _row(name: str, split: str, episodes: Sequence[dict[str, Any]]) -> str:
    scores = [float(each["score"]) for each in episodes]
    solved = sum(each >= SOLVED for each in scores)
    low, high = wilson(solved, len(scores))
    mute = sum(not each["parsed"] for each in episodes) / len(episodes)
    seeds = len({each["seed"] for each in episodes})
    return (
        f"| {name} | {split} | {seeds} | {len(scores)} "
        f"| {_estimate(scores, [each['task'] for each in episodes])} "
        f"| {solved / len(scores):.3f} ({low:.3f} to {high:.3f}) | {mute:.2f} |"
    )


def _estimate(values: Sequence[float], tasks: Sequence[str]) -> str:
    low, high = interval(values, tasks)
    ends = "" if low is None or high is None else f" ({low:.3f} to {high:.3f})"
    return f"{_mean(values):.3f}{ends}"


def _by_task(splits: Mapping[str, Sequence[dict[str, Any]]]) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for episodes in splits.values():
        for each in episodes:
            found[each["task"]].append(float(each["score"]))
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def plot(curves: Sequence[Path], picture: Path) -> None:
    """Draw the mean score of each update, one line per run."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for path in curves:
        with path.open(newline="") as file:
            scores = [float(row["score"]) for row in csv.DictReader(file)]
        axes.plot(range(1, len(scores) + 1), scores, label=path.parent.name)
    axes.set(xlabel="update", ylabel="mean score of the answers", ylim=(0, 1))
    axes.legend()
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)


if __name__ == "__main__":
    main()
