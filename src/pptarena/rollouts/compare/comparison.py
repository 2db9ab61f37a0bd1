"""Compare agents and runs on the tasks that all of them have a score for.

Differences are paired by task: the mean score of one contender on a task minus that of the other.
The interval comes from resampled tasks (`pptarena.rollouts.report.intervals`). A hard task is hard
for both, so this detects smaller differences than two separate intervals.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError
from pptarena.rollouts.compare.contenders import Contender
from pptarena.rollouts.endings import Ending, EndingRow, ending_of, ending_rows
from pptarena.rollouts.episode import DOCUMENT, IMPORTED, EpisodeMeta, StoredEpisode
from pptarena.rollouts.help_summary import HelpRow, help_rows
from pptarena.rollouts.model_costs import ModelCosts, model_costs
from pptarena.rollouts.report.figures import FigureRow, figure_rows, task_groups
from pptarena.rollouts.report.intervals import SEED, Estimate, clustered_mean
from pptarena.rollouts.summary import SUCCESS_SCORE

__all__ = ["Comparison", "Difference", "Standing", "compare"]


@dataclass(frozen=True)
class Standing:
    """The results of one contender on the common tasks.

    Attributes:
        name: Name of the contender.
        run: Folder of its run.
        rows: Its figures: over all tasks first, then by the other groups of `task_groups`.
        costs: Tokens, money and seconds of its model; None without a model.
        unscored: Number of its unscored episodes, including other tasks.
        infra_failed: Attempts with an infrastructure failure, including other tasks.
        missing: Tasks of others for which it has no scored episode.
        endings: How its episodes ended; None if the infrastructure failed all of them.
        played_on: ``"screen"``, ``"document"`` or ``"imported"``, or several of them.
    """

    name: str
    run: str
    rows: tuple[FigureRow, ...]
    costs: ModelCosts | None
    unscored: int
    infra_failed: int
    missing: tuple[str, ...]
    played_on: str = "screen"
    endings: EndingRow | None = None

    @property
    def total(self) -> FigureRow:
        """Its figures over all tasks."""
        return self.rows[0]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The difference between one contender and the first on a group of tasks.

    Attributes:
        name: Name of the contender.
        baseline: Name of the contender that is subtracted.
        kind, value: The group, as in `FigureRow`.
        tasks: Number of tasks.
        score, success: Mean differences over tasks, in [-1, 1].
        better, worse: Number of tasks on which its mean score is higher, and lower.
    """

    name: str
    baseline: str
    kind: str
    value: str
    tasks: int
    score: Estimate
    success: Estimate
    better: int
    worse: int


