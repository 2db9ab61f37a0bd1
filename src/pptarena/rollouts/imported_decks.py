"""Import the results of other programs and of people: each task's deck becomes an episode.

The decks are untrusted. They are scored like the deck at the end of an episode: the application of
the machine image saves the task's deck and the result, and then renders the changed slides.
"""

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pptarena.decks import read_deck
from pptarena.decks.package.files import MAX_FILE_BYTES
from pptarena.decks.saving.libreoffice import is_saved_by_libreoffice
from pptarena.envs.grading import can_render
from pptarena.envs.image_office import ImageOffice
from pptarena.envs.judging import Judging
from pptarena.envs.machines.base import Files
from pptarena.envs.turn_grader import TurnGrader
from pptarena.errors import ConfigError, DeckError, MachineError, StoreError
from pptarena.files import Folder
from pptarena.rollouts.episode import IMPORTED, NO_SCREEN, EpisodeMeta, StoredEpisode
from pptarena.rollouts.grade_decks import TurnEnd, grade_decks
from pptarena.rollouts.manifest import Manifest
from pptarena.rollouts.play import versions
from pptarena.rollouts.run import INFRA_RETRIES, Job, free_failed_folder
from pptarena.rollouts.store import EpisodeWriter, episode_path, read_meta
from pptarena.rollouts.task_digest import task_digest
from pptarena.rollouts.turn_files import ENDS, turn_file
from pptarena.suggestions import similar_names
from pptarena.tasks import Task

__all__ = ["DeckImporter", "Submission", "SubmissionFolder", "find_submissions"]

# Suffixes of a result, and of an empty file that declares a task infeasible.
_DECK, _FAIL = ".pptx", ".fail"

_NO_FILE = "no file"
_BATCH = 4  # results in memory


@dataclass(frozen=True, slots=True)
class Submission:
    """The result of one task: the names of its files.

    Attributes:
        task: The task.
        folder: The folder that contains the files.
        names: For each turn, the name of its deck, or of the file that declares it infeasible.
    """

    task: Task
    folder: Path
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubmissionFolder:
    """The contents of a folder of results.

    Attributes:
        submissions: The results, in the order of the tasks.
        missing: The tasks without a result, each with the reason.
        unknown: Names in the folder that belong to no task, each with a similar id or ``""``.
    """

    submissions: tuple[Submission, ...]
    missing: tuple[tuple[Task, str], ...]
    unknown: tuple[tuple[str, str], ...]


def find_submissions(folder: Path, tasks: Sequence[Task]) -> SubmissionFolder:
    """Find the results in a folder.

    The result of a task is the file ``<task id>.pptx``, or a folder ``<task id>`` with
    ``final.pptx`` or one other deck. A folder also holds ``turn_1.pptx`` and so on for tasks of
    several turns, and the attachments that a task scores. An empty file that ends in ``.fail``
    instead of ``.pptx`` declares the task or turn infeasible. Links are not followed.

    Args:
        folder: The folder.
        tasks: The tasks.

    Raises:
        StoreError: If the folder cannot be read.
        ConfigError: If it has no result of any task.
    """
    try:
        with os.scandir(folder) as entries:
            is_folder = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error.strerror or error}") from error
    submissions: list[Submission] = []
    missing: list[tuple[Task, str]] = []
    used_names: set[str] = set()
    for task in tasks:
        candidates = [
            name for name in (task.id, task.id + _DECK, task.id + _FAIL) if name in is_folder
        ]
        used_names.update(candidates)
        submission = _submission(folder, task, candidates, is_folder)
        if isinstance(submission, Submission):
            submissions.append(submission)
        else:
            missing.append((task, submission))
    unknown = sorted(
        name for name in is_folder if name not in used_names and not name.startswith(".")
    )
    ids = [task.id for task in tasks]
    unknown_with_hints = [
        (name, next(iter(similar_names(Path(name).stem, ids)), "")) for name in unknown
    ]
    if not submissions:
        rejections = [f"; {task.id}: {reason}" for task, reason in missing if reason != _NO_FILE]
        raise ConfigError(
            f"{folder} has no result: expected files named <task id>{_DECK} for the "
            f"{len(tasks)} tasks, such as {ids[0]}{_DECK}"
            + (f"; found {', '.join(unknown[:5])}" if unknown else "")
            + "".join(rejections[:1])
        )
    return SubmissionFolder(tuple(submissions), tuple(missing), tuple(unknown_with_hints))


