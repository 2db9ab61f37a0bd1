"""``pptarena image``: build, show, remove and serve the machine image."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from pptarena.cli.groups import CONTEXT, Command, Group
from pptarena.cli.options import AsJson, Yes
from pptarena.cli.output import confirm, print_json, print_line, print_note, quoted, stderr, stdout
from pptarena.cli.serve import serve

__all__ = ["app"]

app = typer.Typer(
    name="image",
    cls=Group,
    help="Build, show and remove the machine image; serve environments.",
    epilog="Example: pptarena image build",
    no_args_is_help=True,
    context_settings=CONTEXT,
)


@app.command("build", cls=Command)
def build(
    force: Annotated[bool, typer.Option("--force", help="Rebuild an existing image.")] = False,
    vm: Annotated[
        bool, typer.Option("--vm", help="Also build the disk for virtual machines ('qemu').")
    ] = False,
    oci: Annotated[
        Path | None,
        typer.Option(help="Also write an OCI archive for podman and Kubernetes.", metavar="FILE"),
    ] = None,
    json: AsJson = False,
) -> None:
    """Build the machine image.

    Takes a minute or more. Needs the network and the program mmdebstrap. `pptarena doctor` checks
    the program and the disk space.

    Example:
      pptarena image build --vm
    """
    from pptarena.vm_images.build import build_image
    from pptarena.vm_images.disk import build_disk
    from pptarena.vm_images.oci import require_new, write_oci

    if oci is not None:
        require_new(oci)
    with _stages("image", "building the machine image") as show:
        image = build_image(show, force=force)
    print_note(f"image {image.hash}: {_size(image.size_bytes)} in {image.folder}")
    results: dict[str, Any] = {"image": image.to_json(), "disk": None, "oci": None}
    if vm:
        with _stages("disk", "building the disk for virtual machines") as show:
            disk = build_disk(show, force=force)
        print_note(f"disk {disk.hash}: {_size(disk.size_bytes)} in {disk.folder}")
        results["disk"] = disk.to_json()
    if oci is not None:
        with _stages("container", "writing the OCI archive") as show:
            digest = write_oci(image, oci, show)
        size = _size(oci.stat().st_size)
        print_note(f"container pptarena:{image.hash}: {size} in {oci}, {digest}")
        print_note(f"Next: podman load -i {quoted(oci)}")
        results["oci"] = {"file": str(oci), "digest": digest}
    if json:
        print_json(results)


@app.command("info", cls=Command)
def info(json: AsJson = False) -> None:
    """Show size, hash and versions of the image and of its disk.

    Also counts the snapshots of sandboxes and virtual machines. Exits with 1 if there is no image.

    Example:
      pptarena image info --json
    """
    from pptarena.vm_images import find_disk, require_image

    image, disk, snapshots = require_image(), find_disk(), _snapshot_usage()
    if json:
        details = {"disk": disk and disk.to_json(), "snapshots": snapshots}
        print_json({**image.to_json(), **details})
        return
    table = Table("part", "version", title=f"image {image.hash}, {_size(image.size_bytes)}")
    for name, version in sorted(image.versions.items()):
        table.add_row(escape(name), escape(version))
    stdout().print(table)
    lines = [f"built {image.created} in {image.folder}"]
    if disk is None:
        lines += ["no disk for virtual machines; build it with: pptarena image build --vm"]
    else:
        lines += [
            f"disk {disk.hash}, {_size(disk.size_bytes)}, Linux {disk.kernel_version}",
            f"built {disk.created} in {disk.folder}",
        ]
    lines += [
        f"snapshots and checkpoints of machines: {snapshots['count']}, "
        f"{snapshots['size_mb']} MB in {snapshots['folder']}"
    ]
    print_line("\n".join(lines))


@app.command("rm", cls=Command)
def remove(
    old: Annotated[
        bool, typer.Option("--old", help="Keep the files of the installed version.")
    ] = False,
    snapshots: Annotated[
        bool,
        typer.Option("--snapshots", help="Remove only snapshots; they are recreated when needed."),
    ] = False,
    yes: Yes = False,
    json: AsJson = False,
) -> None:
    """Remove images, disks, snapshots and incomplete builds.

    Lists images and disks with their sizes and asks before removing them; building an image again
    takes minutes. Running machines on a removed image break. Snapshots in use are kept.

    Example:
      pptarena image rm --old --yes
    """
    from pptarena.vm_images import image_folder, images_to_remove, remove_images

    to_remove = [] if snapshots else images_to_remove(only_old=old)
    if to_remove and not yes:
        confirm("images and disks", to_remove)
    removed = [_snapshot_folder() / name for name in _remove_snapshots(only_old=old)]
    if not snapshots:
        removed += [image_folder() / name for name in remove_images(only_old=old)]
    if json:
        print_json({"removed": [str(path) for path in removed]})
        return
    print_note(*(f"removed {path}" for path in removed))
    if not removed:
        print_note(f"nothing to remove in {_snapshot_folder() if snapshots else image_folder()}")


app.command("serve", cls=Command)(serve)


@contextmanager
def _stages(noun: str, title: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows the stages of a build."""
    console = stderr()
    with console.status(title) as status:

        def show(stage: str) -> None:
            if console.is_terminal:
                status.update(f"{noun}: {escape(stage)}")
            else:
                print_note(f"{noun}: {stage}")

        yield show


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 2**20:.0f} MB"


def _snapshot_folder() -> Path:
    """Return the folder of snapshots."""
    from pptarena.envs.machines.snapshots.store import SnapshotStore

    return SnapshotStore().folder


def _snapshot_usage() -> dict[str, Any]:
    """Return the number and size of snapshots, including checkpoints of running episodes."""
    from pptarena.envs.machines.snapshots.scratch import scratch_home
    from pptarena.envs.machines.snapshots.store import SnapshotStore, disk_bytes

    store = SnapshotStore()
    size = disk_bytes(store.folder) + disk_bytes(scratch_home())
    return {
        "count": len(store.folders()),
        "size_mb": round(size / 2**20, 1),
        "folder": str(store.folder),
    }


def _remove_snapshots(*, only_old: bool) -> list[str]:
    """Remove unused snapshots and leftovers of crashes, and return their names.

    Args:
        only_old: Whether to keep the snapshots of this version's disk and guest program.
    """
    from pptarena.envs.machines.snapshots.scratch import clear_stale_scratch
    from pptarena.envs.machines.snapshots.store import SnapshotStore

    store = SnapshotStore()
    removed = [folder.name for folder in (*clear_stale_scratch(), *store.clear_interrupted())]
    current = _current_facts() if only_old else None
    for snapshot in store.all():
        is_current = current is not None and current.items() <= snapshot.facts.items()
        if not is_current and store.remove(snapshot.name):
            removed.append(snapshot.name)
    return removed


def _current_facts() -> dict[str, str] | None:
    """Return the facts that identify snapshots of this version, or None without a disk."""
    from pptarena.errors import ImageError
    from pptarena.vm_images.disk import find_disk, guest_hash

    try:
        disk = find_disk()
    except ImageError:
        return None
    return None if disk is None else {"disk": disk.digest, "guest": guest_hash()}
