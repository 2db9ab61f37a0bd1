"""Tasks of many decks, mixed evenly and in an order that no schedule changes.

Each deck gives an endless row of blocks, which depends on the deck and the seed alone. The next
task is always one of the deck that gave fewest, and it is waited for until that deck is used up. So
the order follows from the blocks, whichever of them are drawn first or at the same time.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pptarena.tasks.grow.grower import Grown

__all__ = ["DeckFile", "Harvest", "Job", "RunJobs", "Task", "mix"]

_BLOCKS_AT_ONCE = 16  # at most so many in a round, so that one deck keeps several processes busy
_BARREN_BLOCKS = 12
_FEWEST_IN_BLOCK = 8
_REASONS = 3


@dataclass(frozen=True)
class DeckFile:
    """A deck to grow tasks on.

    Attributes:
        label: What a task file calls it: the name of a packaged deck, or a path.
        file: The .pptx file.
    """

    label: str
    file: bytes


@dataclass
class Harvest:
    """What is known while tasks grow; it fills as `grow_tasks` goes on.

    Attributes:
        rejected: How many drafts were thrown away, by operator and reason.
        skipped: Why decks were left out, by their label.
        by_deck: How many tasks each deck gave, by its label; 0 for a deck that gave none.
        used_up: Why decks give no more tasks, by their label.
    """

    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    skipped: dict[str, str] = field(default_factory=dict)
    by_deck: Counter[str] = field(default_factory=Counter)
    used_up: dict[str, str] = field(default_factory=dict)


Job = tuple[DeckFile, int]
"""A deck and which of its blocks to draw, from 0."""

RunJobs = Callable[[Sequence[Job]], Iterator[Grown | str]]
"""Draws blocks, perhaps several at the same time, and yields what they give in the order of jobs.

A text says why nothing can grow on the deck.
"""

Task = tuple[dict[str, Any], bytes | None]
"""A row of the suite, and the deck that it begins with if that is none of those given."""


@dataclass
class _Source:
    """A deck, and what it gave so far."""

    deck: DeckFile
    blocks: int = 0
    barren: int = 0
    taken: int = 0
    is_open: bool = True
    waiting: deque[Task] = field(default_factory=deque)
    rejected: Counter[str] = field(default_factory=Counter)


def mix(decks: Sequence[DeckFile], count: int, run: RunJobs, harvest: Harvest) -> Iterator[Task]:
    """Yield different tasks, equally many of each deck as long as the decks give them.

    Args:
        decks: Where they grow.
        count: How many tasks are wanted; there are fewer where the decks give no more.
        run: Draws blocks.
        harvest: What is to be filled.
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
    """Return the deck of the next task; None if all are used up."""
    going_on = (source for source in sources if source.is_open or source.waiting)
    return min(going_on, key=lambda source: source.taken, default=None)


def _draw(
    sources: Sequence[_Source], left: int, run: RunJobs, known: set[str], harvest: Harvest
) -> None:
    """Draw blocks of all decks that have no task ready."""
    lacking = [source for source in sources if source.is_open and not source.waiting]
    going_on = sum(source.is_open for source in sources)
    needed = -(-left // (going_on * _FEWEST_IN_BLOCK))
    times = max(1, min(needed, _BLOCKS_AT_ONCE // len(lacking)))
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
    said = f"the last {_BARREN_BLOCKS} rounds gave nothing new"
    reasons = [f"{reason} ({times})" for reason, times in rejected.most_common(_REASONS)]
    return f"{said}; drafts were thrown away because: {', '.join(reasons)}" if reasons else said
