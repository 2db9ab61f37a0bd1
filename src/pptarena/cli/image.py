"""``pptarena image``: build, show and remove the machine image."""

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from pptarena.cli.output import print_json, stderr, stdout

__all__ = ["app"]

app = typer.Typer(help="Build, show and remove the machine image.", no_args_is_help=True)


@app.command("build", epilog="Example: pptarena image build")
def build(
    force: Annotated[bool, typer.Option("--force", help="Build it again if it is there.")] = False,
) -> None:
    """Build the image of this version's recipe: some minutes, with the network."""
    from pptarena.vm_images.build import build_image

    console = stderr()
    with console.status("building the machine image") as status:

        def show(stage: str) -> None:
            if console.is_terminal:
                status.update(f"image: {escape(stage)}")
            else:
                _say(f"image: {stage}")

        image = build_image(show, force=force)
    _say(f"image {image.hash}: {image.size_bytes / 2**20:.0f} MB in {image.folder}")


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
        table.add_row(escape(name), escape(version))
    stdout().print(table)
    stdout().print(f"built {image.created} in {image.folder}", markup=False, soft_wrap=True)


@app.command("rm", epilog="Example: pptarena image rm --old")
def remove(
    old: Annotated[bool, typer.Option("--old", help="Keep the image of this version.")] = False,
) -> None:
    """Remove built images and what interrupted builds left; machines that run on them break."""
    from pptarena.vm_images import image_folder, remove_images

    removed = remove_images(only_old=old)
    for name in removed:
        _say(f"removed {image_folder() / name}")
    if not removed:
        _say(f"nothing to remove in {image_folder()}")


def _say(line: str) -> None:
    stderr().print(line, markup=False, highlight=False, soft_wrap=True)
