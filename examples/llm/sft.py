"""Imitate the expert: supervised fine-tuning on the rows of `tasks.py`, in plain PyTorch.

python -m examples.llm.sft --model smollm2 --rows runs/llm/tasks.jsonl --out runs/llm/sft

The loss covers the tokens of the answers. `--resume` continues an interrupted run.
"""

import argparse
import csv
import json
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from examples.llm.models import (
    Checkpoint,
    default_device,
    fast_type,
    load,
    save,
    with_lora,
)
from examples.llm.rollouts import Row, read_rows
from examples.llm.sampling import prompt_tokens
from examples.llm.shared import SharedTokens, common_prefix, forward_packed, shared

Item = TypeVar("Item")


def main() -> None:
    """Train and save."""
    options = _options()
    model, tokenizer = load_model(options)
    rows = read_rows(options.rows, "train", options.demos)
    started = time.perf_counter()
    curve = train(model, tokenizer, rows, options)
    summary = {
        "demonstrations": len(rows),
        "first_loss": curve[0][1] if curve else None,
        "minutes": round((time.perf_counter() - started) / 60, 2),
    }
    finish(model, tokenizer, curve, ("loss",), summary, options)


def load_model(options: argparse.Namespace) -> tuple[Any, Any]:
    """Return the selected model, ready for training, and its tokenizer."""
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    model, tokenizer = load(options.model, options.device)
    if options.lora_rank:  # frozen weights need no conversion in every pass: a fifth less time
        model = model.to(fast_type(options.device))
    return with_lora(model, options.lora_rank), tokenizer


