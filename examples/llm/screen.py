"""Evaluate a model on the screen: several episodes at a time, answered as one batch.

python -m examples.llm.screen --model runs/llm/screen-sft --suite suite.jsonl#test-deck \
    --machine fake --see elements-short,window,slide,actions --out runs/screen

Plays every task once with `pptarena.agents.model.ModelAgent`, whose requests go to the model in
this process. The episodes are stored like those of `pptarena run`, so that `report`, `compare` and
`export` read them, and a repeated command continues.
"""

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Condition
from typing import Any

from examples.llm.evaluate import interval, wilson
from examples.llm.models import default_device, fast_copy, load
from examples.llm.rollouts import SOLVED
from examples.llm.sampling import sample

from pptarena import load_suite
from pptarena.agents.model import ModelAgent, ModelSettings
from pptarena.errors import EndpointClosedError
from pptarena.models import Answer, Reply, Request
from pptarena.rollouts.env import make_env
from pptarena.rollouts.run import Job, run_job
from pptarena.tasks import Task


class BatchService:
    """Answers the requests of several threads by one model, as soon as all of them wait.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        max_tokens: Maximum length of an answer.
    """

    def __init__(self, model: Any, tokenizer: Any, max_tokens: int) -> None:
        self._model, self._tokenizer, self._max_tokens = model, tokenizer, max_tokens
        self._changed = Condition()
        self._players = 0
        self._waiting: list[tuple[list[dict[str, str]], Future[Answer]]] = []

    def join(self) -> None:
        """Add a thread that will ask."""
        with self._changed:
            self._players += 1

    def leave(self) -> None:
        """Remove a thread; the others no longer wait for it."""
        with self._changed:
            self._players -= 1
            self._changed.notify_all()

    def ask(self, request: Request) -> Answer:
        """Return the answer to a request."""
        messages = [{"role": "system", "content": request.system}]
        for turn in request.turns:
            messages.append({"role": "user", "content": turn.text})
            if turn.answer is not None:
                messages.append({"role": "assistant", "content": turn.answer.reply.text})
        answer: Future[Answer] = Future()
        with self._changed:
            self._waiting.append((messages, answer))
            self._changed.notify_all()
        return answer.result()

    def close(self) -> None:
        """Do nothing; the model is shared."""

    def serve(self) -> None:
        """Answer until all threads have left."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: len(self._waiting) >= self._players)
                asked, self._waiting = self._waiting, []
                if not self._players:
                    return
            for (_, answer), reply in zip(asked, self._answers(asked), strict=True):
                if isinstance(reply, Exception):
                    answer.set_exception(reply)
                else:
                    answer.set_result(Answer(Reply(reply)))

    def _answers(
        self, asked: Sequence[tuple[list[dict[str, str]], Future[Answer]]]
    ) -> Sequence[str | Exception]:
        """Return the answers; if the model fails, the error, so that no thread waits forever."""
        try:
            return sample(
                self._model, self._tokenizer, [messages for messages, _ in asked],
                max_tokens=self._max_tokens,
            )  # fmt: skip
        except Exception as error:  # noqa: BLE001 - raised in the threads that asked
            return [EndpointClosedError(f"the model failed: {error}")] * len(asked)


def main() -> None:
    """Play, store and print the results."""
    options = _options()
    model, tokenizer = load(options.model, options.device)
    service = BatchService(fast_copy(model), tokenizer, options.max_tokens)
    settings = ModelSettings(
        model=options.name, dialect=options.dialect, see=options.see, history=options.history,
        base_url="http://localhost", name=options.name,
    )  # fmt: skip
    tasks = load_suite(options.suite)[: options.count]
    queue = iter(tasks)
    scores: list[float | None] = []

    def play() -> None:
        env = make_env(options.machine, max_steps=options.max_steps)
        with closing(env), closing(ModelAgent(settings, service=service)) as agent:
            try:
                for task in queue:
                    scores.append(_score(task, env, agent, options))
                    print(f"{len(scores)} of {len(tasks)}: {task.id} {scores[-1]}", flush=True)
            finally:
                service.leave()

    players = min(options.batch, len(tasks))
    with ThreadPoolExecutor(players) as pool:
        for _ in range(players):
            service.join()
        running = [pool.submit(play) for _ in range(players)]
        service.serve()
        for each in running:
            each.result()
    print(json.dumps({"name": options.name, **_cell([s for s in scores if s is not None])}))


def _score(task: Task, env: Any, agent: ModelAgent, options: argparse.Namespace) -> float | None:
    job = Job(options.name, task, options.seed)
    return run_job(job, env, agent, options.out)[-1].meta.score


def _cell(scores: Sequence[float]) -> dict[str, object]:
    solved = sum(each >= SOLVED for each in scores)
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
    parser.add_argument("--suite", required=True, help="Suite, such as suite.jsonl#test-deck.")
    parser.add_argument("--count", type=int, default=None, help="Only so many tasks.")
    parser.add_argument("--machine", default="auto")
    parser.add_argument("--see", default="elements-short,window,slide,actions")
    parser.add_argument("--dialect", default="json")
    parser.add_argument("--history", type=int, default=0, help="Earlier turns in a request.")
    parser.add_argument("--max-steps", type=int, default=15)
    parser.add_argument("--max-tokens", type=int, default=64)
    parser.add_argument("--batch", type=int, default=32, help="Episodes at a time.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="model")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default=default_device())
    return parser.parse_args()


if __name__ == "__main__":
    main()
