"""Import results of other programs and of people: one deck per task becomes one episode.

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
from pptarena.envs.grading import can_look
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
from pptarena.rollouts.run import INFRA_RETRIES, Job, free_failed_place
from pptarena.rollouts.store import EpisodeWriter, episode_path, read_meta
from pptarena.rollouts.task_digest import task_digest
from pptarena.rollouts.turn_files import ENDS, turn_file
from pptarena.suggestions import similar_names
from pptarena.tasks import Task

__all__ = ["DeckImporter", "FoundDecks", "Submission", "find_submissions"]

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
class FoundDecks:
    """The contents of a folder of results.

    Attributes:
        submissions: The results, in the order of the tasks.
        missing: The tasks without a result, each with the reason.
        unknown: Names in the folder that belong to no task, each with a similar id or ``""``.
    """

    submissions: tuple[Submission, ...]
    missing: tuple[tuple[Task, str], ...]
    unknown: tuple[tuple[str, str], ...]


def find_submissions(folder: Path, tasks: Sequence[Task]) -> FoundDecks:
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
            kinds = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error.strerror or error}") from error
    submissions: list[Submission] = []
    missing: list[tuple[Task, str]] = []
    used: set[str] = set()
    for task in tasks:
        own = [name for name in (task.id, task.id + _DECK, task.id + _FAIL) if name in kinds]
        used.update(own)
        found = _submission(folder, task, own, kinds)
        if isinstance(found, Submission):
            submissions.append(found)
        else:
            missing.append((task, found))
    unknown = sorted(name for name in kinds if name not in used and not name.startswith("."))
    ids = [task.id for task in tasks]
    near = [(name, next(iter(similar_names(Path(name).stem, ids)), "")) for name in unknown]
    if not submissions:
        refused = [f"; {task.id}: {why}" for task, why in missing if why != _NO_FILE]
        raise ConfigError(
            f"{folder} has no result: expected files named <task id>{_DECK} for the "
            f"{len(tasks)} tasks, such as {ids[0]}{_DECK}"
            + (f"; found {', '.join(unknown[:5])}" if unknown else "")
            + "".join(refused[:1])
        )
    return FoundDecks(tuple(submissions), tuple(missing), tuple(near))


def _submission(
    folder: Path, task: Task, own: Sequence[str], kinds: dict[str, bool]
) -> Submission | str:
    """Return the result of a task, or why there is none."""
    if not own:
        return _NO_FILE
    if len(own) > 1:
        return f"more than one result: {', '.join(own)}"
    (name,) = own
    if kinds[name] != (name == task.id):
        return f"{name} is {'a folder' if kinds[name] else 'not a folder'}"
    if not kinds[name]:
        whole = "its turns need a folder with turn_1.pptx and so on"
        return whole if task.turns else Submission(task, folder, (name,))
    place = folder / name
    turns = [turn_file(number) for number in range(1, len(task.turns) + 1)]
    try:
        names = sorted(entry.name for entry in place.iterdir())
    except OSError as error:
        return f"{name} cannot be read: {error.strerror or error}"
    found = []
    for stem in turns:
        states = [each for each in (stem + _DECK, stem + _FAIL) if each in names]
        if len(states) != 1:
            return f"{name} has {'both' if states else 'neither'} {stem}{_DECK} or {stem}{_FAIL}"
        found += states
    last = [each for each in (f"final{_DECK}", f"final{_FAIL}") if each in names]
    others = {*found, *task.collected}
    last = last or [n for n in names if n.endswith((_DECK, _FAIL)) and n not in others]
    if len(last) != 1:
        return f"{name} has {len(last)} decks; expected final{_DECK} or one deck"
    return Submission(task, place, (*found, last[0]))


@dataclass(slots=True)
class _Loaded:
    """The files of a result.

    Attributes:
        submission: The result.
        given: The deck of each turn as it was submitted; None if the turn was declared infeasible.
        problem: Why the last deck in `given` cannot be opened; empty if all can.
        saved: The original and these decks, as the application saves them.
        files: The attachments that the task scores.
    """

    submission: Submission
    given: list[bytes | None] = field(default_factory=list)
    problem: str = ""
    saved: list[bytes] = field(default_factory=list)
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
        seed: Seed in the record, to tell several results of one task apart.
        office: The application that saves the decks first; None compares the files as they are.
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
        """Score results and store them; results that are in the store are yielded unchanged.

        Raises:
            HostError: If the application cannot run on this computer.
            StoreError: If an episode cannot be written.
        """
        for start in range(0, len(submissions), _BATCH):
            fresh = []
            for each in submissions[start : start + _BATCH]:
                place = episode_path(self.root, self.agent, each.task.id, self.seed)
                if os.path.lexists(place):
                    yield StoredEpisode(place, read_meta(place))
                else:
                    fresh.append(_load(each))
            self._save(fresh)
            for loaded in fresh:
                yield self._stored(loaded)

    def store_missing(self, task: Task) -> StoredEpisode:
        """Store a task without a result as an episode that changed nothing, which scores 0."""
        loaded = _Loaded(Submission(task, self.root, ()))
        self._save([loaded])
        return self._stored(loaded)

    def _save(self, batch: Sequence[_Loaded]) -> None:
        """Let the application save the decks; one that it cannot open becomes a problem."""
        for each in batch:
            each.saved = [each.submission.task.deck_bytes()]
            for deck in each.given:
                each.saved.append(each.saved[-1] if deck is None else deck)
        if self.office is None:
            return
        originals = {each.saved[0] for each in batch}
        given = {deck for each in batch for deck in each.given if deck is not None}
        wanted = [*originals, *(deck for deck in given if not is_saved_by_libreoffice(deck))]
        saved = dict(zip(wanted, self.office.save_all(wanted), strict=True))
        failed = [deck for deck, found in saved.items() if isinstance(found, Exception)]
        # An application rarely fails twice on a deck that is not at fault.
        saved |= zip(failed, self.office.save_all(failed), strict=True)
        for each in batch:
            decks: list[bytes] = []
            for number, deck in enumerate(each.saved):
                found = saved.get(deck, deck)
                if isinstance(found, Exception):
                    if number == 0:
                        raise found  # the task's own deck
                    each.problem = str(found)
                    break
                decks.append(found)
            each.saved = decks

    def _stored(self, loaded: _Loaded) -> StoredEpisode:
        """Score and store a result; a failure of the infrastructure is stored and tried again."""
        episode = self._attempt(loaded, 1)
        while episode.meta.infra_error is not None and episode.meta.attempt <= INFRA_RETRIES:
            episode = self._attempt(loaded, episode.meta.attempt + 1)
        return episode

    def _attempt(self, loaded: _Loaded, attempt: int) -> StoredEpisode:
        task, started = loaded.submission.task, time.perf_counter()
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        job = Job(self.agent, task, self.seed)
        place = episode_path(self.root, self.agent, task.id, self.seed)
        grader: TurnGrader | None = None
        infra_error = None
        try:
            grader = self._graded(loaded)
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
            run_sec=round(time.perf_counter() - started, 4),
        )
        target = place if infra_error is None else free_failed_place(self.root, job)
        with EpisodeWriter(place) as writer:
            return StoredEpisode(writer.finish(meta, rubric, _files(loaded), target), meta)

    def _graded(self, loaded: _Loaded) -> TurnGrader:
        task, office = loaded.submission.task, self.office is not None
        looked = office and can_look()
        decks: list[bytes | None] = [*loaded.saved[1:]]
        if loaded.problem or not decks:
            decks.append(None)
        ends = [
            TurnEnd(deck, infeasible, looked, loaded.files)
            for deck, infeasible in zip(decks, [*loaded.infeasible, False], strict=False)
        ]
        original = loaded.saved[0]
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


def _end(loaded: _Loaded, infra_error: str | None) -> str:
    if infra_error is not None:
        return "infra"
    if loaded.problem:
        return "overload"
    if not loaded.infeasible:
        return "missing"
    return "fail" if loaded.infeasible[-1] else "done"


def _load(submission: Submission) -> _Loaded:
    """Read the files of a result, up to a deck that cannot be read."""
    loaded = _Loaded(submission)
    wanted = submission.task.collected
    try:
        with Folder(submission.folder, follow=True) as folder:
            present = set(os.listdir(submission.folder))
            loaded.files = {
                name: folder.read(name, MAX_FILE_BYTES) for name in wanted if name in present
            }
            for name in submission.names:
                if name.endswith(_FAIL):
                    loaded.given.append(None)
                    continue
                deck = folder.read(name, MAX_FILE_BYTES)
                loaded.given.append(deck)
                read_deck(deck)
    except OSError as error:
        loaded.problem = f"the deck cannot be read: {error.strerror or error}"
    except DeckError as error:
        loaded.problem = f"the deck cannot be read: {error}"
        loaded.given.pop()
    return loaded


def _files(loaded: _Loaded) -> dict[str, bytes]:
    """Return the decks of an episode by file name, and how its turns ended."""
    original, *decks = loaded.saved
    files = {"original.pptx": original, "final.pptx": loaded.saved[-1]}
    turns = len(loaded.submission.task.turns)
    files |= {f"{turn_file(n)}.pptx": deck for n, deck in enumerate(decks[:turns], 1)}
    ends: list[Any] = ["fail" if each else "done" for each in loaded.infeasible[: len(decks)]]
    return {**files, ENDS: json.dumps(ends).encode()}
