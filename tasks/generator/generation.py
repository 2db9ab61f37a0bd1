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
from pptarena.tasks.generator.deck_generator import MAX_DEPTH, DeckGenerator, GeneratedBlock
from pptarena.tasks.generator.mixing import DeckFile, GenerationReport, Job, RunJobs, mix
from pptarena.tasks.generator.operators import OPERATORS
from pptarena.tasks.generator.proving import SaveDecks

__all__ = ["DEFAULT_OPTIONS", "DeckFile", "GenerationReport", "TaskOptions", "generate_tasks"]

_BLOCK = 32
_MAX_CACHED_DECKS = 64


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

    Thread(target=wait, name="pptarena-generate-parent", daemon=True).start()


@dataclass(frozen=True)
class TaskOptions:
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


DEFAULT_OPTIONS = TaskOptions()


def generate_tasks(
    decks: Sequence[DeckFile],
    count: int,
    seed: int = 0,
    make_save: Callable[[], SaveDecks] | None = None,
    processes: int = 1,
    report: GenerationReport | None = None,
    store_deck: Callable[[bytes], str] | None = None,
    options: TaskOptions = DEFAULT_OPTIONS,
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
        report: Report to fill.
        store_deck: Stores the deck of a cleanup task, and returns its path relative to the suite
            file. Without it there are no cleanup tasks.
        options: Types of tasks.

    Raises:
        ConfigError: If count or processes are not positive.
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
    """
    if min(count, processes) < 1:
        raise ConfigError(f"expected count and processes from 1, got {count} and {processes}")
    report = GenerationReport() if report is None else report
    unique = _unique_decks(decks, report)
    generate = partial(_generate_block, make_save, store_deck is not None, options, seed)
    with ExitStack() as stack:
        if processes == 1:
            run = _run_in_process(generate)
        else:
            run = _run_in_pool(generate, processes, stack)
        for row, deck in mix(unique, count, run, report):
            yield row if store_deck is None or deck is None else row | {"deck": store_deck(deck)}


def _unique_decks(decks: Sequence[DeckFile], report: GenerationReport) -> list[DeckFile]:
    """Return the decks without duplicates, which would yield the same tasks."""
    by_file: dict[bytes, DeckFile] = {}
    for deck in decks:
        first = by_file.setdefault(deck.file, deck)
        if first is not deck:
            report.by_deck[deck.label] = 0
            report.skipped[deck.label] = f"the deck is identical to {first.label}"
    return list(by_file.values())


def _run_in_process(generate: Callable[[DeckFile, int], GeneratedBlock | str]) -> RunJobs:
    return lambda jobs: (generate(*job) for job in jobs)


def _run_in_pool(
    generate: Callable[[DeckFile, int], GeneratedBlock | str], processes: int, stack: ExitStack
) -> RunJobs:
    pool = stack.enter_context(worker_pool(processes))
    stack.callback(pool.shutdown, wait=True, cancel_futures=True)

    def run(jobs: Sequence[Job]) -> Iterator[GeneratedBlock | str]:
        futures: list[Future[GeneratedBlock | str]] = [pool.submit(generate, *job) for job in jobs]
        for future in futures:
            yield future.result()

    return run


@lru_cache(maxsize=1)
def _cached_save(make_save: Callable[[], SaveDecks] | None) -> SaveDecks | None:
    return None if make_save is None else make_save()


@lru_cache(maxsize=_MAX_CACHED_DECKS)
def _generator(
    make_save: Callable[[], SaveDecks] | None, options: TaskOptions, deck: DeckFile
) -> DeckGenerator | str:
    try:
        return DeckGenerator(
            deck.file, deck.label, _cached_save(make_save), options.operators, options.depth
        )
    except (DeckError, MachineError) as error:
        return str(error) or type(error).__name__


def _generate_block(
    make_save: Callable[[], SaveDecks] | None,
    cleanups: bool,
    options: TaskOptions,
    seed: int,
    deck: DeckFile,
    block: int,
) -> GeneratedBlock | str:
    """Return the tasks generated on a deck, or the reason why it cannot be used."""
    generator = _generator(make_save, options, deck)
    if isinstance(generator, str):
        return generator
    return generator.generate(seed, block, _BLOCK, cleanups=cleanups and options == DEFAULT_OPTIONS)
