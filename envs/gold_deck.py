"""The gold deck of a task, saved by the same application as the agent's deck."""

import logging
from functools import lru_cache

from pptarena.errors import HostError, ImageError, MachineError
from pptarena.rewards import Deck, read_deck
from pptarena.tasks import Task
from pptarena.vm_images.office_saver import OfficeSaver

__all__ = ["gold_deck", "saved_facts"]

_log = logging.getLogger(__name__)


def gold_deck(task: Task, *, saved: bool) -> Deck | None:
    """Return the facts of a task's gold deck; None if it is absent, unneeded or unavailable.

    Saving alone changes a deck, so decks saved by different programs are not comparable. The gold
    deck is unneeded if the rubric does not compare with it and the task has its own scope.

    Args:
        task: The task.
        saved: Whether the agent's decks are saved by the machine image's application. If so, the
            gold deck is saved by it too, which takes seconds the first time. Without an image, or
            if the application fails, a warning is issued and leaves that need the gold deck are
            unscored.

    Raises:
        DeckError: If the gold deck cannot be read.
        TaskError: If the gold deck does not exist.
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
    """Return the facts of a .pptx file; recent results are cached.

    Args:
        file: The file.
        saved: Whether the application of the machine image saves it first.

    Raises:
        DeckError: If the file cannot be read, or the application refuses it.
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
        MachineError: If the application fails.
    """
    return read_deck(OfficeSaver().save(file) if saved else file)
