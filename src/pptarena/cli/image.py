"""``pptarena image``: build, show and remove the machine image, its disk and snapshots."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from pptarena.cli.confirming import confirm
from pptarena.cli.output import print_json, stderr, stdout
from pptarena.cli.snapshots import remove_snapshots, snapshot_folder, snapshot_usage

__all__ = ["app"]

app = typer.Typer(help="Build, show and remove the machine image.", no_args_is_help=True)


@app.command("build", epilog="Example: pptarena image build --vm")
def build(
    force: Annotated[bool, typer.Option("--force", help="Build it again if it is there.")] = False,
    vm: Annotated[
        bool, typer.Option("--vm", help="Also build the disk that virtual machines boot from.")
    ] = False,
    oci: Annotated[
        Path | None,
        typer.Option("--oci", help="Also write it as an OCI archive for podman and Kubernetes."),
    ] = None,
) -> None:
    """Build the image of this version's recipe: some minutes, with the network."""
    from pptarena.vm_images.build import build_image
    from pptarena.vm_images.disk import build_disk
    from pptarena.vm_images.oci import require_new, write_oci

    if oci is not None:
        require_new(oci)
    with _stages("image", "building the machine image") as show:
        image = build_image(show, force=force)
    _say(f"image {image.hash}: {_size(image.size_bytes)} in {image.folder}")
    if vm:
        with _stages("disk", "building the disk for virtual machines") as show:
            disk = build_disk(show, force=force)
        _say(f"disk {disk.hash}: {_size(disk.size_bytes)} in {disk.folder}")
    if oci is not None:
        with _stages("container", "writing the OCI archive") as show:
            digest = write_oci(image, oci, show)
        _say(f"container pptarena:{image.hash}: {_size(oci.stat().st_size)} in {oci}, {digest}")
        _say(f"next: podman load -i {oci}")


@app.command("info", epilog="Example: pptarena image info --json")
def info(
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show size, hash and versions of the built image, and of its disk for virtual machines."""
    from pptarena.vm_images import find_disk, require_image

    image, disk, snapshots = require_image(), find_disk(), snapshot_usage()
    if json_:
        facts = {"disk": disk and disk.to_json(), "snapshots": snapshots}
        print_json({**image.to_json(), **facts})
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
        f"snapshots and checkpoints of virtual machines: {snapshots['count']}, "
        f"{snapshots['size_mb']} MB in {snapshots['folder']}"
    ]
    stdout().print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


@app.command("rm", epilog="Example: pptarena image rm --old --yes")
def remove(
    old: Annotated[bool, typer.Option("--old", help="Keep what belongs to this version.")] = False,
    snapshots: Annotated[
        bool, typer.Option("--snapshots", help="Only snapshots; they are made again when needed.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Remove images and disks without asking.")
    ] = False,
) -> None:
    """Remove images, disks, snapshots and what broken builds left; machines on them break.

    Lists the images and disks with their sizes and asks before it removes them; building an image
    again takes minutes. Snapshots that a machine starts from at this moment are kept.
    """
    from pptarena.vm_images import image_folder, images_to_remove, remove_images

    doomed = [] if snapshots else images_to_remove(only_old=old)
    if doomed and not yes:
        confirm("images and disks", doomed)
    removed = [snapshot_folder() / name for name in remove_snapshots(only_old=old)]
    if not snapshots:
        removed += [image_folder() / name for name in remove_images(only_old=old)]
    for path in removed:
        _say(f"removed {path}")
    if not removed:
        _say(f"nothing to remove in {snapshot_folder() if snapshots else image_folder()}")


@contextmanager
def _stages(what: str, title: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows the stages of a build."""
    console = stderr()
    with console.status(title) as status:

        def show(stage: str) -> None:
            if console.is_terminal:
                status.update(f"{what}: {escape(stage)}")
            else:
                _say(f"{what}: {stage}")

        yield show


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 2**20:.0f} MB"


def _say(line: str) -> None:
    stderr().print(line, markup=False, highlight=False, soft_wrap=True)
