"""Sample answers of a model to training tasks and score them: demonstrations of its own.

python -m examples.llm.best_answers --model runs/llm/sft --rows runs/llm/tasks.jsonl --skip 400 \
    --out runs/llm/answers.jsonl
python -m examples.llm.sft --model runs/llm/sft --rows runs/llm/answers.jsonl --out runs/llm/better

This is rejection sampling, a round of expert iteration: the reward chooses which answers are
imitated. All different answers are written with their scores; `sft.py` reads those with the full
score. `--resume` continues an interrupted run.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from examples.llm.evaluate import score_cell
from examples.llm.models import default_device, fast_copy, load
from examples.llm.rollouts import Players, Row, all_rows, read_rows, write_rows
from examples.llm.sampling import sample


def main() -> None:
    """Sample, play, and write the answers of a few tasks at a time."""
    options = _options()
    torch.manual_seed(options.seed)
    players = Players(options.processes)
    model, tokenizer = load(options.model, options.device)
    model = fast_copy(model)
    rows = read_rows(options.rows, "train")[options.skip :][: options.count]
    kept = all_rows(options.out) if options.resume and options.out.is_file() else []
    done = {row.task for row in kept}
    todo = [row for row in rows if row.task not in done]
    write_rows(options.out, kept)
    scores: list[float] = []
    started = time.perf_counter()
    for begin in range(0, len(todo), options.tasks):
        if time.perf_counter() - started > options.minutes * 60:
            break
        part = todo[begin : begin + options.tasks]
        many = [row.messages for row in part for _ in range(options.group)]
        said = sample(
            model, tokenizer, many, temperature=options.temperature,
            batch=options.sample_batch, max_tokens=options.max_tokens,
        )  # fmt: skip
        groups = [said[at : at + options.group] for at in range(0, len(said), options.group)]
        for row, group, outcomes in zip(part, groups, players.play(part, groups), strict=True):
            scores += [each.score for each in outcomes]
            kept += _different(row, group, [each.score for each in outcomes])
        write_rows(options.out, kept)
        print(f"{begin + len(part)} of {len(todo)} tasks", flush=True)
    players.close()
    print(json.dumps({"sampled": score_cell(scores), "answers": len(kept)}), flush=True)


def _different(row: Row, answers: list[str], scores: list[float]) -> Iterator[Row]:
    """Yield a row for each different answer to a task."""
    for answer, score in dict(zip(answers, scores, strict=True)).items():
        yield replace(row, answer=answer, score=score)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="Folder of the imitated model.")
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--skip", type=int, default=0, help="Tasks whose demonstrations it saw.")
    parser.add_argument("--count", type=int, default=None, help="Most tasks that are answered.")
    parser.add_argument("--tasks", type=int, default=32, help="Tasks between two writes.")
    parser.add_argument("--group", type=int, default=4, help="Answers per task.")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--sample-batch", type=int, default=128)
    parser.add_argument("--max-tokens", type=int, default=64)
    parser.add_argument("--processes", type=int, default=2, help="Document environments.")
    parser.add_argument("--minutes", type=float, default=600.0, help="Begin no more tasks then.")
    parser.add_argument("--resume", action="store_true", help="Keep the answers of --out.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default=default_device())
    return parser.parse_args()


if __name__ == "__main__":
    main()
