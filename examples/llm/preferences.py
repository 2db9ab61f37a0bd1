"""Train on better and worse answers to the same task: DPO on the answers of `best_answers.py`.

python -m examples.llm.best_answers --model runs/llm/sft --rows runs/llm/tasks.jsonl --skip 400 \
    --out runs/llm/answers.jsonl
python -m examples.llm.preferences --model runs/llm/sft --rows runs/llm/answers.jsonl \
    --out runs/llm/preferred

Of two answers to a task, the one with the higher reward is preferred (Rafailov et al. 2023, "Direct
Preference Optimization", equation 7). Answers that solve their task are imitated as well, which
keeps them likely (Pang et al. 2024, "Iterative Reasoning Preference Optimization"). `--reward` is
`final` for scores with partial credit, `solved` for 1 or 0. `--resume` continues an interrupted
run.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from examples.llm.rollouts import SOLVED, Row, all_rows
from examples.llm.sampling import batch_slices, prompt_tokens
from examples.llm.sft import (
    add_training_options,
    answer_logprobs,
    finish,
    fit,
    load_model,
    make_batches,
)
from examples.llm.shared import SharedTokens, common_prefix, shared


@dataclass(frozen=True)
class Group:
    """Different answers to one task.

    Attributes:
        prompt: Tokens of the request.
        answers: The answers.
        pairs: Indices of a better and a worse answer.
        solved: Indices of the answers that solve the task.
    """

    prompt: list[int]
    answers: list[str]
    pairs: list[tuple[int, int]]
    solved: list[int]


def main() -> None:
    """Train and save."""
    options = _options()
    model, tokenizer = load_model(options)
    groups = list(
        preference_groups(all_rows(options.rows), tokenizer, options.reward, options.margin)
    )
    if not groups:
        raise SystemExit(f"{options.rows}: no task has a solved answer or answers that differ")
    started = time.perf_counter()
    curve = train(model, tokenizer, groups, options)
    summary = {
        "reward": options.reward,
        "tasks": len(groups),
        "pairs": sum(len(group.pairs) for group in groups),
        "solved_answers": sum(len(group.solved) for group in groups),
        "minutes": round((time.perf_counter() - started) / 60, 2),
    }
    finish(model, tokenizer, curve, ("loss", "ranked"), summary, options)


def preference_groups(
    rows: Sequence[Row], tokenizer: Any, reward: str, margin: float
) -> Iterator[Group]:
    """Yield the tasks with pairs or solved answers.

    Args:
        rows: Answers with scores; the answers to a task may be in any order.
        tokenizer: The model's tokenizer.
        reward: `final` or `solved`.
        margin: Minimum difference of the rewards of a pair.
    """
    tasks: dict[str, list[Row]] = {}
    for row in rows:
        tasks.setdefault(row.task, []).append(row)
    for answers in tasks.values():
        solved = [index for index, row in enumerate(answers) if row.score >= SOLVED]
        rewards = [
            float(row.score >= SOLVED) if reward == "solved" else row.score for row in answers
        ]
        pairs = [
            (better, worse)
            for better, high in enumerate(rewards)
            for worse, low in enumerate(rewards)
            if high >= low + margin
        ]
        if pairs or solved:
            prompt = prompt_tokens(tokenizer, answers[0].messages)
            yield Group(prompt, [row.answer for row in answers], pairs, solved)


def train(
    model: Any, tokenizer: Any, groups: list[Group], options: argparse.Namespace
) -> list[tuple[float, ...]]:
    """Return for every step its loss and the share of pairs whose better answer gained more."""
    reference = _reference_logprobs(model, tokenizer, groups, options)
    pairs = list(zip(groups, reference, strict=True))
    return fit(
        model,
        make_batches(pairs, options),
        lambda batch: _step(model, tokenizer, batch, options),
        options,
    )


def preference_loss(
    logprobs: torch.Tensor,
    reference_logprobs: torch.Tensor,
    pairs: Sequence[tuple[int, int]],
    beta: float,
) -> tuple[torch.Tensor, float]:
    """Return the mean loss of pairs of answers, and the share whose better answer gained more.

    Args:
        logprobs: Log probabilities of the answers, shaped (answers,).
        reference_logprobs: Log probabilities of the model before training.
        pairs: Indices of a better and a worse answer.
        beta: Factor of the log ratios; small values allow a model to move further away.
    """
    better, worse = (list(indices) for indices in zip(*pairs, strict=True))
    gains = logprobs - reference_logprobs
    margins = gains[better] - gains[worse]
    loss = -torch.nn.functional.logsigmoid(beta * margins).mean()
    return loss, float((margins > 0).float().mean())


def _step(
    model: Any,
    tokenizer: Any,
    batch: Sequence[tuple[Group, torch.Tensor]],
    options: argparse.Namespace,
) -> tuple[float, float]:
    """Accumulate the gradients of a batch; return its loss and the share of ranked pairs."""
    total, ranked = 0.0, []
    with shared(model, common_prefix([group.prompt for group, _ in batch])) as tools:
        for slice_ in batch_slices([len(group.answers) for group, _ in batch], options.micro):
            logprobs = _token_logprobs(
                model, tokenizer, [group for group, _ in batch[slice_]], tools
            )
            terms = []
            for (group, reference), token_logprobs in zip(batch[slice_], logprobs, strict=True):
                if group.pairs:
                    current = torch.stack([tokens.sum() for tokens in token_logprobs])
                    loss, share = preference_loss(current, reference, group.pairs, options.beta)
                    terms.append(loss)
                    ranked.append(share)
                if group.solved:
                    solved = torch.stack([token_logprobs[index].mean() for index in group.solved])
                    terms.append(-options.imitate * solved.mean())
            loss = torch.stack(terms).sum() / len(batch)
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item()
    return total, sum(ranked) / max(1, len(ranked))


def _token_logprobs(
    model: Any, tokenizer: Any, groups: Sequence[Group], tools: SharedTokens
) -> list[list[torch.Tensor]]:
    """Return for each group and answer the log probabilities of its tokens."""
    prompts, answers = [group.prompt for group in groups], [group.answers for group in groups]
    return answer_logprobs(model, tokenizer, prompts, answers, tools)


def _reference_logprobs(
    model: Any, tokenizer: Any, groups: Sequence[Group], options: argparse.Namespace
) -> list[torch.Tensor]:
    """Return the log probabilities of all answers before training, by group."""
    logprobs: list[torch.Tensor] = []
    model.eval()
    with torch.no_grad():
        tools = SharedTokens(model, common_prefix([group.prompt for group in groups]))
        for slice_ in batch_slices([len(group.answers) for group in groups], options.micro):
            for token_logprobs in _token_logprobs(model, tokenizer, groups[slice_], tools):
                logprobs.append(torch.stack([tokens.sum() for tokens in token_logprobs]))
    return logprobs


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="Folder of the model that answered.")
    parser.add_argument("--rows", type=Path, required=True, help="Answers with scores.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reward", choices=("final", "solved"), default="final")
    parser.add_argument("--margin", type=float, default=0.05, help="Least difference of a pair.")
    parser.add_argument("--beta", type=float, default=0.1)
    parser.add_argument("--imitate", type=float, default=1.0, help="Weight of solved answers.")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=16, help="Tasks per step.")
    parser.add_argument("--micro", type=int, default=16, help="Answers on the device at a time.")
    parser.add_argument("--rate", type=float, default=2e-4)
    add_training_options(parser)
    return parser.parse_args()


if __name__ == "__main__":
    main()
