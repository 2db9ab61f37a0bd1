"""Fine-tune an imitated model by GRPO: groups of answers to one task, rewarded by the environment.

python -m examples.llm.grpo --model runs/llm/sft --rows runs/llm/tasks.jsonl --out runs/llm/grpo

Each update samples `--group` answers to each of `--tasks` tasks, plays them in the document
environment, and raises the probability of those that score above their group's mean. With `--reward
dense`, the reward is the rubric score with partial credit; with `--reward solved`, 1 for a full
score and else 0. Updates are on-policy: one step per batch of rollouts.
"""

import argparse
import csv
import json
import random
import time
from pathlib import Path
from typing import Any

import torch
from examples.llm.models import copy_weights, default_device, fast_copy, load, save, with_lora
from examples.llm.rollouts import SOLVED, Outcome, Players, Row, prompt_text, read_rows, sample
from examples.llm.sft import answer_logprobs


def main() -> None:
    """Train and save the model, also when the time is up."""
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
    part = max(1, min(5, len(curve)))
    summary = {
        "seed": options.seed,
        "reward": options.reward,
        "updates": len(curve),
        "rollouts": len(curve) * options.tasks * options.group,
        "first": round(sum(each["score"] for each in curve[:part]) / part, 3),
        "last": round(sum(each["score"] for each in curve[-part:]) / part, 3),
        "minutes": round((time.perf_counter() - started) / 60, 2),
        **{
            f"{name}_share": round(
                sum(each[name] for each in curve) / sum(each["sec"] for each in curve), 2
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
    weights = [each for each in model.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=options.rate, weight_decay=0.0, betas=(0.9, 0.95))
    curve: list[dict[str, float]] = []
    order, begin = random.Random(options.seed), time.perf_counter()
    waiting: list[Row] = []
    while len(curve) < options.max_steps and time.perf_counter() - begin < options.minutes * 60:
        if len(waiting) < options.tasks:
            waiting = order.sample(rows, len(rows))
        chosen, waiting = waiting[: options.tasks], waiting[options.tasks :]
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1.0, (len(curve) + 1) / 5)
        curve.append(
            _update(model, sampler, tokenizer, chosen, players, optimizer, weights, options)
        )
        with (options.out / "curve.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, curve[0])
            writer.writeheader()
            writer.writerows(curve)
        shown = ", ".join(f"{name} {value:.3g}" for name, value in curve[-1].items())
        print(f"update {len(curve)}: {shown}", flush=True)
    return curve


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
    many = [row for row in rows for _ in range(options.group)]
    copy_weights(model, sampler)
    answers = sample(
        sampler, tokenizer, [row.messages for row in many],
        temperature=options.temperature, batch=options.sample_batch, max_tokens=options.max_tokens,
    )  # fmt: skip
    clock.append(time.perf_counter())
    groups = [answers[i : i + options.group] for i in range(0, len(answers), options.group)]
    outcomes = players.play(rows, groups)
    clock.append(time.perf_counter())
    paid = torch.tensor([[_paid(each, options.reward) for each in group] for group in outcomes])
    advantages = (paid - paid.mean(1, keepdim=True)) / (paid.std(1, keepdim=True) + 0.05)
    _learn(model, tokenizer, many, answers, advantages.flatten(), options)
    norm = torch.nn.utils.clip_grad_norm_(weights, 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    clock.append(time.perf_counter())
    scores = [each.score for group in outcomes for each in group]
    return {
        "reward": float(paid.mean()),
        "score": sum(scores) / len(scores),
        "solved": sum(each >= SOLVED for each in scores) / len(scores),
        "mixed_groups": float((paid.std(1) > 0).float().mean()),
        "norm": float(norm),
        "sample_sec": clock[1] - clock[0],
        "play_sec": clock[2] - clock[1],
        "learn_sec": clock[3] - clock[2],
        "sec": clock[3] - clock[0],
    }


def _learn(
    model: Any,
    tokenizer: Any,
    rows: list[Row],
    answers: list[str],
    advantages: torch.Tensor,
    options: argparse.Namespace,
) -> None:
    """Accumulate the policy gradients; equal answers of a group pass through the model once."""
    total: dict[tuple[str, str], float] = {}
    messages = {row.task: row.messages for row in rows}
    for row, answer, advantage in zip(rows, answers, advantages.tolist(), strict=True):
        total[row.task, answer] = total.get((row.task, answer), 0.0) + advantage
    chosen = sorted(
        ((task, answer, each) for (task, answer), each in total.items() if abs(each) > 1e-4),
        key=lambda item: len(messages[item[0]][-1]["content"]),
    )
    for start in range(0, len(chosen), options.micro):
        part = chosen[start : start + options.micro]
        logprobs, _ = answer_logprobs(
            model, tokenizer,
            [prompt_text(tokenizer, messages[task]) for task, _, _ in part],
            [answer for _, answer, _ in part], options.device,
        )  # fmt: skip
        weight = torch.tensor([each for _, _, each in part], device=logprobs.device)
        loss = -(logprobs.sum(1) * weight).sum() / (len(rows) * options.token_scale)
        loss.backward()


def _paid(outcome: Outcome, reward: str) -> float:
    return outcome.score if reward == "dense" else float(outcome.score >= SOLVED)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="Folder of the imitated model.")
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reward", choices=("dense", "solved"), default="dense")
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
    parser.add_argument("--lora-rank", type=int, default=0, help="0 trains all weights.")
    parser.add_argument("--processes", type=int, default=2, help="Document environments.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--max-steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default=default_device())
    return parser.parse_args()


if __name__ == "__main__":
    main()
