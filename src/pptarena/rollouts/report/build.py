"""Build the report of a run."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError, StoreError
from pptarena.files import replacing
from pptarena.rewards.checking.result import counted
from pptarena.rollouts.endings import TERMS, Ending, ending_of, ending_rows
from pptarena.rollouts.episode import EpisodeMeta, StoredEpisode, application_name
from pptarena.rollouts.help_summary import help_rows
from pptarena.rollouts.model_costs import model_costs
from pptarena.rollouts.report.figures import figure_rows
from pptarena.rollouts.report.intervals import CONFIDENCE_PCT, RESAMPLES
from pptarena.rollouts.report.packing import EpisodePacker, listed
from pptarena.rollouts.report.page import html_page
from pptarena.rollouts.report.pictures import (
    FIDELITIES,
    TILE_HEIGHT_PX,
    TILE_WIDTH_PX,
    Fidelity,
    PicturePool,
)
from pptarena.rollouts.report.slides import Renderer, SlideComparer
from pptarena.rollouts.store import read_meta, stored_episodes

__all__ = ["Report", "build_report", "write_page", "write_report"]

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Report:
    """A report and its contents.

    Attributes:
        html: The page.
        episodes: Number of episodes in the report.
        unreadable: Folders that could not be read, with the reason.
        fidelity: The encoding of its pictures.
        not_rendered: Why there are no pictures of slides; empty if there are.
    """

    html: str
    episodes: int
    unreadable: tuple[tuple[str, str], ...]
    fidelity: Fidelity
    not_rendered: str


def build_report(
    root: Path,
    render: Renderer | None = None,
    *,
    all_slides: bool = False,
    max_mb: float | None = None,
    on_episode: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> Report:
    """Return the report of all episodes at or below a folder.

    Args:
        root: A store, or an episode.
        render: Renders slides; None leaves their pictures out.
        all_slides: Whether to show slides without a change too.
        max_mb: Maximum size of the page in megabytes; pictures are compressed to fit.
        on_episode: Called before each episode with its index, the number of episodes and its name.

    Raises:
        StoreError: If no episode can be read.
        ConfigError: If the page cannot be that small.
    """
    root = root.resolve()
    folders = list(stored_episodes(root))
    pool = PicturePool()
    slides = SlideComparer(pool, render, all_slides)
    packer = EpisodePacker(pool, slides)
    metas: list[EpisodeMeta] = []
    endings: list[Ending | None] = []
    played: list[StoredEpisode] = []
    packed: list[dict[str, Any]] = []
    unreadable: list[tuple[str, str]] = []
    for place, folder in enumerate(folders):
        name = folder.relative_to(root).as_posix()
        on_episode(place, len(folders), name)
        try:
            meta = read_meta(folder)
            packed.append(packer.pack(folder, meta))
            metas.append(meta)
            endings.append(ending_of(StoredEpisode(folder, meta)))
            if (packed[-1]["model"] or {}).get("record"):
                played.append(StoredEpisode(folder, meta))
        except StoreError as error:
            unreadable.append((name, str(error).removeprefix(f"{folder}/")))
    if not packed:
        first = f": {unreadable[0][0]}: {unreadable[0][1]}" if unreadable else ""
        said = first or "; name a folder that `pptarena run` wrote"
        raise StoreError(f"{root}: there is no episode that can be read{said}")
    on_episode(len(folders), len(folders), "pictures")
    title = root.name or "run"
    summary = _summary(title, metas, endings, unreadable) | {
        "costs": [row.to_json() for row in model_costs(played)]
    }
    page, fidelity = _fitting(title, summary, packed, pool, max_mb)
    return Report(page, len(packed), tuple(unreadable), fidelity, slides.not_rendered)


def write_report(report: Report, target: Path) -> None:
    """Write the page of a report; see `write_page`."""
    write_page(report.html, target)


def write_page(html: str, target: Path) -> None:
    """Write a page; an existing link is replaced, not followed.

    Raises:
        StoreError: If it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            file.write(html.encode("utf-8", "replace"))
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error}") from error


def _summary(
    title: str,
    metas: Sequence[EpisodeMeta],
    endings: Sequence[Ending | None],
    unreadable: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    def different(values: list[str]) -> list[str]:
        return sorted({value for value in values if value})

    known = [
        (meta.agent, meta.steps, ending)
        for meta, ending in zip(metas, endings, strict=True)
        if ending is not None
    ]
    times = sorted(meta.started_at for meta in metas)
    return {
        "title": title,
        "rows": [row.to_json() for row in figure_rows(metas)],
        "help": [row.to_json() for row in help_rows(metas)],
        "endings": [row.to_json() for row in ending_rows(known)],
        "terms": {name: term._asdict() for name, term in TERMS.items()},
        "episodes": [
            listed(number, meta, ending)
            for number, (meta, ending) in enumerate(zip(metas, endings, strict=True))
        ],
        "unreadable": unreadable,
        "confidence_pct": CONFIDENCE_PCT,
        "resamples": RESAMPLES,
        "tile": [TILE_WIDTH_PX, TILE_HEIGHT_PX],
        "facts": {
            "first": times[0],
            "last": times[-1],
            "machines": different([meta.machine for meta in metas]),
            "applications": different([application_name(meta.application) for meta in metas]),
            "versions": different([meta.versions.get("pptarena", "") for meta in metas]),
            "rewards": different([meta.reward for meta in metas]),
        },
    }


def _fitting(
    title: str,
    summary: dict[str, Any],
    episodes: Sequence[dict[str, Any]],
    pool: PicturePool,
    max_mb: float | None,
) -> tuple[str, Fidelity]:
    """Return the page with the best pictures within the size limit."""
    size_mb = 0.0
    for fidelity in FIDELITIES:
        shown = {**summary, "fidelity": asdict(fidelity)}
        page = html_page(title, shown, episodes, pool.encoded(fidelity))
        size_mb = len(page) / MEGABYTE  # the page is ASCII except for its fixed parts
        if max_mb is None or size_mb <= max_mb:
            return page, fidelity
    count = counted(len(episodes), "episode")
    raise ConfigError(
        f"expected a size bound of at least {size_mb:.1f} MB for {count}, got {max_mb} MB; "
        "raise it, or report a part of the run"
    )
