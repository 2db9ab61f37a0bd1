"""``pptarena runs rescore``: score stored episodes as the benchmark of their tasks does."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from pptarena.cli.options import AsJson, RunFolders
from pptarena.cli.output import new_progress, print_json, print_line, stdout
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from rich.table import Table

    from pptarena.audits.osworld_scores import OsworldRow
    from pptarena.audits.pptc_scores import PptcRow, Tally
    from pptarena.rollouts.episode import StoredEpisode

__all__ = ["rescore"]

_MAX_CAUSES = 8
_BENCHMARKS = ("pptc", "osworld")

_Row = TypeVar("_Row")


def rescore(
    run: RunFolders,
    benchmark: Annotated[
        str, typer.Option("--as", help="'pptc' or 'osworld'.", metavar="BENCHMARK")
    ],
    json: AsJson = False,
) -> None:
    """Score episodes of imported tasks as their benchmark does.

    --as pptc: results by turn and session, with tokens and API calls. 'published' is PPTC's own
    checker, including its faults. 'strict' also compares positions, sizes and pictures, and never
    passes a turn for doing nothing. 'score' is the environment's score.

    --as osworld: 'published' is the result of OSWorld's evaluators, including their faults;
    'score' is the environment's score.

    The folder of the imported tasks must still be where it was.

    Example:
      pptarena runs rescore runs/pptc --as pptc
    """
    if benchmark not in _BENCHMARKS:
        raise ConfigError(f"--as: {not_found('benchmark', benchmark, _BENCHMARKS)}")
    if benchmark == "pptc":
        _rescore_pptc(run, json)
    else:
        _rescore_osworld(run, json)


def _rescore_pptc(run: Sequence[Path], json: bool) -> None:
    from pptarena.audits.pptc_scores import pptc_rows

    rows = _rows(run, pptc_rows)
    if json:
        print_json({"rows": [row.to_json() for row in rows]})
        return
    stdout().print(_pptc_table(rows))
    for row in rows:
        for name in ("published", "strict"):
            if line := _causes(getattr(row, name)):
                kind = f", {_kind(row)}" if _kind(row) else ""
                print_line(f"{row.agent}, by {row.form}{kind}, {name}: {line}")


def _rescore_osworld(run: Sequence[Path], json: bool) -> None:
    from pptarena.audits.osworld_scores import osworld_rows

    rows = _rows(run, osworld_rows)
    if json:
        print_json({"rows": [row.to_json() for row in rows]})
        return
    stdout().print(_osworld_table(rows))
    for row in rows:
        for task, reason in row.reasons.items():
            print_line(f"{row.agent}, {task}, published: {reason}")


def _rows(
    run: Sequence[Path], rows_of: "Callable[[Iterator[StoredEpisode]], list[_Row]]"
) -> "list[_Row]":
    """Return the rows of all episodes in some folders, with a progress bar."""
    from pptarena.rollouts.episode import StoredEpisode
    from pptarena.rollouts.store import read_meta, stored_episodes

    folders = [folder for root in run for folder in stored_episodes(root)]
    if not folders:
        raise ConfigError(f"found no episodes in {', '.join(map(str, run))}")
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=len(folders), note="")

        def episodes() -> "Iterator[StoredEpisode]":
            for folder in folders:
                meta = read_meta(folder)
                yield StoredEpisode(folder, meta)
                progress.update(bar, advance=1, note=meta.task)

        return rows_of(episodes())


def _pptc_table(rows: "list[PptcRow]") -> "Table":
    from rich.table import Table

    table = Table()
    table.add_column("agent", no_wrap=True)
    table.add_column("by")
    kinds = any(row.setting or row.wording for row in rows)
    if kinds:
        table.add_column("setting")
    for name in ("played", "published", "strict", "turns", "score", "tokens", "APIs", "cost"):
        table.add_column(name, justify="right")
    for row in rows:
        units = max(1, row.units)
        table.add_row(
            row.agent,
            row.form,
            *([_kind(row) or "plain"] if kinds else []),
            f"{row.units}" + (f" ({row.lost} lost)" if row.lost else ""),
            _share(row.published),
            _share(row.strict),
            _share(row.turns) if row.form == "session" else "",
            "-" if row.mean_score is None else f"{row.mean_score:.3f}",
            f"{row.tokens / units:.0f}" if row.tokens else "-",
            f"{row.apis / units:.1f}",
            f"{row.cost_usd:.2f} USD" if row.cost_usd else "-",
        )
    return table


def _kind(row: "PptcRow") -> str:
    return ", ".join(filter(None, (row.setting, row.wording)))


def _share(tally: "Tally") -> str:
    if tally.accuracy is None:
        return "-"
    judged = tally.passed + tally.failed
    return f"{100 * tally.accuracy:.1f} % of {judged}"


def _causes(tally: "Tally") -> str:
    most = tally.causes.most_common(_MAX_CAUSES)
    return ", ".join(f"{name} {count}" for name, count in most)


def _osworld_table(rows: "list[OsworldRow]") -> "Table":
    from rich.table import Table

    table = Table()
    table.add_column("agent", no_wrap=True)
    for name in ("tasks", "score", "published", "unscored", "checkers differ"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            row.agent,
            f"{row.tasks}" + (f" ({row.lost} lost)" if row.lost else ""),
            "-" if row.mean_score is None else f"{row.mean_score:.3f}",
            "-" if row.rate is None else f"{100 * row.rate:.1f} % of {len(row.published)}",
            f"{row.unscored}",
            f"{sum(row.apart.values())}",
        )
    return table
