"""The gold deck of a task, as the application that saves the agent's deck would save it."""

import logging
from functools import lru_cache

from pptarena.errors import HostError, ImageError, MachineError
from pptarena.rewards import Deck, read_deck
from pptarena.tasks import Task
from pptarena.vm_images.office_saver import OfficeSaver

__all__ = ["gold_deck"]

_log = logging.getLogger(__name__)


def gold_deck(task: Task, *, saved: bool) -> Deck | None:
    """Return the facts of a task's gold deck; None if it has none, needs none, or none can be had.

    Saving alone changes a deck, so that decks of two programs cannot be compared. A task whose
    rubric does not compare with the gold deck, and that has a scope of its own, needs none.

    Args:
        task: The task.
        saved: Whether the decks to compare with are saved by the machine image's application; so is
            the gold deck then. It takes some seconds the first time. Without an image, or if the
            application fails, a warning says so, and what the gold deck would tell is unscored.

    Raises:
        DeckError: If it cannot be read.
        TaskError: If it is not where the task says.
    """
    if task.scope is not None and not task.rubric.root.uses("gold_match"):
        return None
    file = task.gold_bytes()
    if file is None:
        return None
    try:
        return _facts(file, saved)
    except (HostError, ImageError, MachineError) as error:
        _log.warning("the gold deck of %s cannot be saved by the application: %s", task.id, error)
        return None


@lru_cache(maxsize=8)
def _facts(file: bytes, saved: bool) -> Deck:
    return read_deck(OfficeSaver().save(file) if saved else file)
