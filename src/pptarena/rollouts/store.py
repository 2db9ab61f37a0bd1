"""The episode store: one folder per episode, written atomically.

Layout under the root of a run::

    <agent>/<task id>/seed-<n>/
        meta.json      the metadata of the episode, written last (`EpisodeMeta`)
        traj.jsonl     one line per action (`StepRecord`)
        step_000.png   the screen before action 0; step_000.json: its accessibility tree
        final.png      the screen after the last action; final.json: its accessibility tree
        rubric.json    the final scored rubric
        rubrics.jsonl  the scored rubric after each action that changed it, with its step
        original.pptx  the deck as the application saves it unchanged
        turn_1.pptx    the deck at the end of a turn that was not the last one
        final.pptx     the deck at the end, as the application saves it
        ends.json      how each turn ended; imported results only, which have no actions
        outline.txt    the deck's first outline; document environment only, which has no screens
        person.json    player and difficulty rating, if a person played
        messages.jsonl, model.json  the conversation with a model, and its cost
        .pptarena      marks a folder created by this program

An episode is written into ``.partial-...`` next to its final location and renamed when it is
complete, so a crash leaves no partial episode that a reader could take for a complete one. Stores
are untrusted: readers follow no links and check all values.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pptarena.closeable import Closeable
from pptarena.errors import StoreError
from pptarena.files import Folder, remove_folder
from pptarena.png import png_bytes
from pptarena.rollouts.episode import EpisodeMeta, StepRecord
from pptarena.rollouts.episode_files import read_json, read_json_lines
from pptarena.rollouts.record_checks import check_fields, integer

__all__ = [
    "EPISODE_MARK",
    "PARTIAL",
    "EpisodeWriter",
    "episode_path",
    "file_name_of",
    "find_episodes",
    "read_meta",
    "read_rubrics",
    "read_steps",
    "remove_partial_episodes",
    "require_run_folder",
    "stored_episodes",
]

PARTIAL = ".partial-"
"""Prefix of the name of an incomplete folder."""

# Pictures that may wait for the background thread; limits memory (3 MB each).
_MAX_PENDING = 16
_MAX_DEPTH = 16
_PARTIAL_NAME = re.compile(re.escape(PARTIAL) + r"seed-\d+")
EPISODE_MARK = "episode"
"""Contents of the mark in the folder of an episode."""


def episode_path(root: Path, agent: str, task: str, seed: int, failed_attempt: int = 0) -> Path:
    """Return the folder of an episode.

    Args:
        root: Root of the run.
        agent: Name of the agent; characters unfit for a file name become ``_``.
        task: Task id; converted in the same way.
        seed: Seed of the episode.
        failed_attempt: For an attempt with an infrastructure failure that was repeated: its number,
            from 1.

    Raises:
        StoreError: If a folder on the way is a link, so the episode would be outside of the store.
    """
    name = f"seed-{seed}" + (f".failed-{failed_attempt}" if failed_attempt else "")
    folder = root / file_name_of(agent)
    for parent in (folder, folder / file_name_of(task)):
        if parent.is_symlink():
            raise StoreError(f"{parent}: expected a folder of the store, found a link")
    return folder / file_name_of(task) / name


def find_episodes(root: Path) -> Iterator[Path]:
    """Yield the folders of all complete episodes at or below `root`, sorted by name.

    Links to folders are not followed, except for `root` itself.
    """
    for folder, names, files in os.walk(root.resolve() if root.is_symlink() else root):
        is_too_deep = len(Path(folder).parts) - len(root.parts) >= _MAX_DEPTH
        names[:] = sorted(
            name for name in names if not name.startswith(PARTIAL) and not is_too_deep
        )
        if "meta.json" in files:
            yield Path(folder)


def stored_episodes(root: Path) -> Iterator[Path]:
    """Return the result of `find_episodes` for a folder that must exist.

    Raises:
        StoreError: If `root` does not exist, or is not a folder.
    """
    require_run_folder(root)
    return find_episodes(root)


def require_run_folder(root: Path) -> None:
    """Refuse a path that is not a folder.

    Raises:
        StoreError: If it does not exist, or is a file.
    """
    if not root.exists():
        raise StoreError(f"{root} does not exist")
    if not root.is_dir():
        raise StoreError(f"{root}: expected a folder of episodes, got a file")


def remove_partial_episodes(root: Path) -> None:
    """Remove the partial episodes that a crash left where `episode_path` puts them."""
    for agent in _folders(root):
        for task in _folders(agent):
            for name in (entry.name for entry in _folders(task)):
                if _PARTIAL_NAME.fullmatch(name):
                    remove_folder(task, name, lambda folder: folder.is_marked(EPISODE_MARK))


def _folders(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:
        return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]


def read_meta(folder: Path) -> EpisodeMeta:
    """Read the metadata of an episode.

    Raises:
        StoreError: If the folder contains no complete episode.
    """
    value = read_json(folder, "meta.json")
    try:
        return EpisodeMeta.from_json(value)
    except StoreError as error:
        raise StoreError(f"{folder / 'meta.json'}: {error}") from error


def read_steps(folder: Path) -> tuple[StepRecord, ...]:
    """Read the actions of an episode.

    Raises:
        StoreError: If the file is missing or a line is malformed.
    """
    lines = read_json_lines(folder, "traj.jsonl")
    try:
        return tuple(map(StepRecord.from_json, lines))
    except StoreError as error:
        raise StoreError(f"{folder / 'traj.jsonl'}: {error}") from error


def read_rubrics(folder: Path) -> tuple[tuple[int, Any], ...]:
    """Read the scored rubrics of an episode, each with the step that it first applied to.

    Returns:
        Step and rubric, by step; empty for an episode without rubrics.

    Raises:
        StoreError: If a line is malformed.
    """
    checks = {"step": integer(0, 2**31), "rubric": lambda _: ""}
    try:
        lines = read_json_lines(folder, "rubrics.jsonl", missing=())
        records = (check_fields(line, checks, "a scored rubric") for line in lines)
        return tuple((line["step"], line["rubric"]) for line in records)
    except StoreError as error:
        raise StoreError(f"{folder / 'rubrics.jsonl'}: {error}") from error


class EpisodeWriter(Closeable):
    """Writes one episode; pictures are encoded in a background thread.

    If the ``with`` block ends without `finish`, nothing is stored.
    """

    def __init__(self, folder: Path) -> None:
        """Start an episode for the folder `folder`.

        Raises:
            StoreError: If the episode exists, or the folder cannot be written.
        """
        if os.path.lexists(folder):
            raise StoreError(f"{folder}: the episode exists")
        self._folder = folder
        self._partial = folder.with_name(PARTIAL + folder.name)
        self._remove()  # leftover of a crash
        try:
            self._partial.mkdir(parents=True)
            with Folder(self._partial) as partial_folder:
                partial_folder.mark(EPISODE_MARK)
        except OSError as error:
            raise StoreError(f"{folder}: cannot be written: {error}") from error
        self._pictures = ThreadPoolExecutor(1, "pptarena-store")
        self._pending: list[Future[None]] = []
        self._steps: list[StepRecord] = []
        self._rubrics: list[dict[str, Any]] = []

    def observe(
        self, name: str, screenshot: NDArray[np.uint8], a11y: Mapping[str, Any]
    ) -> tuple[str, str]:
        """Store an observation; return the names of its picture and of its tree file.

        Args:
            name: Name of the files without suffix, such as ``"step_000"``.
            screenshot: uint8 (height, width, 3), RGB; must not be modified afterwards.
            a11y: The accessibility tree as JSON.

        Raises:
            StoreError: If an earlier picture could not be written.
        """
        if len(self._pending) >= _MAX_PENDING:
            self._wait(self._pending.pop(0))
        picture, tree = f"{name}.png", f"{name}.json"
        file = self._partial / picture
        self._pending.append(self._pictures.submit(_write_png, file, screenshot))
        _write_json(self._partial / tree, a11y, indent=None)
        return picture, tree

    def add(self, record: StepRecord, rubric: Mapping[str, Any] | None = None) -> None:
        """Store one action, and the scored rubric after it if it changed."""
        self._steps.append(record)
        if rubric and (not self._rubrics or self._rubrics[-1]["rubric"] != rubric):
            self._rubrics.append({"step": record.step, "rubric": rubric})

    def finish(
        self,
        meta: EpisodeMeta,
        rubric: Mapping[str, Any] | None,
        files: Mapping[str, bytes],
        target: Path | None = None,
    ) -> Path:
        """Write the remaining files and move the folder to its final location.

        Args:
            meta: The metadata of the episode.
            rubric: The final scored tree; None if nothing was scored.
            files: File names (``"original.pptx"``, ``"final.pptx"``, ...) and their contents.
            target: Another final location of the episode, on the same file system.

        Raises:
            StoreError: If something could not be written; nothing is stored then.
        """
        for future in self._pending:
            self._wait(future)
        try:
            _write_lines(self._partial / "traj.jsonl", [step.to_json() for step in self._steps])
            _write_lines(self._partial / "rubrics.jsonl", self._rubrics)
            _write_json(self._partial / "rubric.json", rubric, indent=1)
            for name, data in files.items():
                (self._partial / name).write_bytes(data)
            _write_json(self._partial / "meta.json", meta.to_json(), indent=1)
            self._partial.rename(target or self._folder)
        except OSError as error:
            raise StoreError(f"{self._folder}: cannot be written: {error}") from error
        return target or self._folder

    def close(self) -> None:
        """Stop the thread; drop the episode if it is not finished."""
        self._pictures.shutdown(cancel_futures=True)
        self._remove()

    def _remove(self) -> None:
        if self._partial.parent.is_dir():
            name = self._partial.name
            remove_folder(self._partial.parent, name, lambda folder: folder.is_marked(EPISODE_MARK))

    def _wait(self, future: Future[None]) -> None:
        try:
            future.result()
        except OSError as error:
            raise StoreError(f"{self._folder}: cannot be written: {error}") from error


def _write_png(file: Path, screenshot: NDArray[np.uint8]) -> None:
    # Level 1 takes a third less time than the default level, for the same size on flat screens.
    file.write_bytes(png_bytes(screenshot))


def _write_lines(file: Path, values: Iterable[Any]) -> None:
    lines = (json.dumps(value, ensure_ascii=False) for value in values)
    # Lone surrogates cannot be encoded.
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8", "replace")


def _write_json(file: Path, value: Any, indent: int | None) -> None:
    separators = None if indent else (",", ":")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    try:
        file.write_text(text + "\n", "utf-8", "replace")
    except OSError as error:
        raise StoreError(f"{file}: cannot be written: {error}") from error


def file_name_of(name: str) -> str:
    """Return a name as a part of a path: no separators, no leading dot, limited length."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".")[:200] or "_"
