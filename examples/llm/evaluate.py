"""Evaluate a model on held-out tasks: one greedy answer per task, played in the environment.

python -m examples.llm.evaluate --model smollm2 --rows runs/llm/tasks.jsonl \
    --splits test-deck test-words --out runs/llm/untrained.jsonl

Writes one line per episode and prints the metrics of each split: the mean score with its bootstrap
interval, the success rate with its Wilson interval, and the rate of answers without a call.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from examples.llm.models import default_device, fast_copy, load
from examples.llm.rollouts import SOLVED, Outcome, Players, Row, read_rows
from examples.llm.sampling import sample
from examples.llm.summary import interval, wilson


def main() -> None:
    """Evaluate, write and print the results."""
    options = _options()
    players = Players(options.processes)
    model, tokenizer = load(options.model, options.device)
    model = fast_copy(model)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        row for split in options.splits for row in read_rows(options.rows, split, options.count)
    ]
    done = _read_outcomes(options.out) if options.resume else {}
    pending = sorted((row for row in rows if row.task not in done), key=_length)
    seconds = {"model_sec": 0.0, "play_sec": 0.0}
    with options.out.open("a" if options.resume else "w", encoding="utf-8") as file:
        for start in range(0, len(pending), options.batch):
            batch = pending[start : start + options.batch]
            clock = [time.perf_counter()]
            answers = sample(
                model, tokenizer, [row.messages for row in batch],
                batch=options.batch, max_tokens=options.max_tokens,
            )  # fmt: skip
            clock.append(time.perf_counter())
            groups = players.play(batch, [[answer] for answer in answers])
            outcomes = [group[0] for group in groups]
            clock.append(time.perf_counter())
            seconds["model_sec"] += clock[1] - clock[0]
            seconds["play_sec"] += clock[2] - clock[1]
            for row, answer, outcome in zip(batch, answers, outcomes, strict=True):
                file.write(json.dumps(_episode_record(options, row, answer, outcome)) + "\n")
                done[row.task] = outcome
            file.flush()
            print(f"{len(done)} of {len(rows)} tasks", flush=True)
    players.close()
    for split in options.splits:
        metrics = outcome_metrics([done[row.task] for row in rows if row.split == split])
        print(json.dumps({"name": options.name, "split": split, **metrics}), flush=True)
    print(json.dumps({name: round(value, 1) for name, value in seconds.items()}))


def _read_outcomes(path: Path) -> dict[str, Outcome]:
    """Return the outcomes by task of an interrupted run."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8") as file:
        episodes = [json.loads(line) for line in file]
    return {
        episode["task"]: Outcome(episode["score"], 0, episode["error"], episode["parsed"])
        for episode in episodes
    }


def _length(row: Row) -> int:
    return sum(len(message["content"]) for message in row.messages)


def _episode_record(
    options: argparse.Namespace, row: Row, answer: str, outcome: Outcome
) -> dict[str, object]:
    """Return the stored form of an episode."""
    return {
        "name": options.name, "seed": options.seed, "split": row.split,
        "task": row.task, "operator": row.operator,
        "score": round(outcome.score, 4), "parsed": outcome.parsed,
        "error": outcome.error[:120], "answer": answer[:400],
    }  # fmt: skip


def outcome_metrics(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the metrics of a list of outcomes."""
    count = max(1, len(outcomes))
    refused = sum(outcome.parsed and bool(outcome.error) for outcome in outcomes)
    return {
        **score_metrics([outcome.score for outcome in outcomes]),
        "no_call": round(sum(not outcome.parsed for outcome in outcomes) / count, 3),
        "refused": round(refused / count, 3),
    }


def score_metrics(scores: Sequence[float]) -> dict[str, object]:
    """Return mean score and success rate with their 95 % intervals."""
    solved = sum(score >= SOLVED for score in scores)
    return {
        "episodes": len(scores),
        "score": round(sum(scores) / max(1, len(scores)), 3),
        "score_95": interval(scores, range(len(scores))),
        "solved": round(solved / max(1, len(scores)), 3),
        "solved_95": wilson(solved, len(scores)),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="Folder, name, GGUF file or 'smollm2'.")
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--splits", nargs="+", default=["test-deck", "test-words"])
    parser.add_argument(
        "--count", type=int, default=None, help="Maximum number of tasks per split."
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="model")
    parser.add_argument("--seed", type=int, default=0, help="The model's seed, for the table.")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--max-tokens", type=int, default=64)
    parser.add_argument("--processes", type=int, default=2, help="Document environments.")
    parser.add_argument("--resume", action="store_true", help="Keep the episodes of --out.")
    parser.add_argument("--device", default=default_device())
    return parser.parse_args()


if __name__ == "__main__":
    main()
