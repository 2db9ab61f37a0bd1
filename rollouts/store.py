"""The episode store: one folder per episode, whole or not there at all.

Layout under the root of a run::

    <agent>/<task id>/seed-<n>/
        meta.json      the facts of the episode, written last (`EpisodeMeta`)
        traj.jsonl     one line per action (`StepRecord`)
        step_000.png   the screen before action 0; step_000.json: its accessibility tree
        final.png      the screen after the last action; final.json: its accessibility tree
        rubric.json    the final scored rubric
        rubrics.jsonl  the scored rubric after each action that changed it, with its step
        original.pptx  the deck as the application saves it unchanged
        final.pptx     the deck at the end, as the application saves it

An episode is written into ``.partial-...`` beside its place and renamed when it is complete, so a
crash leaves no half episode that a reader could take for a whole one.
"""

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pptarena.errors import StoreError
from pptarena.rollouts.episode import EpisodeMeta, StepRecord

__all__ = [
    "PARTIAL",
    "EpisodeWriter",
    "episode_path",
    "find_episodes",
    "read_meta",
    "read_rubrics",
    "read_steps",
]

PARTIAL = ".partial-"
"""How the name of a folder begins that is not complete."""

# At most this many pictures wait for the background thread: a bound on memory (3 MB each).
_MAX_PENDING = 16


def episode_path(root: Path, agent: str, task: str, seed: int, failed_attempt: int = 0) -> Path:
    """Return where an episode lies.

    Args:
        root: Root of the run.
        agent: Name of the agent; characters unfit for a file name become ``_``.
        task: Task id, likewise.
        seed: Seed of the episode.
        failed_attempt: For an attempt that the infrastructure failed and that was run again: its
            number, from 1.
    """
    name = f"seed-{seed}" + (f".failed-{failed_attempt}" if failed_attempt else "")
    return root / _file_name(agent) / _file_name(task) / name


def find_episodes(root: Path) -> Iterator[Path]:
    """Yield the folders of all complete episodes at or below `root`, in order of their names."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith(PARTIAL))
        if "meta.json" in files:
            yield Path(folder)


def read_meta(folder: Path) -> EpisodeMeta:
    """Read the facts of an episode.

    Raises:
        StoreError: If the folder holds no complete episode.
    """
    file = folder / "meta.json"
    try:
        return EpisodeMeta.from_json(json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise StoreError(f"{file}: no complete episode: {error}") from error
    except StoreError as error:
        raise StoreError(f"{file}: {error}") from error


def read_steps(folder: Path) -> tuple[StepRecord, ...]:
    """Read the actions of an episode.

    Raises:
        StoreError: If the file is missing or a line is malformed.
    """
    file = folder / "traj.jsonl"
    try:
        lines = _lines(file.read_text("utf-8"))
        return tuple(StepRecord.from_json(json.loads(line)) for line in lines)
    except (OSError, ValueError) as error:
        raise StoreError(f"{file}: {error}") from error
    except StoreError as error:
        raise StoreError(f"{file}: {error}") from error


def read_rubrics(folder: Path) -> tuple[tuple[int, Any], ...]:
    """Read the scored rubrics of an episode, each with the first step after which it held.

    Returns:
        Step and rubric, by step; empty for an episode that was recorded without.

    Raises:
        StoreError: If a line is malformed.
    """
    file = folder / "rubrics.jsonl"
    try:
        lines = map(json.loads, _lines(file.read_text("utf-8")))
        return tuple((int(line["step"]), line["rubric"]) for line in lines)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{file}: {error!r}") from error


class EpisodeWriter:
    """Writes one episode; pictures are encoded in a background thread.

    Leave the ``with`` block without `finish` and nothing is kept.
    """

    def __init__(self, folder: Path) -> None:
        """Begin an episode that will lie at `folder`.

        Raises:
            StoreError: If there is an episode already, or the folder cannot be written.
        """
        if folder.exists():
            raise StoreError(f"{folder}: there is an episode already")
        self._folder = folder
        self._partial = folder.with_name(PARTIAL + folder.name)
        try:
            if self._partial.exists():  # left by a crash
                shutil.rmtree(self._partial)
            self._partial.mkdir(parents=True)
        except OSError as error:
            raise StoreError(f"{folder}: cannot be written: {error}") from error
        self._pictures = ThreadPoolExecutor(1, "pptarena-store")
        self._pending: list[Future[None]] = []
        self._steps: list[StepRecord] = []
        self._rubrics: list[dict[str, Any]] = []

    def observe(
        self, name: str, screenshot: NDArray[np.uint8], a11y: Mapping[str, Any]
    ) -> tuple[str, str]:
        """Keep an observation; return the names of its picture and of its tree file.

        Args:
            name: Name of the files without suffix, such as ``"step_000"``.
            screenshot: uint8 (height, width, 3), RGB; not to be changed afterwards.
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
        """Keep one action, and the scored rubric after it if that is another one."""
        self._steps.append(record)
        if rubric and (not self._rubrics or self._rubrics[-1]["rubric"] != rubric):
            self._rubrics.append({"step": record.step, "rubric": rubric})

    def finish(
        self,
        meta: EpisodeMeta,
        rubric: Mapping[str, Any] | None,
        decks: Mapping[str, bytes],
        place: Path | None = None,
    ) -> Path:
        """Write what is left and put the folder in its place.

        Args:
            meta: The facts of the episode.
            rubric: The final scored tree, None when nothing was scored.
            decks: File names (``"original.pptx"``, ``"final.pptx"``) and their contents.
            place: Where the episode is to lie after all, on the same file system.

        Raises:
            StoreError: If something could not be written; nothing is kept then.
        """
        for future in self._pending:
            self._wait(future)
        try:
            _write_lines(self._partial / "traj.jsonl", [step.to_json() for step in self._steps])
            _write_lines(self._partial / "rubrics.jsonl", self._rubrics)
            _write_json(self._partial / "rubric.json", rubric, indent=1)
            for name, data in decks.items():
                (self._partial / name).write_bytes(data)
            _write_json(self._partial / "meta.json", meta.to_json(), indent=1)
            self._partial.rename(place or self._folder)
        except OSError as error:
            raise StoreError(f"{self._folder}: cannot be written: {error}") from error
        return place or self._folder

    def close(self) -> None:
        """Stop the thread; drop the episode if it is not finished."""
        self._pictures.shutdown(cancel_futures=True)
        shutil.rmtree(self._partial, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _wait(self, future: Future[None]) -> None:
        try:
            future.result()
        except OSError as error:
            raise StoreError(f"{self._folder}: cannot be written: {error}") from error


def _write_png(file: Path, screenshot: NDArray[np.uint8]) -> None:
    # Level 1 takes a third less time than the default level, for the same size on flat screens.
    Image.fromarray(screenshot).save(file, "PNG", compress_level=1)


def _lines(text: str) -> list[str]:
    # `splitlines` would also break a text in which there is a U+2028 or U+0085.
    return [line for line in text.split("\n") if line]


def _write_lines(file: Path, values: Iterable[Any]) -> None:
    lines = (json.dumps(value, ensure_ascii=False) for value in values)
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _write_json(file: Path, value: Any, indent: int | None) -> None:
    separators = None if indent else (",", ":")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    try:
        file.write_text(text + "\n", "utf-8")
    except OSError as error:
        raise StoreError(f"{file}: cannot be written: {error}") from error


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".") or "_"
