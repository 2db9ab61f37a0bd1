"""Round-trip baselines: every deck as the application saves it when nothing was edited.

Saving alone changes a deck, so no comparison ever starts from the file itself. A baseline is made
once per deck and application version, and kept in memory and under ``PPTARENA_HOME``.
"""

import hashlib
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from pptarena.errors import DeckError, MachineError, UnscoredError
from pptarena.files import replacing
from pptarena.paths import cache_home
from pptarena.rewards import Deck, read_deck

__all__ = ["BaselineStore"]

_log = logging.getLogger(__name__)

MEMORY_ENTRIES = 32


class BaselineStore:
    """Keeps baselines; several threads and several processes may use one folder at once.

    Args:
        folder: Where the files lie; by default ``baselines`` in `cache_home`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._decks: OrderedDict[Path, Deck] = OrderedDict()

    def get(self, deck: bytes, version: str, save: Callable[[], bytes]) -> Deck:
        """Return the baseline of a deck.

        Args:
            deck: The .pptx file as it was opened.
            version: Name of the application and image that saves.
            save: Saves the open, unchanged document; called only if no baseline is kept.

        Raises:
            MachineError: If `save` does, or if it returns a deck that cannot be read.
        """
        path = self._path(hashlib.sha256(deck).hexdigest(), version)
        with self._lock:
            if path in self._decks:
                self._decks.move_to_end(path)
                return self._decks[path]
        baseline = _read(path) or _make(path, save)
        with self._lock:
            self._decks[path] = baseline
            while len(self._decks) > MEMORY_ENTRIES:
                self._decks.popitem(last=False)
        return baseline

    def file(self, deck: bytes, version: str) -> bytes:
        """Return the .pptx file of a baseline that `get` returned.

        Raises:
            UnscoredError: If it could not be written, or is gone.
        """
        path = self._path(hashlib.sha256(deck).hexdigest(), version)
        try:
            return path.read_bytes()
        except OSError as error:
            raise UnscoredError(f"the original deck is not on the disk: {error}") from error

    def _path(self, digest: str, version: str) -> Path:
        readable = re.sub(r"[^A-Za-z0-9.-]+", "_", version)[:60]
        unique = hashlib.sha256(version.encode()).hexdigest()[:8]
        folder = self._folder or cache_home() / "baselines"
        return folder / f"{readable}-{unique}" / f"{digest}.pptx"


def _read(path: Path) -> Deck | None:
    try:
        return read_deck(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, DeckError) as error:
        _log.warning("making the baseline %s again: %s", path, error)
        return None


def _make(path: Path, save: Callable[[], bytes]) -> Deck:
    data = save()
    try:
        deck = read_deck(data)
    except DeckError as error:
        raise MachineError(f"the application saved a deck that cannot be read: {error}") from error
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(data)
    except OSError as error:
        _log.warning("the baseline is kept in memory only: %s", error)
    return deck
