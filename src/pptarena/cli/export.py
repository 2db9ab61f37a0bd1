"""``pptarena export``: stored episodes in the formats that trainers read."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import new_progress, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.rollouts.exporters import SourceEpisode

__all__ = ["export"]


def export(
    folder: Annotated[Path, typer.Argument(help="An episode, or a folder of episodes.")],
    format: Annotated[
        str, typer.Option(help="Such as 'minari' or 'chat'; docs/data.md has all of them.")
    ],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    min_score: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Leave out episodes with a lower score.")
    ] = 0.0,
) -> None:
    """Write stored episodes in another format.

    Episodes that the infrastructure failed, and those that could not be judged, are left out.
    Pictures are copied without loss; only 'minari' makes them smaller (320 x 180).

    Example: pptarena export runs/demo --format agentnet --out data --min-score 1
    """
    from pptarena.rollouts.exporters import EXPORTERS, episodes_of

    if format not in EXPORTERS:
        raise ConfigError(f"expected a format of {', '.join(EXPORTERS)}, got {format!r}")
    episodes = list(episodes_of(folder, min_score))
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=len(episodes), note="")

        def watched() -> "Iterator[SourceEpisode]":
            for episode in episodes:
                progress.update(bar, note=episode.id)
                yield episode
                progress.advance(bar)

        written = EXPORTERS[format](watched(), out)
        progress.update(bar, note="")
    count = len(episodes)
    said = f"{count} episode{'' if count == 1 else 's'} written to {written}"
    lines = [said, *([_loading(format, written, out)] if format in ("minari", "chat") else [])]
    stdout().print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _loading(format: str, written: Path, out: Path) -> str:
    """Return the line of Python that loads what was written."""
    if format == "chat":
        return f"Load it with: datasets.Dataset.from_parquet({str(written)!r})"
    name = written.relative_to(out).as_posix()
    return (
        f"Load it with MINARI_DATASETS_PATH={out.absolute()} in the environment: "
        f"minari.load_dataset({name!r})"
    )
