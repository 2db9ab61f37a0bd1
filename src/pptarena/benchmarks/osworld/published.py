"""Score the result of an imported task as OSWorld itself does."""

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
    """The benchmark's own evaluation of one task.

    Args:
        folder: Folder of the task's decks.

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
        """Whether the correct result is to declare the task infeasible."""
        return bool(self._wanted[0][0] == "infeasible")

    def score(self, result: bytes) -> tuple[float | None, str]:
        """Return the score of a deck, and why it is below 1.

        Args:
            result: The final .pptx file.

        Returns:
            Score from 0 to 1, or None if the evaluator is not reimplemented, and the reason.

        Raises:
            DeckError: If a deck to compare with cannot be read.
        """
        try:
            read_deck(result)  # enforces the size limits on an agent's deck
        except DeckError as error:
            return 0.0, str(error)
        scores, reasons = [], []
        for name, given in self._wanted:
            value, reason = self._one(name, given, result)
            if value is None:
                return None, reason
            scores.append(value)
            reasons.append(reason)
        # If all must pass, a score of 0 is decisive; of alternatives, the best counts.
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
        except FAULTS as error:  # caused by the agent's deck
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
    """Return the benchmark's own evaluation of an imported task.

    Args:
        id: Task id.
        place: Path of the task file, as recorded in an episode.

    Raises:
        TaskError: If the task was not imported from OSWorld, or its folder is missing.
    """
    if not place:
        raise TaskError(f"{id}: expected a task of 'pptarena tasks import osworld'")
    return Published(Path(place).parent / DECKS / Path(id).name)


def published_score(id: str, place: str, result: bytes) -> tuple[float | None, str]:
    """Return `Published.score` of a deck for an imported task."""
    return published_of(id, place).score(result)
