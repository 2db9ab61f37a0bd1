"""``pptarena runs export``: convert stored episodes to formats that trainers read."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena import plugins
from pptarena.cli.options import AsJson, EpisodeFolder
from pptarena.cli.output import new_progress, print_json, print_line
from pptarena.errors import ConfigError, StoreError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from pptarena.rollouts.exporters import Exporter, SourceEpisode

__all__ = ["export"]

_NO_SCREEN = (
    "format {} needs screenshots, and episodes of the document environment have none; use chat or "
    "atif"
)


def export(
    folder: EpisodeFolder,
    format: Annotated[
        str,
        typer.Option(help=f"Format: {', '.join(map(repr, plugins.EXPORTERS))}.", metavar="FORMAT"),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write to.", metavar="FOLDER")],
    min_score: Annotated[
        float,
        typer.Option(min=0.0, max=1.0, help="Skip episodes with a lower score.", metavar="X"),
    ] = 0.0,
    filter: Annotated[
        str,
        typer.Option(
            help="Export only episodes that meet all conditions, such as 'score>=0.9,steps<=20' or "
            "'agent=ui-tars*'.",
            metavar="FIELD>=X,...",
        ),
    ] = "",
    dialect: Annotated[
        str,
        typer.Option(
            help="Write prompts and actions in this dialect; only for 'chat'.",
            metavar="DIALECT",
            show_default="the recorded one",
        ),
    ] = "",
    see: Annotated[
        str,
        typer.Option(
            help="What the model is shown, see `run --see`; only with --dialect.",
            metavar="SOURCE,...",
            show_default="what the dialect says",
        ),
    ] = "",
    json: AsJson = False,
) -> None:
    """Convert stored episodes to a format for trainers.

    Unscored episodes and episodes with a machine failure are skipped. Screenshots are copied
    without loss, except that 'minari' scales them to 320 x 180. A README.md describes the data set
    and how to load it. Only 'chat' and 'atif' export episodes of the
    document environment, as tool calls. The format 'dagger' contains the steps in which a person
    took over from an agent. If an episode cannot be exported, nothing is
    written.

    --dialect converts episodes of any agent, such as demonstrations, to training data for models
    of that dialect. Episodes with an action that the dialect cannot express are skipped.

    Fields of --filter: score, steps, reward, seed, seconds, helped, agent, task, suite, difficulty,
    edit_type, end, machine.

    Example:
      pptarena runs export runs/demo --format chat --out data --min-score 1
    """
    from pptarena.rollouts.exporters import CARD, DatasetCard, episodes_of, parse_filter

    export_to, why_not = _exporter(format, dialect, see)
    keep, card, count = parse_filter(filter), DatasetCard(format), 0
    left_out = dict[Path, str]()
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="reading")
        # Read twice rather than kept in memory, where a large run may not fit.
        for episode in episodes_of(folder, min_score, keep):
            if reason := why_not(episode):
                left_out[episode.folder] = reason
                continue
            card.add(episode.meta)
            count += 1
        if not count:
            raise StoreError(
                f"none of the {len(left_out)} episodes in {folder} can be exported: "
                f"{_first_reason(left_out)}"
            )
        progress.update(bar, total=count)

        def watched() -> "Iterator[SourceEpisode]":
            for episode in episodes_of(folder, min_score, keep):
                if episode.folder in left_out:
                    continue
                progress.update(bar, note=episode.id)
                yield episode
                progress.advance(bar)

        written = export_to(watched(), out)
        progress.update(bar, note="")
    chosen = [f"score of {min_score:g} or more"] if min_score else []
    selection = ", ".join([*chosen, *([filter] if filter else [])])
    has_card = card.write(out, selection, _code(format, written, out))
    if json:
        skipped = {str(each): reason for each, reason in left_out.items()}
        print_json({"out": str(written), "episodes": count, "skipped": skipped})
        return
    print_line(f"{count} episode{'' if count == 1 else 's'} written to {written}")
    if format in ("minari", "chat"):
        print_line(_loading(format, written, out))
    if not has_card:
        print_line(f"kept {out / CARD}, because pptarena did not write it")
    if left_out:
        of = f"skipped {len(left_out)} of {count + len(left_out)} episodes"
        print_line(f"{of}: {_first_reason(left_out)}")


def _exporter(
    format: str, dialect: str, see: str
) -> "tuple[Exporter, Callable[[SourceEpisode], str]]":
    """Return the exporter, and a function that returns why an episode is skipped, or ""."""
    from pptarena.agents.dialects import get_dialect
    from pptarena.rollouts.exporters import (
        EXPORTERS,
        SCREENS_ONLY,
        export_chat,
        stored_sources,
        why_no_correction,
        why_not_in,
    )

    if format not in EXPORTERS:
        raise ConfigError(not_found("format", format, EXPORTERS))
    if see and not dialect:
        raise ConfigError("--see needs --dialect; other exports contain what was recorded")
    if format == "dagger" and not dialect:
        return EXPORTERS[format], why_no_correction
    if not dialect:
        no_screen = _NO_SCREEN.format(format) if format in SCREENS_ONLY else ""
        return EXPORTERS[format], lambda episode: no_screen if episode.on_document else ""
    if format != "chat":
        raise ConfigError(
            f"--dialect needs --format chat: the format {format!r} prescribes how actions are "
            "written"
        )
    chosen = get_dialect(dialect)
    shown = stored_sources(see) if see else ""
    return partial(export_chat, dialect=chosen, see=shown), partial(why_not_in, chosen, see=shown)


def _first_reason(left_out: Mapping[Path, str]) -> str:
    """Return why the first episode was skipped, and how many others have another reason."""
    folder, reason = next(iter(left_out.items()))
    others = sum(each != reason for each in left_out.values())
    if reason.startswith("step"):
        reason = f"{folder}: {reason}"
    return f"{reason}; {others} for other reasons" if others else reason


def _loading(format: str, written: Path, out: Path) -> str:
    """Return the line of Python that loads the export."""
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
    """Return the code of the dataset card; paths are relative to the export's folder."""
    if format == "chat":
        return 'import datasets\n\ndatasets.Dataset.from_parquet("chat*.parquet")'
    if format == "minari":
        name = written.relative_to(out).as_posix()
        return (
            f"import minari  # with MINARI_DATASETS_PATH set to this folder\n\n"
            f"minari.load_dataset({name!r})\n\n"
            "import datasets  # reads episodes.jsonl alone: which episodes there are\n\n"
            'datasets.load_dataset(".")'
        )
    if format == "atif":
        return (
            "import json\nfrom pathlib import Path\n\n"
            '[json.loads(file.read_text()) for file in Path().glob("*.json")]\n\n'
            "import datasets  # a row an episode, with the same JSON as a text\n\n"
            'episodes = datasets.load_dataset(".")["train"]\n'
            'json.loads(episodes[0]["trajectory"])'
        )
    return (
        "import json\nfrom pathlib import Path\n\n"
        f'[json.loads(line) for line in Path("{written.name}").read_text().splitlines()]'
    )
