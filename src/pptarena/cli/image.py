"""``pptarena image``: build, show and remove the machine image."""

from typing import Annotated

import typer
from rich.table import Table

from pptarena.cli.output import print_json, stderr, stdout

__all__ = ["app"]

app = typer.Typer(help="Build, show and remove the machine image.", no_args_is_help=True)


@app.command("build", epilog="Example: pptarena image build")
def build(
    force: Annotated[bool, typer.Option("--force", help="Build it again if it is there.")] = False,
) -> None:
    """Build the image of this version's recipe, about a minute; needs the network."""
    from pptarena.vm_images.build import build_image

    with stderr().status("building the machine image") as status:
        image = build_image(lambda stage: status.update(f"image: {stage}"), force=force)
    stderr().print(f"image {image.hash}: {image.size_bytes / 2**20:.0f} MB in {image.folder}")


@app.command("info", epilog="Example: pptarena image info --json")
def info(
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show size, hash and versions of the built image."""
    from pptarena.vm_images import require_image

    image = require_image()
    if json_:
        print_json(image.to_json())
        return
    table = Table("part", "version", title=f"image {image.hash}, {image.size_bytes / 2**20:.0f} MB")
    for name, version in sorted(image.versions.items()):
        table.add_row(name, version)
    stdout().print(table)
    stdout().print(f"built {image.created} in {image.folder}", soft_wrap=True)


@app.command("rm", epilog="Example: pptarena image rm --old")
def remove(
    old: Annotated[bool, typer.Option("--old", help="Keep the image of this version.")] = False,
) -> None:
    """Remove built images and what interrupted builds left."""
    from pptarena.vm_images import remove_images

    removed = remove_images(only_old=old)
    stderr().print(f"removed: {', '.join(removed) or 'nothing'}")
