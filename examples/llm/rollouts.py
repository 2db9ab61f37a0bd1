"""Rollouts: answers sampled in batches, and played in document environments by processes.

An episode is one answer of the model: several calls, one per line, the last one `done()`. Every
process caches the checkpoints of its tasks, so that the answers of a group start from one state.
"""

import copy
import json
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

SOLVED = 0.999


@dataclass(frozen=True)
class Row:
    """A task as `tasks.py` writes it.

    Attributes:
        task: Its id.
        split: Its split.
        operator: The edit that it asks for.
        suite: Its suite file.
        messages: The first request to the model.
        answer: The expert's answer; empty if there is none.
        score: The score of the expert's answer.
    """

    task: str
    split: str
    operator: str
    suite: str
    messages: list[dict[str, str]]
    answer: str = ""
    score: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """The result of an answer.

    Attributes:
        score: The final score in [0, 1].
        calls: Number of executed calls.
        error: Why the answer was refused or ended early; empty if it was not.
        parsed: Whether the answer contains a call.
    """

    score: float
    calls: int
    error: str = ""
    parsed: bool = True


def read_rows(path: Path, split: str, count: int | None = None) -> list[Row]:
    """Return the first `count` rows of a split that the expert solves."""
    with path.open(encoding="utf-8") as file:
        rows = [Row(**json.loads(line)) for line in file]
    return [row for row in rows if row.split == split and row.score >= SOLVED][:count]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)


class Players:
    """Processes with one document environment each; a task is always played by the same one."""

    def __init__(self, processes: int) -> None:
        context = get_context("spawn")
        self._each = [ProcessPoolExecutor(1, context) for _ in range(processes)]
        for each in self._each:  # starts them now, while a model is loaded or generates
            each.submit(_warm_up)

    def play(self, rows: Sequence[Row], answers: Sequence[Sequence[str]]) -> list[list[Outcome]]:
        """Play the answers of every task; equal ones are played once."""
        waiting: list[Future[dict[str, Outcome]]] = [
            self._process(row).submit(_play, row.suite, row.task, tuple(sorted(set(group))))
            for row, group in zip(rows, answers, strict=True)
        ]
        found = [each.result() for each in waiting]
        return [
            [known[text] for text in group] for known, group in zip(found, answers, strict=True)
        ]

    def experts(self, suite: Path, tasks: Sequence[str]) -> list[Row]:
        """Return the rows of tasks, with the expert's answer and its score."""
        executors = [self._each[number % len(self._each)] for number in range(len(tasks))]
        waiting = [
            executor.submit(_expert, str(suite), task)
            for executor, task in zip(executors, tasks, strict=True)
        ]
        return [each.result() for each in waiting]

    def close(self) -> None:
        """Stop the processes."""
        for each in self._each:
            each.shutdown(cancel_futures=True)

    def _process(self, row: Row) -> ProcessPoolExecutor:
        return self._each[zlib.crc32(row.task.encode()) % len(self._each)]


class _Desk:
    """The environment of a process, and the checkpoints of tasks."""

    def __init__(self, suite: str) -> None:
        from pptarena.envs.document import PPTArenaDocEnv

        self.env = PPTArenaDocEnv(suite=suite, tools=("edit",), view="compact", judge=None)
        self._starts: dict[str, Any] = {}

    def begin(self, task: str) -> None:
        """Restore or create the initial state of a task."""
        if task in self._starts:
            self.env.restore(self._starts[task])
            return
        self.env.reset(seed=0, options={"task": task})
        self._starts[task] = self.env.checkpoint()


_DESKS: dict[str, _Desk] = {}


def _warm_up() -> None:
    import pptarena.agents.goal_calls
    import pptarena.envs.document  # noqa: F401


def _desk(suite: str) -> _Desk:
    if suite not in _DESKS:
        _DESKS[suite] = _Desk(suite)
    return _DESKS[suite]


def _play(suite: str, task: str, answers: tuple[str, ...]) -> dict[str, Outcome]:
    desk, found = _desk(suite), {}
    for answer in answers:
        desk.begin(task)
        found[answer] = _outcome(desk.env, answer)
    return found


