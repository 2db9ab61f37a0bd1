"""Sample answers of a model to training tasks and score them, to use them as demonstrations.

python -m examples.llm.best_answers --model runs/llm/sft --rows runs/llm/tasks.jsonl --skip 400 \
    --out runs/llm/answers.jsonl
python -m examples.llm.sft --model runs/llm/sft --rows runs/llm/answers.jsonl --out runs/llm/better

This is rejection sampling, a round of expert iteration: the reward selects the answers to
imitate. All different answers are written with their scores; `sft.py` reads those with the full
score. `--resume` continues an interrupted run.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from examples.llm.evaluate import score_metrics
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
    answered = all_rows(options.out) if options.resume and options.out.is_file() else []
    done = {row.task for row in answered}
    pending = [row for row in rows if row.task not in done]
    write_rows(options.out, answered)
    scores: list[float] = []
    started = time.perf_counter()
    for start in range(0, len(pending), options.tasks):
        if time.perf_counter() - started > options.minutes * 60:
            break
        batch = pending[start : start + options.tasks]
        requests = [row.messages for row in batch for _ in range(options.group)]
        answers = sample(
            model, tokenizer, requests, temperature=options.temperature,
            batch=options.sample_batch, max_tokens=options.max_tokens,
        )  # fmt: skip
        groups = [
            answers[index : index + options.group]
            for index in range(0, len(answers), options.group)
        ]
        for row, group, outcomes in zip(batch, groups, players.play(batch, groups), strict=True):
            scores += [outcome.score for outcome in outcomes]
            answered += _distinct_answers(row, group, [outcome.score for outcome in outcomes])
        write_rows(options.out, answered)
        print(f"{start + len(batch)} of {len(pending)} tasks", flush=True)
    players.close()
    print(json.dumps({"sampled": score_metrics(scores), "answers": len(answered)}), flush=True)


def _distinct_answers(row: Row, answers: list[str], scores: list[float]) -> Iterator[Row]:
    """Yield a row for each different answer to a task."""
    for answer, score in dict(zip(answers, scores, strict=True)).items():
        yield replace(row, answer=answer, score=score)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="Folder of the imitated model.")
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--skip", type=int, default=0, help="Tasks used for imitation before.")
    parser.add_argument("--count", type=int, default=None, help="Maximum number of tasks.")
    parser.add_argument("--tasks", type=int, default=32, help="Tasks between two writes.")
    parser.add_argument("--group", type=int, default=4, help="Answers per task.")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--sample-batch", type=int, default=128)
    parser.add_argument("--max-tokens", type=int, default=64)
    parser.add_argument("--processes", type=int, default=2, help="Document environments.")
    parser.add_argument(
        "--minutes", type=float, default=600.0, help="Start no further tasks after this time."
    )
    parser.add_argument("--resume", action="store_true", help="Keep the answers of --out.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default=default_device())
    return parser.parse_args()


if __name__ == "__main__":
    main()
