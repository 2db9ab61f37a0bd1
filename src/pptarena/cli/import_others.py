"""``pptarena import uiuc``, ``ppteval`` and ``osworld``: their cases as folders of tasks."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.import_pptc import app, require_new
from pptarena.cli.output import new_progress, print_json, stderr, stdout

if TYPE_CHECKING:
    from pptarena.benchmarks.outcome import Outcome

__all__ = ["app"]

_Out = Annotated[Path, typer.Option(help="Folder for the tasks; new or empty.")]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.command("uiuc")
def import_uiuc(
    path: Annotated[Path, typer.Argument(help="Your copy of UIUC's PPTArena.")],
    out: _Out,
    subset: Annotated[
        bool, typer.Option("--subset", help="Only the 25 cases of its hard subset.")
    ] = False,
    json: _Json = False,
) -> None:
    """Make a folder of tasks of UIUC's PPTArena: a case is a task with its ground truth as gold.

    Nothing of it comes with this package: clone github.com/michaelofengenden/PPTArena.
    A rubric compares with the ground truth; a judge, where one is configured, takes up to 0.3.

    Exits with 1 when something is missing or broken, or nothing was imported.

    Example: pptarena import uiuc PPTArena --out tasks/uiuc
    """
    from pptarena.benchmarks.pptarena_uiuc.importing import import_cases

    require_new(out)
    _import(import_cases(path, out, subset=subset), "cases", out, json)


@app.command("ppteval")
def import_ppteval(
    path: Annotated[Path, typer.Argument(help="Your copy of PPT-Eval, with its decks fetched.")],
    out: _Out,
    json: _Json = False,
) -> None:
    """Make a folder of tasks of PPT-Eval: their rubrics with their programs, and their decks.

    Nothing of it comes with this package: clone github.com/microsoft/ppteval, whose licence is MIT,
    and fetch its decks as it says. Programs of rubrics run without network and files of yours.

    Exits with 1 when something is missing or broken, or nothing was imported.

    Example: pptarena import ppteval ppteval --out tasks/ppteval
    """
    from pptarena.benchmarks.ppteval.importing import import_registry

    require_new(out)
    _import(import_registry(path, out), "tasks", out, json)


@app.command("osworld")
def import_osworld(
    path: Annotated[
        Path, typer.Argument(help="Your copy of OSWorld, or the folder of its Impress tasks.")
    ],
    files: Annotated[
        Path,
        typer.Option(help="The decks that you have downloaded, in a folder for each task's id."),
    ],
    out: _Out,
    json: _Json = False,
) -> None:
    """Make a folder of tasks of OSWorld's LibreOffice Impress tasks, with their gold decks.

    Nothing of it comes with this package: clone github.com/xlang-ai/OSWorld, whose licence is
    Apache-2.0, and download the folder libreoffice_impress of its data set of files,
    xlangai/ubuntu_osworld_file_cache. Tasks that no deck can tell to be done are left out.

    Exits with 1 when something is missing or broken, or nothing was imported.

    Example: pptarena import osworld OSWorld --files downloads --out tasks/osworld
    """
    from pptarena.benchmarks.osworld.importing import import_examples

    require_new(out)
    _import(import_examples(path, files, out), "tasks", out, json)


def _import(found: "Iterator[Outcome]", what: str, out: Path, as_json: bool) -> None:
    from pptarena.benchmarks.outcome import counted

    seen: list[Outcome] = []
    with new_progress() as progress:
        bar = progress.add_task(what, total=None, note="")
        for each in found:
            out.mkdir(parents=True, exist_ok=True)
            seen.append(each)
            progress.update(bar, advance=1, note=each.name)
    made = [each for each in seen if each.task]
    refused = [each for each in seen if not each.task]
    if as_json:
        print_json(
            {
                "out": str(out),
                "imported": len(made),
                "refused": counted(seen),
                "cases": [each.to_json() for each in seen],
            }
        )
    else:
        _say(f"{len(made)} of {len(seen)} {what} imported")
        for cause, count in counted(seen).items():
            _say(f"{count} refused: {cause}")
        for each in refused:
            stderr().print(f"{each.name}: {each.problem}", markup=False, soft_wrap=True)
        if made:
            _say(f"next: pptarena tasks check --suite {out}")
    if not made or any(not each.expected for each in refused):
        raise typer.Exit(1)


def _say(line: str) -> None:
    stdout().print(line, markup=False, highlight=False, soft_wrap=True)
