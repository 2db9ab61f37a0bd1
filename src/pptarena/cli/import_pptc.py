"""``pptarena import``: benchmarks of others as folders of tasks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import new_progress, print_json, stderr, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.benchmarks.pptc.importing import Imported

__all__ = ["Instructions", "Setting", "app", "require_new"]

Setting = Annotated[
    str,
    typer.Option(help="'plain'; 'lack': some APIs are missing; 'update': there are further ones."),
]
Instructions = Annotated[
    str,
    typer.Option(
        help="Other wordings: a .txt or .json file, or the name of a text in test/short and "
        "test/long of your copy, such as 'noisy'.",
        show_default="the benchmark's own",
    ),
]

app = typer.Typer(help="Make folders of tasks of benchmarks by others.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Make folders of tasks of benchmarks by others; you bring the copy."""


@app.command("pptc")
def import_pptc(
    path: Annotated[
        Path, typer.Argument(help="Your copy of PPTC, or a folder of session_<number>.json files.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the tasks; new or empty.")],
    form: Annotated[
        str,
        typer.Option(
            help="'session': a task a session; 'turn': one a turn, from the label before."
        ),
    ] = "session",
    setting: Setting = "plain",
    instructions: Instructions = "",
    labels: Annotated[
        str,
        typer.Option(
            help="Labels in the language of --instructions, a file or a name likewise. If not "
            "given, labels next to the instructions are used, such as french_api_labels.txt."
        ),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make a folder of tasks of PPTC's sessions.

    Nothing of PPTC comes with this package: clone github.com/gydpku/PPTC, whose licence is MIT.
    Sessions that edit templates need its PPT_Base_File or long_slides, which are downloaded apart.
    Decks of labels that your copy has are taken; the others are made by the labels' calls. With
    --setting lack 25 APIs are left and labels ask for help; with update 97 are offered besides.

    Exits with 1 when a session could not be imported.

    Example: pptarena import pptc PPTC --out tasks/pptc --form turn
    """
    from pptarena.benchmarks.pptc.importing import import_sessions

    require_new(out)
    out.mkdir(parents=True, exist_ok=True)
    found: list[Imported] = []
    with new_progress() as progress:
        bar = progress.add_task("sessions", total=None, note="")
        for each in import_sessions(path, out, form, setting, instructions, labels):
            found.append(each)
            progress.update(bar, advance=1, note=each.name)
    _report(found, out, json)
    if any(each.problem for each in found):
        raise typer.Exit(1)


def require_new(out: Path) -> None:
    """Refuse a folder for tasks that has something in it.

    Raises:
        ConfigError: If it has.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out}: expected a new or an empty folder")


def _report(found: "list[Imported]", out: Path, as_json: bool) -> None:
    import dataclasses

    if as_json:
        print_json({"out": str(out), "sessions": [dataclasses.asdict(each) for each in found]})
        return

    def total(name: str) -> int:
        return sum(int(getattr(each, name)) for each in found)

    whole = sum(not each.problem for each in found)
    failed = [f"{each.name}: {call}" for each in found for call in each.failed]
    for line in (
        f"{whole} of {len(found)} sessions with {total('turns')} turns: {total('tasks')} tasks",
        f"{total('made')} decks of labels made by their calls, "
        f"{len(failed)} calls of labels that could not be carried out",
        f"{total('joined')} turns whose label changes nothing are asked together with the next, "
        f"{total('left_out')} left out",
        *(
            [f"{total('seeks')} turns ask for help, {total('impossible')} for nothing else"]
            if total("seeks")
            else []
        ),
        f"next: pptarena run --env doc --suite {out} --agent pptc-label",
    ):
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)
    foreign = [each.name for each in found if each.foreign]
    if foreign:
        text = (
            f"warning: {len(foreign)} of {len(found)} sessions, such as {foreign[0]}, have labels "
            "in another language than their instructions: an agent that follows the instructions "
            "cannot pass. No labels in that language were found next to the instructions; name "
            "them with --labels."
        )
        stderr().print(text, markup=False, highlight=False, soft_wrap=True)
    for each in found:
        if each.problem:
            stderr().print(f"{each.name}: {each.problem}", markup=False, soft_wrap=True)