def finish(
    model: Any,
    tokenizer: Any,
    curve: list[tuple[float, ...]],
    metrics: Sequence[str],
    summary: Mapping[str, Any],
    options: argparse.Namespace,
) -> None:
    """Save the model with `curve.csv` and `summary.json`, which is also printed.

    Args:
        model: The trained model.
        tokenizer: Its tokenizer.
        curve: Number and metrics of every step.
        metrics: Their names.
        summary: Facts about the run.
        options: Options of the script.
    """
    save(model.float(), tokenizer, options.out)
    with (options.out / "curve.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("step", *metrics), *curve])
    last = curve[-10:]
    record = {
        "seed": options.seed,
        "precision": str(fast_type(options.device)).removeprefix("torch."),
        "steps": len(curve),
        **summary,
        **{
            f"last_{name}": round(sum(row[column] for row in last) / max(1, len(last)), 4)
            for column, name in enumerate(metrics, 1)
        },
    }
    (options.out / "summary.json").write_text(json.dumps(record, indent=1) + "\n")
    print(json.dumps(record), flush=True)


def train(
    model: Any, tokenizer: Any, rows: list[Row], options: argparse.Namespace
) -> list[tuple[float, ...]]:
    """Return number and loss of every step."""
    return fit(
        model,
        make_batches(rows, options),
        lambda batch: (_step(model, tokenizer, batch, options),),
        options,
    )


def fit(
    model: Any,
    batches: Sequence[Any],
    step: Callable[[Any], tuple[float, ...]],
    options: argparse.Namespace,
) -> list[tuple[float, ...]]:
    """Take one step of AdamW per batch; return number, loss and other metrics of every step.

    Args:
        model: The model; frozen weights stay.
        batches: The batches, of which ``options.max_steps`` are used.
        step: Accumulates the gradients of a batch; returns its loss and other metrics.
        options: Options of the script.
    """
    options.out.mkdir(parents=True, exist_ok=True)
    weights = [each for each in model.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=options.rate, weight_decay=0.0, betas=(0.9, 0.98))
    batches = batches[: options.max_steps]
    total = len(batches)
    checkpoint = Checkpoint(options.out / "checkpoint.pt", model, optimizer, options.save_sec)
    curve: list[tuple[float, ...]] = checkpoint.load() if options.resume else []
    model.train()
    for index in range(len(curve), total):
        for group in optimizer.param_groups:
            group["lr"] = options.rate * _schedule(index, total)
        metrics = step(batches[index])
        if not math.isfinite(metrics[0]):
            raise SystemExit(f"the loss is {metrics[0]}: lower --rate")
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        curve.append((index, *(round(each, 4) for each in metrics)))
        if index % 20 == 0:
            print(f"step {index} of {total}: loss {metrics[0]:.3f}", flush=True)
        checkpoint.save_if_due(curve)
    model.eval()
    return curve


def answer_logprobs(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[Sequence[int]],
    answers: Sequence[Sequence[str]],
    shared_tokens: SharedTokens,
) -> list[list[torch.Tensor]]:
    """Return for each answer the log probabilities of its tokens, the end-of-sequence token last.

    A prompt passes through the model once, whatever the number of its answers. Only the positions
    of answers pass through the output layer, whose logits take most memory.

    Args:
        model: A causal language model.
        tokenizer: Its tokenizer.
        prompts: Tokens of every prompt.
        answers: The answers to each prompt, without the end-of-sequence token.
        shared_tokens: The tokens that all prompts begin with.
    """
    rows: list[list[Sequence[int]]] = []
    positions: list[int] = []  # positions that predict the answers
    targets: list[list[int]] = []
    offset = 0
    for prompt, group in zip(prompts, answers, strict=True):
        rows.append([prompt[shared_tokens.length :]])
        offset += len(rows[-1][0])
        last = offset - 1
        for answer in group:
            text = f"{answer}{tokenizer.eos_token}"
            targets.append(tokenizer(text, add_special_tokens=False)["input_ids"])
            rows[-1].append(targets[-1][:-1])
            positions += [last, *range(offset, offset + len(rows[-1][-1]))]
            offset += len(rows[-1][-1])
    kept_positions = torch.tensor(positions, device=model.device)
    logits = forward_packed(model, rows, shared_tokens, logits_to_keep=kept_positions).logits[0]
    tokens = torch.tensor([token for target in targets for token in target], device=model.device)
    logprobs = -torch.nn.functional.cross_entropy(logits.float(), tokens, reduction="none")
    split = iter(torch.split(logprobs, [len(target) for target in targets]))
    return [[next(split) for _ in group] for group in answers]


def _step(model: Any, tokenizer: Any, rows: list[Row], options: argparse.Namespace) -> float:
    """Accumulate the gradients of a batch; return its loss."""
    prompts = [prompt_tokens(tokenizer, row.messages) for row in rows]
    total = 0.0
    with shared(model, common_prefix(prompts)) as tools:
        for start in range(0, len(rows), options.micro):
            slice_ = slice(start, start + options.micro)
            answers = [[row.answer] for row in rows[slice_]]
            logprobs = answer_logprobs(model, tokenizer, prompts[slice_], answers, tools)
            loss = -torch.stack(
                [token_logprobs.mean() for (token_logprobs,) in logprobs]
            ).sum() / len(rows)
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item()
    return total


def make_batches(items: Sequence[Item], options: argparse.Namespace) -> list[Sequence[Item]]:
    """Return the batches of all epochs; every epoch has a different order."""
    generator = random.Random(options.seed)
    batches: list[Sequence[Item]] = []
    for _ in range(options.epochs):
        shuffled = generator.sample(items, len(items))
        batches += [
            shuffled[start : start + options.batch] for start in range(0, len(items), options.batch)
        ]
    return batches


def _schedule(step: int, total: int) -> float:
    """Return the factor of the learning rate: a short warm-up, then a cosine."""
    warmup_steps = max(1, min(20, total // 10))
    if step < warmup_steps:
        return (step + 1) / warmup_steps
    return 0.5 * (1 + math.cos(math.pi * (step - warmup_steps) / max(1, total - warmup_steps)))


def add_training_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that all training scripts have."""
    parser.add_argument("--lora-rank", type=int, default=0, help="0 trains all weights.")
    parser.add_argument("--max-steps", type=int, default=None)
    parser.add_argument("--save-sec", type=float, default=300.0, help="Seconds per checkpoint.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--device", default=default_device())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="smollm2", help="Folder, name, GGUF file or 'smollm2'.")
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--demos", type=int, default=None, help="Maximum number of demonstrations.")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument(
        "--micro", type=int, help="Rows on the device at a time; by default 2 on a CPU, else 16."
    )
    parser.add_argument("--rate", type=float, default=2e-4)
    add_training_options(parser)
    options = parser.parse_args()
    # More rows at a time take more memory; on a CPU, they are not faster.
    options.micro = options.micro or (2 if options.device == "cpu" else 16)
    return options


if __name__ == "__main__":
    main()
