"""Evaluate a model on the screen: several episodes at a time, answered as one batch.

python -m examples.llm.screen --model runs/llm/screen-sft --suite suite.jsonl#test-deck \
    --machine fake --see elements-short,window,slide,actions --out runs/screen

Plays every task once with `pptarena.agents.model.ModelAgent`, whose requests go to the model in
this process. The episodes are stored like those of `pptarena run`, so that `report`, `compare` and
`export` read them, and a repeated command continues.
"""

import argparse
import json
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Condition
from typing import Any

from examples.llm.evaluate import score_metrics
from examples.llm.models import default_device, fast_copy, load
from examples.llm.sampling import sample

from pptarena import load_suite
from pptarena.agents.model import ModelAgent, ModelSettings
from pptarena.errors import EndpointClosedError
from pptarena.models import Answer, Reply, Request
from pptarena.models.chat import chat_messages
from pptarena.rollouts.env import make_env
from pptarena.rollouts.run import Job, run_job
from pptarena.sources import PICTURES, read_sources


class BatchService:
    """Answers the requests of several threads as one batch as soon as all threads wait.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        max_tokens: Maximum length of an answer.
        players: Number of threads; each calls `leave` at its end.
    """

    def __init__(self, model: Any, tokenizer: Any, max_tokens: int, players: int) -> None:
        self._model, self._tokenizer, self._max_tokens = model, tokenizer, max_tokens
        self._players = players
        self._changed = Condition()
        self._is_closed = False
        self._requests: list[tuple[Request, Future[Answer]]] = []

    def leave(self) -> None:
        """Remove a thread; the others no longer wait for it."""
        with self._changed:
            self._players -= 1
            self._changed.notify_all()

    def ask(self, request: Request) -> Answer:
        """Return the answer to a request.

        Raises:
            EndpointClosedError: If `serve` has ended.
        """
        answer: Future[Answer] = Future()
        with self._changed:
            if self._is_closed:
                raise EndpointClosedError("the model no longer answers")
            self._requests.append((request, answer))
            self._changed.notify_all()
        return answer.result()

    def close(self) -> None:
        """Do nothing; the model is shared."""

    def serve(self) -> None:
        """Answer until all threads have left. After an error of the model, no thread waits."""
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: len(self._requests) >= self._players)
                    if not self._players:
                        return
                    batch = list(self._requests)
                prompts = [list(chat_messages(request)) for request, _ in batch]
                texts = sample(self._model, self._tokenizer, prompts, max_tokens=self._max_tokens)
                with self._changed:
                    del self._requests[: len(batch)]
                for (_, answer), text in zip(batch, texts, strict=True):
                    answer.set_result(Answer(Reply(text), {"role": "assistant", "content": text}))
        finally:
            with self._changed:
                self._is_closed = True
                for _, answer in self._requests:
                    answer.set_exception(EndpointClosedError("the model no longer answers"))


def main() -> None:
    """Play, store and print the results."""
    options = _options()
    model, tokenizer = load(options.model, options.device)
    settings = ModelSettings(
        model=options.name, dialect=options.dialect, see=options.see, history=options.history,
        base_url="http://localhost", name=options.name,
    )  # fmt: skip
    tasks = load_suite(options.suite)[: options.count]
    players = min(options.batch, len(tasks))
    service = BatchService(fast_copy(model), tokenizer, options.max_tokens, players)
    queue = iter(tasks)
    scores: list[float | None] = []

    def play_episodes() -> None:
        with ExitStack() as stack:
            stack.callback(service.leave)
            env = make_env(options.machine, max_steps=options.max_steps)
            stack.callback(env.close)
            agent = stack.enter_context(closing(ModelAgent(settings, service=service)))
            for task in queue:
                job = Job(options.name, task, options.seed)
                scores.append(run_job(job, env, agent, options.out)[-1].meta.score)
                print(f"{len(scores)} of {len(tasks)}: {task.id} {scores[-1]}", flush=True)

    with ThreadPoolExecutor(players) as pool:
        futures = [pool.submit(play_episodes) for _ in range(players)]
        service.serve()
        for future in futures:
            future.result()
    metrics = score_metrics([score for score in scores if score is not None])
    print(json.dumps({"name": options.name, **metrics}))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="Folder, name, GGUF file or 'smollm2'.")
    parser.add_argument("--suite", required=True, help="Suite, such as suite.jsonl#test-deck.")
    parser.add_argument("--count", type=int, default=None, help="Maximum number of tasks.")
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
    options = parser.parse_args()
    if pictures := [name for name in read_sources(options.see) if name in PICTURES]:
        parser.error(f"--see: the model cannot read pictures; remove {', '.join(pictures)}")
    return options


if __name__ == "__main__":
    main()
