"""``pptarena tasks import``: import tasks of other benchmarks as task folders."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.groups import CONTEXT, Command, Group
from pptarena.cli.options import AsJson
from pptarena.cli.output import new_progress, print_json, print_line, print_note, quoted
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.benchmarks.outcome import Outcome
    from pptarena.benchmarks.pptc.importing import Imported

__all__ = ["Setting", "app"]

Setting = Annotated[
    str,
    typer.Option(
        help="'plain'; 'lack': some APIs are missing; 'update': some APIs are added.",
        metavar="SETTING",
    ),
]
_Out = Annotated[Path, typer.Option(help="New or empty folder for the tasks.", metavar="FOLDER")]

app = typer.Typer(
    cls=Group,
    help="Import tasks of other benchmarks from your copy of them.",
    epilog="Example: pptarena tasks import uiuc PPTArena --out tasks/uiuc",
    no_args_is_help=True,
    context_settings=CONTEXT,
)


@app.command("pptc", cls=Command)
def import_pptc(
    path: Annotated[
        Path,
        typer.Argument(
            help="Your copy of PPTC, or a folder of session_<number>.json files.", metavar="COPY"
        ),
    ],
    out: _Out,
    form: Annotated[
        str,
        typer.Option(
            help="'session': one task per session; 'turn': one task per turn, starting from the "
            "label of the turn before.",
            metavar="FORM",
        ),
    ] = "session",
    setting: Setting = "plain",
    instructions: Annotated[
        str,
        typer.Option(
            help="Other instructions: a .txt or .json file, or the name of a text in test/short "
            "and test/long of your copy, such as 'noisy'.",
            metavar="NAME",
            show_default="the benchmark's own",
        ),
    ] = "",
    labels: Annotated[
        str,
        typer.Option(
            help="Labels in the language of --instructions: a file or a name.",
            metavar="NAME",
            show_default="labels next to the instructions",
        ),
    ] = "",
    json: AsJson = False,
) -> None:
    """Import the sessions of PPTC.

    This package contains nothing of PPTC: clone github.com/gydpku/PPTC (MIT license). Sessions that
    edit templates also need PPT_Base_File or long_slides, which are separate downloads. Label decks
    are taken from your copy if it has them; otherwise the labels' API calls make them. --setting
    lack leaves 25 APIs, so labels ask for help; --setting update adds 97 APIs.

    Exits with 1 if a session cannot be imported.

    Example:
      pptarena tasks import pptc PPTC --out tasks/pptc --form turn
    """
    from pptarena.benchmarks.pptc.importing import import_sessions

    _require_new(out)
    out.mkdir(parents=True, exist_ok=True)
    sessions: list[Imported] = []
    with new_progress() as progress:
        bar = progress.add_task("sessions", total=None, note="")
        for each in import_sessions(path, out, form, setting, instructions, labels):
            sessions.append(each)
            progress.update(bar, advance=1, note=each.name)
    _report_pptc(sessions, out, json)
    if any(each.problem for each in sessions):
        raise typer.Exit(1)


@app.command("uiuc", cls=Command)
def import_uiuc(
    path: Annotated[Path, typer.Argument(help="Your copy of UIUC's PPTArena.", metavar="COPY")],
    out: _Out,
    subset: Annotated[
        bool, typer.Option("--subset", help="Only the 25 cases of its hard subset.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Import the cases of UIUC's PPTArena.

    The ground truth of a case becomes the target deck. This package contains nothing of it: clone
    github.com/michaelofengenden/PPTArena. The rubric compares the deck with the ground truth; a
    judge, if one is configured, counts up to 0.3.

    Exits with 1 if a file is missing or broken, or if no case can be imported.

    Example:
      pptarena tasks import uiuc PPTArena --out tasks/uiuc
    """
    from pptarena.benchmarks.pptarena_uiuc.importing import import_cases

    _require_new(out)
    _import(import_cases(path, out, subset=subset), "cases", out, json)


