"""Mix the tasks of many decks evenly, in an order that does not depend on scheduling.

Each deck yields an endless sequence of blocks, which depends on the deck and the seed alone. The
next task is always from the deck with the fewest tasks so far; if none of its tasks is ready, `mix`
waits until one is or the deck is exhausted. The order of finished blocks therefore does not matter.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pptarena.tasks.generator.deck_generator import GeneratedBlock

__all__ = ["DeckFile", "GenerationReport", "Job", "RunJobs", "SuiteRow", "mix"]

_MAX_BLOCKS_PER_ROUND = 16  # may be several per deck, to keep all processes busy
_MAX_EMPTY_BLOCKS = 12
_MIN_TASKS_PER_BLOCK = 8
_MAX_REASONS = 3


@dataclass(frozen=True)
class DeckFile:
    """A deck to generate tasks on.

    Attributes:
        label: Name of the deck in task files: a packaged deck's name, or a path.
        file: The .pptx file.
    """

    label: str
    file: bytes


@dataclass
class GenerationReport:
    """Statistics of `generate_tasks` by deck, updated while tasks are generated.

    Attributes:
        rejected: Number of rejected drafts, by operator and reason.
        skipped: Reasons why decks were skipped, by label.
        by_deck: Number of tasks of each deck, by label; 0 for a deck without tasks.
        exhausted: Reasons why decks yield no more tasks, by label.
    """

    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    skipped: dict[str, str] = field(default_factory=dict)
    by_deck: Counter[str] = field(default_factory=Counter)
    exhausted: dict[str, str] = field(default_factory=dict)


Job = tuple[DeckFile, int]
"""A deck and the index of the block to generate, from 0."""

RunJobs = Callable[[Sequence[Job]], Iterator[GeneratedBlock | str]]
"""Generates blocks, possibly concurrently, and yields them in the order of the jobs.

A string instead of a block is the reason why the deck cannot be used.
"""

SuiteRow = tuple[dict[str, Any], bytes | None]
"""A task as a row of a suite file, and its deck unless that is one of the input decks."""


@dataclass
class _Source:
    """A deck and its tasks so far."""

    deck: DeckFile
    blocks: int = 0
    empty_blocks: int = 0
    task_count: int = 0
    is_open: bool = True
    queue: deque[SuiteRow] = field(default_factory=deque)
    rejected: Counter[str] = field(default_factory=Counter)


def mix(
    decks: Sequence[DeckFile], count: int, run: RunJobs, report: GenerationReport
) -> Iterator[SuiteRow]:
    """Yield distinct tasks, the same number from each deck until it is exhausted.

    Args:
        decks: The decks, without duplicates.
        count: Number of tasks; fewer are yielded if all decks are exhausted.
        run: Generates blocks.
        report: Report to fill.
    """
    sources = [_Source(deck) for deck in decks]
    report.by_deck.update({source.deck.label: 0 for source in sources})
    known_keys: set[str] = set()
    for yielded in range(count):
        while (source := _next_source(sources)) is not None and not source.queue:
            _fill_queues(sources, count - yielded, run, known_keys, report)
        if source is None:
            return
        source.task_count += 1
        report.by_deck[source.deck.label] += 1
        yield source.queue.popleft()


def _next_source(sources: Sequence[_Source]) -> _Source | None:
    """Return the deck of the next task, or None if all are exhausted."""
    usable = (source for source in sources if source.is_open or source.queue)
    return min(usable, key=lambda source: source.task_count, default=None)


def _fill_queues(
    sources: Sequence[_Source],
    missing: int,
    run: RunJobs,
    known_keys: set[str],
    report: GenerationReport,
) -> None:
    """Generate blocks for all decks that have no task ready."""
    idle = [source for source in sources if source.is_open and not source.queue]
    open_count = sum(source.is_open for source in sources)
    needed = -(-missing // (open_count * _MIN_TASKS_PER_BLOCK))
    blocks_per_source = max(1, min(needed, _MAX_BLOCKS_PER_ROUND // len(idle)))
    todo = [(source, source.blocks + k) for k in range(blocks_per_source) for source in idle]
    for source in idle:
        source.blocks += blocks_per_source
    results = run([(source.deck, block) for source, block in todo])
    for (source, _), result in zip(todo, results, strict=True):
        if isinstance(result, str):
            report.skipped[source.deck.label] = result
            source.is_open = False
        elif source.is_open:
            _add_tasks(source, result, known_keys, report)


def _add_tasks(
    source: _Source, result: GeneratedBlock, known_keys: set[str], report: GenerationReport
) -> None:
    report.rejected.update(result.rejected)
    for (_, reason), count in result.rejected.items():
        source.rejected[reason] += count
    new_tasks = [(key, row) for key, row in result.rows if key not in known_keys]
    known_keys.update(key for key, _ in new_tasks)
    source.queue += [(row, result.decks.get(row["deck"])) for _, row in new_tasks]
    source.empty_blocks = 0 if new_tasks else source.empty_blocks + 1
    if source.empty_blocks == _MAX_EMPTY_BLOCKS:
        source.is_open = False
        report.exhausted[source.deck.label] = _exhaustion_reason(source.rejected)


def _exhaustion_reason(rejected: Counter[str]) -> str:
    """Return why a deck yields no more tasks."""
    summary = f"the last {_MAX_EMPTY_BLOCKS} blocks contained no new tasks"
    reasons = [f"{reason} ({count})" for reason, count in rejected.most_common(_MAX_REASONS)]
    return f"{summary}; drafts were rejected: {', '.join(reasons)}" if reasons else summary
