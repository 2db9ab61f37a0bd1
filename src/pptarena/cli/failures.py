"""``pptarena runs failures``: how episodes ended, and why they failed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.compare import read_runs
from pptarena.cli.options import AsJson, RunFolders
from pptarena.cli.output import new_progress, print_json, print_line, print_note, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pptarena.rollouts.compare import Contender
    from pptarena.rollouts.failure_pages import Failure

__all__ = ["failures"]


def failures(
    run: RunFolders,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the pages with pictures.", metavar="FOLDER", show_default="no pages"
        ),
    ] = None,
    slides: Annotated[
        bool,
        typer.Option(help="Show the slides of episodes without a screen; needs the machine image."),
    ] = True,
    json: AsJson = False,
) -> None:
    """Count how episodes ended, and why they failed.

    Endings: solved, done too early, wrongly infeasible, not declared infeasible, out of steps, out
    of steps in a loop, crash, no result and unscored. In a loop, the last actions repeat on the
    same screens.

    Causes of failures compare the changes of the deck with those of the target deck. Target missed:
    changes elsewhere only, or none because half of the actions had no effect. Plan wrong: changes
    in the right place that do not count. Unfinished: a part counts. No change: the deck is
    unchanged.

    'repeated actions' repeat one that had no effect. No model is asked. --out also writes one page
    with pictures per ending.

    Example:
      pptarena runs failures runs/base runs/tuned --out failures
    """
    from pptarena.rollouts.endings import ending_rows, endings_table
    from pptarena.rollouts.failure_pages import write_failure_pages
    from pptarena.vm_images.office import Office

    if out is not None and out.exists() and not out.is_dir():
        raise ConfigError(f"--out: {out} is a file; name a folder")
    found = read_runs(run)
    print_note(*(f"skipped {folder}: {why}" for folder, why in found.unreadable), style="yellow")
    episodes = _analyzed(found.found)
    rows = ending_rows((each.name, each.episode.meta.steps, each.ending) for each in episodes)
    pages = []
    if out is not None:
        render = Office().render if slides else None
        pages = write_failure_pages(out, rows, episodes, render)
    if json:
        print_json(
            {
                "rows": [row.to_json() for row in rows],
                "episodes": [
                    {
                        "agent": each.name,
                        "task": each.episode.meta.task,
                        "seed": each.episode.meta.seed,
                        "score": each.episode.meta.score,
                        **each.ending.to_json(),
                        "path": str(each.episode.folder),
                    }
                    for each in episodes
                ],
                "pages": [str(page) for page in pages],
            }
        )
        return
    stdout().print(endings_table(rows))
    if pages:
        print_line(f"{len(pages)} pages: {pages[0]}")


def _analyzed(contenders: "Sequence[Contender]") -> "list[Failure]":
    from pptarena.rollouts.endings import ending_of
    from pptarena.rollouts.failure_pages import Failure

    found: list[Failure] = []
    with new_progress() as progress:
        total = sum(len(each.episodes) for each in contenders)
        bar = progress.add_task("endings", total=total, note="")
        for contender in contenders:
            for episode in contender.episodes:
                progress.update(bar, advance=1, note=episode.meta.task)
                if (ending := ending_of(episode)) is not None:
                    found.append(Failure(contender.name, episode, ending))
        progress.update(bar, note="")
    return found
