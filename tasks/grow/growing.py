"""Growing tasks on many decks, in one process or several, always the same ones."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from pptarena.errors import ConfigError, DeckError, MachineError
from pptarena.suggestions import not_found
from pptarena.tasks.grow.grower import MAX_DEPTH, DeckGrower, Grown
from pptarena.tasks.grow.operators import OPERATORS
from pptarena.tasks.grow.proving import SaveDecks
from pptarena.tasks.grow.workers import worker_pool

__all__ = ["ALL_KINDS", "DeckFile", "Harvest", "Kinds", "grow_tasks"]

_BLOCK = 32
_BLOCKS_AT_ONCE = 16  # at least so many in a round, so that one deck keeps several processes busy
_BARREN_ROUNDS = 3
_KEPT_DECKS = 64


@dataclass(frozen=True)
class DeckFile:
    """A deck to grow tasks on.

    Attributes:
        label: What a task file calls it: the name of a packaged deck, or a path.
        file: The .pptx file.
    """

    label: str
    file: bytes


@dataclass(frozen=True)
class Kinds:
    """Which tasks are to grow; repairs are among all of them only.

    Attributes:
        operators: Names of the operators that are drawn from.
        depth: How many edits a task has at most, 1 to `MAX_DEPTH`.

    Raises:
        ConfigError: If there is no such operator or depth.
    """

    operators: tuple[str, ...] = tuple(OPERATORS)
    depth: int = MAX_DEPTH

    def __post_init__(self) -> None:
        unknown = [name for name in self.operators if name not in OPERATORS]
        if unknown:
            raise ConfigError(not_found("operator", unknown[0], sorted(OPERATORS)))
        if not self.operators:
            raise ConfigError("operators: expected at least one name, got none")
        if not 1 <= self.depth <= MAX_DEPTH:
            raise ConfigError(f"expected a depth from 1 to {MAX_DEPTH}, got {self.depth}")


ALL_KINDS = Kinds()


@dataclass
class Harvest:
    """What is known while tasks grow; it fills as `grow_tasks` goes on.

    Attributes:
        rejected: How many drafts were thrown away, by operator and reason.
        skipped: Why decks were left out, by their label.
    """

    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    skipped: dict[str, str] = field(default_factory=dict)


def grow_tasks(
    decks: Sequence[DeckFile],
    count: int,
    seed: int = 0,
    make_save: Callable[[], SaveDecks] | None = None,
    processes: int = 1,
    harvest: Harvest | None = None,
    keep_deck: Callable[[bytes], str] | None = None,
    kinds: Kinds = ALL_KINDS,
) -> Iterator[dict[str, Any]]:
    """Yield different tasks as lines of a suite; fewer than asked for where decks give no more.

    Equal decks, count and seed give equal tasks, whatever the number of processes.

    Args:
        decks: What to grow them on.
        count: How many tasks.
        seed: Of everything that is drawn.
        make_save: Returns what saves decks as the application does, called once in each process.
            Without it tasks are proven on files as python-pptx writes them.
        processes: How many processes work at it.
        harvest: What is to be filled with reasons.
        keep_deck: Keeps a deck that a repair begins with, and returns what the task is to call it:
            its path from where the suite lies. Without it there are no repairs.
        kinds: Which tasks.

    Raises:
        ConfigError: If count or processes are not positive.
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
    """
    if min(count, processes) < 1:
        raise ConfigError(f"expected count and processes from 1, got {count} and {processes}")
    harvest = Harvest() if harvest is None else harvest
    if processes == 1:
        work = partial(_grown, make_save, keep_deck is not None, kinds)
        jobs = _rounds(decks, seed, harvest, lambda todo: (work(*job) for job in todo))
    else:
        stack = ExitStack()
        pool = stack.enter_context(worker_pool(processes))

        def run(todo: Sequence[tuple[DeckFile, int, int]]) -> Iterator[Grown | str]:
            waiting: list[Future[Grown | str]] = [
                pool.submit(_grown, make_save, keep_deck is not None, kinds, *j) for j in todo
            ]
            for future in waiting:
                yield future.result()

        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        jobs = _closing(stack, _rounds(decks, seed, harvest, run))
    known: set[str] = set()
    for grown in jobs:
        for key, row in grown.rows:
            if key not in known:
                known.add(key)
                if keep_deck is not None and row["deck"] in grown.decks:
                    row = row | {"deck": keep_deck(grown.decks[row["deck"]])}
                yield row
                if len(known) == count:
                    return


_Job = tuple[DeckFile, int, int]


def _rounds(
    decks: Sequence[DeckFile],
    seed: int,
    harvest: Harvest,
    run: Callable[[Sequence[_Job]], Iterator[Grown | str]],
) -> Iterator[Grown]:
    """Yield what is grown, block by block; decks that give nothing new any more are left out."""
    left, block = list(decks), 0
    known: set[str] = set()
    barren: Counter[str] = Counter()
    while left:
        times = -(-_BLOCKS_AT_ONCE // len(left))
        todo = [(deck, seed, block + k) for k in range(times) for deck in left]
        fresh: Counter[str] = Counter()
        for (deck, _, _), found in zip(todo, run(todo), strict=True):
            if isinstance(found, str):
                harvest.skipped[deck.label] = found
                continue
            harvest.rejected.update(found.rejected)
            fresh[deck.label] += sum(key not in known for key, _ in found.rows)
            known.update(key for key, _ in found.rows)
            yield found
        for deck in left:
            barren[deck.label] = 0 if fresh[deck.label] else barren[deck.label] + 1
        left = [
            deck
            for deck in left
            if deck.label not in harvest.skipped and barren[deck.label] < _BARREN_ROUNDS
        ]
        block += times


def _closing(stack: ExitStack, rows: Iterator[Grown]) -> Iterator[Grown]:
    with stack:
        yield from rows


@lru_cache(maxsize=1)
def _saver(make_save: Callable[[], SaveDecks] | None) -> SaveDecks | None:
    return None if make_save is None else make_save()


@lru_cache(maxsize=_KEPT_DECKS)
def _grower(
    make_save: Callable[[], SaveDecks] | None, kinds: Kinds, deck: DeckFile
) -> DeckGrower | str:
    try:
        return DeckGrower(deck.file, deck.label, _saver(make_save), kinds.operators, kinds.depth)
    except (DeckError, MachineError) as error:
        return str(error) or type(error).__name__


def _grown(
    make_save: Callable[[], SaveDecks] | None,
    repairs: bool,
    kinds: Kinds,
    deck: DeckFile,
    seed: int,
    block: int,
) -> Grown | str:
    """Return what grows on a deck, or why nothing does."""
    grower = _grower(make_save, kinds, deck)
    if isinstance(grower, str):
        return grower
    return grower.grow(seed, block, _BLOCK, repairs=repairs and kinds == ALL_KINDS)
