"""What crashed programs left of their machines."""

from pathlib import Path

from pptarena.cli.finding import Finding, Status

__all__ = ["files", "processes"]

_MACHINES = ("bwrap", "qemu-system-x86_64")


def processes() -> Finding:
    """Look for machines whose owner is gone.

    They are only named, not killed: where the owner is process 1 itself, as in a container, its
    machines look the same.
    """
    orphans = _orphans()
    if not orphans:
        return Finding("leftover processes", Status.OK, "none")
    words = ", ".join(f"{pid} ({name})" for pid, name in orphans)
    mend = f"kill {' '.join(str(pid) for pid, _ in orphans)}"
    return Finding("leftover processes", Status.WARNING, words, mend)


def files() -> Finding:
    """Remove checkpoints and half-made snapshots whose owner is gone, and name them."""
    from pptarena.envs.machines.qemu.scratch import clear_stale_scratch
    from pptarena.envs.machines.qemu.store import SnapshotStore

    removed = [*clear_stale_scratch(), *SnapshotStore().clear_interrupted()]
    if not removed:
        return Finding("leftover files", Status.OK, "none")
    words = ", ".join(folder.name for folder in removed)
    return Finding("leftover files", Status.OK, f"removed what a crash left: {words}")


def _orphans() -> list[tuple[int, str]]:
    """Return machines whose parent is gone: pid and name of their outermost process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        command = _read(folder / "cmdline").split("\0")
        status = _read(folder / "status").splitlines()
        parent = next((line.split()[1] for line in status if line.startswith("PPid:")), "")
        name = Path(command[0]).name
        if parent == "1" and name in _MACHINES and any("pptarena" in word for word in command):
            found.append((int(folder.name), name))
    return found


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip("\n")
    except OSError:
        return ""
