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
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from examples.llm.grpo import batches
from examples.llm.models import default_device
from examples.llm.rollouts import SOLVED, Row, all_rows
from examples.llm.sampling import prompt_tokens
from examples.llm.sft import answer_logprobs, finish, fit, prepared
from examples.llm.shared import SharedTokens, common_prefix, shared

from pptarena.files import replacing


@dataclass(frozen=True)
class Group:
    """Different answers to one task.

    Attributes:
        task: The task's id.
        prompt: Tokens of the request.
        answers: The answers.
        pairs: Indices of a better and a worse answer.
        solved: Indices of the answers that solve the task.
    """

    task: str
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
    for task, answers in tasks.items():
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
            yield Group(task, prompt, [row.answer for row in answers], pairs, solved)


def train(
    model: Any, tokenizer: Any, groups: list[Group], options: argparse.Namespace
) -> list[tuple[float, ...]]:
    """Return for every step its loss and the share of pairs whose better answer gained more."""
    before = _reference(model, tokenizer, groups, options)
    return fit(
        model,
        list(_batches(len(groups), options)),
        lambda batch: _step(
            model, tokenizer, [groups[each] for each in batch], [before[each] for each in batch],
            options,
        ),
        options,
    )  # fmt: skip


def losses(
    now: torch.Tensor, before: torch.Tensor, group: Group, beta: float
) -> tuple[torch.Tensor, float]:
    """Return the mean preference loss of a group's pairs, 0 without any, and the share ranked.

    Args:
        now: Log probabilities of the answers, shaped (answers,).
        before: Those of the model that training began with.
        group: The answers.
        beta: Factor of the log ratios; small values allow a model to move further away.
    """
    if not group.pairs:
        return now.sum() * 0.0, 0.0
    better, worse = (list(each) for each in zip(*group.pairs, strict=True))
    gains = now - before
    margins = gains[better] - gains[worse]
    loss = -torch.nn.functional.logsigmoid(beta * margins).mean()
    return loss, float((margins > 0).float().mean())


def _step(
    model: Any,
    tokenizer: Any,
    groups: Sequence[Group],
    before: Sequence[torch.Tensor],
    options: argparse.Namespace,
) -> tuple[float, float]:
    """Accumulate the gradients of a batch; return its loss and the share of ranked pairs."""
    total, ranked = 0.0, []
    with shared(model, common_prefix([each.prompt for each in groups])) as tools:
        for part in batches([len(each.answers) for each in groups], options.micro):
            logprobs = _said(model, tokenizer, groups[part], tools)
            terms = []
            for group, said, reference in zip(groups[part], logprobs, before[part], strict=True):
                now = torch.stack([each.sum() for each in said])
                preference, share = losses(now, reference, group, options.beta)
                terms.append(preference)
                if group.pairs:
                    ranked.append(share)
                if group.solved:
                    solved = torch.stack([said[each].mean() for each in group.solved])
                    terms.append(-options.imitate * solved.mean())
            loss = torch.stack(terms).sum() / len(groups)
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
    """Return the log probabilities of all answers before training, by group.

    Those in ``--reference`` are read from there, and the others are added to it.
    """
    path: Path | None = options.reference
    known = json.loads(path.read_text("utf-8")) if path is not None and path.is_file() else {}
    missing = [each for each in groups if set(each.answers) - known.get(each.task, {}).keys()]
    model.eval()
    with torch.no_grad():
        tools = SharedTokens(model, common_prefix([each.prompt for each in missing or groups]))
        for part in batches([len(each.answers) for each in missing], options.micro):
            logprobs = _said(model, tokenizer, missing[part], tools)
            for group, said in zip(missing[part], logprobs, strict=True):
                values = [float(each.sum()) for each in said]
                known[group.task] = dict(zip(group.answers, values, strict=True))
    if path is not None and missing:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(json.dumps(known).encode())
    return [
        torch.tensor([known[group.task][answer] for answer in group.answers], device=model.device)
        for group in groups
    ]


def _batches(count: int, options: argparse.Namespace) -> Iterator[list[int]]:
    """Yield the indices of the groups of every step."""
    order = random.Random(options.seed)
    for _ in range(options.epochs):
        shuffled = order.sample(range(count), count)
        for begin in range(0, count, options.batch):
            yield shuffled[begin : begin + options.batch]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="Folder of the model that answered.")
    parser.add_argument("--rows", type=Path, required=True, help="Answers with scores.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reward", choices=("final", "solved"), default="final")
    parser.add_argument(
        "--reference",
        type=Path,
        help="File with the model's log probabilities of the answers, for other runs.",
    )
    parser.add_argument("--margin", type=float, default=0.05, help="Least difference of a pair.")
    parser.add_argument("--beta", type=float, default=0.1)
    parser.add_argument("--imitate", type=float, default=1.0, help="Weight of solved answers.")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=16, help="Tasks per step.")
    parser.add_argument("--micro", type=int, default=16, help="Answers on the device at a time.")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--lora-rank", type=int, default=0, help="0 trains all weights.")
    parser.add_argument("--max-steps", type=int, default=None)
    parser.add_argument("--save-sec", type=float, default=300.0, help="Seconds per checkpoint.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--device", default=default_device())
    return parser.parse_args()


if __name__ == "__main__":
    main()
