"""Print operations and slides per imported case of UIUC's PPTArena, by category.

python examples/papers/cases_by_category.py FOLDER
"""

import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from pptarena.tasks import Task
from pptarena.tasks.suite_loading import load_suite


def _mean(tasks: list[Task], label: str) -> float:
    return fmean(int(task.labels[label][0]) for task in tasks)


def main() -> None:
    """Print a row per category, and one for all cases."""
    groups: defaultdict[str, list[Task]] = defaultdict(list)
    for task in load_suite(Path(sys.argv[1])):
        for category in (*task.labels.get("category", ()), "All"):
            groups[category].append(task)
    print(f"{'category':14}{'cases':>6}{'operations':>12}{'slides':>8}{'several':>9}{'hard':>6}")
    for category in sorted(groups, key=lambda name: (name == "All", name)):
        tasks = groups[category]
        multi_slide = fmean(int(task.labels["slides"][0]) > 1 for task in tasks)
        hard = fmean("hard" in task.labels.get("subset", ()) for task in tasks)
        print(
            f"{category:14}{len(tasks):6}{_mean(tasks, 'operations'):12.1f}"
            f"{_mean(tasks, 'slides'):8.1f}{multi_slide:9.0%}{hard:6.0%}"
        )


if __name__ == "__main__":
    main()
