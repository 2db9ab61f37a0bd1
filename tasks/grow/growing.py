"""Generate tasks on many decks, deterministically for any number of processes."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from pptarena.errors import ConfigError, DeckError, MachineError
from pptarena.suggestions import not_found
from pptarena.tasks.grow.grower import MAX_DEPTH, DeckGrower, Grown
from pptarena.tasks.grow.mixing import DeckFile, Harvest, Job, RunJobs, mix
from pptarena.tasks.grow.operators import OPERATORS
from pptarena.tasks.grow.proving import SaveDecks

__all__ = ["ALL_KINDS", "DeckFile", "Harvest", "Kinds", "grow_tasks"]

_BLOCK = 32
_KEPT_DECKS = 64


def worker_pool(processes: int) -> ProcessPoolExecutor:
    """Return a process pool whose workers exit with this process, even if it is killed."""
    return ProcessPoolExecutor(processes, get_context("spawn"), _end_with_parent)


def _end_with_parent() -> None:
    """Exit this worker, and with it its application, when the parent process exits."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, name="pptarena-grow-parent", daemon=True).start()


@dataclass(frozen=True)
class Kinds:
    """Types of tasks to generate. Cleanup tasks are included only with the defaults.

    Attributes:
        operators: Names of the operators to sample from.
        depth: Maximum number of edits of a task, 1 to `MAX_DEPTH`.

    Raises:
        ConfigError: If an operator does not exist, or the depth is out of range.
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
    """Yield distinct tasks as rows of a suite file, fewer than `count` if the decks are exhausted.

    Decks contribute equally until one is exhausted. Equal decks, count and seed yield equal tasks
    in the same order, regardless of the number of processes.

    Args:
        decks: Decks to generate tasks on.
        count: Number of tasks.
        seed: Random seed.
        make_save: Factory of a function that saves decks like the application, called once per
            process. Without it, tasks are proven on files written by python-pptx.
        processes: Number of processes.
        harvest: Report to fill.
        keep_deck: Stores the deck of a cleanup task, and returns its path relative to the suite
            file. Without it there are no cleanup tasks.
        kinds: Types of tasks.

    Raises:
        ConfigError: If count or processes are not positive.
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
    """
    if min(count, processes) < 1:
        raise ConfigError(f"expected count and processes from 1, got {count} and {processes}")
    harvest = Harvest() if harvest is None else harvest
    different = _different(decks, harvest)
    grow = partial(_grown, make_save, keep_deck is not None, kinds, seed)
    with ExitStack() as stack:
        run = _here(grow) if processes == 1 else _in_pool(grow, processes, stack)
        for row, deck in mix(different, count, run, harvest):
            yield row if keep_deck is None or deck is None else row | {"deck": keep_deck(deck)}


def _different(decks: Sequence[DeckFile], harvest: Harvest) -> list[DeckFile]:
    """Return the decks without duplicates, which would yield the same tasks."""
    found: dict[bytes, DeckFile] = {}
    for deck in decks:
        first = found.setdefault(deck.file, deck)
        if first is not deck:
            harvest.by_deck[deck.label] = 0
            harvest.skipped[deck.label] = f"the deck is the same as {first.label}"
    return list(found.values())


def _here(grow: Callable[[DeckFile, int], Grown | str]) -> RunJobs:
    return lambda jobs: (grow(*job) for job in jobs)


def _in_pool(
    grow: Callable[[DeckFile, int], Grown | str], processes: int, stack: ExitStack
) -> RunJobs:
    pool = stack.enter_context(worker_pool(processes))
    stack.callback(pool.shutdown, wait=True, cancel_futures=True)

    def run(jobs: Sequence[Job]) -> Iterator[Grown | str]:
        waiting: list[Future[Grown | str]] = [pool.submit(grow, *job) for job in jobs]
        for future in waiting:
            yield future.result()

    return run


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
    seed: int,
    deck: DeckFile,
    block: int,
) -> Grown | str:
    """Return the tasks generated on a deck, or the reason why it cannot be used."""
    grower = _grower(make_save, kinds, deck)
    if isinstance(grower, str):
        return grower
    return grower.grow(seed, block, _BLOCK, repairs=repairs and kinds == ALL_KINDS)
