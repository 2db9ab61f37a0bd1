"""The command line ``pptarena``: all commands by group, and error messages.

Command modules import heavy packages inside their functions to keep ``pptarena --help`` fast.
Exit codes: 0 success, 1 the requested operation failed, 2 usage error, 130 interrupted.
"""

import itertools
import logging
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import Annotated

import typer

import pptarena
from pptarena.cli import cache, image, tasks
from pptarena.cli.bench import bench
from pptarena.cli.compare import compare
from pptarena.cli.diff import diff
from pptarena.cli.doctor import doctor
from pptarena.cli.export import export
from pptarena.cli.failures import failures
from pptarena.cli.generate import generate
from pptarena.cli.groups import CONTEXT, Command, Group, MainGroup, with_panels
from pptarena.cli.import_decks import import_decks
from pptarena.cli.judge import judge
from pptarena.cli.judge_runs import judge_runs
from pptarena.cli.leaderboard import leaderboard
from pptarena.cli.live import live, play
from pptarena.cli.output import VisibleFormatter, prepare_streams, print_note, stderr
from pptarena.cli.pptc_labels import pptc_labels
from pptarena.cli.replay import replay
from pptarena.cli.report import report
from pptarena.cli.rescore import rescore
from pptarena.cli.run import RARE_OPTIONS, run
from pptarena.cli.score import score
from pptarena.cli.validate import validate
from pptarena.errors import ConfigError, PPTArenaError, UnknownTaskError
from pptarena.untrusted import escape_invisible

__all__ = ["app", "main"]

_DEBUG = "--debug"
_ALLOW = "--allow-outside"
_DAILY, _GROUPS = "Commands", "Groups"

app = typer.Typer(
    name="pptarena",
    cls=MainGroup,
    help="Gymnasium environments in which agents edit PowerPoint decks.",
    epilog="Start with: pptarena doctor",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings=CONTEXT,
)


def _group(name: str, help: str, example: str) -> typer.Typer:
    group = typer.Typer(
        name=name,
        cls=Group,
        help=help,
        epilog=f"Example: {example}",
        no_args_is_help=True,
        context_settings=CONTEXT,
    )
    app.add_typer(group, rich_help_panel=_GROUPS)
    return group


app.command("run", cls=with_panels(RARE_OPTIONS), rich_help_panel=_DAILY)(run)
app.command("report", cls=Command, rich_help_panel=_DAILY)(report)
app.command("score", cls=Command, rich_help_panel=_DAILY)(score)
app.command("generate", cls=Command, rich_help_panel=_DAILY)(generate)
app.command("doctor", cls=Command, rich_help_panel=_DAILY)(doctor)
app.command("play", cls=Command, rich_help_panel=_DAILY)(play)
app.command("live", cls=Command, rich_help_panel=_DAILY)(live)

_runs = _group(
    "runs",
    "Report, compare, import, replay and export stored episodes.",
    "pptarena runs compare runs/a",
)
_runs.command("report", cls=Command)(report)
_runs.command("compare", cls=Command)(compare)
_runs.command("failures", cls=Command)(failures)
_runs.command("leaderboard", cls=Command)(leaderboard)
_runs.command("import", cls=Command)(import_decks)
_runs.command("replay", cls=Command)(replay)
_runs.command("export", cls=Command)(export)
_runs.command("rescore", cls=Command)(rescore)
_runs.command("judge", cls=Command)(judge_runs)

app.add_typer(tasks.app, rich_help_panel=_GROUPS)

_decks = _group(
    "decks", "Score, judge, compare and validate decks.", "pptarena decks diff a.pptx b.pptx"
)
_decks.command("score", cls=Command)(score)
_decks.command("judge", cls=Command)(judge)
_decks.command("diff", cls=Command)(diff)
_decks.command("validate", cls=Command)(validate)

app.add_typer(image.app, rich_help_panel=_GROUPS)
app.add_typer(cache.app, rich_help_panel=_GROUPS)

_dev = _group("dev", "Measure the package itself.", "pptarena dev bench --machine fake")
_dev.command("bench", cls=Command)(bench)
_dev.command("pptc-labels", cls=Command)(pptc_labels)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"pptarena {pptarena.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
    debug: Annotated[bool, typer.Option(_DEBUG, help="Show log messages and tracebacks.")] = False,
    allow_outside: Annotated[
        list[Path] | None,
        typer.Option(
            _ALLOW,
            help="Let tasks use files in this folder. Agents may read these files. Repeatable.",
            metavar="FOLDER",
        ),
    ] = None,
) -> None:
    if allow_outside:
        from pptarena.tasks.allowed_folders import allow_outside as allow

        allow(*allow_outside)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(VisibleFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO if debug else logging.WARNING, handlers=[handler])


def _print_crash(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print the traceback of an unexpected error, which may quote untrusted text of a deck."""
    sys.stderr.write(escape_invisible("".join(traceback.format_exception(kind, error, trace))))


def _global_options_first(arguments: list[str]) -> list[str]:
    """Move global options to the front, which allows them after a command."""
    options: list[str] = []
    others: list[str] = []
    pending = iter(arguments)
    for argument in pending:
        if argument == "--":
            others += [argument, *pending]
        elif argument == _DEBUG or argument.startswith(f"{_ALLOW}="):
            options.append(argument)
        elif argument == _ALLOW:
            options += [argument, *itertools.islice(pending, 1)]
        else:
            others.append(argument)
    return [*options, *others]


def main() -> None:
    """Run the command line and exit; errors of the package are one line on standard error."""
    prepare_streams()
    debug = _DEBUG in sys.argv[1:]
    arguments = _global_options_first(sys.argv[1:])
    try:
        app(arguments)
    except (PPTArenaError, OSError) as error:
        if debug:
            sys.stderr.write(escape_invisible(traceback.format_exc()))
        is_usage_error = isinstance(error, ConfigError | UnknownTaskError)
        stderr().print("[red]error:[/red] ", end="")
        print_note(str(error) or repr(error))
        sys.exit(2 if is_usage_error else 1)
    except Exception:
        sys.excepthook = _print_crash  # replaces typer's hook
        raise
