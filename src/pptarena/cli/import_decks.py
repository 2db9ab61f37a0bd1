"""``pptarena runs import``: score results of other programs and of people."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.options import AsJson, JudgeIfConfigured, Suite, TaskNames
from pptarena.cli.output import new_progress, print_json, print_line, print_note, quoted, stdout
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pptarena.rollouts.episode import StoredEpisode
    from pptarena.rollouts.imported_decks import DeckImporter, SubmissionFolder
    from pptarena.tasks import Task

__all__ = ["import_decks"]

_LIST, _ZERO = "list", "zero"
_MAX_NAMED = 12


def import_decks(
    folder: Annotated[Path, typer.Argument(help="Folder of results.", metavar="FOLDER")],
    agent: Annotated[
        str,
        typer.Option(help="Name of the product, person or program.", metavar="NAME"),
    ],
    suite: Suite = "bench",
    task: TaskNames = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the run.", metavar="FOLDER", show_default="runs/NAME"),
    ] = None,
    missing: Annotated[
        str,
        typer.Option(
            help="Tasks without a result: 'list' names them, 'zero' also scores them 0.",
            metavar="HOW",
        ),
    ] = _LIST,
    seed: Annotated[
        int,
        typer.Option(min=0, help="Number that tells several results of a task apart.", metavar="N"),
    ] = 0,
    as_is: Annotated[
        bool,
        typer.Option(
            "--as-is",
            help="Compare files as they are, for decks that were edited without an office "
            "application. Needs no machine image.",
        ),
    ] = False,
    judge: JudgeIfConfigured = True,
    json: AsJson = False,
) -> None:
    """Score results of other programs and of people as a run.

    FOLDER holds one deck per task, named <task id>.pptx, or a folder <task id> with final.pptx.
    Tasks of several turns need the folder, with turn_1.pptx and so on. An empty file <task
    id>.fail declares a task infeasible.

    Each result becomes an episode without steps, which 'report', 'runs compare' and 'runs
    leaderboard' treat like any other. Decks are scored as at the end of an episode: the image's
    application saves and renders them first. A deck that cannot be opened scores 0.

    Example:
      pptarena runs import results --suite bench --agent copilot
    """
    from pptarena.envs.image_office import image_office
    from pptarena.envs.judging import configured_judging
    from pptarena.rollouts.imported_decks import DeckImporter, find_submissions
    from pptarena.rollouts.store import file_name_of
    from pptarena.tasks import pick_tasks

    if missing not in (_LIST, _ZERO):
        raise ConfigError(f"--missing: {not_found('value', missing, (_LIST, _ZERO))}")
    if not agent.strip():
        raise ConfigError("--agent is empty: name the product, person or program")
    tasks = pick_tasks(task or (), suite)
    results = find_submissions(folder, tasks)
    root = Path("runs") / file_name_of(agent) if out is None else out
    with configured_judging(judge) as judging:
        importer = DeckImporter(root, agent, seed, None if as_is else image_office(), judging)
        episodes = _episodes(importer, results, zero=missing == _ZERO)
    if task:  # the other results belong to other tasks
        results = replace(results, unknown=())
    _report(episodes, results, tasks, root, json)


def _episodes(
    importer: "DeckImporter", results: "SubmissionFolder", *, zero: bool
) -> "list[StoredEpisode]":
    from pptarena.cli.run import episode_line
    from pptarena.rollouts.collect import lock_store
    from pptarena.rollouts.manifest import claim_manifest

    missing = [task for task, _ in results.missing] if zero else []
    tasks = [*(each.task for each in results.submissions), *missing]
    episodes: list[StoredEpisode] = []
    with lock_store(importer.root), new_progress() as progress:
        claim_manifest(importer.root, importer.manifest(tasks))
        bar = progress.add_task("results", total=len(tasks), note="")
        for episode in importer.run(results.submissions):
            line = episode_line(episode.meta)
            progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
            progress.update(bar, advance=1)
            episodes.append(episode)
        for task in missing:
            episodes.append(importer.store_missing(task))
            progress.update(bar, advance=1)
    return episodes


def _report(
    episodes: "Sequence[StoredEpisode]",
    results: "SubmissionFolder",
    tasks: "Sequence[Task]",
    root: Path,
    json: bool,
) -> None:
    from pptarena.rollouts.summary import summarise, summary_table

    rows = summarise(episode.meta for episode in episodes)
    if json:
        print_json(
            {
                "out": str(root),
                "tasks": len(tasks),
                "summary": [row.to_json() for row in rows],
                "episodes": [
                    {
                        "task": each.meta.task,
                        "score": each.meta.score,
                        "end": each.meta.end,
                        "problem": each.meta.overload or each.meta.infra_error,
                        "path": str(each.folder),
                    }
                    for each in episodes
                ],
                "missing": [{"task": task.id, "why": reason} for task, reason in results.missing],
                "unknown": [name for name, _ in results.unknown],
            }
        )
        return
    stdout().print(summary_table(rows))
    print_note(*_notes(results), style="yellow")
    summary = f"{len(results.submissions)} of {len(tasks)} tasks have a result"
    print_line(f"{summary}: {root}", f"Next: pptarena report {quoted(root)}")


def _notes(results: "SubmissionFolder") -> list[str]:
    lines = [f"missing {task.id}: {reason}" for task, reason in results.missing[:_MAX_NAMED]]
    if len(results.missing) > _MAX_NAMED:
        lines.append(f"missing: {len(results.missing) - _MAX_NAMED} more")
    for name, suggestion in results.unknown[:_MAX_NAMED]:
        lines.append(
            f"skipped {name}: no task has this id"
            + (f"; is it {suggestion}?" if suggestion else "")
        )
    if len(results.unknown) > _MAX_NAMED:
        lines.append(f"skipped: {len(results.unknown) - _MAX_NAMED} more")
    return lines
