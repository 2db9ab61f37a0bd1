"""Build the report of a run."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError, StoreError
from pptarena.files import atomic_write
from pptarena.rewards.checking.result import pluralize
from pptarena.rollouts.endings import TERMS, Ending, ending_of, ending_rows
from pptarena.rollouts.episode import EpisodeMeta, StoredEpisode, application_name
from pptarena.rollouts.help_summary import help_rows
from pptarena.rollouts.model_costs import model_costs
from pptarena.rollouts.report.figures import figure_rows
from pptarena.rollouts.report.intervals import CONFIDENCE_PCT, RESAMPLES
from pptarena.rollouts.report.packing import EpisodePacker, list_entry
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

__all__ = ["Report", "build_report", "write_page"]

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Report:
    """A report and its contents.

    Attributes:
        html: The page.
        episodes: Number of episodes in the report.
        unreadable: Folders that could not be read, with the reason.
        fidelity: The encoding of its pictures.
        not_rendered: Why there are no pictures of slides; empty if there are some.
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
        all_slides: Whether to include unchanged slides.
        max_mb: Maximum size of the page in megabytes; pictures are compressed to fit.
        on_episode: Called before each episode with its index, the number of episodes and its name.

    Raises:
        StoreError: If no episode can be read.
        ConfigError: If the page cannot be compressed to `max_mb`.
    """
    root = root.resolve()
    folders = list(stored_episodes(root))
    pool = PicturePool()
    slides = SlideComparer(pool, render, all_slides)
    packer = EpisodePacker(pool, slides)
    metas: list[EpisodeMeta] = []
    endings: list[Ending | None] = []
    model_episodes: list[StoredEpisode] = []
    packed: list[dict[str, Any]] = []
    unreadable: list[tuple[str, str]] = []
    for number, folder in enumerate(folders):
        name = folder.relative_to(root).as_posix()
        on_episode(number, len(folders), name)
        try:
            meta = read_meta(folder)
            packed.append(packer.pack(folder, meta))
            metas.append(meta)
            endings.append(ending_of(StoredEpisode(folder, meta)))
            if (packed[-1]["model"] or {}).get("record"):
                model_episodes.append(StoredEpisode(folder, meta))
        except StoreError as error:
            unreadable.append((name, str(error).removeprefix(f"{folder}/")))
    if not packed:
        error_text = f": {unreadable[0][0]}: {unreadable[0][1]}" if unreadable else ""
        hint = error_text or "; choose a folder that `pptarena run` wrote"
        raise StoreError(f"{root}: no readable episode{hint}")
    on_episode(len(folders), len(folders), "pictures")
    title = root.name or "run"
    summary = _summary(title, metas, endings, unreadable) | {
        "costs": [row.to_json() for row in model_costs(model_episodes)]
    }
    page, fidelity = _fit_page(title, summary, packed, pool, max_mb)
    return Report(page, len(packed), tuple(unreadable), fidelity, slides.not_rendered)


def write_page(html: str, target: Path) -> None:
    """Write a page; an existing link is replaced, not followed.

    Raises:
        StoreError: If it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(target) as file:
            file.write(html.encode("utf-8", "replace"))
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error}") from error


def _summary(
    title: str,
    metas: Sequence[EpisodeMeta],
    endings: Sequence[Ending | None],
    unreadable: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    def distinct(values: list[str]) -> list[str]:
        return sorted({value for value in values if value})

    finished = [
        (meta.agent, meta.steps, ending)
        for meta, ending in zip(metas, endings, strict=True)
        if ending is not None
    ]
    times = sorted(meta.started_at for meta in metas)
    return {
        "title": title,
        "rows": [row.to_json() for row in figure_rows(metas)],
        "help": [row.to_json() for row in help_rows(metas)],
        "endings": [row.to_json() for row in ending_rows(finished)],
        "terms": {name: term._asdict() for name, term in TERMS.items()},
        "episodes": [
            list_entry(number, meta, ending)
            for number, (meta, ending) in enumerate(zip(metas, endings, strict=True))
        ],
        "unreadable": unreadable,
        "confidence_pct": CONFIDENCE_PCT,
        "resamples": RESAMPLES,
        "tile": [TILE_WIDTH_PX, TILE_HEIGHT_PX],
        "facts": {
            "first": times[0],
            "last": times[-1],
            "machines": distinct([meta.machine for meta in metas]),
            "applications": distinct([application_name(meta.application) for meta in metas]),
            "versions": distinct([meta.versions.get("pptarena", "") for meta in metas]),
            "rewards": distinct([meta.reward for meta in metas]),
        },
    }


def _fit_page(
    title: str,
    summary: dict[str, Any],
    episodes: Sequence[dict[str, Any]],
    pool: PicturePool,
    max_mb: float | None,
) -> tuple[str, Fidelity]:
    """Return the page with the best pictures within the size limit."""
    size_mb = 0.0
    for fidelity in FIDELITIES:
        page_summary = {**summary, "fidelity": asdict(fidelity)}
        page = html_page(title, page_summary, episodes, pool.encoded(fidelity))
        size_mb = len(page) / MEGABYTE  # the page is ASCII except for its fixed parts
        if max_mb is None or size_mb <= max_mb:
            return page, fidelity
    count = pluralize(len(episodes), "episode")
    raise ConfigError(
        f"the smallest report of {count} has {size_mb:.1f} MB, above the limit of {max_mb} MB; "
        "raise the limit, or report a part of the run"
    )
