"""Score the result of an imported task as OSWorld itself does."""

import json
from pathlib import Path
from typing import Any

from pptarena.benchmarks.osworld.compare import compare_files
from pptarena.benchmarks.osworld.importing import PUBLISHED
from pptarena.benchmarks.osworld.requirements import COMPARES
from pptarena.benchmarks.osworld.rules import FAULTS, RULES
from pptarena.benchmarks.task_folder import DECKS
from pptarena.decks import read_deck
from pptarena.decks.package.files import MAX_FILE_BYTES
from pptarena.errors import DeckError, TaskError
from pptarena.files import read_file, read_text

__all__ = ["PublishedEvaluation", "published_evaluation", "published_score"]

_MAX_BYTES = 2**20


class PublishedEvaluation:
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
            record = json.loads(read_text(path, _MAX_BYTES))
            self._evaluators = [(entry["func"], entry) for entry in record["wanted"]]
            self._any = bool(record["any"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise TaskError(
                f"{path}: expected a file written by 'import osworld': {error}"
            ) from error

    @property
    def infeasible(self) -> bool:
        """Whether the correct result is to declare the task infeasible."""
        return bool(self._evaluators[0][0] == "infeasible")

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
        for name, arguments in self._evaluators:
            value, reason = self._evaluate(name, arguments, result)
            if value is None:
                return None, reason
            scores.append(value)
            reasons.append(reason)
        # If all must pass, a score of 0 is decisive; of alternatives, the best counts.
        score = max(scores) if self._any else (min(scores) and sum(scores) / len(scores))
        return score, "" if score >= 1 else "; ".join(filter(None, reasons))

    def _evaluate(
        self, name: str, arguments: dict[str, Any], result: bytes
    ) -> tuple[float | None, str]:
        gold = self._read_gold(arguments.get("gold"))
        if name == COMPARES and gold is not None:
            try:
                comparison = compare_files(result, gold, arguments.get("options") or {})
            except DeckError as error:
                return 0.0, str(error)
            return float(comparison.same), comparison.reason
        if name not in RULES:
            return None, f"{name} is not reimplemented"
        try:
            value = RULES[name](result, gold, arguments.get("rules") or {})
        except FAULTS as error:  # caused by the agent's deck
            return 0.0, f"{name}: {type(error).__name__}: {error}"
        return value, "" if value >= 1 else f"{name}: {value:.2f}"

    def _read_gold(self, name: object) -> bytes | None:
        if not isinstance(name, str):
            return None
        path = self._folder / Path(name).name
        try:
            return read_file(path, MAX_FILE_BYTES)
        except OSError as error:
            raise DeckError(f"{path} cannot be read: {error}") from error


def published_evaluation(id: str, task_path: str) -> PublishedEvaluation:
    """Return the benchmark's own evaluation of an imported task.

    Args:
        id: Task id.
        task_path: Path of the task file, as recorded in an episode.

    Raises:
        TaskError: If the task was not imported from OSWorld, or its folder is missing.
    """
    if not task_path:
        raise TaskError(f"{id}: expected a task of 'pptarena tasks import osworld'")
    return PublishedEvaluation(Path(task_path).parent / DECKS / Path(id).name)


def published_score(id: str, task_path: str, result: bytes) -> tuple[float | None, str]:
    """Return `Published.score` of a deck for an imported task."""
    return published_evaluation(id, task_path).score(result)
