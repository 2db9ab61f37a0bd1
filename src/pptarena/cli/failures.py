"""``pptarena runs failures``: how episodes ended, and why they failed."""

from typing import TYPE_CHECKING

from pptarena.cli.compare import read_runs
from pptarena.cli.options import AsJson, RunFolders
from pptarena.cli.output import new_progress, print_json, print_note, stdout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pptarena.rollouts.compare import Contender
    from pptarena.rollouts.endings import Ending
    from pptarena.rollouts.episode import StoredEpisode

    Analyzed = tuple[str, StoredEpisode, Ending]

__all__ = ["failures"]


def failures(run: RunFolders, json: AsJson = False) -> None:
    """Count how episodes ended, and why they failed.

    Endings: solved, done too early, wrongly infeasible, not declared infeasible, out of steps, out
    of steps in a loop, crash, no result and unscored. In a loop, the last actions repeat on the
    same screens.

    Causes of failures compare the changes of the deck with those of the target deck. Target missed:
    changes elsewhere only, or none because half of the actions had no effect. Plan wrong: changes
    in the right place that do not count. Unfinished: a part counts. No change: the deck is
    unchanged.

    'repeated actions' repeat one that had no effect. No model is asked. 'pptarena report' shows the
    episodes of each ending and cause.

    Example:
      pptarena runs failures runs/base runs/tuned
    """
    from pptarena.rollouts.endings import ending_rows, endings_table

    contenders = read_runs(run)
    print_note(
        *(f"skipped {folder}: {reason}" for folder, reason in contenders.unreadable), style="yellow"
    )
    analyzed = _analyze(contenders.contenders)
    rows = ending_rows((name, episode.meta.steps, ending) for name, episode, ending in analyzed)
    if json:
        print_json(
            {
                "rows": [row.to_json() for row in rows],
                "episodes": [
                    {
                        "agent": name,
                        "task": episode.meta.task,
                        "seed": episode.meta.seed,
                        "score": episode.meta.score,
                        **ending.to_json(),
                        "path": str(episode.folder),
                    }
                    for name, episode, ending in analyzed
                ],
            }
        )
        return
    stdout().print(endings_table(rows))


def _analyze(contenders: "Sequence[Contender]") -> "list[Analyzed]":
    from pptarena.rollouts.endings import ending_of

    analyzed_episodes: list[Analyzed] = []
    with new_progress() as progress:
        total = sum(len(each.episodes) for each in contenders)
        bar = progress.add_task("endings", total=total, note="")
        for contender in contenders:
            for episode in contender.episodes:
                progress.update(bar, advance=1, note=episode.meta.task)
                if (ending := ending_of(episode)) is not None:
                    analyzed_episodes.append((contender.name, episode, ending))
        progress.update(bar, note="")
    return analyzed_episodes
