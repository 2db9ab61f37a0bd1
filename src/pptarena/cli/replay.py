"""``pptarena replay``: run stored actions again and compare the final score."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.output import new_progress, print_json, stderr, stdout
from pptarena.errors import StoreError

if TYPE_CHECKING:
    from pptarena.rollouts.episode import EpisodeMeta

__all__ = ["replay"]


def replay(
    folder: Annotated[Path, typer.Argument(help="An episode, or a folder of episodes.")],
    machine: Annotated[
        str, typer.Option(help="Kind of machine.", show_default="the one of the record")
    ] = "",
    times: Annotated[int, typer.Option(min=1, help="How often to repeat each episode.")] = 1,
    exact: Annotated[
        bool, typer.Option("--exact", help="Let any tree or pixel that differs be a failure.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run the stored actions again; compare score, accessibility tree and pixels step by step.

    It says where a repetition first differs. Another final score is a failure: then it exits
    with 1. On 'sandbox' and 'qemu', where time stands still between two steps, every tree and
    every pixel should be the same as well: --exact makes a failure of any that is not. Episodes
    without a score are left out.

    Example: pptarena replay runs/demo/demonstration --times 10 --exact
    """
    episodes = _episodes(folder)
    results = _replay(episodes, machine, times)
    total = len(results)
    same = sum(result["same_score"] for result in results)
    identical = sum(result["identical"] for result in results)
    if json:
        counts = {"same": same, "identical": identical, "total": total}
        print_json({**counts, "replays": results})
    else:
        _print(results)
        stdout().print(
            f"{same} of {total} replays ended with the same score; "
            f"{identical} of {total} were the same in every tree and pixel."
        )
    if (identical if exact else same) < total:
        raise typer.Exit(1)


def _episodes(folder: Path) -> "list[tuple[Path, EpisodeMeta]]":
    from pptarena.rollouts.store import read_meta, stored_episodes

    episodes = [(path, read_meta(path)) for path in stored_episodes(folder)]
    if not episodes:
        raise StoreError(f"{folder}: there is no episode")
    scored = [(path, meta) for path, meta in episodes if meta.score is not None]
    if len(scored) < len(episodes):
        left_out = len(episodes) - len(scored)
        stderr().print(f"{left_out} episodes without a score are left out", markup=False)
    if not scored:
        raise StoreError(f"{folder}: no episode has a score to compare with")
    return scored


def _replay(
    episodes: "list[tuple[Path, EpisodeMeta]]", machine: str, times: int
) -> list[dict[str, Any]]:
    from contextlib import closing
    from itertools import groupby

    from pptarena.rollouts.env import make_env
    from pptarena.rollouts.env_options import replay_arguments
    from pptarena.rollouts.play_document import DOCUMENT
    from pptarena.rollouts.replay import replay_episode

    if any(meta.machine == DOCUMENT for _, meta in episodes):
        raise StoreError(
            "expected episodes of a screen, got some of the document environment, which have "
            "no pixels or trees to compare; 'pptarena run --env doc' plays them again"
        )
    results = []
    with new_progress() as progress:
        bar = progress.add_task("replays", total=len(episodes) * times, note="")
        # One environment for all episodes that were recorded under the same settings.
        for settings, group in groupby(sorted(episodes, key=_settings_key), _settings_key):
            kind, width_px, height_px, max_steps, options = settings
            screen = {"width_px": width_px, "height_px": height_px}
            arguments = replay_arguments(json_text.loads(options)) | screen
            env = make_env(machine or kind, max_steps=max_steps, **arguments)
            with closing(env):
                for path, meta in group:
                    for number in range(times):
                        progress.update(bar, note=f"{meta.agent} {meta.task}")
                        replay = replay_episode(env, path)
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
        "trees alike",
        "pixels differ",
        "first differs",
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
            f"{min(min(result['tree_similarity']) for result in replays):.1%}",
            f"{max(max(result['pixel_difference']) for result in replays):.2%}",
            "; ".join(steps) or "-",
            style=None if same == len(replays) else "red",
        )
    stdout().print(table)
