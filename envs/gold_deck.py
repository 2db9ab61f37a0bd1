"""The gold deck of a task, as the application that saves the agent's deck would save it."""

import logging
from functools import lru_cache

from pptarena.errors import HostError, ImageError, MachineError
from pptarena.rewards import Deck, read_deck
from pptarena.tasks import Task
from pptarena.vm_images.office_saver import OfficeSaver

__all__ = ["gold_deck", "saved_facts"]

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
        return saved_facts(file, saved)
    except (HostError, ImageError, MachineError) as error:
        _log.warning("the gold deck of %s cannot be saved by the application: %s", task.id, error)
        return None


@lru_cache(maxsize=16)
def saved_facts(file: bytes, saved: bool) -> Deck:
    """Return the facts of a .pptx file; those used last are remembered.

    Args:
        file: The file.
        saved: Whether the application of the machine image saves it first.

    Raises:
        DeckError: If it cannot be read, or the application refuses it.
        HostError: If the application cannot be run on this computer.
        ImageError: If there is no image.
        MachineError: If the application fails.
    """
    return read_deck(OfficeSaver().save(file) if saved else file)
