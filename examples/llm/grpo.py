"""Fine-tune a model by GRPO: groups of answers to one task, rewarded by the environment.

python -m examples.llm.grpo --model runs/llm/sft --rows runs/llm/tasks.jsonl --out runs/llm/grpo

Each update samples `--group` answers to each of `--tasks` tasks and plays them in the document
environment. Updates are on-policy: one step per batch of rollouts. `--reward` is one of:

- `dense`: every call of an answer is credited with the rewards that follow it, compared with the
  group's mean at the same call: rubric scores with partial credit, step by step.
- `final`: all calls are credited with the final score, partial credit included.
- `solved`: all calls are credited with 1 for a full score and else 0.

`--resume` continues an interrupted run.
"""

import argparse
import csv
import itertools
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from examples.llm.models import (
    Checkpoint,
    copy_weights,
    fast_copy,
    fast_type,
    load,
    save,
    with_lora,
)
from examples.llm.rollouts import SOLVED, Outcome, Players, Row, call_indices, read_rows
from examples.llm.sampling import batch_slices, prompt_tokens, sample
from examples.llm.sft import add_training_options, answer_logprobs
from examples.llm.shared import common_prefix, shared


def main() -> None:
    """Train until the time is up, and save the model."""
    options = _options()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    players = Players(options.processes)
    model, tokenizer = load(options.model, options.device)
    sampler = fast_copy(model)
    model = with_lora(model, options.lora_rank)
    rows = read_rows(options.rows, "train")
    started = time.perf_counter()
    curve = train(model, sampler, tokenizer, rows, players, options)
    players.close()
    save(model, tokenizer, options.out)
    window = max(1, min(5, len(curve)))
    summary = {
        "seed": options.seed,
        "precision": str(fast_type(options.device)).removeprefix("torch."),
        "reward": options.reward,
        "updates": len(curve),
        "rollouts": len(curve) * options.tasks * options.group,
        "first": round(sum(row["score"] for row in curve[:window]) / window, 3),
        "last": round(sum(row["score"] for row in curve[-window:]) / window, 3),
        "minutes": round((time.perf_counter() - started) / 60, 2),
        **{
            f"{name}_share": round(
                sum(row[name] for row in curve) / sum(row["sec"] for row in curve), 2
            )
            for name in ("sample_sec", "play_sec", "learn_sec")
        },
    }
    (options.out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    print(json.dumps(summary), flush=True)


def train(
    model: Any,
    sampler: Any,
    tokenizer: Any,
    rows: list[Row],
    players: Players,
    options: argparse.Namespace,
) -> list[dict[str, float]]:
    """Return the metrics of every update, which are also written to `curve.csv`."""
    weights = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=options.rate, weight_decay=0.0, betas=(0.9, 0.95))
    checkpoint = Checkpoint(options.out / "checkpoint.pt", model, optimizer, options.save_sec)
    curve: list[dict[str, float]] = checkpoint.load() if options.resume else []
    torch.manual_seed(options.seed + len(curve))
    spent_sec = sum(row["sec"] for row in curve)
    while len(curve) < options.max_steps and spent_sec < options.minutes * 60:
        batch = _select_tasks(rows, len(curve), options)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1.0, (len(curve) + 1) / 5)
        curve.append(
            _update(model, sampler, tokenizer, batch, players, optimizer, weights, options)
        )
        with (options.out / "curve.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, curve[0])
            writer.writeheader()
            writer.writerows(curve)
        checkpoint.save_if_due(curve)
        spent_sec += curve[-1]["sec"]
        metrics = ", ".join(f"{name} {value:.3g}" for name, value in curve[-1].items())
        print(f"update {len(curve)}: {metrics}", flush=True)
    return curve


def _select_tasks(rows: list[Row], update: int, options: argparse.Namespace) -> list[Row]:
    """Return the tasks of an update; no task repeats before all tasks were used."""
    count = max(1, len(rows) // options.tasks)
    shuffled = random.Random(options.seed + update // count).sample(rows, len(rows))
    start = update % count * options.tasks
    return shuffled[start : start + options.tasks]


def _update(
    model: Any,
    sampler: Any,
    tokenizer: Any,
    rows: list[Row],
    players: Players,
    optimizer: Any,
    weights: list[Any],
    options: argparse.Namespace,
) -> dict[str, float]:
    clock = [time.perf_counter()]
    repeated_rows = [row for row in rows for _ in range(options.group)]
    copy_weights(model, sampler)
    answers = sample(
        sampler, tokenizer, [row.messages for row in repeated_rows],
        temperature=options.temperature, batch=options.sample_batch, max_tokens=options.max_tokens,
    )  # fmt: skip
    clock.append(time.perf_counter())
    groups = [answers[i : i + options.group] for i in range(0, len(answers), options.group)]
    outcomes = players.play(rows, groups)
    clock.append(time.perf_counter())
    rewards = torch.tensor(
        [[_answer_reward(outcome, options.reward) for outcome in group] for group in outcomes]
    )
    advantages = [
        advantage for group in outcomes for advantage in answer_advantages(group, options.reward)
    ]
    _learn(model, tokenizer, repeated_rows, answers, advantages, options)
    norm = torch.nn.utils.clip_grad_norm_(weights, 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    clock.append(time.perf_counter())
    scores = [outcome.score for group in outcomes for outcome in group]
    return {
        "reward": float(rewards.mean()),
        "score": sum(scores) / len(scores),
        "solved": sum(score >= SOLVED for score in scores) / len(scores),
        "mixed_groups": float((rewards.std(1) > 0).float().mean()),
        "norm": float(norm),
        "sample_sec": clock[1] - clock[0],
        "play_sec": clock[2] - clock[1],
        "learn_sec": clock[3] - clock[2],
        "sec": clock[3] - clock[0],
    }


def answer_advantages(group: Sequence[Outcome], reward: str) -> list[list[float]]:
    """Return the advantage of every call of every answer of a group.

    The advantage is the sum of the rewards from a call on, minus the group's mean of it, divided by
    the standard deviation of the answers' rewards. An answer that has ended counts as 0 in the
    mean. The last number applies to the text after the executed calls.
    """
    totals = [_answer_reward(outcome, reward) for outcome in group]
    scale = float(torch.tensor(totals).std(correction=0)) + 0.05
    if reward != "dense":
        mean = sum(totals) / len(totals)
        return [[(total - mean) / scale] for total in totals]
    longest = max(1, *(len(outcome.rewards) for outcome in group))
    returns = [[sum(outcome.rewards[index:]) for index in range(longest)] for outcome in group]
    means = [sum(column) / len(group) for column in zip(*returns, strict=True)]
    return [
        [
            *(
                (outcome_returns[index] - means[index]) / scale
                for index in range(len(outcome.rewards))
            ),
            0.0,
        ]
        if outcome.rewards
        else [-means[0] / scale]
        for outcome_returns, outcome in zip(returns, group, strict=True)
    ]


def _learn(
    model: Any,
    tokenizer: Any,
    rows: list[Row],
    answers: list[str],
    credits: list[list[float]],
    options: argparse.Namespace,
) -> None:
    """Accumulate the policy gradients.

    The model processes the tools, every task and equal answers of a group once.
    """
    by_task: dict[str, dict[str, list[float]]] = {}
    for row, answer, credit in zip(rows, answers, credits, strict=True):
        if max(map(abs, credit)) > 1e-4:
            total = by_task.setdefault(row.task, {}).setdefault(answer, [0.0] * len(credit))
            by_task[row.task][answer] = [a + b for a, b in zip(total, credit, strict=True)]
    messages = {row.task: row.messages for row in rows}
    prompts = {task: prompt_tokens(tokenizer, messages[task]) for task in by_task}
    if not prompts:
        return
    tools_tokens = common_prefix(list(prompts.values())) if len(prompts) > 1 else []
    with shared(model, tools_tokens) as tools:
        for slice_ in batch_slices([len(group) for group in by_task.values()], options.micro):
            tasks = list(by_task.items())[slice_]
            logprobs = answer_logprobs(
                model, tokenizer, [prompts[task] for task, _ in tasks],
                [list(group) for _, group in tasks], tools,
            )  # fmt: skip
            token_logprobs = torch.cat(list(itertools.chain.from_iterable(logprobs)))
            weights = [
                _token_weights(tokenizer, answer, credit)
                for _, group in tasks
                for answer, credit in group.items()
            ]
            weight = torch.tensor(list(itertools.chain(*weights)), device=token_logprobs.device)
            loss = -(token_logprobs * weight).sum() / (len(rows) * options.token_scale)
            loss.backward()


def _token_weights(tokenizer: Any, answer: str, credit: Sequence[float]) -> list[float]:
    """Return the credit of every token of an answer: that of its call."""
    text = f"{answer}{tokenizer.eos_token}"
    offsets = tokenizer(
        text, add_special_tokens=False, return_offsets_mapping=True
    )["offset_mapping"]  # fmt: skip
    calls = call_indices(answer)
    weights = []
    for start, _ in offsets:
        call = calls[min(text.count("\n", 0, start), len(calls) - 1)]
        weights.append(credit[min(call, len(credit) - 1)])
    return weights


def _answer_reward(outcome: Outcome, reward: str) -> float:
    return float(outcome.score >= SOLVED) if reward == "solved" else outcome.score


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="Folder of the imitated model.")
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reward", choices=("dense", "final", "solved"), default="dense")
    parser.add_argument("--tasks", type=int, default=32, help="Tasks per update.")
    parser.add_argument("--group", type=int, default=8, help="Answers per task.")
    parser.add_argument("--rate", type=float, default=1e-5)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument(
        "--token-scale", type=float, default=30.0, help="Tokens that a loss is per."
    )
    parser.add_argument("--micro", type=int, default=16, help="Rows on the device at a time.")
    parser.add_argument("--sample-batch", type=int, default=256)
    parser.add_argument("--max-tokens", type=int, default=64)
    parser.add_argument("--processes", type=int, default=2, help="Document environments.")
    parser.add_argument("--minutes", type=float, default=30.0)
    add_training_options(parser)
    parser.set_defaults(max_steps=10_000)
    return parser.parse_args()


if __name__ == "__main__":
    main()
