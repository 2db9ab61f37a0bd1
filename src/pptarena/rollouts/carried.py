"""Transfer episodes from the computer where they ran to the store."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pptarena.errors import StoreError
from pptarena.files import Folder, remove_folder
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.run import Job, free_failed_place
from pptarena.rollouts.store import EPISODE_MARK, PARTIAL, episode_path, file_name_of, read_meta

__all__ = ["CarriedEpisode", "pick_up", "put_down"]

_LAST = "meta.json"  # the file that completes an episode is written last
_MOST_FILES = 20_000
_MOST_BYTES = 4 * 2**30


@dataclass(frozen=True)
class CarriedEpisode:
    """All files of one attempt.

    Attributes:
        files: Their contents by name.
        failed: Whether the infrastructure failed and another attempt followed.
    """

    files: Mapping[str, bytes]
    failed: bool


def pick_up(episode: StoredEpisode, job: Job, root: Path) -> CarriedEpisode:
    """Return what `put_down` needs of an episode.

    Args:
        episode: Its location.
        job: The job that it belongs to.
        root: Root of the store that contains it.

    Raises:
        StoreError: If it cannot be read.
    """
    failed = episode.folder != episode_path(root, job.agent, job.task.id, job.seed)
    try:
        with Folder(episode.folder) as folder:
            names = sorted(entry.name for entry in episode.folder.iterdir())
            files = {name: folder.read(name, _MOST_BYTES) for name in names}
    except OSError as error:
        raise StoreError(f"{episode.folder}: cannot be read: {error}") from error
    return CarriedEpisode(files, failed)


def put_down(carried: CarriedEpisode, job: Job, root: Path) -> StoredEpisode:
    """Write an episode into a store, atomically.

    Args:
        carried: The episode.
        job: The job that it belongs to.
        root: Root of the store, held with `lock_store`.

    Raises:
        StoreError: If the episode exists, has files with names or sizes that are not allowed, or
            cannot be written.
    """
    place = episode_path(root, job.agent, job.task.id, job.seed)
    _require_plain(carried, place)
    partial = place.with_name(PARTIAL + place.name)
    target = free_failed_place(root, job) if carried.failed else place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _remove(partial)  # left by a crash
        partial.mkdir()
        with Folder(partial) as folder:
            folder.mark(EPISODE_MARK)
        for name, data in carried.files.items():
            if name != _LAST and not name.startswith("."):
                (partial / name).write_bytes(data)
        (partial / _LAST).write_bytes(carried.files[_LAST])
        meta = read_meta(partial)
        partial.rename(target)
    except OSError as error:
        raise StoreError(f"{place}: cannot be written: {error}") from error
    finally:
        _remove(partial)
    return StoredEpisode(target, meta)


def _remove(partial: Path) -> None:
    if partial.parent.is_dir():
        remove_folder(partial.parent, partial.name, lambda found: found.is_marked(EPISODE_MARK))


def _require_plain(carried: CarriedEpisode, place: Path) -> None:
    odd = sorted(name for name in carried.files if _is_odd(name))
    if odd or _LAST not in carried.files or len(carried.files) > _MOST_FILES:
        raise StoreError(f"{place}: expected the files of one episode, got {odd or 'others'}")
    if sum(map(len, carried.files.values())) > _MOST_BYTES:
        raise StoreError(f"{place}: expected at most {_MOST_BYTES} bytes in an episode")


def _is_odd(name: str) -> bool:
    return file_name_of(name) != name.lstrip(".") or "/" in name or name in (".", "..")
