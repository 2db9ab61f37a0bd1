"""``pptarena runs export``: convert stored episodes to formats that trainers read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
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
    from pptarena.rollouts.exporters import ExportFormat, SourceEpisode

__all__ = ["export"]


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

    chosen = _export_format(format, dialect, see)
    keep, card, count = parse_filter(filter), DatasetCard(chosen), 0
    left_out = dict[Path, str]()
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="reading")
        # Read twice rather than kept in memory, where a large run may not fit.
        for episode in episodes_of(folder, min_score, keep):
            if reason := chosen.why_not(episode):
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

        written = chosen.export(watched(), out)
        progress.update(bar, note="")
    conditions = [f"score of {min_score:g} or more"] if min_score else []
    selection = ", ".join([*conditions, *([filter] if filter else [])])
    loading_code = chosen.loading_code(written.relative_to(out).as_posix())
    has_card = card.write(out, selection, loading_code)
    if json:
        skipped = {str(each): reason for each, reason in left_out.items()}
        print_json({"out": str(written), "episodes": count, "skipped": skipped})
        return
    print_line(f"{count} episode{'' if count == 1 else 's'} written to {written}")
    if has_card:
        print_line(f"{out / CARD} describes the data set and how to load it")
    else:
        print_line(f"kept {out / CARD}, because pptarena did not write it")
    if left_out:
        of = f"skipped {len(left_out)} of {count + len(left_out)} episodes"
        print_line(f"{of}: {_first_reason(left_out)}")


def _export_format(name: str, dialect: str, see: str) -> "ExportFormat":
    """Return the format with its options."""
    from pptarena.agents.dialects import get_dialect
    from pptarena.rollouts.exporters import EXPORTERS, stored_sources, why_not_in
    from pptarena.rollouts.exporters.chat import export_chat

    if name not in EXPORTERS:
        raise ConfigError(not_found("format", name, EXPORTERS))
    if see and not dialect:
        raise ConfigError("--see needs --dialect; other exports contain what was recorded")
    if not dialect:
        return EXPORTERS[name]
    if name != "chat":
        raise ConfigError(
            f"--dialect needs --format chat: the format {name!r} prescribes how actions are written"
        )
    chosen, sources = get_dialect(dialect), stored_sources(see) if see else ""
    return replace(
        EXPORTERS[name],
        export=partial(export_chat, dialect=chosen, see=sources),
        why_not=partial(why_not_in, chosen, see=sources),
    )


def _first_reason(left_out: Mapping[Path, str]) -> str:
    """Return why the first episode was skipped, and how many others have another reason."""
    folder, reason = next(iter(left_out.items()))
    others = sum(each != reason for each in left_out.values())
    if reason.startswith("step"):
        reason = f"{folder}: {reason}"
    return f"{reason}; {others} for other reasons" if others else reason