def _submission(
    folder: Path, task: Task, candidates: Sequence[str], is_folder: dict[str, bool]
) -> Submission | str:
    """Return the result of a task, or why there is none."""
    if not candidates:
        return _NO_FILE
    if len(candidates) > 1:
        return f"more than one result: {', '.join(candidates)}"
    (name,) = candidates
    if is_folder[name] != (name == task.id):
        return f"{name} is {'a folder' if is_folder[name] else 'not a folder'}"
    if not is_folder[name]:
        problem = "its turns need a folder with turn_1.pptx and so on"
        return problem if task.turns else Submission(task, folder, (name,))
    subfolder = folder / name
    turns = [turn_file(number) for number in range(1, len(task.turns) + 1)]
    try:
        names = sorted(entry.name for entry in subfolder.iterdir())
    except OSError as error:
        return f"{name} cannot be read: {error.strerror or error}"
    turn_names = []
    for stem in turns:
        matches = [each for each in (stem + _DECK, stem + _FAIL) if each in names]
        if len(matches) != 1:
            return f"{name} has {'both' if matches else 'neither'} {stem}{_DECK} or {stem}{_FAIL}"
        turn_names += matches
    last_names = [each for each in (f"final{_DECK}", f"final{_FAIL}") if each in names]
    others = {*turn_names, *task.collected}
    last_names = last_names or [n for n in names if n.endswith((_DECK, _FAIL)) and n not in others]
    if len(last_names) != 1:
        return f"{name} has {len(last_names)} decks; expected final{_DECK} or one deck"
    return Submission(task, subfolder, (*turn_names, last_names[0]))


@dataclass(slots=True)
class _LoadedSubmission:
    """The files of a result.

    Attributes:
        submission: The result.
        decks: The submitted deck of each turn; None if the turn was declared infeasible.
        problem: Why the last deck in `decks` cannot be opened; empty if all can.
        saved_files: The original and these decks, as the application saves them.
        files: The attachments that the task scores.
    """

    submission: Submission
    decks: list[bytes | None] = field(default_factory=list)
    problem: str = ""
    saved_files: list[bytes] = field(default_factory=list)
    files: Files = field(default_factory=dict)

    @property
    def infeasible(self) -> list[bool]:
        return [name.endswith(_FAIL) for name in self.submission.names]


