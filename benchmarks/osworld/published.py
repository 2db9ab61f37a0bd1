"""What OSWorld itself would say of a deck that was made for an imported task."""

import json
from pathlib import Path
from typing import Any

from pptarena.benchmarks.osworld.compare import compare_files
from pptarena.benchmarks.osworld.goals import COMPARES
from pptarena.benchmarks.osworld.importing import PUBLISHED
from pptarena.benchmarks.osworld.rules import FAULTS, RULES
from pptarena.benchmarks.task_folder import DECKS
from pptarena.decks import read_deck
from pptarena.decks.package.files import MAX_FILE_BYTES
from pptarena.errors import DeckError, TaskError
from pptarena.files import read_file, read_text

__all__ = ["Published", "published_of", "published_score"]

_MAX_BYTES = 2**20


class Published:
    """How the benchmark judges one task.

    Args:
        folder: The task's folder of decks.

    Raises:
        TaskError: If the task was not imported from OSWorld.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        path = folder / PUBLISHED
        try:
            found = json.loads(read_text(path, _MAX_BYTES))
            self._wanted = [(each["func"], each) for each in found["wanted"]]
            self._any = bool(found["any"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise TaskError(f"{path}: expected what 'import osworld' writes: {error}") from error

    @property
    def infeasible(self) -> bool:
        """Whether the right end is to say that the task cannot be done."""
        return bool(self._wanted[0][0] == "infeasible")

    def score(self, result: bytes) -> tuple[float | None, str]:
        """Return what a deck scores, from 0 to 1, and why it is not 1.

        Args:
            result: The .pptx file at the end.

        Returns:
            None where its evaluator has no twin here.

        Raises:
            DeckError: If a deck to compare with cannot be read.
        """
        try:
            read_deck(result)  # which bounds what an agent's deck may unfold to
        except DeckError as error:
            return 0.0, str(error)
        scores, reasons = [], []
        for name, given in self._wanted:
            value, reason = self._one(name, given, result)
            if value is None:
                return None, reason
            scores.append(value)
            reasons.append(reason)
        # One that is 0 decides where all must hold; of several ways, the best one counts.
        score = max(scores) if self._any else (min(scores) and sum(scores) / len(scores))
        return score, "" if score >= 1 else "; ".join(filter(None, reasons))

    def _one(self, name: str, given: dict[str, Any], result: bytes) -> tuple[float | None, str]:
        gold = self._gold(given.get("gold"))
        if name == COMPARES and gold is not None:
            try:
                found = compare_files(result, gold, given.get("options") or {})
            except DeckError as error:
                return 0.0, str(error)
            return float(found.same), found.reason
        if name not in RULES:
            return None, f"{name} has no twin"
        try:
            value = RULES[name](result, gold, given.get("rules") or {})
        except FAULTS as error:  # of the deck that an agent left behind
            return 0.0, f"{name}: {type(error).__name__}: {error}"
        return value, "" if value >= 1 else f"{name}: {value:.2f}"

    def _gold(self, name: object) -> bytes | None:
        if not isinstance(name, str):
            return None
        path = self._folder / Path(name).name
        try:
            return read_file(path, MAX_FILE_BYTES)
        except OSError as error:
            raise DeckError(f"{path} cannot be read: {error}") from error


def published_of(id: str, place: str) -> Published:
    """Return how the benchmark judges an imported task.

    Args:
        id: Its id.
        place: Its file, as an episode's record names it.

    Raises:
        TaskError: If it was not imported from OSWorld, or its folder is gone.
    """
    if not place:
        raise TaskError(f"{id}: expected a task of 'pptarena tasks import osworld'")
    return Published(Path(place).parent / DECKS / Path(id).name)


def published_score(id: str, place: str, result: bytes) -> tuple[float | None, str]:
    """Return `Published.score` of a deck that was made for an imported task."""
    return published_of(id, place).score(result)
