"""Results of a folder of runs, with the data needed to verify them."""

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import StoreError
from pptarena.rollouts.compare import Contender, read_contenders
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.manifest import read_manifest
from pptarena.rollouts.model_costs import ModelCosts, model_costs
from pptarena.rollouts.report.figures import FigureRow, figure_rows
from pptarena.rollouts.rescore import check_score
from pptarena.rollouts.store import find_episodes, require_run_folder

__all__ = ["LeaderboardRow", "leaderboard"]


@dataclass(frozen=True, kw_only=True)
class LeaderboardRow:
    """One agent of one run.

    Attributes:
        run: Name of the folder of the run.
        agent: Name of the agent.
        suites: Suites of its tasks.
        total: Its figures over all tasks.
        costs: Tokens, money and seconds of its model; None without a model.
        versions: Versions of pptarena that produced it.
        applications: Images and applications.
        image: Hash of the machine image in the run's manifest; empty without one.
        machines: Types of machines.
        max_steps: Smallest and largest step budget.
        tasks_digest: SHA-256 over ids and digests of its tasks; empty if records lack some.
        seeds: Seeds of its episodes.
        checked: Number of recomputed scores; None if scores were not recomputed.
        faults: Episodes whose score could not be confirmed, with the reason.
        unreadable: Number of the run's episodes that could not be read.
        helped: Whether a person helped in these episodes; such rows follow all others.
    """

    run: str
    agent: str
    suites: tuple[str, ...]
    total: FigureRow
    costs: ModelCosts | None
    versions: tuple[str, ...]
    applications: tuple[str, ...]
    image: str
    machines: tuple[str, ...]
    max_steps: tuple[int, int]
    tasks_digest: str
    seeds: tuple[int, ...]
    checked: int | None
    faults: tuple[tuple[str, str], ...]
    unreadable: int
    helped: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return dataclasses.asdict(self)


def leaderboard(
    folder: Path,
    *,
    verify: bool = False,
    on_episode: Callable[[Path], None] = lambda folder: None,
) -> tuple[LeaderboardRow, ...]:
    """Return the results of the runs in a folder: best mean score first, faulty rows last.

    Episodes in which a person helped have rows of their own behind all others.

    Args:
        folder: Its subfolders are the runs; those without episodes are skipped.
        verify: Whether to recompute all scores from the stored decks.
        on_episode: Called with the folder of every episode before it is read, and before its score
            is recomputed.

    Raises:
        StoreError: If there is no run, or a manifest or the record of a model is malformed.
    """
    runs = sorted(each for each in _folders(folder) if next(find_episodes(each), None) is not None)
    if not runs:
        raise StoreError(f"{folder}: expected folders of runs with episodes, found none")
    contenders = read_contenders(runs, on_episode)
    rows = []
    for each in contenders.contenders:
        unreadable = sum(path.is_relative_to(each.run) for path, _ in contenders.unreadable)
        rows.append(_row(each, verify, unreadable, on_episode))
    return tuple(sorted(rows, key=_order))


def _folders(folder: Path) -> list[Path]:
    require_run_folder(folder)
    try:
        return [each for each in folder.iterdir() if each.is_dir() and not each.is_symlink()]
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error}") from error


def _order(row: LeaderboardRow) -> tuple[bool, bool, float, str, str]:
    mean = row.total.score.mean
    return (row.helped, bool(row.faults), 1.0 if mean is None else -mean, row.run, row.agent)


def _row(
    contender: Contender, verify: bool, unreadable: int, on_episode: Callable[[Path], None]
) -> LeaderboardRow:
    metas = [episode.meta for episode in contender.episodes]
    scored = [episode for episodes in contender.scored.values() for episode in episodes]
    budgets = [meta.max_steps for meta in metas]
    costs = model_costs(contender.episodes)
    manifest = read_manifest(contender.run)
    return LeaderboardRow(
        run=contender.run.name,
        agent=contender.agent,
        suites=_distinct(meta.suite for meta in metas),
        total=figure_rows(metas)[0],
        costs=costs[0] if costs else None,
        versions=_distinct(meta.versions.get("pptarena", "") for meta in metas),
        applications=_distinct(meta.application for meta in metas),
        image="" if manifest is None else manifest.image,
        machines=_distinct(meta.machine for meta in metas),
        max_steps=(min(budgets), max(budgets)),
        tasks_digest=_tasks_digest(contender.episodes),
        seeds=tuple(sorted({meta.seed for meta in metas})),
        checked=len(scored) if verify else None,
        faults=tuple(_faults(contender.run, scored, on_episode)) if verify else (),
        unreadable=unreadable,
        helped=contender.is_helped,
    )


def _faults(
    run: Path, scored: Sequence[StoredEpisode], on_episode: Callable[[Path], None]
) -> Iterable[tuple[str, str]]:
    for episode in scored:
        on_episode(episode.folder)
        if reason := check_score(episode.folder, episode.meta):
            folder = episode.folder
            name = folder.relative_to(run) if folder.is_relative_to(run) else folder
            yield name.as_posix(), reason


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))


def _tasks_digest(episodes: Sequence[StoredEpisode]) -> str:
    pairs = {(each.meta.task, each.meta.task_digest) for each in episodes}
    if not all(digest for _, digest in pairs):
        return ""
    lines = "".join(f"{task} {digest}\n" for task, digest in sorted(pairs))
    return hashlib.sha256(lines.encode("utf-8", "replace")).hexdigest()
