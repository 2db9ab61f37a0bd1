"""``pptarena runs rescore``: score stored episodes again."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

import typer

from pptarena.cli.judges import JudgeNames, judge_configs
from pptarena.cli.options import AsJson, RunFolders
from pptarena.cli.output import new_progress, print_json, print_line, print_note, stdout
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from collections import Counter

    from rich.table import Table

    from pptarena.benchmarks.osworld.scores import OsworldRow
    from pptarena.benchmarks.pptc.scores import PptcRow, Tally
    from pptarena.envs.judging import Judging
    from pptarena.rollouts.episode import StoredEpisode
    from pptarena.rollouts.rescore_runs import EpisodeScores, RescoredRow

__all__ = ["rescore"]

_MAX_CAUSES = 8
_BENCHMARKS = ("pptc", "osworld")

_Row = TypeVar("_Row")


def rescore(
    run: RunFolders,
    benchmark: Annotated[
        str,
        typer.Option(
            "--as",
            help="Score as another benchmark does: 'pptc' or 'osworld'.",
            metavar="BENCHMARK",
            show_default="rubrics",
        ),
    ] = "",
    strategy: Annotated[
        str,
        typer.Option(
            help="Aggregation of rubrics: 'weighted', 'ai_rubric_gate' or 'mind2web2_gate'.",
            metavar="STRATEGY",
            show_default="each rubric's own",
        ),
    ] = "",
    penalty: Annotated[
        float | None,
        typer.Option(
            "--lambda",
            min=0.0,
            max=1.0,
            help="Cost of the items that are not critical, for 'weighted'.",
            metavar="X",
            show_default="0.3",
        ),
    ] = None,
    judge: JudgeNames = None,
    repeats: Annotated[
        int,
        typer.Option(
            min=1, help="Times that an episode is scored if its score can vary.", metavar="N"
        ),
    ] = 1,
    json: AsJson = False,
) -> None:
    """Score stored episodes again, with other settings.

    The stored decks are scored with the rubric of the task, which must still be where it was. The
    table has the stored and the new mean scores. Scores can vary if a judge or a program of an
    imported rubric scores a part. For these, --repeats measures variance and coefficient of
    variation (standard deviation by mean). Stored scores do not change.

    --as pptc: results by turn and session, with tokens and API calls, and by modality, length of
    session, failed calls and errors. 'published' is PPTC's own checker, including its faults.
    'strict' also compares positions, sizes and pictures, and never passes a turn for doing nothing.
    'score' is the environment's score.

    --as osworld: 'published' is the result of OSWorld's evaluators, including their faults;
    'score' is the environment's score.

    Example:
      pptarena runs rescore runs/base --strategy mind2web2_gate --repeats 5
    """
    if benchmark:
        if benchmark not in _BENCHMARKS:
            raise ConfigError(f"--as: {not_found('benchmark', benchmark, _BENCHMARKS)}")
        if strategy or penalty is not None or judge or repeats > 1:
            raise ConfigError("--as excludes --strategy, --lambda, --judge and --repeats")
        (_rescore_pptc if benchmark == "pptc" else _rescore_osworld)(run, json)
        return
    _rescore_rubrics(run, _Settings(strategy, penalty, tuple(judge or ()), repeats), json)


class _Settings(NamedTuple):
    """The options of `rescore` for rubrics."""

    strategy: str
    penalty: float | None
    judges: tuple[str, ...]
    repeats: int


def _rescore_rubrics(run: Sequence[Path], settings: _Settings, json: bool) -> None:
    from pptarena.rewards.scored_tree import STRATEGIES
    from pptarena.rollouts.rescore_runs import rescored_rows

    if settings.strategy and settings.strategy not in STRATEGIES:
        raise ConfigError(f"--strategy: {not_found('strategy', settings.strategy, STRATEGIES)}")
    # The cache would return the first reply again.
    configs = judge_configs(settings.judges, cache=settings.repeats == 1)
    if len(configs) > 1:
        raise ConfigError("--judge: name one judge; 'runs judge' compares several")
    with ExitStack() as stack:
        judging = None
        if configs:
            from pptarena.envs.judging import Judging

            judging = stack.enter_context(Judging(configs[0]))
        episode_scores = _rescore_episodes(run, settings, judging)
    rows = rescored_rows(episode_scores)
    if json:
        print_json(
            {
                "strategy": settings.strategy or None,
                "lambda": settings.penalty,
                "judge": configs[0].model if configs else None,
                "repeats": settings.repeats,
                "rows": [row.to_json() for row in rows],
                "episodes": [each.to_json() for each in episode_scores],
            }
        )
        return
    stdout().print(_rubrics_table(rows))
    if settings.repeats > 1 and any(row.judged for row in rows):
        stdout().print(_variation_table(rows))
    unscored = [each for each in episode_scores if not each.scores]
    for each in unscored[:_MAX_CAUSES]:
        print_note(f"unscored {each.episode.meta.task}: {each.reason}", style="yellow")
    if len(unscored) > _MAX_CAUSES:
        print_note(f"unscored: {len(unscored) - _MAX_CAUSES} more", style="yellow")


def _rescore_episodes(
    run: Sequence[Path], settings: _Settings, judging: "Judging | None"
) -> "list[EpisodeScores]":
    from pptarena.rollouts.rescore import Rescoring
    from pptarena.rollouts.rescore_runs import rescore_episodes

    rescoring = Rescoring(settings.strategy, settings.penalty, judging)
    return _rows(
        run, lambda episodes: list(rescore_episodes(episodes, rescoring, settings.repeats))
    )


def _rubrics_table(rows: "Sequence[RescoredRow]") -> "Table":
    from rich.table import Table

    from pptarena.rollouts.compare.tables import estimate_text

    table = Table(title="95 % intervals over tasks", title_justify="left")
    table.add_column("agent", overflow="fold")
    table.add_column("difficulty")
    for name in ("episodes", "stored", "score", "solved", "higher", "lower", "unscored"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            row.agent,
            row.value or "all",
            str(row.episodes),
            "-" if row.stored.mean is None else f"{row.stored.mean:.3f}",
            estimate_text(row.score, 3, separator="\n"),
            "-" if row.success.mean is None else f"{row.success.mean:.2f}",
            str(row.higher),
            str(row.lower),
            str(row.unscored),
            style="bold" if row.kind == "all" else None,
        )
    return table


def _variation_table(rows: "Sequence[RescoredRow]") -> "Table":
    """Return the spread of repeated scores, over the episodes whose scores can vary."""
    from rich.table import Table

    table = Table(title="Repeated scores of judged episodes", title_justify="left")
    table.add_column("agent", overflow="fold")
    table.add_column("difficulty")
    for name in ("judged", "variance, mean", "median", "CV, mean", "median"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            row.agent,
            row.value or "all",
            str(row.judged),
            _number(row.variance_mean),
            _number(row.variance_median),
            _number(row.variation_mean),
            _number(row.variation_median),
            style="bold" if row.kind == "all" else None,
        )
    return table


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _rescore_pptc(run: Sequence[Path], json: bool) -> None:
    from pptarena.benchmarks.pptc.scores import pptc_rows

    rows = _rows(run, pptc_rows)
    if json:
        print_json({"rows": [row.to_json() for row in rows]})
        return
    stdout().print(_pptc_table(rows))
    stdout().print(_pptc_parts(rows))
    for row in rows:
        for name in ("published", "strict"):
            if line := _causes(getattr(row, name)):
                variant = f", {_variant(row)}" if _variant(row) else ""
                print_line(f"{row.agent}, {row.dataset} by {row.form}{variant}, {name}: {line}")
        if line := _most_common(row.calls.unknown):
            print_line(f"{row.agent}, {row.dataset} by {row.form}, unknown APIs: {line}")


def _rescore_osworld(run: Sequence[Path], json: bool) -> None:
    from pptarena.benchmarks.osworld.scores import osworld_rows

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
    has_decks = len({row.dataset for row in rows}) > 1
    if has_decks:
        table.add_column("decks")
    table.add_column("by")
    has_variants = any(row.setting or row.wording for row in rows)
    if has_variants:
        table.add_column("setting")
    for name in ("played", "published", "strict", "turns", "score", "tokens", "APIs", "cost"):
        table.add_column(name, justify="right")
    for row in rows:
        units = max(1, row.units)
        table.add_row(
            row.agent,
            *([row.dataset] if has_decks else []),
            row.form,
            *([_variant(row) or "plain"] if has_variants else []),
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


def _pptc_parts(rows: "list[PptcRow]") -> "Table":
    """Return accuracy by modality and length of session, and failed calls and errors."""
    from rich.table import Table

    from pptarena.benchmarks.pptc.scores import ERRORS

    table = Table(title="Published checker, by part", title_justify="left")
    for name in ("agent", "decks", "by", "part"):
        table.add_column(name, no_wrap=name == "agent")
    table.add_column("share", justify="right")
    for row in rows:
        parts = [(f"turns with {name}", tally) for name, tally in row.modalities.items()]
        lengths = sorted(row.lengths, key=lambda name: int(name.partition("-")[0]))
        parts += [(f"sessions of {name} turns", row.lengths[name]) for name in lengths]
        shares = [(name, _share(tally)) for name, tally in parts]
        calls, failed = row.calls, max(1, row.turns.failed or row.published.failed)
        counts = (("calls of unknown APIs", calls.unknown.total()), ("failed calls", calls.failed))
        shares += [(name, _percent(count, calls.calls)) for name, count in counts]
        shares += [
            (f"failed turns: {name}", _percent(row.errors[name], failed))
            for name in ERRORS
            if row.errors[name]
        ]
        for number, (name, share) in enumerate(shares, 1):
            cells = (row.agent, row.dataset, row.form) if number == 1 else ("", "", "")
            table.add_row(*cells, name, share, end_section=number == len(shares))
    return table


def _variant(row: "PptcRow") -> str:
    return ", ".join(filter(None, (row.setting, row.wording)))


def _share(tally: "Tally") -> str:
    return _percent(tally.passed, tally.passed + tally.failed)


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} % of {total}" if total else "-"


def _causes(tally: "Tally") -> str:
    return _most_common(tally.causes)


def _most_common(counts: "Counter[str]") -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common(_MAX_CAUSES))


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
            f"{sum(row.disagreements.values())}",
        )
    return table
