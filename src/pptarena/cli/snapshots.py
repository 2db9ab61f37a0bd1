"""Snapshots of virtual machines, as ``pptarena image`` shows and removes them."""

from pathlib import Path
from typing import Any

__all__ = ["remove_snapshots", "snapshot_folder", "snapshot_usage"]


def snapshot_folder() -> Path:
    """Return where snapshots lie."""
    from pptarena.envs.machines.qemu.store import SnapshotStore

    return SnapshotStore().folder


def snapshot_usage() -> dict[str, Any]:
    """Return number and size of snapshots, with the checkpoints of running episodes."""
    from pptarena.envs.machines.qemu.scratch import scratch_home
    from pptarena.envs.machines.qemu.store import SnapshotStore, disk_bytes

    store = SnapshotStore()
    size = disk_bytes(store.folder) + disk_bytes(scratch_home())
    return {
        "count": len(store.folders()),
        "size_mb": round(size / 2**20, 1),
        "folder": str(store.folder),
    }


def remove_snapshots(*, only_old: bool) -> list[str]:
    """Remove snapshots that nobody uses, and what crashes left; return their names.

    Args:
        only_old: Keep those of this version's disk and guest program.
    """
    from pptarena.envs.machines.qemu.scratch import clear_stale_scratch
    from pptarena.envs.machines.qemu.store import SnapshotStore

    store = SnapshotStore()
    removed = [folder.name for folder in (*clear_stale_scratch(), *store.clear_interrupted())]
    current = _current() if only_old else None
    for snapshot in store.all():
        kept = current is not None and current.items() <= snapshot.facts.items()
        if not kept and store.remove(snapshot.name):
            removed.append(snapshot.name)
    return removed


def _current() -> dict[str, str] | None:
    """Return the facts by which a snapshot of this version is known, None if it can have none."""
    from pptarena.errors import ImageError
    from pptarena.vm_images.disk import find_disk, guest_hash

    try:
        disk = find_disk()
    except ImageError:
        return None
    return None if disk is None else {"disk": disk.digest, "guest": guest_hash()}
