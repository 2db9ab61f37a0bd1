"""Transfer episodes between computers: pack them as bytes, and unpack them into a store."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pptarena.errors import StoreError
from pptarena.files import Folder, remove_folder
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.run import Job, free_failed_folder
from pptarena.rollouts.store import EPISODE_MARK, PARTIAL, episode_path, file_name_of, read_meta

__all__ = ["PackedEpisode", "pack_episode", "unpack_episode"]

_META = "meta.json"  # the file that completes an episode is written last
_MAX_FILES = 20_000
_MAX_BYTES = 4 * 2**30


@dataclass(frozen=True)
class PackedEpisode:
    """All files of one attempt.

    Attributes:
        files: Their contents by name.
        failed: Whether the infrastructure failed and another attempt followed.
    """

    files: Mapping[str, bytes]
    failed: bool


def pack_episode(episode: StoredEpisode, job: Job, root: Path) -> PackedEpisode:
    """Return the files of an episode, for `unpack_episode`.

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
            files = {name: folder.read(name, _MAX_BYTES) for name in names}
    except OSError as error:
        raise StoreError(f"{episode.folder}: cannot be read: {error}") from error
    return PackedEpisode(files, failed)


def unpack_episode(packed: PackedEpisode, job: Job, root: Path) -> StoredEpisode:
    """Write an episode into a store, atomically.

    Args:
        packed: The episode.
        job: The job that it belongs to.
        root: Root of the store, held with `lock_store`.

    Raises:
        StoreError: If the episode exists, has files with names or sizes that are not allowed, or
            cannot be written.
    """
    folder = episode_path(root, job.agent, job.task.id, job.seed)
    _require_valid(packed, folder)
    partial = folder.with_name(PARTIAL + folder.name)
    target = free_failed_folder(root, job) if packed.failed else folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove(partial)  # leftover of a crash
        partial.mkdir()
        with Folder(partial) as partial_folder:
            partial_folder.mark(EPISODE_MARK)
        for name, data in packed.files.items():
            if name != _META and not name.startswith("."):
                (partial / name).write_bytes(data)
        (partial / _META).write_bytes(packed.files[_META])
        meta = read_meta(partial)
        partial.rename(target)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written: {error}") from error
    finally:
        _remove(partial)
    return StoredEpisode(target, meta)


def _remove(partial: Path) -> None:
    if partial.parent.is_dir():
        remove_folder(partial.parent, partial.name, lambda folder: folder.is_marked(EPISODE_MARK))


def _require_valid(packed: PackedEpisode, folder: Path) -> None:
    invalid = sorted(name for name in packed.files if _is_invalid_name(name))
    if invalid or _META not in packed.files or len(packed.files) > _MAX_FILES:
        raise StoreError(
            f"{folder}: expected the files of one episode, got {invalid or 'other files'}"
        )
    if sum(map(len, packed.files.values())) > _MAX_BYTES:
        raise StoreError(f"{folder}: expected at most {_MAX_BYTES} bytes in an episode")


def _is_invalid_name(name: str) -> bool:
    return file_name_of(name) != name.lstrip(".") or "/" in name or name in (".", "..")
