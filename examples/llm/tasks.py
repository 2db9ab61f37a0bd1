"""Write the rows for training and evaluation: requests, and the expert's answers.

pptarena generate --decks my-decks --depth 1 --count 4500 --prove file --out suite.jsonl
python -m examples.llm.tasks --suite suite.jsonl --out runs/llm/tasks.jsonl --processes 16
"""

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from examples.llm.rollouts import SOLVED, Players, Row, all_rows, write_rows


def main() -> None:
    """Play the expert on every task of the suite."""
    parser = argparse.ArgumentParser(description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--suite", type=Path)
    source.add_argument("--rows", type=Path, help="Reuse the rows of an earlier run.")
    parser.add_argument(
        "--tools", nargs="+", help="Only these tools, and tasks that need no other tools."
    )
    parser.add_argument(
        "--calls",
        nargs=2,
        type=int,
        metavar=("LEAST", "MOST"),
        help="Only tasks with LEAST to MOST calls.",
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--count", type=int, default=None, help="Maximum number of tasks.")
    parser.add_argument("--seed", type=int, default=0, help="Order of the tasks.")
    options = parser.parse_args()
    started = time.perf_counter()
    rows = all_rows(options.rows) if options.rows else _play_experts(options)
    if options.tools:
        rows = [
            row for source_row in rows if (row := with_tools(source_row, options.tools)) is not None
        ]
    if options.calls:
        least, most = options.calls
        rows = [row for row in rows if least <= row.answer.count("\n") <= most]  # without `done`
    write_rows(options.out, rows)
    with_calls: Counter[str] = Counter()
    solved: Counter[str] = Counter()
    for row in rows:
        with_calls[row.split] += bool(row.answer)
        solved[row.split] += row.score >= SOLVED
    summary = {
        "tasks": len(rows),
        "with_calls": dict(with_calls),
        "solved_by_expert": dict(solved),
        "seconds": round(time.perf_counter() - started),
    }
    print(json.dumps(summary))


def _play_experts(options: argparse.Namespace) -> list[Row]:
    with options.suite.open(encoding="utf-8") as file:
        tasks = [str(json.loads(line)["id"]) for line in file]
    random.Random(options.seed).shuffle(tasks)
    players = Players(options.processes)
    rows = players.experts(options.suite, tasks[: options.count])
    players.close()
    return rows


def with_tools(row: Row, tools: Sequence[str]) -> Row | None:
    """Return a row that lists only some tools; None if its answer needs a different tool."""
    offered = {*tools, "done"}
    if not row.answer or {line.partition("(")[0] for line in row.answer.splitlines()} - offered:
        return None
    system, *rest = row.messages
    lines = (
        line
        for line in system["content"].split("\n")
        if not (call := re.match(r"(\w+)\(", line)) or call[1] in offered
    )
    return replace(row, messages=[{**system, "content": "\n".join(lines)}, *rest])


if __name__ == "__main__":
    main()