@app.command("ppteval", cls=Command)
def import_ppteval(
    path: Annotated[
        Path, typer.Argument(help="Your copy of PPT-Eval, with its decks.", metavar="COPY")
    ],
    out: _Out,
    json: AsJson = False,
) -> None:
    """Import the tasks of PPT-Eval with decks and rubrics.

    This package contains nothing of it: clone github.com/microsoft/ppteval (MIT license) and
    download its decks as described there. Programs of rubrics run without network and without
    access to your files.

    Exits with 1 if a file is missing or broken, or if no task can be imported.

    Example:
      pptarena tasks import ppteval ppteval --out tasks/ppteval
    """
    from pptarena.benchmarks.ppteval.importing import import_registry

    _require_new(out)
    _import(import_registry(path, out), "tasks", out, json)


@app.command("osworld", cls=Command)
def import_osworld(
    path: Annotated[
        Path,
        typer.Argument(
            help="Your copy of OSWorld, or the folder of its Impress tasks.", metavar="COPY"
        ),
    ],
    files: Annotated[
        Path,
        typer.Option(help="The decks you downloaded: one folder per task id.", metavar="FOLDER"),
    ],
    out: _Out,
    json: AsJson = False,
) -> None:
    """Import OSWorld's Impress tasks with their gold decks.

    This package contains nothing of it: clone github.com/xlang-ai/OSWorld (Apache-2.0 license) and
    download the folder libreoffice_impress of its data set xlangai/ubuntu_osworld_file_cache. Tasks
    whose result is not in the deck are skipped.

    Exits with 1 if a file is missing or broken, or if no task can be imported.

    Example:
      pptarena tasks import osworld OSWorld --files downloads --out tasks/osworld
    """
    from pptarena.benchmarks.osworld.importing import import_examples

    _require_new(out)
    _import(import_examples(path, files, out), "tasks", out, json)


def _require_new(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"--out: {out} exists and is not an empty folder")


def _report_pptc(sessions: "list[Imported]", out: Path, as_json: bool) -> None:
    if as_json:
        print_json({"out": str(out), "sessions": [dataclasses.asdict(each) for each in sessions]})
        return

    def total(name: str) -> int:
        return sum(int(getattr(each, name)) for each in sessions)

    complete = sum(not each.problem for each in sessions)
    failed = sum(len(each.failed) for each in sessions)
    print_line(
        f"{complete} of {len(sessions)} sessions with {total('turns')} turns imported: "
        f"{total('tasks')} tasks",
        f"{total('made')} label decks made by their API calls, {failed} calls failed",
        f"{total('joined')} turns whose label changes nothing are merged with the next turn, "
        f"{total('left_out')} are skipped",
    )
    if total("seeks"):
        print_line(f"{total('seeks')} turns ask for help, {total('impossible')} only for help")
    print_line(f"Next: pptarena run --env doc --suite {quoted(out)} --agent pptc-label")
    foreign = [each.name for each in sessions if each.foreign]
    if foreign:
        print_note(
            f"warning: in {len(foreign)} of {len(sessions)} sessions, such as {foreign[0]}, labels "
            "and instructions are in different languages: an agent that follows the instructions "
            "cannot pass. No labels in that language are next to the instructions; name them with "
            "--labels."
        )
    print_note(*(f"{each.name}: {each.problem}" for each in sessions if each.problem))


def _import(outcomes: "Iterator[Outcome]", noun: str, out: Path, as_json: bool) -> None:
    from pptarena.benchmarks.outcome import count_refusals

    processed: list[Outcome] = []
    with new_progress() as progress:
        bar = progress.add_task(noun, total=None, note="")
        for each in outcomes:
            out.mkdir(parents=True, exist_ok=True)
            processed.append(each)
            progress.update(bar, advance=1, note=each.name)
    imported = [each for each in processed if each.task]
    skipped = [each for each in processed if not each.task]
    if as_json:
        print_json(
            {
                "out": str(out),
                "imported": len(imported),
                "refused": count_refusals(processed),
                "cases": [each.to_json() for each in processed],
            }
        )
    else:
        print_line(f"{len(imported)} of {len(processed)} {noun} imported")
        print_line(
            *(f"{count} skipped: {cause}" for cause, count in count_refusals(processed).items())
        )
        print_note(*(f"{each.name}: {each.problem}" for each in skipped))
        if imported:
            print_line(f"Next: pptarena tasks check --suite {quoted(out)}")
    if not imported or any(not each.expected for each in skipped):
        raise typer.Exit(1)
