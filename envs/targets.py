"""The targets of a task, as the application that saves the agent's deck would save them."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from pptarena.envs.gold_deck import saved_facts
from pptarena.errors import DeckError, HostError, ImageError, MachineError, TaskError
from pptarena.paths import cache_home
from pptarena.rewards import Deck, diff_decks, read_deck
from pptarena.tasks import Task
from pptarena.tasks.targets import has_target, target_digest, target_files
from pptarena.vm_images.kept_files import KeptFiles

__all__ = ["TurnTargets", "target_decks"]

_log = logging.getLogger(__name__)

_KEPT_FILES = 500


class TurnTargets:
    """The targets of one turn of an episode, made once: in the background, or when asked for.

    Args:
        task: The task, or a turn of one as `Task.at` returns it.
        saved: See `target_decks`.
        start: See `target_decks`.
    """

    def __init__(self, task: Task, *, saved: bool, start: bytes | None = None) -> None:
        self._task = task
        self._saved = saved
        self._start = start
        self._lock = threading.Lock()
        self._decks: tuple[Deck, ...] | None = None

    def prepare(self) -> None:
        """Make the targets in the background: an application may take seconds to save them."""
        threading.Thread(target=self.decks, name="targets", daemon=True).start()

    def decks(self) -> tuple[Deck, ...]:
        """Return the facts of the targets; waits while they are made in the background."""
        with self._lock:
            if self._decks is None:
                self._decks = target_decks(self._task, saved=self._saved, start=self._start)
            return self._decks


def target_decks(task: Task, *, saved: bool, start: bytes | None = None) -> tuple[Deck, ...]:
    """Return the facts of a task's targets; empty if it has none, or none can be had.

    A gold deck of a later turn is a target only if the turn began with the gold deck of the turn
    before: it shows nothing to compare with otherwise. Edits of a later turn are made on `start`;
    where that deck does not allow them, there is no target.

    Args:
        task: The task, or a turn of one as `Task.at` returns it.
        saved: Whether the decks to compare with are saved by the machine image's application; so
            are the targets then. It takes some seconds the first time with an image, and what was
            made is kept on the disk. If it fails, a warning says so, and there is no target.
        start: The .pptx file that a later turn began with; it was read before, see `target_files`.
    """
    try:
        if not has_target(task) or not _begins_at_gold(task, saved, start):
            return ()
        if (gold := task.gold_bytes()) is not None:
            return (saved_facts(gold, saved),)
        digest, lasting = target_digest(task, start), task.before is None
        return _facts(_Made(digest, saved, lasting, lambda: target_files(task, start)))
    except (DeckError, HostError, ImageError, MachineError, TaskError) as error:
        # An agent may have left a deck on which later edits find nothing.
        level = logging.WARNING if task.before is None else logging.DEBUG
        _log.log(level, "%s: there is no target to compare with: %s", task.id, error)
        return ()


def _begins_at_gold(task: Task, saved: bool, start: bytes | None) -> bool:
    """Return whether the gold deck of a turn, if it has one, continues the deck it began with."""
    if task.before is None or task.gold is None:
        return True
    before = task.before.gold_bytes()
    if before is None or start is None:
        return False
    return before == start or not diff_decks(saved_facts(before, saved), read_deck(start))


@dataclass(frozen=True, slots=True)
class _Made:
    """Targets made by edits, and what makes them where they are not kept."""

    digest: str
    saved: bool
    lasting: bool  # whether other episodes will ask for them: agents' decks differ
    make: Callable[[], tuple[bytes, ...]] = field(compare=False)


@lru_cache(maxsize=32)
def _facts(made: _Made) -> tuple[Deck, ...]:
    kept = KeptFiles(cache_home() / "targets", _KEPT_FILES)
    files = kept.get(made.digest) if made.lasting else None
    if not files:
        files = made.make()
        if made.lasting:
            kept.keep(made.digest, files, ".pptx")
    return tuple(saved_facts(file, made.saved) for file in files)
