"""Suites in a ``.jsonl`` file of any length; tasks are read on access.

An index of all rows is cached, with the offset, a hash of the id and the split of each row. The
index is valid for the file's size and modification time.
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pptarena.errors import TaskError
from pptarena.files import atomic_write, open_file
from pptarena.paths import cache_home
from pptarena.tasks.task import Task
from pptarena.tasks.task_file import parse_task

__all__ = ["SuiteFile", "is_suite_file", "split_name"]

_ROW = np.dtype([("begin", "<i8"), ("id", "<u8"), ("split", "u1")])
_ID = re.compile(rb'"id"\s*:\s*"((?:[^"\\]|\\.)*)"')
_SPLIT = re.compile(rb'"split"\s*:\s*"([\w-]*)"')
_MAX_SPLITS = 250
_MAX_ROW_BYTES = 4 * 2**20


def is_suite_file(suite: str | Path) -> bool:
    """Return whether a name denotes a ``.jsonl`` file or a split of one."""
    return Path(split_name(str(suite))[0]).suffix == ".jsonl"


def split_name(suite: str) -> tuple[str, str]:
    """Return the path and split of ``suite.jsonl#train``; the split is "" for the entire file."""
    path, mark, split = suite.rpartition("#")
    return (path, split) if mark and path.endswith(".jsonl") else (suite, "")


class SuiteFile(Sequence[Task]):
    """The tasks of a ``.jsonl`` file, or of one of its splits, in file order.

    Args:
        suite: Path of the file, optionally with a split: ``suite.jsonl#test-deck``.

    Raises:
        TaskError: If the file does not exist, is empty, contains an id twice, or lacks the split.
    """

    def __init__(self, suite: str | Path) -> None:
        name, self.split = split_name(str(suite))
        self._path = Path(name).expanduser().resolve()
        self._state, self._rows, names = _load_index(self._path)
        self._splits = {
            name: int(np.count_nonzero(self._rows["split"] == number))
            for number, name in enumerate(names)
        }
        if self.split:
            if self.split not in names:
                available = ", ".join(filter(None, names)) or "no splits"
                raise TaskError(
                    f"{self._path.name}: expected a split of {available}, got {self.split!r}"
                )
            self._rows = self._rows[self._rows["split"] == names.index(self.split)]
        self._by_id: NDArray[np.int64] | None = None

    @property
    def splits(self) -> dict[str, int]:
        """Number of tasks by split of the entire file; "" stands for tasks without a split."""
        return dict(self._splits)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Task: ...

    @overload
    def __getitem__(self, index: slice) -> "Sequence[Task]": ...

    def __getitem__(self, index: int | slice) -> "Task | Sequence[Task]":
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        begin = int(self._rows["begin"][index])
        try:
            with open_file(self._path) as file:
                if _state(os.fstat(file.fileno())) != self._state:
                    raise TaskError("the file has changed since it was opened")
                file.seek(begin)
                line = file.readline(_MAX_ROW_BYTES)
            suite = f"{self._path.stem}#{self.split}" if self.split else self._path.stem
            return parse_task(json.loads(line), self._path.parent, suite, str(self._path))
        except (OSError, ValueError, RecursionError, TaskError) as error:
            raise TaskError(f"{_line(self._path, begin)}: {error}") from error

    def find(self, id: str) -> Task | None:
        """Return the task with an id, or None."""
        if self._by_id is None:
            self._by_id = np.argsort(self._rows["id"], kind="stable")
        target = _hash(id.encode())
        position = np.searchsorted(self._rows["id"][self._by_id], np.uint64(target))
        while position < len(self) and self._rows["id"][self._by_id[position]] == target:
            if (task := self[int(self._by_id[position])]).id == id:
                return task
            position += 1
        return None


def _state(facts: os.stat_result) -> tuple[int, int]:
    return facts.st_size, facts.st_mtime_ns


def _load_index(path: Path) -> tuple[tuple[int, int], NDArray[Any], list[str]]:
    """Return a file's state, its index and the names of its splits, from the cache if possible.

    Raises:
        TaskError: If the file does not contain tasks.
    """
    try:
        state = _state(path.stat())
    except OSError as error:
        raise TaskError(f"{path.name}: {error.strerror}: {path}") from error
    folder = cache_home() / "suites"
    prefix = hashlib.sha256(str(path).encode()).hexdigest()[:16]
    cache_file = folder / f"{prefix}-{state[0]}-{state[1]}.npz"
    with contextlib.suppress(OSError, ValueError, KeyError), np.load(cache_file) as cached:
        rows, names = cached["rows"], [str(name) for name in cached["names"]]
        if rows.dtype == _ROW and len(rows):
            return state, rows, names
    rows, names = _scan(path)
    _require_unique(path, rows)
    with contextlib.suppress(OSError):  # if the cache cannot be written, the next call scans again
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{prefix}-*.npz"):
            old.unlink(missing_ok=True)
        with atomic_write(cache_file) as file:
            np.savez(file, rows=rows, names=np.array(names))
    return state, rows, names


def _scan(path: Path) -> tuple[NDArray[Any], list[str]]:
    names = [""]
    rows: list[tuple[int, int, int]] = []
    begin = 0
    try:
        with open_file(path) as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_ROW_BYTES), b""), 1):
                if line.strip():
                    rows.append((begin, *_row_key(line, names, f"{path.name}: line {number}")))
                begin += len(line)
    except OSError as error:
        raise TaskError(f"{path.name}: {error.strerror}: {path}") from error
    if not rows:
        raise TaskError(f"{path.name}: expected a task a line, got an empty file")
    return np.array(rows, dtype=_ROW), names


def _row_key(line: bytes, names: list[str], location: str) -> tuple[int, int]:
    """Return the hash of a row's id, and the number of its split."""
    if len(line) >= _MAX_ROW_BYTES:
        raise TaskError(f"{location}: expected at most {_MAX_ROW_BYTES} bytes, got {len(line)}")
    # Fast path for files of `pptarena generate`, which have both keys at the ends of the row.
    id, split = _ID.match(line, line.find(b'"id"')), _SPLIT.search(line, len(line) - 60)
    if line.startswith(b'{"version"') and id and split and b"\\" not in id[1]:
        id_bytes, split_name = id[1], split[1].decode()
    else:
        try:
            row = json.loads(line)
            id_bytes = str(row["id"]).encode()
            split_name = str(row.get("grown", {}).get("split", ""))
        except (ValueError, RecursionError) as error:
            raise TaskError(f"{location}: {error}") from error
        except (KeyError, TypeError, AttributeError) as error:
            raise TaskError(f"{location}: expected a task with an id, got {line[:60]!r}") from error
    if split_name not in names:
        if len(names) == _MAX_SPLITS:
            raise TaskError(f"{location}: expected at most {_MAX_SPLITS - 1} splits")
        names.append(split_name)
    return _hash(id_bytes), names.index(split_name)


def _require_unique(path: Path, rows: NDArray[Any]) -> None:
    ids, counts = np.unique(rows["id"], return_counts=True)
    if counts.max() > 1:
        first, second, *_ = rows[rows["id"] == ids[counts.argmax()]]["begin"]
        lines = f"{_line(path, first)} and {_line(path, second)}"
        raise TaskError(f"{path.name}: two tasks have one id: {lines}")


def _line(path: Path, begin: int) -> str:
    """Return the name, for errors, of the row that begins at a byte offset."""
    with open_file(path) as file:
        number = sum(1 for _ in iter(lambda: file.tell() < begin and file.readline(), False))
    return f"{path.name}: line {number + 1}"


def _hash(id: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(id, digest_size=8).digest(), "little")
