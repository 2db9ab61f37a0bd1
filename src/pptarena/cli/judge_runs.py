"""``pptarena runs judge``: rate the edits of stored runs with judge models."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.judges import JudgeNames, judge_configs
from pptarena.cli.options import AsJson, RunFolders
from pptarena.cli.output import new_progress, print_json, print_note, stdout
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from rich.table import Table

    from pptarena.benchmarks.pptarena_uiuc.judged_runs import (
        Agreement,
        JudgedRow,
        RatedEpisode,
        Rater,
    )
    from pptarena.rewards.judges.client import JudgeClient
    from pptarena.rollouts.episode import StoredEpisode

__all__ = ["judge_runs"]

_MAX_PROBLEMS = 8
_PPTARENA, _UIUC = "pptarena", "uiuc"
_PROMPTS = (_PPTARENA, _UIUC)


def judge_runs(
    run: RunFolders,
    judge: JudgeNames = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            help="What a judge gets: 'dual', 'no-diffs', 'no-pictures', 'single' or 'pictures'. "
            "Repeatable.",
            metavar="EVIDENCE",
            show_default="dual",
        ),
    ] = None,
    judge_prompt: Annotated[
        list[str] | None,
        typer.Option(
            help="Prompts and rules of the judges: 'pptarena', or 'uiuc' for those that the paper "
            "publishes, in our words. Repeatable.",
            metavar="PROMPT",
            show_default="pptarena",
        ),
    ] = None,
    references: Annotated[
        bool,
        typer.Option("--references/--no-references", help="Show judges the target deck of a task."),
    ] = True,
    style_targets: Annotated[
        bool,
        typer.Option(
            "--style-targets",
            help="First let the first judge describe a correct result, for tasks without a "
            "description.",
        ),
    ] = False,
    workers: Annotated[
        int, typer.Option(min=1, help="Number of concurrent requests.", metavar="N")
    ] = 1,
    json: AsJson = False,
) -> None:
    """Rate the edits of stored runs with judge models.

    Judges rate instruction following (IF) and visual quality (VQ) of the stored decks, each from 0
    to 5, as in UIUC's PPTArena. The table has means with 95 % intervals by category and difficulty.
    Several judges, or several kinds of evidence, are compared episode by episode.

    --evidence dual: IF from the list of changes, VQ from pictures. no-diffs: IF from the slides
    before and after. no-pictures: VQ from facts. single: one judge of both with all evidence.
    pictures: one judge of both with pictures alone.

    --judge-prompt uiuc: IF from the differences between result and target deck, VQ from pictures
    of both; slides that look alike count 5. A deck without changes is judged like any other, so it
    gets points. Tasks need a target deck, and --evidence is 'dual'.

    Examples:
      pptarena runs judge runs/base --judge gpt-5 --judge gpt-5-mini
      pptarena runs judge runs/base --judge-prompt uiuc --style-targets
    """
    from pptarena.benchmarks.pptarena_uiuc import published_style_target, style_target
    from pptarena.benchmarks.pptarena_uiuc.judged_runs import agreements, judged_rows, rate_episodes
    from pptarena.rollouts.episode import StoredEpisode
    from pptarena.rollouts.store import read_meta, stored_episodes

    folders = [folder for root in run for folder in stored_episodes(root)]
    if not folders:
        raise ConfigError(f"found no episodes in {', '.join(map(str, run))}")
    with ExitStack() as stack:
        clients = _clients(judge, stack)
        prompts = judge_prompt or [_PPTARENA]
        raters = list(_raters(clients, evidence or ["dual"], prompts))
        write = style_target if _PPTARENA in prompts else published_style_target
        describe = partial(write, next(iter(clients.values()))) if style_targets else None
        episodes = [StoredEpisode(folder, read_meta(folder)) for folder in folders]
        rated = rate_episodes(
            episodes,
            raters,
            save=_save,
            references=references,
            describe=describe,
            workers=workers,
        )
        ratings = list(_with_progress(rated, episodes))
    rows, pairs = judged_rows(ratings), agreements(ratings)
    if json:
        print_json(
            {
                "rows": [row.to_json() for row in rows],
                "agreement": [pair.to_json() for pair in pairs],
                "episodes": [each.to_json() for each in ratings],
            }
        )
    else:
        stdout().print(_table(rows))
        if pairs:
            stdout().print(_agreement_table(pairs))
    problems = [f"{each.episode.meta.task}: {each.problem}" for each in ratings if each.problem]
    print_note(*problems[:_MAX_PROBLEMS], style="yellow")
    if len(problems) > _MAX_PROBLEMS:
        print_note(f"{len(problems) - _MAX_PROBLEMS} more problems", style="yellow")
    if not any(each.verdicts for each in ratings):
        raise typer.Exit(1)


def _clients(names: list[str] | None, stack: ExitStack) -> "dict[str, JudgeClient]":
    """Return the clients of the judges by the names of their models."""
    from pptarena.rewards.judges.client import JudgeClient

    configs = judge_configs(names)
    if not configs:
        raise ConfigError(
            "no judge model is configured. Give --judge MODEL, or set PPTARENA_JUDGE_MODEL to the "
            "name of a model"
        )
    labels = names or [configs[0].model]
    return {
        name: stack.enter_context(JudgeClient(config))
        for name, config in zip(labels, configs, strict=True)
    }


def _raters(
    clients: "Mapping[str, JudgeClient]", evidence: Sequence[str], prompts: Sequence[str]
) -> "Iterator[Rater]":
    from pptarena.benchmarks.pptarena_uiuc import EVIDENCE, DualJudge, PublishedJudge
    from pptarena.benchmarks.pptarena_uiuc.judged_runs import Rater
    from pptarena.vm_images.office import Office

    kinds = [kind for kind in EVIDENCE if kind in evidence]
    for name in evidence:
        if name not in EVIDENCE:
            raise ConfigError(f"--evidence: {not_found('evidence', name, EVIDENCE)}")
    for name in prompts:
        if name not in _PROMPTS:
            raise ConfigError(f"--judge-prompt: {not_found('prompt', name, _PROMPTS)}")
    if _UIUC in prompts and kinds != ["dual"]:
        raise ConfigError("--judge-prompt uiuc has one kind of evidence: leave out --evidence")
    renderer = Office()
    for model, client in clients.items():
        if _UIUC in prompts:
            yield Rater(f"{model}, {_UIUC}", PublishedJudge(client, renderer))
        for kind in kinds if _PPTARENA in prompts else ():
            label = model if kind == "dual" else f"{model}, {kind}"
            yield Rater(label, DualJudge(client, renderer, evidence=kind))


def _save(deck: bytes) -> bytes:
    from pptarena.vm_images.office import Office

    return Office().save(deck)


def _with_progress(
    rated: "Iterator[RatedEpisode]", episodes: "Sequence[StoredEpisode]"
) -> "Iterator[RatedEpisode]":
    total = sum(each.meta.infra_error is None for each in episodes)
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=total, note="")
        for each in rated:
            progress.update(bar, advance=1, note=each.episode.meta.task)
            yield each


def _table(rows: "Sequence[JudgedRow]") -> "Table":
    from rich.table import Table

    from pptarena.rollouts.compare.tables import estimate_text

    title = "IF and VQ from 0 to 5, 95 % intervals over tasks"
    table = Table(title=title, title_justify="left", pad_edge=False)
    for name, width in (("agent", 7), ("tasks of", 7), ("judge", 7)):
        table.add_column(name, overflow="fold", min_width=width)
    time_columns = ("seconds",) if any(row.seconds for row in rows) else ()
    for name in ("episodes", "IF", "VQ", "score", "published", "valid", *time_columns):
        table.add_column(name, justify="right", no_wrap=True)
    for number, row in enumerate(rows, 1):
        next_row = rows[number] if number < len(rows) else None
        table.add_row(
            row.agent,
            row.value or "all",
            row.rater,
            f"{row.episodes}\n{row.unrated} unrated" if row.unrated else str(row.episodes),
            estimate_text(row.instruction, 2, separator="\n"),
            estimate_text(row.visual, 2, separator="\n"),
            "-" if row.score.mean is None else f"{row.score.mean:.3f}",
            "-" if row.published.mean is None else f"{row.published.mean:.3f}",
            f"{row.valid:.0%}",
            *([f"{row.seconds:.1f}"] if time_columns else []),
            style="bold" if row.kind == "all" else None,
            end_section=next_row is not None
            and (next_row.kind, next_row.agent) != (row.kind, row.agent),
        )
    return table


def _agreement_table(pairs: "Sequence[Agreement]") -> "Table":
    from rich.table import Table

    table = Table(title="Agreement of judges, in points of 5", title_justify="left")
    for name in ("first", "second", "of"):
        table.add_column(name, overflow="fold")
    for name in ("episodes", "second less first", "distance", "equal", "tau-b"):
        table.add_column(name, justify="right", no_wrap=True)
    for pair in pairs:
        table.add_row(
            pair.first,
            pair.second,
            pair.score,
            str(pair.episodes),
            f"{pair.difference:+.2f}",
            f"{pair.distance:.2f}",
            f"{pair.equal:.0%}",
            "-" if pair.tau_b is None else f"{pair.tau_b:.2f}",
        )
    return table
