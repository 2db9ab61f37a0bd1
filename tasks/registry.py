"""Registry of tasks and suites: packaged ones, installed ones, and files anywhere."""

import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError, TaskError, UnknownTaskError
from pptarena.suggestions import not_found
from pptarena.tasks.suite_file import SuiteFile, is_suite_file, split_name
from pptarena.tasks.suite_loading import (
    installed_suites,
    load_installed,
    load_suite,
    sorted_by_difficulty,
    with_suite,
)
from pptarena.tasks.task import Task
from pptarena.tasks.task_file import (
    SUFFIXES,
    is_task,
    load_task,
    parse_task,
    read_spec,
    suite_folder,
)

__all__ = [
    "draw_from",
    "find_task",
    "get_task",
    "list_tasks",
    "packaged_ids",
    "packaged_spec",
    "pick_tasks",
    "siblings",
    "spec_of",
    "suites",
]

_log = logging.getLogger(__name__)

_SPECS = Path(__file__).parent / "specs"
_MAX_SIBLINGS = 50  # enough siblings, even from a suite file with a million rows

# The lists are fixed, so that scores stay comparable when tasks are added.
# Single-turn tasks of ``bench`` with a recorded demonstration, scored without a model.
_STARTER = (
    *("meridian-board-version", "meridian-hide-backup", "meridian-rename-tent"),
    *("meridian-retitle-products", "resistance-answers-slide", "resistance-cell-picture"),
    *("resistance-fix-classes-table", "resistance-lecturer-name"),
)
# Per deck, an easy or medium task, then a hard one, all single-turn and scored without a model.
_FAST = (
    *("meridian-rename-tent", "meridian-board-version"),
    *("resistance-lecturer-name", "resistance-answers-slide"),
    *("aurora-grey-dawn", "aurora-press-version"),
    *("clinic-contrast", "clinic-public-version"),
    *("field-list-back", "field-photo-grid"),
    *("harbor-draft-stamp", "harbor-new-costs"),
    *("kanto-net-sales", "kanto-short-version"),
    *("ledger-tile", "ledger-appendix"),
    *("negev-valve-price", "negev-mirror-process"),
    *("onboard-mentor", "onboard-site-figures"),
    *("thesis-source-14", "thesis-renumber"),
    *("townhall-pale-notes", "townhall-duplicates"),
)

_ALL = "all"
_SUBSETS = {"bench-fast": _FAST, "starter": _STARTER}
_SUITES = (_ALL, "bench", "extra", *_SUBSETS)

# Small tasks for early training, each a file with one task per line.
_LINE_SUITES = ("first-steps", "first-steps-unseen", "two-steps")

# Former suites that are now tags of `_ALL`; the names still work for one release.
_FORMER_SUITES = ("ask", "office", "turns", *_LINE_SUITES)


def suites() -> tuple[str, ...]:
    """Return the names of all suites, packaged and installed, sorted."""
    return tuple(sorted({*_SUITES, *installed_suites()}))


def list_tasks(suite: str | Path = "starter") -> tuple[Task, ...]:
    """Return the tasks of a suite, in order of difficulty.

    Args:
        suite: A name from `suites`, or the path of a folder of tasks, of a ``.jsonl`` file (or
            ``file.jsonl#split``) or of a single task. A name takes precedence over a folder in the
            working directory; use ``./name`` for the folder. ``suite#tag`` stands for the tasks of
            a suite or folder with this tag, such as ``bench#charts``, and ``bench#charts#hard`` for
            those with both; see `Task.tags`.

    Raises:
        UnknownTaskError: If the suite does not exist, or none of its tasks has the tags.
        TaskError: If a task file is malformed, or two tasks have the same id.
    """
    _require_name("suite", suite)
    if suite in _FORMER_SUITES:
        _log.warning("the suite %r is a tag now: use the suite '%s#%s'", suite, _ALL, suite)
        suite = f"{_ALL}#{suite}"
    if suite in _SUITES:
        return _packaged(str(suite))
    if isinstance(suite, str) and (entry := installed_suites().get(suite)) is not None:
        return load_installed(entry)
    path = Path(split_name(str(suite))[0]).expanduser()
    if path.exists():
        return (
            sorted_by_difficulty(SuiteFile(suite), path)
            if is_suite_file(suite)
            else load_suite(path)
        )
    base, separator, tag = str(suite).rpartition("#")
    if not separator or is_suite_file(suite):
        raise UnknownTaskError(_suite_not_found(str(suite)))
    tasks = list_tasks(base)
    if matching := tuple(task for task in tasks if tag in task.tags):
        return matching
    tags = sorted(frozenset().union(*(task.tags for task in tasks)))
    raise UnknownTaskError(not_found("tag", tag, tags, f"These are tags of {base!r}."))


