"""Run damaged decks through the entire scorer, each in its own process.

``python -m tests.security.mutation_worker SEED COUNT [FOLDER]`` prints one JSON object per deck.
The worker is a separate program because it forks: it has no threads, whereas the process of the
tests may.
"""

import contextlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.security.damage import BaseDeck, damaged

from pptarena.benchmarks.pptc.pptx_match import match_turn, reader_text
from pptarena.decks.package.files import read_bytes
from pptarena.errors import DeckError
from pptarena.rewards import Deck, diff_decks, read_deck, score
from pptarena.tasks import DeckSource, Task, list_tasks
from pptarena.tasks.targets import target_decks

__all__ = ["MAX_MB", "MAX_SEC", "Outcome", "judge", "main"]

MAX_SEC = 5.0
MAX_MB = 1024
_WALL_SEC = 60.0
_MB = 2**20
_TASKS = 6  # per deck
_SUITES = ("starter", "all#first-steps")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome for one deck.

    Attributes:
        seed: Seed of the damage.
        kind: Type of damage.
        outcome: ``score``, ``refused``, or a description of the failure.
        seconds: CPU seconds of the slowest of reading, comparing, scoring and describing.
        peak_mb: Peak memory of the process in MiB.
    """

    seed: int
    kind: str
    outcome: str
    seconds: float
    peak_mb: int

    @property
    def is_acceptable(self) -> bool:
        """Whether the deck was scored or refused within the limits."""
        bounded = self.seconds <= MAX_SEC and self.peak_mb <= MAX_MB
        return self.outcome in ("score", "refused") and bounded


@dataclass(frozen=True, slots=True)
class _Base:
    deck: BaseDeck
    facts: Deck
    tasks: tuple[Task, ...]


def judge(data: bytes, original: Deck, tasks: Sequence[Task]) -> tuple[str, float]:
    """Return the scorer's outcome for a deck, and the CPU seconds of the slowest step.

    Args:
        data: The damaged .pptx file.
        original: The tasks' original deck.
        tasks: The tasks whose rubrics score the deck.
    """
    slowest_sec = 0.0

    @contextlib.contextmanager
    def timed() -> Iterator[None]:
        nonlocal slowest_sec
        start = time.process_time()
        try:
            yield
        finally:
            slowest_sec = max(slowest_sec, time.process_time() - start)

    try:
        with timed():
            deck = read_deck(data)
        with timed():
            [change.to_json() for change in diff_decks(original, deck)]
        for task in tasks:
            targets = target_decks(task)
            with timed():
                result = score(task.rubric, original, deck, task.scope, targets=targets)
                json.dumps(result.to_json(), allow_nan=False)
            if result.score is not None and not 0 <= result.score <= 1:
                return f"score {result.score} in {task.id}", slowest_sec
        with timed():
            reader_text(deck)
            match_turn(deck, original, ())
    except DeckError:
        return "refused", slowest_sec
    except Exception as error:  # noqa: BLE001 - unexpected exceptions are the finding
        return _error_text(error), slowest_sec
    return "score", slowest_sec


def _error_text(error: BaseException) -> str:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    location = (
        ""
        if traceback is None
        else f" at {Path(traceback.tb_frame.f_code.co_filename).name}:{traceback.tb_lineno}"
    )
    return f"{type(error).__name__}: {str(error)[:80]}{location}"


def _judge_in_child(seed: int, base: _Base) -> Outcome:
    """Return the outcome for one deck from a child process with memory and time limits."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        # The child inherits the parent's memory; the limit is for the memory that a deck adds.
        resource.setrlimit(resource.RLIMIT_AS, ((MAX_MB + 512) * _MB,) * 2)
        signal.alarm(round(_WALL_SEC))
        try:
            kind, data = damaged(base.deck, seed)
            outcome, seconds = judge(data, base.facts, base.tasks)
            answer = json.dumps(asdict(Outcome(seed, kind, outcome, seconds, _peak_mb())))
            os.write(write_end, answer.encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as stream:
        answer_bytes = stream.read()
    _, status = os.waitpid(child, 0)
    if answer_bytes:
        return Outcome(**json.loads(answer_bytes))
    failure = "hung" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM else "died"
    return Outcome(seed, "?", failure, _WALL_SEC if failure == "hung" else 0.0, 0)


def _peak_mb() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


def _bases(folder: Path | None) -> Iterator[_Base]:
    by_deck: dict[DeckSource, list[Task]] = {}
    for suite in _SUITES:
        for task in list_tasks(suite):
            by_deck.setdefault(task.deck, []).append(task)
    for tasks in by_deck.values():
        data = tasks[0].deck_bytes()
        for task in tasks[:_TASKS]:
            target_decks(task)  # cached, so that children need not rebuild them
        yield _Base(BaseDeck(data), read_deck(data), tuple(tasks[:_TASKS]))
    for path in sorted(folder.rglob("*.pptx")) if folder is not None else ():
        with contextlib.suppress(DeckError):
            yield _Base(BaseDeck(read_bytes(path)), read_deck(path), tuple(list_tasks("starter")))


def main(arguments: Sequence[str]) -> None:
    """Damage decks and print the outcome of each, one JSON object per line."""
    seed, count = int(arguments[0]), int(arguments[1])
    bases = list(_bases(Path(arguments[2]) if len(arguments) > 2 else None))
    for number in range(seed, seed + count):
        outcome = _judge_in_child(number, bases[number % len(bases)])
        sys.stdout.write(json.dumps(asdict(outcome)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