@dataclass(frozen=True)
class DeckImporter:
    """Scores results and stores them as episodes of a run.

    Attributes:
        root: Root of the run, held with `lock_store`.
        agent: Name of the product, the person or the program in the record.
        seed: Seed in the record, which distinguishes several results of one task.
        office: The application that saves the decks first; None scores the files as they are.
        judging: The judge; without it, judged leaves are unscored.
    """

    root: Path
    agent: str
    seed: int = 0
    office: ImageOffice | None = None
    judging: Judging | None = None

    def manifest(self, tasks: Iterable[Task]) -> Manifest:
        """Return the manifest of the run."""
        return Manifest(
            machine=IMPORTED,
            image="" if self.office is None else self.office.image,
            screen=NO_SCREEN,
            reward="sparse",
            max_steps=None,
            versions=versions(),
            tasks={task.id: task_digest(task) for task in tasks},
            agents=(self.agent,),
            seeds=(self.seed,),
            options={"as_is": True} if self.office is None else {},
        )

    def run(self, submissions: Sequence[Submission]) -> Iterator[StoredEpisode]:
        """Score and store results; stored results are yielded unchanged.

        Raises:
            HostError: If the application cannot run on this computer.
            StoreError: If an episode cannot be written.
        """
        for start in range(0, len(submissions), _BATCH):
            batch = []
            for each in submissions[start : start + _BATCH]:
                folder = episode_path(self.root, self.agent, each.task.id, self.seed)
                if os.path.lexists(folder):
                    yield StoredEpisode(folder, read_meta(folder))
                else:
                    batch.append(_load_submission(each))
            self._save(batch)
            for loaded in batch:
                yield self._score_and_store(loaded)

    def store_missing(self, task: Task) -> StoredEpisode:
        """Store a task without a result as an episode that changed nothing and scores 0."""
        loaded = _LoadedSubmission(Submission(task, self.root, ()))
        self._save([loaded])
        return self._score_and_store(loaded)

    def _save(self, batch: Sequence[_LoadedSubmission]) -> None:
        """Save the decks with the application; record the first deck that it cannot open."""
        for each in batch:
            each.saved_files = [each.submission.task.deck_bytes()]
            for deck in each.decks:
                each.saved_files.append(each.saved_files[-1] if deck is None else deck)
        if self.office is None:
            return
        originals = {each.saved_files[0] for each in batch}
        submitted = {deck for each in batch for deck in each.decks if deck is not None}
        unsaved = [*originals, *(deck for deck in submitted if not is_saved_by_libreoffice(deck))]
        results = dict(zip(unsaved, self.office.save_all(unsaved), strict=True))
        failed = [deck for deck, result in results.items() if isinstance(result, Exception)]
        # A second failure is rarely a coincidence: the deck itself is at fault.
        results |= zip(failed, self.office.save_all(failed), strict=True)
        for each in batch:
            saved_decks: list[bytes] = []
            for number, deck in enumerate(each.saved_files):
                result = results.get(deck, deck)
                if isinstance(result, Exception):
                    if number == 0:
                        raise result  # the task's own deck
                    each.problem = str(result)
                    break
                saved_decks.append(result)
            each.saved_files = saved_decks

    def _score_and_store(self, loaded: _LoadedSubmission) -> StoredEpisode:
        """Score and store a result; infrastructure failures are stored and retried."""
        episode = self._attempt(loaded, 1)
        while episode.meta.infra_error is not None and episode.meta.attempt <= INFRA_RETRIES:
            episode = self._attempt(loaded, episode.meta.attempt + 1)
        return episode

    def _attempt(self, loaded: _LoadedSubmission, attempt: int) -> StoredEpisode:
        task, start_sec = loaded.submission.task, time.perf_counter()
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        job = Job(self.agent, task, self.seed)
        folder = episode_path(self.root, self.agent, task.id, self.seed)
        grader: TurnGrader | None = None
        infra_error = None
        try:
            grader = self._grade(loaded)
        except MachineError as error:
            infra_error = f"{type(error).__name__}: {error}"
        rubric = None if grader is None else grader.rubric()
        score = None if rubric is None else rubric["score"]
        meta = replace(
            self._meta(task, started_at),
            attempt=attempt,
            score=score,
            total_reward=score or 0.0,
            end=_end(loaded, infra_error),
            infra_error=infra_error,
            overload=loaded.problem or None,
            run_sec=round(time.perf_counter() - start_sec, 4),
        )
        target = folder if infra_error is None else free_failed_folder(self.root, job)
        with EpisodeWriter(folder) as writer:
            return StoredEpisode(writer.finish(meta, rubric, _files(loaded), target), meta)

    def _grade(self, loaded: _LoadedSubmission) -> TurnGrader:
        task, office = loaded.submission.task, self.office is not None
        is_rendered = office and can_render()
        decks: list[bytes | None] = [*loaded.saved_files[1:]]
        if loaded.problem or not decks:
            decks.append(None)
        ends = [
            TurnEnd(deck, infeasible, is_rendered, loaded.files)
            for deck, infeasible in zip(decks, [*loaded.infeasible, False], strict=False)
        ]
        original = loaded.saved_files[0]
        return grade_decks(task, original, ends, office=office, judging=self.judging)

    def _meta(self, task: Task, started_at: str) -> EpisodeMeta:
        return EpisodeMeta(
            agent=self.agent,
            task=task.id,
            suite=task.suite,
            difficulty=task.difficulty,
            level=task.level,
            edit_types=tuple(task.edit_types),
            feasible=task.feasible,
            instruction=task.instruction,
            seed=self.seed,
            attempt=1,
            score=None,
            total_reward=0.0,
            steps=0,
            end="",
            infra_error=None,
            agent_error=None,
            started_at=started_at,
            reset_sec=0.0,
            run_sec=0.0,
            agent_sec=0.0,
            machine=IMPORTED,
            application="" if self.office is None else self.office.application,
            screen=NO_SCREEN,
            reward="sparse",
            max_steps=task.max_steps,
            versions=versions(),
            task_place=task.place,
            task_digest=task_digest(task),
        )


def _end(loaded: _LoadedSubmission, infra_error: str | None) -> str:
    if infra_error is not None:
        return "infra"
    if loaded.problem:
        return "overload"
    if not loaded.infeasible:
        return "missing"
    return "fail" if loaded.infeasible[-1] else "done"


def _load_submission(submission: Submission) -> _LoadedSubmission:
    """Read the files of a result, up to a deck that cannot be read."""
    loaded = _LoadedSubmission(submission)
    attachments = submission.task.collected
    try:
        with Folder(submission.folder, follow=True) as folder:
            present = set(os.listdir(submission.folder))
            loaded.files = {
                name: folder.read(name, MAX_FILE_BYTES) for name in attachments if name in present
            }
            for name in submission.names:
                if name.endswith(_FAIL):
                    loaded.decks.append(None)
                    continue
                deck = folder.read(name, MAX_FILE_BYTES)
                loaded.decks.append(deck)
                read_deck(deck)
    except OSError as error:
        loaded.problem = f"the deck cannot be read: {error.strerror or error}"
    except DeckError as error:
        loaded.problem = f"the deck cannot be read: {error}"
        loaded.decks.pop()
    return loaded


def _files(loaded: _LoadedSubmission) -> dict[str, bytes]:
    """Return the decks of an episode by file name, and how its turns ended."""
    original, *decks = loaded.saved_files
    files = {"original.pptx": original, "final.pptx": loaded.saved_files[-1]}
    turns = len(loaded.submission.task.turns)
    files |= {f"{turn_file(n)}.pptx": deck for n, deck in enumerate(decks[:turns], 1)}
    ends: list[Any] = ["fail" if each else "done" for each in loaded.infeasible[: len(decks)]]
    return {**files, ENDS: json.dumps(ends).encode()}
