"""Decks saved by the same application, so that they are comparable."""

import logging
from functools import lru_cache

from pptarena.decks.saving.libreoffice_files import is_saved_by_libreoffice
from pptarena.errors import HostError, ImageError, MachineError
from pptarena.rewards import Deck, read_deck
from pptarena.tasks import Task
from pptarena.vm_images.office import Office

__all__ = ["gold_deck", "saved_facts", "saved_pair"]

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
    return read_deck(Office().save(file) if saved else file)


def saved_pair(original: bytes, current: bytes) -> tuple[bytes, bytes]:
    """Return two .pptx files as the machine image's application saves them.

    Args:
        original: The deck before an edit.
        current: The deck after it; returned unchanged if LibreOffice saved it.

    Raises:
        DeckError: If the application refuses a file.
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
        MachineError: If the application fails.
    """
    with Office() as office:
        before = office.save(original)
        return before, current if is_saved_by_libreoffice(current) else office.save(current)