def _outcome(env: Any, answer: str) -> Outcome:
    from pptarena.agents.model.compact_calls import compact_calls
    from pptarena.envs.document import ToolCall
    from pptarena.errors import ActionError

    try:
        calls = compact_calls(answer)
    except ActionError as problem:
        return Outcome(0.0, 0, str(problem), parsed=False)
    carried, score, error = 0, 0.0, ""
    for call in [*calls, ToolCall.of("done")]:
        *_, terminated, truncated, info = env.step(call)
        error, score = info["action_error"] or info["infra_error"] or "", float(info["score"])
        if error or terminated or truncated:
            break
        carried += 1
    return Outcome(score, carried, error)


def _expert(suite: str, task_id: str) -> Row:
    from pptarena.agents.goal_calls import goal_calls
    from pptarena.agents.model.compact_calls import answer_of, first_messages
    from pptarena.envs.document import ToolCall
    from pptarena.errors import AgentError

    desk = _desk(suite)
    observation, _ = desk.env.reset(seed=0, options={"task": task_id})
    task = desk.env.task
    assert task is not None, "the environment was reset"
    messages = first_messages(desk.env.tools(), task.instruction, observation["outline"])
    operator = str(task.grown["operators"][0])
    row = Row(task_id, str(task.grown["split"]), operator, suite, messages)
    try:
        answer = answer_of([*goal_calls(task), ToolCall.of("done")])
    except AgentError:
        return row
    return Row(**{**asdict(row), "answer": answer, "score": _outcome(desk.env, answer).score})


def sample(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[list[dict[str, str]]],
    *,
    max_tokens: int = 64,
    temperature: float = 0.0,
    batch: int = 256,
) -> list[str]:
    """Return one answer to each prompt, greedy for temperature 0; batches group similar lengths."""
    texts = [prompt_text(tokenizer, each) for each in prompts]
    ids = [tokenizer(each, add_special_tokens=False)["input_ids"] for each in texts]
    prefix = _Prefix(model, ids)
    order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
    found = [""] * len(ids)
    how: dict[str, Any] = {"do_sample": temperature > 0}
    how |= {"temperature": temperature} if temperature else {}
    how |= {"max_new_tokens": max_tokens, "pad_token_id": tokenizer.pad_token_id}
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        said = prefix.generate([ids[index] for index in part], **how)
        for index, tokens in zip(part, said, strict=True):
            found[index] = tokenizer.decode(tokens, skip_special_tokens=True).strip()
    return found


class _Prefix:
    """The common token prefix of all requests, such as the list of tools; computed once."""

    def __init__(self, model: Any, ids: Sequence[list[int]]) -> None:
        import torch

        self._model = model
        shortest = min(map(len, ids))
        same = (index for index in range(shortest) if len({each[index] for each in ids}) > 1)
        self._tokens = ids[0][: min(next(same, shortest), shortest - 1)] if len(ids) > 1 else []
        self._cache: Any = None
        if self._tokens:
            tokens = torch.tensor([self._tokens], device=model.device)
            with torch.no_grad():
                self._cache = model(tokens, use_cache=True, logits_to_keep=1).past_key_values

    def generate(self, ids: Sequence[list[int]], pad_token_id: int, **how: Any) -> list[list[int]]:
        """Return the continuation of each request."""
        import torch

        begin, width = len(self._tokens), max(map(len, ids))
        # Padding goes between the shared prefix and the rest.
        rows = [each[:begin] + [pad_token_id] * (width - len(each)) + each[begin:] for each in ids]
        masks = [
            [1] * begin + [0] * (width - len(each)) + [1] * (len(each) - begin) for each in ids
        ]
        cache = {}
        if self._cache is not None:
            cache["past_key_values"] = copy.deepcopy(self._cache)
            cache["past_key_values"].batch_repeat_interleave(len(ids))
        with torch.no_grad():
            out = self._model.generate(
                input_ids=torch.tensor(rows, device=self._model.device),
                attention_mask=torch.tensor(masks, device=self._model.device),
                top_k=0, top_p=1.0, pad_token_id=pad_token_id, **cache, **how,
            )  # fmt: skip
        found: list[list[int]] = out[:, width:].tolist()
        return found


def prompt_text(tokenizer: Any, messages: list[dict[str, str]]) -> str:
    """Return a request in the model's chat template, up to the answer."""
    if tokenizer.chat_template is None:
        return "\n\n".join(each["content"] for each in messages) + "\n\n"
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))