def draw_from(suite: str | Path = "starter") -> Sequence[Task]:
    """Return the tasks of a suite for sampling; a ``.jsonl`` file is read lazily.

    Raises:
        UnknownTaskError: If the suite does not exist.
        TaskError: If a task file is malformed, or two tasks have the same id.
    """
    _require_name("suite", suite)
    path = Path(split_name(str(suite))[0]).expanduser()
    return SuiteFile(suite) if is_suite_file(suite) and path.exists() else list_tasks(suite)


def get_task(id: str | Path) -> Task:
    """Return a task by id or path.

    Args:
        id: The id of a task of any of `suites`, or the path of a task file or folder.

    Raises:
        UnknownTaskError: If the task does not exist; the message suggests similar ids.
        TaskError: If its file is malformed.
    """
    _require_name("task", id)
    if isinstance(id, Path) or _is_path(id):
        path = Path(id).expanduser()
        if not path.exists():
            raise UnknownTaskError(f"there is no task {str(id)!r}: no such file or folder")
        return load_task(path)
    if id in _paths():
        return _packaged_task(id)
    for task in _small():
        if task.id == id:
            return task
    for entry in installed_suites().values():
        for task in load_installed(entry):
            if task.id == id:
                return task
    if Path(id).exists():
        return load_task(Path(id))
    known = [*_paths(), *(task.id for task in _small())]
    raise UnknownTaskError(not_found("task", id, known, "`pptarena tasks list` shows all."))


def _suite_not_found(suite: str) -> str:
    """Return the message for an unknown suite, or for a path that does not exist."""
    path = split_name(suite)[0]
    if is_suite_file(suite) or _is_path(suite):
        return f"suite {suite!r} not found: there is no file or folder {path!r}"
    hint = "A suite is one of these names, a folder of tasks or a .jsonl file."
    return not_found("suite", suite, suites(), hint)


def find_task(id: str, place: str = "") -> Task:
    """Return a task that was used before.

    Args:
        id: Its id.
        place: Its `Task.place`.

    Raises:
        UnknownTaskError: If it no longer exists.
        TaskError: If its file is malformed.
    """
    if not place:
        return get_task(id)
    if is_suite_file(place) and Path(place).exists():
        task = SuiteFile(place).find(id)
        candidates: Sequence[Task] = () if task is None else (task,)
    else:
        candidates = list_tasks(place) if Path(place).exists() else ()
    for task in candidates:
        if task.id == id:
            return task
    raise UnknownTaskError(f"the task {id!r} is no longer in {place}")


def packaged_ids() -> tuple[str, ...]:
    """Return the ids of all tasks that are files of the package, in any suite."""
    return tuple(_paths())


def packaged_spec(id: str) -> dict[str, Any]:
    """Return the contents of a packaged task file.

    Raises:
        UnknownTaskError: If no packaged file has this id.
    """
    if id not in _paths():
        raise UnknownTaskError(f"there is no packaged task file of {id!r}")
    spec: dict[str, Any] = json.loads(_paths()[id].read_text("utf-8"))
    return spec


def spec_of(task: Task) -> dict[str, Any]:
    """Return the contents of the file that a task was read from.

    Raises:
        TaskError: If the task was created in code, or comes from a ``.jsonl`` file.
        UnknownTaskError: If the task is packaged with many others in one file.
    """
    if not task.place:
        return packaged_spec(task.id)
    path = Path(task.place)
    if not is_task(path):
        raise TaskError(f"{task.id}: expected a task with a file of its own, got one of {path}")
    spec: dict[str, Any] = read_spec(path)
    return spec


