"""Score graded submissions by the rubrics of their tasks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from pptarena.errors import ConfigError, DeckError, MachineError, UnscoredError
from pptarena.rewards.scored_tree import ALMOST_ONE
from pptarena.tasks.registry import get_task
from pptarena.tasks.scorer import Scorer, Services
from pptarena.tasks.targets import deck_facts, target_files
from tools.meta_eval.submissions import Grade, Submission, grade_of_score

__all__ = ["Outcome", "Saver", "evaluate"]


class Saver(Protocol):
    """Saves decks as an office application does."""

    def save_all(self, decks: Sequence[bytes]) -> Sequence[bytes | DeckError | MachineError]:
        """Return the saved file, or the error, for each .pptx file."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """Scores of a graded submission.

    Attributes:
        submission: The submission.
        scores: One score in [0, 1] per repeat; empty if any of them could not be computed.
        reason: Explanation of the last score, or why there is none.
    """

    submission: Submission
    scores: tuple[float, ...]
    reason: str

    @property
    def score(self) -> float | None:
        """Mean over the repeats; None if unscored."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    @property
    def variance(self) -> float:
        """Population variance of the scores over the repeats; exactly 0 if they are equal."""
        if len(set(self.scores)) < 2:
            return 0.0
        mean = sum(self.scores) / len(self.scores)
        return sum((each - mean) ** 2 for each in self.scores) / len(self.scores)

    @property
    def scored_as(self) -> Grade | None:
        """The grade whose bin contains the score; None if unscored."""
        return None if self.score is None else grade_of_score(self.score)


def evaluate(
    submissions: Sequence[Submission],
    *,
    repeats: int = 1,
    saver: Saver | None = None,
    services: Services | None = None,
) -> Iterator[Outcome]:
    """Score submissions one after the other; every repeat reads the files again.

    Args:
        submissions: The submissions, in the order of the results.
        repeats: Number of times each is scored.
        saver: Saves originals and submissions before they are compared, as in real episodes.
        services: The judge and the renderer; without a judge, submissions to a task with judged
            leaves are unscored.

    Raises:
        ConfigError: If `repeats` is not positive.
        UnknownTaskError: If a task does not exist.
    """
    if repeats < 1:
        raise ConfigError(f"expected repeats of 1 or more, got {repeats}")
    for _, group in groupby(submissions, key=lambda submission: submission.task):
        task_submissions = tuple(group)
        pairs, targets = _pairs(task_submissions, saver)
        for submission, (before, after) in zip(task_submissions, pairs, strict=True):
            yield _outcome(submission, before, after, repeats, services, targets)


_File = bytes | DeckError | MachineError


def _pairs(
    submissions: Sequence[Submission], saver: Saver | None
) -> tuple[Sequence[tuple[_File, _File]], tuple[bytes, ...]]:
    """Return the original and submitted files of a task's submissions, and the target decks.

    Files that cannot be saved are replaced by the error; such targets are omitted.
    """
    task = get_task(submissions[0].task)
    targets = target_files(task)
    originals = [submission.original or task.deck_bytes for submission in submissions]
    files: Sequence[_File] = [original() for original in originals]
    files = [*files, *(submission.deck() for submission in submissions), *targets]
    if saver is not None:
        files = saver.save_all([file for file in files if isinstance(file, bytes)])
    count = len(submissions)
    usable = tuple(file for file in files[2 * count :] if isinstance(file, bytes))
    return list(zip(files[:count], files[count : 2 * count], strict=True)), usable


def _outcome(
    submission: Submission,
    before: _File,
    after: _File,
    repeats: int,
    services: Services | None,
    targets: Sequence[bytes],
) -> Outcome:
    scores = []
    reason = ""
    task = get_task(submission.task)
    for _ in range(repeats):
        try:
            scorer = Scorer(
                task,
                services,
                original=_bytes(before),
                targets=lambda: tuple(map(deck_facts, targets)),
            )
            tree = scorer.score(_bytes(after))
            if tree.score is None or tree.judged_share < ALMOST_ONE:
                raise UnscoredError(f"not judged in full: {tree.reason}")
        except (DeckError, MachineError, UnscoredError) as error:
            return Outcome(submission, (), str(error))
        scores.append(tree.score)
        reason = tree.reason
    return Outcome(submission, tuple(scores), reason)


def _bytes(file: _File) -> bytes:
    if isinstance(file, bytes):
        return file
    raise file