@dataclass(frozen=True)
class Comparison:
    """A comparison of contenders.

    Attributes:
        tasks: The tasks that all of them have a score for.
        standings: One per contender.
        differences: The difference of each other contender from the first.
        notes: Other differences, as text.
        seed: Seed of the bootstrap.
        help: The help that agents got from persons. Episodes with help are in no other figure,
            unless there are no others.
    """

    tasks: tuple[str, ...]
    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    seed: int
    help: tuple[HelpRow, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as a JSON object."""
        return dataclasses.asdict(self)


def compare(
    contenders: Sequence[Contender],
    seed: int = SEED,
    on_episode: Callable[[Path], None] = lambda folder: None,
) -> Comparison:
    """Compare agents and runs.

    Args:
        contenders: The result of `read_contenders`; the first is the baseline.
        seed: Seed of the bootstrap.
        on_episode: Called with the folder of every episode before its actions are read.

    Raises:
        ConfigError: If there is no task with a score of all of them.
        StoreError: If the record of a model is malformed.
    """
    metas = [episode.meta for each in contenders for episode in each.episodes]
    contenders = [each for each in contenders if not each.is_helped] or contenders
    all_tasks = {task for each in contenders for task in each.scored}
    shared = {task for task in all_tasks if all(task in each.scored for each in contenders)}
    changed = {task for task in shared if _has_changed(contenders, task)}
    common = shared - changed
    if not common:
        counts = ", ".join(f"{each.name} {len(each.scored)}" for each in contenders)
        raise ConfigError(
            f"expected runs with scored episodes of the same tasks, got none in common ({counts})"
        )
    first = contenders[0]
    notes = list(_notes(contenders))
    if changed:
        notes.append(f"left out, as their instructions differ: {', '.join(sorted(changed))}")
    return Comparison(
        tuple(sorted(common)),
        tuple(_standing_of(each, common, all_tasks, seed, on_episode) for each in contenders),
        tuple(row for each in contenders[1:] for row in _differences(first, each, common, seed)),
        tuple(notes),
        seed,
        help_rows(metas),
    )


def _standing_of(
    contender: Contender,
    common: set[str],
    all_tasks: set[str],
    seed: int,
    on_episode: Callable[[Path], None],
) -> Standing:
    episodes = [episode for episode in contender.episodes if episode.meta.task in common]
    costs = model_costs(episodes)
    endings = ending_rows(_endings(episodes, contender.name, on_episode))
    return Standing(
        contender.name,
        str(contender.run),
        figure_rows((replace(each.meta, agent=contender.name, help={}) for each in episodes), seed),
        replace(costs[0], agent=contender.name) if costs else None,
        contender.unscored,
        contender.infra_failed,
        tuple(sorted(all_tasks - set(contender.scored))),
        ", ".join(sorted({_played_on(each.meta) for each in episodes})),
        endings[0] if endings else None,
    )


def _endings(
    episodes: Iterable[StoredEpisode], name: str, on_episode: Callable[[Path], None]
) -> Iterator[tuple[str, int, Ending]]:
    for episode in episodes:
        on_episode(episode.folder)
        if (ending := ending_of(episode)) is not None:
            yield name, episode.meta.steps, ending


def _played_on(meta: EpisodeMeta) -> str:
    return meta.machine if meta.machine in (DOCUMENT, IMPORTED) else "screen"


def _differences(
    first: Contender, other: Contender, common: set[str], seed: int
) -> Iterator[Difference]:
    metas = [first.scored[task][0].meta for task in sorted(common)]
    for kind, value, members in task_groups(metas):
        tasks = [meta.task for meta in members]
        pairs = [(_scores(other, task), _scores(first, task)) for task in tasks]
        scores = [_mean(mine) - _mean(theirs) for mine, theirs in pairs]
        solved = [_success(mine) - _success(theirs) for mine, theirs in pairs]
        yield Difference(
            name=other.name,
            baseline=first.name,
            kind=kind,
            value=value,
            tasks=len(tasks),
            score=clustered_mean(scores, tasks, seed),
            success=clustered_mean(solved, tasks, seed),
            better=sum(score > 1e-9 for score in scores),
            worse=sum(score < -1e-9 for score in scores),
        )


def _scores(contender: Contender, task: str) -> list[float]:
    metas = (episode.meta for episode in contender.scored[task])
    return [meta.score for meta in metas if meta.score is not None]


def _mean(numbers: Iterable[float]) -> float:
    values = list(numbers)
    return sum(values) / len(values)


def _success(scores: Iterable[float]) -> float:
    return _mean(float(score >= SUCCESS_SCORE) for score in scores)


def _has_changed(contenders: Sequence[Contender], task: str) -> bool:
    """Return whether any wording of the task's instruction differs between episodes."""
    instructions_by_wording: dict[int, set[str]] = {}
    for contender in contenders:
        for meta in (episode.meta for episode in contender.scored[task]):
            instructions_by_wording.setdefault(meta.wording, set()).add(meta.instruction)
    return any(len(instructions) > 1 for instructions in instructions_by_wording.values())


def _notes(contenders: Sequence[Contender]) -> Iterator[str]:
    """Yield the differences in settings that may explain a difference in scores."""

    def settings_of(meta: EpisodeMeta) -> dict[str, str]:
        return {
            "machine": meta.machine,
            "application": meta.application,
            "screen": "x".join(map(str, meta.screen)) if _played_on(meta) == "screen" else "",
            "version of pptarena": meta.versions.get("pptarena", ""),
        }

    settings = [settings_of(each.meta) for contender in contenders for each in contender.episodes]
    for name in settings[0]:
        values = dict.fromkeys(each[name] for each in settings if each[name])
        if len(values) > 1:
            yield f"{name} differs: {', '.join(values)[:300]}"
    for name, field in (
        ("the step budgets of tasks", "max_steps"),
        ("the wordings of tasks", "wording"),
    ):
        by_task: dict[str, set[int]] = {}
        for contender in contenders:
            for each in contender.episodes:
                by_task.setdefault(each.meta.task, set()).add(getattr(each.meta, field))
        if any(len(values) > 1 for values in by_task.values()):
            yield f"{name} differ"
