"""Print steps, success rate and time of stored episodes, and rank correlations of steps.

python examples/papers/effort.py RUN
"""

import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

from pptarena.rollouts.agreement import spearman_rho
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.store import read_meta, stored_episodes

_RANKS = {"easy": 0, "medium": 1, "hard": 2}


def _rho(first: Sequence[float], second: Sequence[float]) -> str:
    if len(set(first)) < 2 or len(set(second)) < 2:
        return "-"
    return f"{spearman_rho(first, second):.2f}"


def main() -> None:
    """Print a row per agent and difficulty."""
    groups: defaultdict[tuple[str, str], list[tuple[EpisodeMeta, float]]] = defaultdict(list)
    for folder in stored_episodes(Path(sys.argv[1])):
        meta = read_meta(folder)
        if meta.score is not None:
            for group in (meta.difficulty, "all"):
                groups[meta.agent, group].append((meta, meta.reset_sec + meta.run_sec))
    names = ("agent", "difficulty", "episodes", "steps", "success", "median seconds")
    print("{:22}{:12}{:>9}{:>7}{:>9}{:>16}".format(*names))
    for (agent, group), group_episodes in sorted(groups.items()):
        solved = fmean(meta.score == 1 for meta, _ in group_episodes)
        mean = fmean(meta.steps for meta, _ in group_episodes)
        seconds = median(each for _, each in group_episodes)
        print(f"{agent:22}{group:12}{len(group_episodes):9}{mean:7.1f}{solved:9.0%}{seconds:16.1f}")
    print("\nSpearman's rho of steps and difficulty, steps and success, success and difficulty:")
    for agent in sorted({agent for agent, _ in groups}):
        metas = [meta for meta, _ in groups[agent, "all"]]
        steps = [float(meta.steps) for meta in metas]
        success = [float(meta.score == 1) for meta in metas]
        ranks = [float(_RANKS[meta.difficulty]) for meta in metas]
        print(agent, _rho(steps, ranks), _rho(steps, success), _rho(success, ranks))


if __name__ == "__main__":
    main()
