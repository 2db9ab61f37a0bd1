"""``pptarena cache``: show and clear files that are reused between runs."""

from typing import Annotated

import typer

from pptarena.cli.confirming import confirm, disk_usage
from pptarena.cli.output import print_json, stderr, stdout
from pptarena.errors import ConfigError, StoreError

__all__ = ["app"]

app = typer.Typer(help="Show and clear the caches.", no_args_is_help=True)

_CACHES = {
    "saves": "decks as the application saves them",
    "renders": "pictures of slides",
    "baselines": "decks of tasks as the application saves them unchanged",
    "suites": "tables of .jsonl suites",
}
_KEPT = {
    "judges": "answers of judge models; clear them by name, as new ones cost money",
    "images": "machine images; remove them with: pptarena image rm",
    "snapshots": "snapshots of virtual machines; remove them with: pptarena image rm --snapshots",
    "scratch": "checkpoints of running episodes",
}
_CLEARED = (*_CACHES, "judges")


@app.callback()
def _group() -> None:
    """Show and clear the caches in ~/.cache/pptarena or $PPTARENA_HOME."""


@app.command("info", epilog="Example: pptarena cache info --json")
def info(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the size of each cache, and of images and snapshots."""
    from pptarena.paths import cache_home

    home = cache_home()
    described = _CACHES | _KEPT
    sizes = {name: disk_usage(home / name) for name in described}
    if as_json:
        parts = {name: round(size / 2**20, 1) for name, size in sizes.items()}
        print_json({"folder": str(home), "size_mb": parts})
        return
    lines = [f"{sizes[name] / 2**20:8.1f} MB  {name}: {text}" for name, text in described.items()]
    for line in (str(home), *lines):
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)


@app.command("clear", epilog="Example: pptarena cache clear renders saves")
def clear(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="'saves', 'renders', 'baselines', 'suites' or 'judges'.",
            show_default="the first four",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Clear without asking.")] = False,
) -> None:
    """Remove cached files; they are recreated when they are needed, which takes time.

    Do not clear caches while episodes run. Images and snapshots are not touched.
    """
    import shutil

    from pptarena.paths import cache_home
    from pptarena.suggestions import not_found

    for name in names or ():
        if name not in _CLEARED:
            raise ConfigError(not_found("cache", name, _CLEARED))
    folders = [cache_home() / name for name in dict.fromkeys(names or _CACHES)]
    folders = [folder for folder in folders if folder.is_dir() and not folder.is_symlink()]
    if folders and not yes:
        confirm("caches", folders)
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise StoreError(f"{folder} cannot be removed: {error}") from error
        _say(f"removed {folder}")
    if not folders:
        _say(f"nothing to remove in {cache_home()}")


def _say(line: str) -> None:
    stderr().print(line, markup=False, highlight=False, soft_wrap=True)
