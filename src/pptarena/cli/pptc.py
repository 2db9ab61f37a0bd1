"""``pptarena pptc``: stored episodes of PPTC's tasks, as the benchmark judges and counts them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.import_pptc import Setting
from pptarena.cli.output import new_progress, print_json, stdout
from pptarena.cli.pptc_labels import check_copy
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from pptarena.audits.pptc_scores import PptcRow, Tally
    from pptarena.rollouts.episode import StoredEpisode

__all__ = ["pptc"]

_CAUSES_SHOWN = 8


def pptc(
    run: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders of episodes of 'pptarena import pptc'.", metavar="RUN"),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            "--check-labels",
            help="Instead: judge the labels of your copy of PPTC, and doing nothing, by both "
            "checkers.",
            metavar="COPY",
        ),
    ] = None,
    setting: Setting = "plain",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Judge stored episodes of PPTC's tasks by turn and session, with tokens and calls of each.

    'published' judges as the benchmark does, with its faults; 'strict' compares places, sizes and
    pictures, too, and lets no turn pass for doing nothing; 'score' is that of the environment. The
    folder of the tasks must still be where it was.

    With --check-labels, which takes --setting, nothing that was played is judged but the labels'
    decks: against themselves, against those that the original's program makes with its faults, and
    the decks before them, as an agent leaves them that does nothing. What differs is counted.

    Example: pptarena pptc runs/pptc
    """
    if (labels is None) == (not run):
        raise ConfigError("expected either RUN or --check-labels COPY")
    if labels is not None:
        check_copy(labels, setting, json)
        return
    if setting != "plain":
        raise ConfigError("--setting is for --check-labels: episodes know that of their tasks")
    _judge_episodes(run or [], json)


def _judge_episodes(run: list[Path], json: bool) -> None:
    from pptarena.audits.pptc_scores import pptc_rows
    from pptarena.rollouts.store import stored_episodes

    folders = [folder for root in run for folder in stored_episodes(root)]
    if not folders:
        raise ConfigError(f"expected episodes in {', '.join(map(str, run))}, found none")
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=len(folders), note="")

        def episodes() -> "Iterator[StoredEpisode]":
            for each in _read(folders):
                yield each
                progress.update(bar, advance=1, note=each.meta.task)

        rows = pptc_rows(episodes())
    if json:
        print_json({"rows": [row.to_json() for row in rows]})
        return
    stdout().print(_table(rows))
    for row in rows:
        for name in ("published", "strict"):
            if line := _causes(getattr(row, name)):
                kind = f", {_kind(row)}" if _kind(row) else ""
                text = f"{row.agent}, by {row.form}{kind}, {name}: {line}"
                stdout().print(text, markup=False, highlight=False, soft_wrap=True)


def _read(folders: list[Path]) -> "Iterator[StoredEpisode]":
    from pptarena.rollouts.episode import StoredEpisode
    from pptarena.rollouts.store import read_meta

    for folder in folders:
        yield StoredEpisode(folder, read_meta(folder))


def _table(rows: "list[PptcRow]") -> "Table":
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
    most = tally.causes.most_common(_CAUSES_SHOWN)
    return ", ".join(f"{name} {count}" for name, count in most)
