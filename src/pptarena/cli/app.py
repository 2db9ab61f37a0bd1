"""The commands of ``pptarena`` put together, and what they do with errors.

Command modules import what they need inside their functions, so that ``pptarena --help`` is fast.
Exit codes: 0 done, 1 what was asked for failed, 2 wrong use, 130 interrupted.
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
from pptarena.cli import (
    audit,
    bench,
    cache,
    collect,
    compare,
    diff,
    doctor,
    export,
    grow,
    image,
    import_others,
    judge,
    leaderboard,
    meta_eval,
    osworld,
    pptc,
    replay,
    report,
    run,
    score,
    serve,
    tasks,
    validate,
)
from pptarena.cli.output import VisibleFormatter, prepare_streams, stderr, visible
from pptarena.errors import ConfigError, PPTArenaError, UnknownTaskError

__all__ = ["app", "main"]

_DEBUG = "--debug"
_ALLOW = "--allow-outside"

app = typer.Typer(
    name="pptarena",
    help="PowerPoint editing tasks as gymnasium environments in a real office application.",
    epilog="Begin with: pptarena doctor; pptarena run --agent demonstration --machine sandbox",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.command("collect")(collect.collect)
app.command("replay")(replay.replay)
app.command("compare")(compare.compare)
app.command("report")(report.report)
app.command("leaderboard")(leaderboard.leaderboard)
app.command("grow")(grow.grow)
app.command("export")(export.export)
app.command("bench")(bench.bench)
app.command("doctor")(doctor.doctor)
app.command("score")(score.score)
app.command("judge")(judge.judge)
app.command("pptc")(pptc.pptc)
app.command("osworld")(osworld.osworld)
app.command("serve")(serve.serve)
app.command("diff")(diff.diff)
app.command("validate")(validate.validate)
app.command("audit")(audit.audit)
app.command("meta-eval")(meta_eval.meta_eval)
app.add_typer(tasks.app, name="tasks")
app.add_typer(image.app, name="image")
app.add_typer(cache.app, name="cache")
app.add_typer(import_others.app, name="import")


def _print_version(wanted: bool) -> None:
    if wanted:
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
    debug: Annotated[
        bool, typer.Option(_DEBUG, help="Show log messages, and tracebacks of errors.")
    ] = False,
    allow_outside: Annotated[
        list[Path] | None,
        typer.Option(
            _ALLOW,
            help="Allow tasks to use files in this folder, outside of their own folders; "
            "repeatable. Agents may read these files.",
        ),
    ] = None,
) -> None:
    if allow_outside:
        from pptarena.tasks.outside import allow_outside as allow

        allow(*allow_outside)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(VisibleFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO if debug else logging.WARNING, handlers=[handler])


def _print_crash(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print the traceback of an unexpected error, which may quote untrusted text of a deck."""
    sys.stderr.write(visible("".join(traceback.format_exception(kind, error, trace))))


def _global_options_first(arguments: list[str]) -> list[str]:
    """Return the arguments with the global options first, so that they may follow a command."""
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
            sys.stderr.write(visible(traceback.format_exc()))
        wrong_use = isinstance(error, ConfigError | UnknownTaskError)
        stderr().print("[red]error:[/red] ", end="")
        stderr().print(str(error) or repr(error), markup=False, highlight=False, soft_wrap=True)
        sys.exit(2 if wrong_use else 1)
    except Exception:
        sys.excepthook = _print_crash  # typer sets another one
        raise