def pick_tasks(names: Sequence[str | Path], suite: str | Path = "starter") -> tuple[Task, ...]:
    """Return tasks by name, or an entire suite.

    Args:
        names: Ids of tasks of the suite or of any other named suite, or paths of tasks; empty for
            the entire suite.
        suite: As for `list_tasks`.

    Raises:
        UnknownTaskError: If a task or the suite does not exist.
        TaskError: If a task file is malformed.
        ConfigError: If two of the tasks have the same id.
    """
    if not names:
        return list_tasks(suite)
    for name in names:
        _require_name("task", name)
    suite_tasks = draw_from(suite)
    if isinstance(suite_tasks, SuiteFile):
        found = {name: suite_tasks.find(str(name)) for name in names}
        by_id = {name: task for name, task in found.items() if task is not None}
    else:
        by_id = {task.id: task for task in suite_tasks}
    selected: dict[str, Task] = {}
    for name in names:
        task = by_id[name] if name in by_id else get_task(name)
        previous = selected.setdefault(task.id, task)
        if previous.place != task.place:
            raise ConfigError(f"two tasks have the id {task.id!r}: {previous.place}, {task.place}")
    return tuple(selected.values())


def siblings(task: Task) -> tuple[Task, ...]:
    """Return the tasks of the suite that a task belongs to, or only the task if it is unknown."""
    location = Path(task.place)
    try:
        if not task.place:
            packaged = _paths().get(task.id)
            suite = packaged.parent.name if packaged else task.suite
            return _packaged(suite) if packaged or suite in _LINE_SUITES else list_tasks(suite)
        if is_suite_file(location):
            return sorted_by_difficulty(SuiteFile(location)[:_MAX_SIBLINGS], location)
        return list_tasks(suite_folder(location) if location.suffix in SUFFIXES else location)
    except TaskError:  # a folder of other files, or a suite created in code
        return (task,)


def _require_name(noun: str, name: object) -> None:
    """Check that a value can be the name or the path of a task or suite.

    Raises:
        ConfigError: If it is neither a text nor a path.
        UnknownTaskError: If the name is empty, or a path that cannot be looked up.
    """
    if not isinstance(name, str | Path):
        expected = "a Task, its id or its path" if noun == "task" else "a name or a path"
        raise ConfigError(f"{noun}: expected {expected}, got {name!r:.80}")
    if not split_name(str(name))[0]:
        raise UnknownTaskError(
            f"{noun} {str(name)!r} not found: the name is empty; use '.' for the working directory"
        )
    try:
        Path(split_name(str(name))[0]).expanduser().exists()
    except (OSError, RuntimeError) as error:  # too long, no access, or no such user
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnknownTaskError(f"{noun} {str(name)!r:.80} not found: {reason}") from error


def _is_path(name: str) -> bool:
    return "/" in name or name.startswith("~") or Path(name).suffix in SUFFIXES


@cache
def _packaged(suite: str) -> tuple[Task, ...]:
    """Return the tasks of a suite, or of a folder or file of `_SPECS`.

    `_LINE_SUITES` are in file order.
    """
    if suite in _SUBSETS:
        return sorted_by_difficulty(with_suite(map(_packaged_task, _SUBSETS[suite]), suite), suite)
    ids = [id for id, path in _paths().items() if suite in (_ALL, path.parent.name)]
    small = tuple(task for task in _small() if suite in (_ALL, task.suite))
    return (*sorted_by_difficulty(map(_packaged_task, ids), suite), *small) if ids else small


@cache
def _small() -> tuple[Task, ...]:
    return tuple(
        parse_task(json.loads(line), _SPECS, name, "")
        for name in _LINE_SUITES
        for line in (_SPECS / f"{name}.jsonl").read_text("utf-8").splitlines()
    )


@cache
def _packaged_task(id: str) -> Task:
    return replace(load_task(_paths()[id]), place="")  # found by its id, not its path


@cache
def _paths() -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for path in sorted(_SPECS.glob("*/*.json")):
        if path.stem in paths:
            raise TaskError(f"{path.name}: two suites have a task of this id")
        paths[path.stem] = path
    return paths
