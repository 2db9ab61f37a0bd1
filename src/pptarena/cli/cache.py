"""``pptarena cache``: show and clear cached files."""

from typing import Annotated

import typer

from pptarena.cli.groups import CONTEXT, Command, Group
from pptarena.cli.options import AsJson, Yes
from pptarena.cli.output import confirm, disk_usage, print_json, print_line, print_note
from pptarena.errors import ConfigError, StoreError

__all__ = ["app"]

app = typer.Typer(
    name="cache",
    cls=Group,
    help="Show and clear cached files.",
    epilog="Example: pptarena cache info",
    no_args_is_help=True,
    context_settings=CONTEXT,
)

_CACHES = {
    "saves": "decks saved by the application",
    "renders": "pictures of slides",
    "baselines": "original decks of tasks, saved unchanged by the application",
    "suites": "indexes of .jsonl suites",
}
_NOT_CLEARED = {
    "judges": "replies of judge models; clear them by name, because new ones cost money",
    "images": "machine images; remove them with: pptarena image rm",
    "snapshots": "snapshots of sandboxes and virtual machines; remove them with: "
    "pptarena image rm --snapshots",
    "scratch": "checkpoints of running episodes",
}
_CLEARABLE = (*_CACHES, "judges")


@app.command("info", cls=Command)
def info(json: AsJson = False) -> None:
    """Show the size of each cache, and of images and snapshots.

    The first line is the folder: PPTARENA_HOME, or else ~/.cache/pptarena.

    Example:
      pptarena cache info --json
    """
    from pptarena.paths import cache_home

    home = cache_home()
    descriptions = _CACHES | _NOT_CLEARED
    sizes = {name: disk_usage(home / name) for name in descriptions}
    if json:
        parts = {name: round(size / 2**20, 1) for name, size in sizes.items()}
        print_json({"folder": str(home), "size_mb": parts})
        return
    lines = [
        f"{sizes[name] / 2**20:8.1f} MB  {name}: {text}" for name, text in descriptions.items()
    ]
    print_line(str(home), *lines)


@app.command("clear", cls=Command)
def clear(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            help="'saves', 'renders', 'baselines', 'suites' or 'judges'.",
            show_default="the first four",
        ),
    ] = None,
    yes: Yes = False,
    json: AsJson = False,
) -> None:
    """Remove cached files.

    They are recreated when needed, which takes time. Do not clear caches while episodes run. Images
    and snapshots are kept.

    Example:
      pptarena cache clear renders saves
    """
    import shutil

    from pptarena.paths import cache_home
    from pptarena.suggestions import not_found

    for name in names or ():
        if name not in _CLEARABLE:
            raise ConfigError(not_found("cache", name, _CLEARABLE))
    folders = [cache_home() / name for name in dict.fromkeys(names or _CACHES)]
    folders = [folder for folder in folders if folder.is_dir() and not folder.is_symlink()]
    if folders and not yes:
        confirm("caches", folders)
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise StoreError(f"cannot remove {folder}: {error}") from error
    if json:
        print_json({"removed": [str(folder) for folder in folders]})
        return
    print_note(*(f"removed {folder}" for folder in folders))
    if not folders:
        print_note(f"nothing to remove in {cache_home()}")
