"""Learn from better and worse answers to the same task: DPO on the answers of `best_answers.py`.

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
from examples.llm.sampling import parts_of, prompt_tokens
from examples.llm.sft import (
    add_training_options,
    answer_logprobs,
    batches_of,
    finish,
    fit,
    prepared,
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
    model, tokenizer = prepared(options)
    groups = list(groups_of(all_rows(options.rows), tokenizer, options.reward, options.margin))
    if not groups:
        raise SystemExit(f"{options.rows}: no task has a solved answer or answers that differ")
    started = time.perf_counter()
    curve = train(model, tokenizer, groups, options)
    summary = {
        "reward": options.reward,
        "tasks": len(groups),
        "pairs": sum(len(each.pairs) for each in groups),
        "solved_answers": sum(len(each.solved) for each in groups),
        "minutes": round((time.perf_counter() - started) / 60, 2),
    }
    finish(model, tokenizer, curve, ("loss", "ranked"), summary, options)


def groups_of(rows: Sequence[Row], tokenizer: Any, reward: str, margin: float) -> Iterator[Group]:
    """Yield the tasks that have something to learn from.

    Args:
        rows: Answers with scores; those to a task may be anywhere.
        tokenizer: The model's tokenizer.
        reward: `final` or `solved`.
        margin: Least difference of the rewards of a pair.
    """
    tasks: dict[str, list[Row]] = {}
    for row in rows:
        tasks.setdefault(row.task, []).append(row)
    for answers in tasks.values():
        solved = [index for index, row in enumerate(answers) if row.score >= SOLVED]
        paid = [float(row.score >= SOLVED) if reward == "solved" else row.score for row in answers]
        pairs = [
            (better, worse)
            for better, high in enumerate(paid)
            for worse, low in enumerate(paid)
            if high >= low + margin
        ]
        if pairs or solved:
            prompt = prompt_tokens(tokenizer, answers[0].messages)
            yield Group(prompt, [row.answer for row in answers], pairs, solved)


def train(
    model: Any, tokenizer: Any, groups: list[Group], options: argparse.Namespace
) -> list[tuple[float, ...]]:
    """Return for every step its loss and the share of pairs whose better answer gained more."""
    before = _reference(model, tokenizer, groups, options)
    pairs = list(zip(groups, before, strict=True))
    return fit(
        model,
        batches_of(pairs, options),
        lambda batch: _step(model, tokenizer, batch, options),
        options,
    )


def preference_loss(
    now: torch.Tensor, before: torch.Tensor, pairs: Sequence[tuple[int, int]], beta: float
) -> tuple[torch.Tensor, float]:
    """Return the mean loss of pairs of answers, and the share whose better answer gained more.

    Args:
        now: Log probabilities of the answers, shaped (answers,).
        before: Those of the model that training began with.
        pairs: Indices of a better and a worse answer.
        beta: Factor of the log ratios; small values allow a model to move further away.
    """
    better, worse = (list(each) for each in zip(*pairs, strict=True))
    gains = now - before
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
        for part in parts_of([len(group.answers) for group, _ in batch], options.micro):
            logprobs = _said(model, tokenizer, [group for group, _ in batch[part]], tools)
            terms = []
            for (group, before), said in zip(batch[part], logprobs, strict=True):
                if group.pairs:
                    now = torch.stack([each.sum() for each in said])
                    loss, share = preference_loss(now, before, group.pairs, options.beta)
                    terms.append(loss)
                    ranked.append(share)
                if group.solved:
                    solved = torch.stack([said[each].mean() for each in group.solved])
                    terms.append(-options.imitate * solved.mean())
            loss = torch.stack(terms).sum() / len(batch)
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item()
    return total, sum(ranked) / max(1, len(ranked))


def _said(
    model: Any, tokenizer: Any, groups: Sequence[Group], tools: SharedTokens
) -> list[list[torch.Tensor]]:
    """Return for each group and answer the log probabilities of its tokens."""
    prompts, answers = [each.prompt for each in groups], [each.answers for each in groups]
    return answer_logprobs(model, tokenizer, prompts, answers, tools)


def _reference(
    model: Any, tokenizer: Any, groups: Sequence[Group], options: argparse.Namespace
) -> list[torch.Tensor]:
    """Return the log probabilities of all answers before training, by group."""
    found: list[torch.Tensor] = []
    model.eval()
    with torch.no_grad():
        tools = SharedTokens(model, common_prefix([each.prompt for each in groups]))
        for part in parts_of([len(each.answers) for each in groups], options.micro):
            for said in _said(model, tokenizer, groups[part], tools):
                found.append(torch.stack([each.sum() for each in said]))
    return found


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
