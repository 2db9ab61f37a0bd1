"""``pptarena export``: stored episodes in the formats that trainers read."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import new_progress, stdout
from pptarena.errors import ConfigError, StoreError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from pptarena.rollouts.exporters import SourceEpisode

__all__ = ["export"]


def export(
    folder: Annotated[Path, typer.Argument(help="An episode, or a folder of episodes.")],
    format: Annotated[
        str, typer.Option(help="'minari', 'agentnet', 'sharegpt', 'chat' or 'atif'.")
    ],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    min_score: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Leave out episodes with a lower score.")
    ] = 0.0,
    filter: Annotated[
        str,
        typer.Option(
            help="Only episodes of which all of this holds, such as 'score>=0.9,steps<=20' or "
            "'agent=ui-tars*,difficulty!=easy'.",
            metavar="FIELD>=VALUE,...",
        ),
    ] = "",
) -> None:
    """Write stored episodes in another format.

    Episodes that the infrastructure failed, and those that could not be judged, are left out.
    Pictures are copied without loss; only 'minari' makes them smaller (320 x 180). A README.md
    says what the data set holds and how it is loaded. Episodes of the document environment have no
    screenshots: 'chat' and 'atif' contain their tool calls; other formats leave these episodes out
    and report how many. If an episode cannot be exported, nothing is written.

    Fields of --filter: score, steps, reward, seed, seconds; agent, task, suite, difficulty,
    edit_type, end, machine.

    Example: pptarena export runs/demo --format agentnet --out data --min-score 1
    """
    from pptarena.rollouts.exporters import (
        CARD,
        EXPORTERS,
        SCREENS_ONLY,
        DatasetCard,
        episodes_of,
        parse_filter,
    )

    if format not in EXPORTERS:
        raise ConfigError(not_found("format", format, EXPORTERS))
    keep, card, count, left_out = parse_filter(filter), DatasetCard(format), 0, 0
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="looking")
        # Read twice rather than kept: there may be more than fit into memory.
        for episode in episodes_of(folder, min_score, keep):
            if episode.on_document and format in SCREENS_ONLY:
                left_out += 1
                continue
            card.add(episode.meta)
            count += 1
        if not count:
            raise StoreError(
                f"{folder}: {format} holds screenshots, and all {left_out} episodes are of the "
                "document environment, which has none: export them as chat or atif"
            )
        progress.update(bar, total=count)

        def watched() -> "Iterator[SourceEpisode]":
            for episode in episodes_of(folder, min_score, keep):
                if episode.on_document and format in SCREENS_ONLY:
                    continue
                progress.update(bar, note=episode.id)
                yield episode
                progress.advance(bar)

        written = EXPORTERS[format](watched(), out)
        progress.update(bar, note="")
    said = f"{count} episode{'' if count == 1 else 's'} written to {written}"
    lines = [said, *([_loading(format, written, out)] if format in ("minari", "chat") else [])]
    chosen = [f"score of {min_score:g} or more"] if min_score else []
    selection = ", ".join([*chosen, *([filter] if filter else [])])
    if not card.write(out, selection, _code(format, written, out)):
        lines.append(f"{out / CARD} is not ours and stays as it is")
    if left_out:
        lines.append(
            f"{left_out} of {count + left_out} episodes are left out: {format} holds screenshots, "
            "and they are of the document environment; chat and atif hold both"
        )
    stdout().print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _loading(format: str, written: Path, out: Path) -> str:
    """Return the line of Python that loads what was written."""
    if format == "chat":
        parts = (out / "chat-00001.parquet").exists()
        files = str(out / "chat*.parquet" if parts else written)
        return f"Load it with: datasets.Dataset.from_parquet({files!r})"
    name = written.relative_to(out).as_posix()
    return (
        f"Load it with MINARI_DATASETS_PATH={out.absolute()} in the environment: "
        f"minari.load_dataset({name!r})"
    )


def _code(format: str, written: Path, out: Path) -> str:
    """Return the code of the card; paths begin in the folder of the export."""
    if format == "chat":
        return 'import datasets\n\ndatasets.Dataset.from_parquet("chat*.parquet")'
    if format == "minari":
        name = written.relative_to(out).as_posix()
        return (
            f"import minari  # with MINARI_DATASETS_PATH set to this folder\n\n"
            f"minari.load_dataset({name!r})"
        )
    if format == "atif":
        return (
            "import json\nfrom pathlib import Path\n\n"
            '[json.loads(file.read_text()) for file in Path().glob("*.json")]'
        )
    return (
        "import json\nfrom pathlib import Path\n\n"
        f'[json.loads(line) for line in Path("{written.name}").read_text().splitlines()]'
    )
