"""Mix the tasks of many decks evenly, in an order that does not depend on scheduling.

Each deck gives an endless sequence of blocks, which depends on the deck and the seed alone. The
next task is always from the deck that gave the fewest so far; if none of its tasks is ready, the
mix waits until one is or the deck is exhausted. The order of finished blocks therefore makes no
difference.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pptarena.tasks.grow.grower import Grown

__all__ = ["DeckFile", "Harvest", "Job", "RunJobs", "SuiteRow", "mix"]

_BLOCKS_PER_ROUND = 16  # at most; more than one a deck, to keep several processes busy
_BARREN_BLOCKS = 12
_FEWEST_IN_BLOCK = 8
_REASONS = 3


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
class Harvest:
    """What `grow_tasks` reports about the decks; filled while tasks are generated.

    Attributes:
        rejected: Number of rejected drafts, by operator and reason.
        skipped: Why decks were left out, by their label.
        by_deck: Number of tasks of each deck, by its label; 0 for a deck without any.
        used_up: Why decks give no more tasks, by their label.
    """

    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    skipped: dict[str, str] = field(default_factory=dict)
    by_deck: Counter[str] = field(default_factory=Counter)
    used_up: dict[str, str] = field(default_factory=dict)


Job = tuple[DeckFile, int]
"""A deck and the number of the block to draw, from 0."""

RunJobs = Callable[[Sequence[Job]], Iterator[Grown | str]]
"""Draws blocks, possibly concurrently, and yields their tasks in the order of the jobs.

A string instead of tasks is the reason why the deck cannot be used.
"""

SuiteRow = tuple[dict[str, Any], bytes | None]
"""A task as a row of a suite file, and its deck if that is none of the given decks."""


@dataclass
class _Source:
    """A deck and its tasks so far."""

    deck: DeckFile
    blocks: int = 0
    barren: int = 0
    taken: int = 0
    is_open: bool = True
    waiting: deque[SuiteRow] = field(default_factory=deque)
    rejected: Counter[str] = field(default_factory=Counter)


def mix(
    decks: Sequence[DeckFile], count: int, run: RunJobs, harvest: Harvest
) -> Iterator[SuiteRow]:
    """Yield distinct tasks, equally many of each deck until it is exhausted.

    Args:
        decks: The decks, without duplicates.
        count: Number of tasks; fewer are yielded if all decks are exhausted.
        run: Draws blocks.
        harvest: Report to fill.
    """
    sources = [_Source(deck) for deck in decks]
    harvest.by_deck.update({source.deck.label: 0 for source in sources})
    known: set[str] = set()
    for given in range(count):
        while (source := _least(sources)) is not None and not source.waiting:
            _draw(sources, count - given, run, known, harvest)
        if source is None:
            return
        source.taken += 1
        harvest.by_deck[source.deck.label] += 1
        yield source.waiting.popleft()


def _least(sources: Sequence[_Source]) -> _Source | None:
    """Return the deck of the next task, or None if all are exhausted."""
    usable = (source for source in sources if source.is_open or source.waiting)
    return min(usable, key=lambda source: source.taken, default=None)


def _draw(
    sources: Sequence[_Source], left: int, run: RunJobs, known: set[str], harvest: Harvest
) -> None:
    """Draw blocks of all decks that have no task ready."""
    lacking = [source for source in sources if source.is_open and not source.waiting]
    still_open = sum(source.is_open for source in sources)
    needed = -(-left // (still_open * _FEWEST_IN_BLOCK))
    times = max(1, min(needed, _BLOCKS_PER_ROUND // len(lacking)))
    todo = [(source, source.blocks + k) for k in range(times) for source in lacking]
    for source in lacking:
        source.blocks += times
    found = run([(source.deck, block) for source, block in todo])
    for (source, _), grown in zip(todo, found, strict=True):
        if isinstance(grown, str):
            harvest.skipped[source.deck.label] = grown
            source.is_open = False
        elif source.is_open:
            _add(source, grown, known, harvest)


def _add(source: _Source, grown: Grown, known: set[str], harvest: Harvest) -> None:
    harvest.rejected.update(grown.rejected)
    for (_, reason), times in grown.rejected.items():
        source.rejected[reason] += times
    fresh = [(key, row) for key, row in grown.rows if key not in known]
    known.update(key for key, _ in fresh)
    source.waiting += [(row, grown.decks.get(row["deck"])) for _, row in fresh]
    source.barren = 0 if fresh else source.barren + 1
    if source.barren == _BARREN_BLOCKS:
        source.is_open = False
        harvest.used_up[source.deck.label] = _why(source.rejected)


def _why(rejected: Counter[str]) -> str:
    """Return why a deck gives no more tasks."""
    summary = f"the last {_BARREN_BLOCKS} rounds gave nothing new"
    reasons = [f"{reason} ({times})" for reason, times in rejected.most_common(_REASONS)]
    return f"{summary}; drafts were rejected: {', '.join(reasons)}" if reasons else summary
