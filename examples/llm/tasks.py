"""Write the rows for training and evaluation: requests, and the expert's answers.

pptarena generate --decks my-decks --depth 1 --count 4500 --prove file --out suite.jsonl
python -m examples.llm.tasks --suite suite.jsonl --out runs/llm/tasks.jsonl --processes 16
"""

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path

from examples.llm.rollouts import SOLVED, Players, write_rows


def main() -> None:
    """Play the expert on every task of the suite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--count", type=int, default=None, help="Only so many tasks.")
    parser.add_argument("--seed", type=int, default=0, help="Order of the tasks.")
    options = parser.parse_args()
    started = time.perf_counter()
    with options.suite.open(encoding="utf-8") as file:
        tasks = [str(json.loads(line)["id"]) for line in file]
    random.Random(options.seed).shuffle(tasks)
    players = Players(options.processes)
    rows = players.experts(options.suite, tasks[: options.count])
    players.close()
    write_rows(options.out, rows)
    known: Counter[str] = Counter()
    solved: Counter[str] = Counter()
    for row in rows:
        known[row.split] += bool(row.answer)
        solved[row.split] += row.score >= SOLVED
    summary = {
        "tasks": len(rows),
        "with_calls": dict(known),
        "solved_by_expert": dict(solved),
        "seconds": round(time.perf_counter() - started),
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
