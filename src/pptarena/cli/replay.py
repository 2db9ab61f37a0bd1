"""``pptarena runs replay``: run stored actions again and compare the results."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.options import AsJson, EpisodeFolder
from pptarena.cli.output import new_progress, print_json, print_line, print_note, stdout
from pptarena.errors import StoreError

if TYPE_CHECKING:
    from pptarena.rollouts.episode import EpisodeMeta

__all__ = ["replay"]


def replay(
    folder: EpisodeFolder,
    machine: Annotated[
        str,
        typer.Option(
            help="Machine to replay on.", metavar="MACHINE", show_default="the recorded one"
        ),
    ] = "",
    repeats: Annotated[int, typer.Option(min=1, help="Replays of each episode.", metavar="N")] = 1,
    exact: Annotated[
        bool, typer.Option("--exact", help="Fail if any tree, pixel or result differs.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Run stored actions again and compare the results.

    Reports the first step that differs. Exits with 1 if a final score differs, or with --exact if
    any accessibility tree or pixel differs. On 'sandbox' and 'qemu' every tree and pixel should be
    the same. On a document, the results of the calls and the final deck are compared. Episodes
    without a score are skipped.

    Example:
      pptarena runs replay runs/demo --repeats 10 --exact
    """
    episodes = _episodes(folder)
    results = _replay(episodes, machine, repeats)
    total = len(results)
    same = sum(result["same_score"] for result in results)
    identical = sum(result["identical"] for result in results)
    if json:
        counts = {"same": same, "identical": identical, "total": total}
        print_json({**counts, "replays": results})
    else:
        _print(results)
        print_line(
            f"{same} of {total} replays ended with the same score; "
            f"{identical} of {total} are equal at every step."
        )
    if (identical if exact else same) < total:
        raise typer.Exit(1)


def _episodes(folder: Path) -> "list[tuple[Path, EpisodeMeta]]":
    from pptarena.rollouts.store import read_meta, stored_episodes

    episodes = [(path, read_meta(path)) for path in stored_episodes(folder)]
    if not episodes:
        raise StoreError(f"{folder} contains no episode")
    scored = [(path, meta) for path, meta in episodes if meta.score is not None]
    if len(scored) < len(episodes):
        unscored = len(episodes) - len(scored)
        print_note(f"skipped {unscored} episodes without a score")
    if not scored:
        raise StoreError(f"no episode in {folder} has a score to compare with")
    return scored


def _replay(
    episodes: "list[tuple[Path, EpisodeMeta]]", machine: str, repeats: int
) -> list[dict[str, Any]]:
    from contextlib import closing
    from itertools import groupby

    from pptarena.rollouts.env import make_document_env, make_env
    from pptarena.rollouts.env_options import replay_arguments
    from pptarena.rollouts.episode import DOCUMENT, IMPORTED
    from pptarena.rollouts.replay import replay_episode
    from pptarena.rollouts.replay_document import replay_document

    if any(meta.machine == IMPORTED for _, meta in episodes):
        raise StoreError("imported results have no actions to repeat")
    if machine and any(meta.machine == DOCUMENT for _, meta in episodes):
        raise StoreError("episodes of the document environment have no machine: leave it out")
    results = []
    with new_progress() as progress:
        bar = progress.add_task("replays", total=len(episodes) * repeats, note="")
        # One environment for all episodes that were recorded under the same settings.
        for settings, group in groupby(sorted(episodes, key=_settings_key), _settings_key):
            kind, width_px, height_px, max_steps, options = settings
            screen = {"width_px": width_px, "height_px": height_px}
            arguments = replay_arguments(json_text.loads(options))
            if kind == DOCUMENT:
                env = make_document_env(max_steps=max_steps, **arguments)
            else:
                env = make_env(machine or kind, max_steps=max_steps, **arguments | screen)
            repeat = replay_document if kind == DOCUMENT else replay_episode
            with closing(env):
                for path, meta in group:
                    for number in range(repeats):
                        progress.update(bar, note=f"{meta.agent} {meta.task}")
                        replay = repeat(env, path)
                        results.append(
                            {
                                "path": str(path),
                                "agent": meta.agent,
                                "task": meta.task,
                                "seed": meta.seed,
                                "time": number + 1,
                                **replay.to_json(),
                            }
                        )
                        progress.advance(bar)
    return results


def _settings_key(episode: "tuple[Path, EpisodeMeta]") -> tuple[str, int, int, int, str]:
    meta = episode[1]
    options = json_text.dumps(meta.env_options, sort_keys=True)
    return meta.machine, *meta.screen, meta.max_steps, options


def _screens(replays: list[dict[str, Any]]) -> tuple[str, str]:
    """Return the lowest tree similarity and the highest pixel difference; "-" on a document."""
    if "tree_similarity" not in replays[0]:
        return "-", "-"
    return (
        f"{min(min(result['tree_similarity']) for result in replays):.1%}",
        f"{max(max(result['pixel_difference']) for result in replays):.2%}",
    )


def _print(results: list[dict[str, Any]]) -> None:
    from itertools import groupby

    from rich.table import Table

    table = Table()
    table.add_column("agent", no_wrap=True)
    table.add_column("task", no_wrap=True)
    for name in (
        "seed",
        "recorded",
        "replayed",
        "same",
        "tree match",
        "pixels differ",
        "first difference",
    ):
        table.add_column(name, justify="right")
    for _, group in groupby(results, lambda result: result["path"]):
        replays = list(group)
        scores = sorted({f"{result['score']:.3f}" for result in replays})
        same = sum(result["same_score"] for result in replays)
        steps = sorted({result["first_difference"] for result in replays} - {""})
        table.add_row(
            replays[0]["agent"],
            replays[0]["task"],
            str(replays[0]["seed"]),
            f"{replays[0]['recorded_score']:.3f}",
            ", ".join(scores),
            f"{same} of {len(replays)}",
            *_screens(replays),
            "; ".join(steps) or "-",
            style=None if same == len(replays) else "red",
        )
    stdout().print(table)
