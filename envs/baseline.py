"""Round-trip baselines: each deck as the application saves it without edits.

Saving alone changes a deck, so comparisons start from a baseline instead of the original file. A
baseline is created once per deck and application version and cached in memory and under
``PPTARENA_HOME``.
"""

import hashlib
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pptarena.errors import DeckError, MachineError
from pptarena.files import atomic_write
from pptarena.paths import cache_home
from pptarena.rewards import Deck, read_deck

__all__ = ["Baseline", "BaselineStore", "FixedBaseline"]

_log = logging.getLogger(__name__)

MEMORY_ENTRIES = 32


@dataclass(frozen=True, slots=True)
class Baseline:
    """A deck as the application saves it unchanged.

    Attributes:
        deck: Its facts.
        file: The .pptx file, kept in memory so that an episode does not depend on the disk.
    """

    deck: Deck
    file: bytes


class BaselineStore:
    """Cache of baselines; threads and processes can share a folder.

    If the folder cannot be read or written, baselines are cached in memory only.

    Args:
        folder: Folder of the files; by default ``baselines`` in `cache_home`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        # Facts of each deck, and its file if it could not be written to disk.
        self._decks: OrderedDict[Path, tuple[Deck, bytes | None]] = OrderedDict()

    def get(self, deck: bytes, version: str, save: Callable[[], bytes]) -> Baseline:
        """Return the baseline of a deck.

        Args:
            deck: The .pptx file as it was opened.
            version: Name of the application and image that saves.
            save: Saves the open, unchanged document; called only on a cache miss.

        Raises:
            MachineError: If `save` raises it, or if the saved deck cannot be read.
        """
        path = self._path(hashlib.sha256(deck).hexdigest(), version)
        with self._lock:
            facts, cached_file = self._decks.get(path, (None, None))
        baseline = _from_cache(path, facts, cached_file or _read(path))
        if baseline is None:
            baseline = _create(save)
            cached_file = None if _write(path, baseline.file) else baseline.file
        with self._lock:
            self._decks[path] = baseline.deck, cached_file
            self._decks.move_to_end(path)
            while len(self._decks) > MEMORY_ENTRIES:
                self._decks.popitem(last=False)
        return baseline

    def _path(self, digest: str, version: str) -> Path:
        readable = re.sub(r"[^A-Za-z0-9.-]+", "_", version)[:60]
        unique = hashlib.sha256(version.encode()).hexdigest()[:8]
        folder = self._folder or cache_home() / "baselines"
        return folder / f"{readable}-{unique}" / f"{digest}.pptx"


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.warning("cannot read the baseline %s, recreating it: %s", path, error)
        return None


def _from_cache(path: Path, facts: Deck | None, file: bytes | None) -> Baseline | None:
    """Return a cached baseline; None if its file is missing or damaged."""
    if file is None:
        return None
    try:
        return Baseline(facts or read_deck(file), file)
    except DeckError as error:
        _log.warning("the baseline %s is damaged, recreating it: %s", path, error)
        return None


def _create(save: Callable[[], bytes]) -> Baseline:
    file = save()
    try:
        return Baseline(read_deck(file), file)
    except DeckError as error:
        raise MachineError(f"the application saved a deck that cannot be read: {error}") from error


def _write(path: Path, file: bytes) -> bool:
    """Write a file atomically; return whether that succeeded."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as out:
            out.write(file)
    except OSError as error:
        _log.warning(
            "cannot write the baseline %s, keeping it in memory: %s; set PPTARENA_HOME to a "
            "writable folder",
            path,
            error,
        )
        return False
    return True


class FixedBaseline(BaselineStore):
    """A store that returns one given baseline; it saves and caches nothing.

    Args:
        file: The .pptx file as the application saved it unchanged.

    Raises:
        DeckError: If the file cannot be read.
    """

    def __init__(self, file: bytes) -> None:
        super().__init__()
        self._baseline = Baseline(read_deck(file), file)

    def get(self, deck: bytes, version: str, save: Callable[[], bytes]) -> Baseline:
        """Return the baseline; all arguments are ignored."""
        return self._baseline
