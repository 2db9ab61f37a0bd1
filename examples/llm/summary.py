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


def interval(
    values: Sequence[float], tasks: Sequence[Hashable]
) -> tuple[float | None, float | None]:
    """Return the 95 % bootstrap interval of a mean over tasks; None if all values are equal."""
    found = clustered_mean(values, tasks)
    return _rounded(found.low), _rounded(found.high)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a proportion."""
    if not count:
        return 0.0, 1.0
    z, share = 1.96, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2)) / (1 + z * z / count)
    return round(middle - half, 3), round(middle + half, 3)


def _by_task(splits: Mapping[str, Sequence[dict[str, Any]]]) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for episodes in splits.values():
        for each in episodes:
            found[each["task"]].append(float(each["score"]))
    return found


def _bars(episodes: Episodes) -> Iterable[tuple[str, float, float, float]]:
    """Yield name and number of episodes, mean score and the ends of its interval by model."""
    for name, splits in episodes.items():
        each = [(float(one["score"]), one["task"]) for part in splits.values() for one in part]
        values = [score for score, _ in each]
        middle = _mean(values)
        low, high = interval(values, [task for _, task in each])
        ends = (middle, middle) if low is None or high is None else (low, high)
        yield f"{name} ({len(values)})", middle, *ends


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
    for label, middle, low, high in sorted(_bars(episodes), key=lambda bar: bar[1]):
        scores.barh(label, middle, color="tab:blue", alpha=0.6)
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
